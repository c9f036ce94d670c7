/** The chronicle of a finished game: the panel beside the map shows the messages of the phase on the map. */

import "../conversations/message-time.js";
import { offerPlaces } from "../page/reading-places.js";

class GameChronicle extends HTMLElement {
  connectedCallback() {
    offerPlaces(this);
    this.leave = new AbortController();
    // Pages of past phases replace the whole panel.
    if (document.getElementById("phase")) return;
    const { signal } = this.leave;
    this.chapter = "";
    document.addEventListener("phase-shown", ({ detail }) => this.show(detail), { signal });
    this.addEventListener("click", (event) => this.choose(event), { signal });
  }

  disconnectedCallback() {
    this.leave.abort();
  }

  /** Show the messages of phase `sequence`; 0 stands for the end, which keeps the last phase. */
  show(sequence) {
    if (sequence) this.load(`${this.dataset.url}${sequence}/${this.query}`);
  }

  /** The chosen country, as a query string. */
  get query() {
    return this.querySelector("[data-country][aria-current]")?.search ?? "";
  }

  choose(event) {
    const link = event.target.closest("[data-country]");
    if (!link || !this.chapter || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.load(`${this.chapter}${link.search}`);
  }

  async load(url) {
    const request = (this.newest = Symbol(url));
    const answer = await fetch(url, { headers: { "HX-Request": "true" } }).catch(() => null);
    const page = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page && page.querySelector("game-chronicle");
    if (request !== this.newest || !fresh) return;
    const focused = this.querySelector("[data-country]:focus")?.textContent;
    this.chapter = url.split("?")[0];
    this.replaceChildren(...fresh.childNodes);
    offerPlaces(this);
    if (focused) [...this.querySelectorAll("[data-country]")].find((link) => link.textContent === focused)?.focus();
  }
}

customElements.define("game-chronicle", GameChronicle);
