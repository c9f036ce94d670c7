/**
 * `<conditional-orders>`: copies choices from the lists into the text, so that both match. Typed text
 * is left alone: the server prefers it to the lists.
 */

import { announce } from "../pages/js/site.js";

class ConditionalOrders extends HTMLElement {
  connectedCallback() {
    this.text = this.querySelector("textarea[name=ahead]");
    this.addEventListener("change", ({ target }) => {
      if (target.matches("select")) this.write();
    });
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

customElements.define("conditional-orders", ConditionalOrders);
