/** `<own-time data-zone="America/Los_Angeles">` around a `<time>`: replaces it with the reader's own time. */

const SHAPE = { weekday: "long", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const pad = (number) => String(number).padStart(2, "0");

/** Return `Thursday, March 4 at 09:00`, in `timeZone`, or in the reader's time zone without it. */
export function wall(instant, timeZone) {
  return new Intl.DateTimeFormat("en-US", { ...SHAPE, timeZone }).format(instant);
}

/** Return whether clocks in `timeZone` and the reader's show different times at `instant`. */
export function differs(instant, timeZone) {
  if (timeZone === "UTC") return instant.getTimezoneOffset() !== 0;
  try {
    return wall(instant) !== wall(instant, timeZone);
  } catch {
    return true; // a zone that this browser does not know
  }
}

/**
 * Return `Sun, Nov 29, 20:15` in the reader's time zone, with a year if it is another one or the server's `words` have
 * one. Every game page shows it, and `Intl` takes long to load.
 */
function short(instant, words, seconds) {
  const day = `${DAYS[instant.getDay()]}, ${MONTHS[instant.getMonth()]} ${instant.getDate()}`;
  const named = /\d{4}/.test(words) || instant.getFullYear() !== new Date().getFullYear();
  const year = named ? `, ${instant.getFullYear()}` : "";
  const clock = [instant.getHours(), instant.getMinutes(), ...(seconds ? [instant.getSeconds()] : [])];
  return `${day}${year}, ${clock.map(pad).join(":")}`;
}

/**
 * Shows `Sun, Nov 29, 20:15 your time`, and names neither zone if they show the same. Without `data-zone`, the page
 * shows UTC. With `data-seconds`, it shows seconds.
 */
class OwnTime extends HTMLElement {
  connectedCallback() {
    const time = this.querySelector("time");
    const instant = new Date(time?.dateTime ?? "");
    if (Number.isNaN(instant.getTime())) return;
    time.title ||= time.textContent.trim();
    const named = differs(instant, this.dataset.zone ?? "UTC") ? " your time" : "";
    time.textContent = short(instant, time.title, "seconds" in this.dataset) + named;
  }
}

/** Time zones take a browser long to load, and the page shows the server's words until then. */
export const later = window.requestIdleCallback ?? setTimeout;

later(() => customElements.define("own-time", OwnTime));
