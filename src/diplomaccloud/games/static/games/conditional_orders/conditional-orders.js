/**
 * `<conditional-orders>`: copies choices from the lists into the text, so that both match. Typed text
 * is left alone: the server prefers it to the lists.
 */

import { announce } from "../../pages/js/site.js";

/** Unsaved text, and the phase it is for, while the server sends the forms again. */
let kept = null;

class ConditionalOrders extends HTMLElement {
  connectedCallback() {
    this.text = this.querySelector("textarea[name=ahead]");
    if (kept?.phase === this.phase) this.text.value = kept.text;
    kept = null;
    this.addEventListener("submit", () => { this.sent = this.text.value; });
    this.addEventListener("change", ({ target }) => {
      if (target.matches("select")) this.write();
    });
  }

  get phase() {
    return this.querySelector("[name=phase]")?.value;
  }

  /** Keep what is not saved: after its own form was answered, what was typed since it was sent. */
  keep(source) {
    const known = this.contains(source) ? (this.sent ?? this.text?.value) : this.text?.defaultValue;
    const isUnsaved = this.text && this.text.value !== known;
    kept = isUnsaved ? { phase: this.phase, text: this.text.value } : null;
  }

  write() {
    const chosen = new Map();
    for (const { name, value } of this.querySelectorAll("select")) {
      if (!chosen.has(name)) chosen.set(name, []);
      if (value) chosen.get(name).push(value);
    }
    const lines = [...chosen].filter(([, values]) => values.length).map(([name, values]) => `${name}: ${values.join(", ")}`);
    this.text.value = lines.join("\n");
    announce("The text now matches your choices. Not saved yet.");
  }
}

document.addEventListener("htmx:before:swap", ({ detail: { ctx } }) => {
  const part = document.querySelector("conditional-orders");
  if (part && ctx.target?.contains?.(part)) part.keep(ctx.sourceElement);
});
document.addEventListener("htmx:after:swap", () => {
  const drawer = document.getElementById("conditional-drawer");
  if (kept && drawer) drawer.open = true;
});
customElements.define("conditional-orders", ConditionalOrders);
