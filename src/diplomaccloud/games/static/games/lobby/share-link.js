/* Copies a link, or hands it to the device's share dialog; without scripts it is plain text. */
class ShareLink extends HTMLElement {
  connectedCallback() {
    this.querySelector("[data-actions]").hidden = false;
    this.querySelector("[data-copy]").addEventListener("click", () => this.copy());
    const share = this.querySelector("[data-share]");
    if (!navigator.share) return;
    share.hidden = false;
    share.addEventListener("click", () => this.share());
  }

  get input() {
    return this.querySelector("input");
  }

  say(text) {
    this.querySelector("[data-status]").textContent = text;
  }

  async copy() {
    this.input.select();
    try {
      await navigator.clipboard.writeText(this.input.value);
      this.say("Link copied.");
    } catch {
      // Without HTTPS there is no clipboard; the text is selected.
      this.say("Press Ctrl+C, or hold the link, to copy it.");
    }
  }

  async share() {
    try {
      await navigator.share({ title: this.dataset.title, url: this.input.value });
    } catch {
      // The person closed the share dialog.
    }
  }
}

customElements.define("share-link", ShareLink);
