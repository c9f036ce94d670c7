/** The note on the map that says why an order had its outcome. */

export class TurnWhy {
  constructor(map) {
    this.map = map;
    this.note = null;
  }

  /** Explain the order `line` of `phase`. */
  async open(phase, line) {
    this.close();
    const note = document.createElement("section");
    note.className = "turn-why";
    note.setAttribute("role", "dialog");
    note.setAttribute("aria-label", `Why: ${line.order}`);
    const head = document.createElement("p");
    head.className = "turn-why__head";
    const code = document.createElement("code");
    code.textContent = line.order;
    code.classList.toggle("failed-order", !line.succeeded);
    const word = document.createElement("span");
    word.className = `result__word ${line.succeeded ? "is-good" : "is-bad"}`;
    word.textContent = line.word;
    head.append(code, " ", word);
    const reason = document.createElement("p");
    reason.textContent = line.reason;
    const more = document.createElement("div");
    more.className = "turn-why__more";
    const close = document.createElement("button");
    close.type = "button";
    close.className = "turn-why__close";
    close.setAttribute("aria-label", "Close");
    close.textContent = "×";
    close.addEventListener("click", () => this.close());
    note.append(head, reason, more, close);
    more.addEventListener("click", (event) => this.follow(event, phase));
    this.note = note;
    this.back = document.activeElement;
    this.map.append(note);
    close.focus({ preventScroll: true });
    const answer = await fetch(`${phase.url}why/${line.number}/`, { headers: { "HX-Request": "true" } }).catch(() => null);
    if (!answer?.ok || this.note !== note) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const text = page.querySelector(".why__text");
    if (text) more.replaceChildren(...document.adoptNode(text).childNodes);
  }

  /** Open the explanation of another order of the same phase in place. */
  follow(event, phase) {
    const number = event.target.closest("a")?.getAttribute("href")?.match(/\/why\/(\d+)\//)?.[1];
    const line = number && phase.orders.find((order) => order.number === Number(number));
    if (!line) return;
    event.preventDefault();
    this.open(phase, line);
  }

  /** Close the note; return whether one was open. */
  close() {
    if (!this.note) return false;
    const hadFocus = this.note.contains(document.activeElement);
    this.note.remove();
    this.note = null;
    if (hadFocus && this.back?.isConnected) this.back.focus({ preventScroll: true });
    return true;
  }
}
