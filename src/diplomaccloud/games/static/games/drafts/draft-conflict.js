/** `<draft-conflict>`: brings the choice between saved and unsaved orders into view. */

class DraftConflict extends HTMLElement {
  connectedCallback() {
    const section = this.querySelector("section");
    section?.focus({ preventScroll: true });
    section?.scrollIntoView({ block: "start" });
  }
}

customElements.define("draft-conflict", DraftConflict);
