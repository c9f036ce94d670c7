/** `<count-down>` around a `<time>`: shows the time left by the server's clock, and fires `due` once. */

import { hasClockMoved, serverNow } from "./server-time.js";

const DAY = 86_400;
const HOUR = 3600;
const MINUTE = 60;

const pad = (number) => String(number).padStart(2, "0");

/** Return `6d 23h`, on the last day `23h 05m`, in the last hour `42m 07s`. */
export function spell(seconds) {
  const rest = Math.max(0, Math.floor(seconds));
  const [days, hours] = [Math.floor(rest / DAY), Math.floor((rest % DAY) / HOUR)];
  const minutes = Math.floor((rest % HOUR) / MINUTE);
  if (days > 0) return `${days}d ${hours}h`;
  return hours > 0 ? `${hours}h ${pad(minutes)}m` : `${minutes}m ${pad(rest % MINUTE)}s`;
}

/**
 * Shows `data-before` and the time left; after that `data-over`. A hidden one does nothing. `isOver` says whether `due`
 * was fired, perhaps before anything listened.
 */
class CountDown extends HTMLElement {
  isOver = false;

  connectedCallback() {
    this.time = this.querySelector("time");
    if (!this.time) return;
    this.due = Date.parse(this.time.dateTime);
    this.time.title = this.time.textContent.trim();
    this.setAttribute("role", "timer");
    this.timer = setInterval(() => this.tick(), 1000);
    this.tick();
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }

  tick() {
    if (this.closest("[hidden]")) return;
    if (hasClockMoved()) document.dispatchEvent(new CustomEvent("clock-moved"));
    const left = (this.due - serverNow()) / 1000;
    const text = left > 0 ? (this.dataset.before ?? "") + spell(left) : this.dataset.over ?? "";
    if (this.time.textContent !== text) this.time.textContent = text;
    if (left > 0) return;
    clearInterval(this.timer);
    this.isOver = true;
    this.dispatchEvent(new CustomEvent("due", { bubbles: true }));
  }
}

customElements.define("count-down", CountDown);
