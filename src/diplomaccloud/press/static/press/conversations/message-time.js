/** `<message-time>` around a `<time>`: shows it in the reader's time zone, shorter for newer times.
 * With `data-long`, it is worded for screen readers: "Tuesday 14:02".
 */

const DAY = 86_400_000;
const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const format = (instant, shape) => new Intl.DateTimeFormat("en-US", shape).format(instant);

/** Return `14:02` for today, `Tue 14:02` for the last days, and `Mar 4, 14:02` for other days, with the year if it is another one. */
export function describeTime(instant, isLong, now = new Date()) {
  const weekday = isLong ? "long" : "short";
  const age = now - instant;
  if (Math.abs(age) < DAY && instant.getDate() === now.getDate() && !isLong) return format(instant, CLOCK);
  if (age >= 0 && age < 6 * DAY) return `${format(instant, { weekday })} ${format(instant, CLOCK)}`;
  const year = instant.getFullYear() === now.getFullYear() ? {} : { year: "numeric" };
  const month = isLong ? "long" : "short";
  return `${format(instant, { day: "numeric", month, ...year })}, ${format(instant, CLOCK)}`;
}

class MessageTime extends HTMLElement {
  connectedCallback() {
    const time = this.querySelector("time");
    const instant = new Date(time.dateTime);
    time.title ||= format(instant, { weekday: "long", day: "numeric", month: "long", year: "numeric", ...CLOCK });
    time.textContent = describeTime(instant, "long" in this.dataset);
  }
}

// The scripts of two panels may both include this.
if (!customElements.get("message-time")) customElements.define("message-time", MessageTime);
