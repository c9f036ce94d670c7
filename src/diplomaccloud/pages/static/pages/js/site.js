/** What every page may hold: a clock that counts down, and a voice for screen readers. */

const UNITS = [["d", 86400], ["h", 3600], ["m", 60], ["s", 1]];

/** Say `text` to screen readers; an empty text is not said. */
export function announce(text) {
  const voice = document.getElementById("announcer");
  if (voice && text) voice.textContent = voice.textContent === text ? `${text} ` : text;
}

/** Return `0d 2h 27m 01s`, or the two largest parts that are not zero. */
export function spell(seconds, long) {
  let rest = Math.max(0, Math.floor(seconds));
  const parts = UNITS.map(([letter, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return { letter, count };
  });
  if (long) {
    return parts.map(({ letter, count }) => `${letter === "d" ? count : String(count).padStart(2, "0")}${letter}`).join(" ");
  }
  const first = parts.findIndex(({ count }) => count > 0);
  if (first < 0) return "0s";
  return parts.slice(first, first + 2).map(({ letter, count }) => `${count}${letter}`).join(" ");
}

/** `<count-down>` around a `<time>`: prints what is left, and fires `due` once at the end. */
class CountDown extends HTMLElement {
  connectedCallback() {
    this.time = this.querySelector("time");
    if (!this.time) return;
    this.due = Date.parse(this.time.dateTime);
    this.time.title = this.time.textContent;
    this.setAttribute("role", "timer");
    this.timer = setInterval(() => this.tick(), 1000);
    this.tick();
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }

  tick() {
    const left = (this.due - Date.now()) / 1000;
    this.time.textContent = left > 0 ? spell(left, "long" in this.dataset) : "resolving…";
    if (left > 0) return;
    clearInterval(this.timer);
    this.dispatchEvent(new CustomEvent("due", { bubbles: true }));
  }
}

customElements.define("count-down", CountDown);
