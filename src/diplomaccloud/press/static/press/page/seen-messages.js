/** Marks messages as read once they have been on the screen for a moment in a visible tab. */

/** How many milliseconds messages must be on the screen before they are marked as read. */
const READ_MS = 500;

export class SeenMessages {
  shown = new Set();
  /** Whether the reader has just marked messages of this conversation as unread. */
  keepUnread = false;

  /** The `panel` has a `conversation` with its `log`, or none. */
  constructor(panel) {
    this.panel = panel;
  }

  stop() {
    this.observer?.disconnect();
    clearTimeout(this.reading);
  }

  /** Watch which messages in the log are on the screen; call `seen` when that changes. */
  watch(root, seen) {
    this.stop();
    this.shown.clear();
    if (!this.panel.conversation) return;
    this.observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) this.shown.add(Number(target.dataset.number));
        else this.shown.delete(Number(target.dataset.number));
      }
      seen();
      this.look();
    }, { root });
    for (const message of this.panel.log.querySelectorAll("[data-number]")) this.observer.observe(message);
  }

  look() {
    clearTimeout(this.reading);
    const { conversation } = this.panel;
    const number = Math.max(0, ...this.shown);
    if (document.hidden || this.keepUnread || !conversation || number <= Number(conversation.dataset.read)) return;
    this.reading = setTimeout(() => this.markRead(conversation, number), READ_MS);
  }

  async markRead(conversation, number) {
    if (document.hidden) return;
    conversation.dataset.read = number;
    const body = new URLSearchParams({ up_to: number, csrfmiddlewaretoken: this.panel.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "" });
    const headers = { Accept: "application/json" };
    const answer = await fetch(`${conversation.dataset.actions}read/`, { method: "POST", body, headers, keepalive: true }).catch(() => null);
    // After a refusal, the refreshed part would say that they are unread, and this would go on forever.
    if (answer?.ok) this.panel.refresh();
  }
}
