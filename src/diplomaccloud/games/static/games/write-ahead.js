/**
 * `<write-ahead>`: what is chosen in the lists is written into the text at once, so that both
 * say the same. A text that was typed is left alone: the server takes it before the lists.
 */

import { announce } from "../pages/js/site.js";

class WriteAhead extends HTMLElement {
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
    announce("The text says the same now. Not saved yet.");
  }
}

customElements.define("write-ahead", WriteAhead);
