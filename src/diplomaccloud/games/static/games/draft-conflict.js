/** `<draft-conflict>`: brings the choice between saved and unsaved orders into view. */

class DraftConflict extends HTMLElement {
  connectedCallback() {
    this.querySelector("section")?.focus();
  }
}

customElements.define("draft-conflict", DraftConflict);
