/** `<copy-text data-text="…">` around a hidden button: copies the text, where the browser allows it. */

const SHOWN_MS = 2000;

class CopyText extends HTMLElement {
  connectedCallback() {
    const button = this.querySelector("button");
    if (!button || !navigator.clipboard) return;
    button.hidden = false;
    const label = button.textContent;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(this.dataset.text);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Not copied";
      }
      setTimeout(() => (button.textContent = label), SHOWN_MS);
    });
  }
}

customElements.define("copy-text", CopyText);
