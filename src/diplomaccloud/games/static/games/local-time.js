/**
 * `<local-time data-zone="America/Los_Angeles" hidden>` around `<time>`s: prints them in the reader's time zone.
 * `<own-time data-zone="America/Los_Angeles">` around a `<time>`: replaces it with the reader's own time.
 */

const SHAPE = { weekday: "long", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

/** Return `Thursday, March 4 at 09:00`, in `timeZone`, or in the reader's time zone without it. */
export function wall(instant, timeZone) {
  return new Intl.DateTimeFormat("en-US", { ...SHAPE, timeZone }).format(instant);
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Return `Sun, Nov 29, 20:15` in the reader's time zone. Every game page shows it, and `Intl` takes long to load. */
function short(instant) {
  const [hours, minutes] = [instant.getHours(), instant.getMinutes()].map((number) => String(number).padStart(2, "0"));
  return `${DAYS[instant.getDay()]}, ${MONTHS[instant.getMonth()]} ${instant.getDate()}, ${hours}:${minutes}`;
}

/** Return whether clocks in `timeZone` and the reader's show different times at `instant`. */
function differs(instant, timeZone) {
  if (timeZone === "UTC") return instant.getTimezoneOffset() !== 0;
  try {
    return wall(instant) !== wall(instant, timeZone);
  } catch {
    return true; // a zone that this browser does not know
  }
}

/** Return the same with the name of the time zone, because one hour repeats in the fall. */
function named(instant) {
  // American English has no short names for the zones of Europe.
  const parts = new Intl.DateTimeFormat("en-GB", { timeZoneName: "short" }).formatToParts(instant);
  return `${wall(instant)} ${parts.find(({ type }) => type === "timeZoneName").value}`;
}

/** Time zones take a browser long to load, and the page shows the server's words until then. */
const later = window.requestIdleCallback ?? setTimeout;

/** Stays hidden if the reader's time zone matches the game's. */
class LocalTime extends HTMLElement {
  connectedCallback() {
    const times = [...this.querySelectorAll("time")];
    this.hidden = !times.some((time) => differs(new Date(time.dateTime), this.dataset.zone));
    // The names of time zones take a browser long to load, so wait until someone reads them.
    if (!this.hidden) later(() => { for (const time of times) time.textContent = named(new Date(time.dateTime)); });
  }
}

/** Shows `Sun, Nov 29, 20:15 your time`, and names neither zone if they show the same. */
class OwnTime extends HTMLElement {
  connectedCallback() {
    const time = this.querySelector("time");
    const instant = new Date(time.dateTime);
    time.title ||= time.textContent.trim();
    time.textContent = short(instant) + (differs(instant, this.dataset.zone) ? " your time" : "");
  }
}

later(() => customElements.define("local-time", LocalTime));
later(() => customElements.define("own-time", OwnTime));
