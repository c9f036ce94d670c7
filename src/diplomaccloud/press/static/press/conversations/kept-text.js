/**
 * `<kept-text data-unsent="...">` in a conversation without a composer: shows the text that was typed there and never
 * sent, with buttons to copy and to discard it. It stays hidden if this browser stores none.
 */

import { announce } from "../../pages/js/site.js";
import { deleteUnsent, readUnsent, watchUnsent } from "../../pages/js/unsent-text.js";

class KeptText extends HTMLElement {
  connectedCallback() {
    const place = this.dataset.unsent;
    const [copy, discard] = this.querySelectorAll("button");
    this.text = this.querySelector("textarea");
    this.stop = new AbortController();
    const { signal } = this.stop;
    copy.hidden = !navigator.clipboard;
    copy.addEventListener("click", () => this.copy(), { signal });
    discard.addEventListener("click", () => { deleteUnsent(place); this.show(null); announce("Discarded."); }, { signal });
    watchUnsent(place, (stored) => this.show(stored), signal);
    this.show(readUnsent(place));
  }

  disconnectedCallback() {
    this.stop.abort();
  }

  /** Show the subject and the text among stored fields. */
  show(stored) {
    const { subject = "", body = "" } = Object.fromEntries(stored ?? []);
    this.text.value = [subject, body].filter((part) => part.trim()).join("\n\n");
    this.hidden = !this.text.value;
  }

  async copy() {
    const isCopied = await navigator.clipboard.writeText(this.text.value).then(() => true, () => false);
    if (!isCopied) this.text.select();
    announce(isCopied ? "Copied." : "Not copied. Copy the selected text.");
    this.querySelector("button").textContent = isCopied ? "Copied" : "Not copied";
  }
}

if (!customElements.get("kept-text")) customElements.define("kept-text", KeptText);
