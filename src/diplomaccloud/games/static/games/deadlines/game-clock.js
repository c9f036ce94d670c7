/**
 * `<game-clock>`: the deadline of the open phase, in states that follow each other (`data-face`).
 * When orders close, forms with orders can no longer be sent; when the turn is judged, the page
 * waits for the next phase (`live-game` gets a `judging` event).
 */

import { announce, serverNow } from "../../pages/js/site.js";

/** The longest time in milliseconds that a browser's timer can wait. */
const MAX_WAIT = 2 ** 31;

class GameClock extends HTMLElement {
  connectedCallback() {
    this.faces = [...this.querySelectorAll("[data-face]")];
    this.addEventListener("due", () => this.advance());
    this.stop = new AbortController();
    document.addEventListener("unfolded", () => { if (this.reason) closeForms(this.reason); }, { signal: this.stop.signal });
    this.enter(this.faces.find((face) => !face.hidden), true);
    this.awaitQuiet();
    if (this.querySelector("[data-face]:not([hidden]) count-down")?.isOver) this.advance();
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
    announce(spellFace(following));
    this.enter(following, false);
  }

  /** The phase is over, but the page stays, because the viewer has unsaved changes. */
  showOver() {
    for (const face of this.faces) face.hidden = true;
    this.reason = "This phase is over.";
    const face = makeSpan("clock__face");
    face.append(makeSpan("clock__time", this.reason), " ", makeSpan("clock__at", "Your unsaved changes are still here."));
    this.querySelector(".clock__summary").append(face);
    this.querySelector(".clock__note").textContent = "This phase has been judged. Your unsaved changes were not sent.";
    this.className = "clock clock--over";
    closeForms(this.reason);
  }

  enter(face, atStart) {
    const state = face?.dataset.face;
    if (!state) return;
    this.className = `clock clock--${state}`;
    if (state !== "closed" && state !== "due") {
      openForms();
      return;
    }
    this.reason = spellFace(face);
    if (!atStart) closeForms(this.reason);
    this.dispatchEvent(new CustomEvent(state === "due" ? "judging" : "orders-closed", { bubbles: true }));
  }
}

function makeSpan(name, text = "") {
  return Object.assign(document.createElement("span"), { className: name, textContent: text });
}

function spellFace(face) {
  return face.textContent.replace(/\s+/g, " ").trim();
}

/** Disable what sends orders, votes and conditions for the phase, and give the reason. */
function closeForms(reason) {
  for (const button of document.querySelectorAll(".order-form form button:not([type=button]), #ballot button")) {
    if (!button.disabled) button.dataset.closed = "";
    button.disabled = true;
  }
  const actions = document.querySelector(".order-form__actions");
  if (!actions) return;
  const note = actions.querySelector(".order-form__over") ?? document.createElement("p");
  note.className = "order-form__over small";
  note.textContent = `${reason} Changes that you have not saved do not count.`;
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
