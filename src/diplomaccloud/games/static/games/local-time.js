/** `<local-time data-zone="America/Los_Angeles" hidden>` around `<time>`s: prints them as the reader's clocks show them. */

const SHAPE = { weekday: "long", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

/** Return `Thursday 4 March at 09:00`, by the clocks of `timeZone` or, if there is none, the reader's. */
export function wall(instant, timeZone, more = {}) {
  return new Intl.DateTimeFormat("en-GB", { ...SHAPE, ...more, timeZone }).format(instant);
}

/** Return the same with the name of the reader's time: an hour that comes twice in autumn has two names. */
function named(instant) {
  return wall(instant, undefined, { timeZoneName: "short" });
}

/** Stays hidden where the reader's clocks show what those of the game do. */
class LocalTime extends HTMLElement {
  connectedCallback() {
    const zone = this.dataset.zone;
    let differs = false;
    for (const time of this.querySelectorAll("time")) {
      const instant = new Date(time.dateTime);
      time.textContent = named(instant);
      try {
        differs ||= wall(instant) !== wall(instant, zone);
      } catch {
        differs = true; // a zone that this browser does not know
      }
    }
    this.hidden = !differs;
  }
}

customElements.define("local-time", LocalTime);
