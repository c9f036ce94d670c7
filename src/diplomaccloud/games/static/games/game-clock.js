/**
 * `<game-clock>`: the deadline of the open phase, in states that follow each other (`data-face`).
 * When orders close, forms with orders can no longer be sent; when the turn is judged, the page
 * waits for the next phase (`live-game` gets a `judging` event).
 */

import { announce, serverNow } from "../pages/js/site.js";

/** The longest time in milliseconds that a browser's timer can wait. */
const MAX_WAIT = 2 ** 31;

class GameClock extends HTMLElement {
  connectedCallback() {
    this.faces = [...this.querySelectorAll("[data-face]")];
    this.addEventListener("due", () => this.advance());
    this.stop = new AbortController();
    document.addEventListener("unfolded", () => { if (this.closed) closeForms(this.closed); }, { signal: this.stop.signal });
    this.enter(this.faces.find((face) => !face.hidden), true);
    this.awaitQuiet();
  }

  /** Announce quiet time once it has started. */
  awaitQuiet() {
    const note = this.querySelector(".clock__quiet[hidden]");
    const wait = Date.parse(note?.dataset.from ?? "") - serverNow();
    if (!(wait < MAX_WAIT)) return;
    this.quiet = setTimeout(() => {
      note.hidden = false;
      announce("Quiet time has started: nobody can write until the next movement phase.");
    }, Math.max(wait, 0));
  }

  disconnectedCallback() {
    this.stop.abort();
    clearTimeout(this.quiet);
  }

  /** Show the next state. */
  advance() {
    const place = this.faces.findIndex((face) => !face.hidden);
    const following = this.faces[place + 1];
    if (!following) return;
    this.faces[place].hidden = true;
    following.hidden = false;
    announce(following.textContent.replace(/\s+/g, " ").trim());
    this.enter(following, false);
  }

  enter(face, atStart) {
    const state = face?.dataset.face;
    if (!state) return;
    this.className = `clock clock--${state}`;
    if (state !== "closed" && state !== "due") {
      openForms();
      return;
    }
    this.closed = face;
    if (!atStart) closeForms(face);
    this.dispatchEvent(new CustomEvent(state === "due" ? "judging" : "orders-closed", { bubbles: true }));
  }
}

/** Disable what sends orders, votes and conditions for the phase, and say why. */
function closeForms(face) {
  for (const button of document.querySelectorAll(".order-form form button:not([type=button]), #ballot button")) {
    if (!button.disabled) button.dataset.closed = "";
    button.disabled = true;
  }
  const actions = document.querySelector(".order-form__actions");
  if (!actions || actions.querySelector(".order-form__over")) return;
  const note = document.createElement("p");
  note.className = "order-form__over small";
  note.textContent = `${face.textContent.replace(/\s+/g, " ").trim()} Changes that you have not saved do not count.`;
  actions.append(note);
}

/** Enable the forms again: the deadline has moved. */
function openForms() {
  document.querySelector(".order-form__over")?.remove();
  for (const button of document.querySelectorAll("button[data-closed]")) {
    button.disabled = false;
    delete button.dataset.closed;
  }
}

customElements.define("game-clock", GameClock);
