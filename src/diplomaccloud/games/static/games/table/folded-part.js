/**
 * `<folded-part>`: a part of the page that takes its place when it is first shown. With scripts, the page has no
 * elements for it before. Its content is in a `<noscript>`, which is a plain part of the page without scripts; or it
 * is fetched from `data-url`, to which the `<noscript>` links.
 */

import { waitForAnswer } from "../../pages/js/site.js";

const root = document.documentElement;
/** The height of each fetched part when it was last shown, so that nothing moves when it is fetched again. */
const heights = new Map();

class FoldedPart extends HTMLElement {
  connectedCallback() {
    const inert = this.querySelector(":scope > noscript");
    if (!inert) return;
    // An answer that htmx parsed has the elements, the page itself only their text.
    if (!this.dataset.url) this.text = inert.childElementCount ? inert.innerHTML : inert.textContent;
    inert.remove();
    if (this.isShown) this.unfold();
  }

  /** Whether the drawer and the section of the panel around it are open. */
  get isShown() {
    const section = this.closest(".tab-section")?.dataset.section;
    return !this.closest("details:not([open])") && (!section || section === root.dataset.tab);
  }

  /** Whether the element with this id is in the part, as far as the page knows. */
  mayHold(id) {
    return !this.dataset.url || this.dataset.ids.split(" ").includes(id.split("-")[0]);
  }

  /** Show the part; a promise of when it is there. */
  unfold() {
    if (this.dataset.url) this.loading ??= this.load();
    else if (this.text !== undefined) this.show(this.text);
    return this.loading;
  }

  async load() {
    const { url, phase } = this.dataset;
    this.setAttribute("aria-busy", "true");
    this.style.minBlockSize = `${heights.get(url) ?? 0}px`;
    const headers = { "HX-Request": "true", "Game-Phase": phase };
    const answer = await fetch(url, { headers, signal: waitForAnswer() }).catch(() => null);
    const text = answer?.ok ? await answer.text().catch(() => "") : "";
    if (!this.isConnected) return;
    if (text) this.show(text);
    else this.offerRetry();
  }

  /** Say that the part could not be fetched; the link fetches it again. */
  offerRetry() {
    const [note, link] = [document.createElement("p"), document.createElement("a")];
    note.className = "soft";
    link.href = this.dataset.url;
    link.textContent = "Try again";
    link.addEventListener("click", (event) => {
      event.preventDefault();
      this.loading = this.load();
    });
    note.append("This part of the page could not be loaded. ", link);
    this.removeAttribute("aria-busy");
    this.replaceChildren(note);
  }

  show(text) {
    const template = document.createElement("template");
    template.innerHTML = text;
    this.text = undefined;
    const { parentElement } = this;
    const { url } = this.dataset;
    this.replaceWith(template.content);
    if (url) heights.set(url, parentElement.scrollHeight);
    window.htmx?.process?.(parentElement);
    document.dispatchEvent(new CustomEvent("unfolded"));
  }
}

/** Unfold what is shown now. */
export function unfoldShown() {
  for (const part of document.querySelectorAll("folded-part")) if (part.isShown) part.unfold();
}

/** Return the element with this id, which may be in a folded part; a promise, because that part may be fetched. */
export async function findById(id) {
  if (!document.getElementById(id)) {
    const parts = [...document.querySelectorAll("folded-part")].filter((part) => part.mayHold(id));
    await Promise.all(parts.map((part) => part.unfold()));
  }
  return document.getElementById(id);
}

document.addEventListener("toggle", ({ target }) => { if (target.open) unfoldShown(); }, { capture: true });

customElements.define("folded-part", FoldedPart);
