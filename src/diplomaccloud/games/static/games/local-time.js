/** `<local-time data-zone="America/Los_Angeles" hidden>` around `<time>`s: prints them in the reader's time zone. */

const SHAPE = { weekday: "long", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

/** Return `Thursday 4 March at 09:00`, in `timeZone`, or in the reader's time zone without it. */
export function wall(instant, timeZone, more = {}) {
  return new Intl.DateTimeFormat("en-GB", { ...SHAPE, ...more, timeZone }).format(instant);
}

/** Return the same with the name of the time zone, because one hour repeats in autumn. */
function named(instant) {
  return wall(instant, undefined, { timeZoneName: "short" });
}

/** Stays hidden if the reader's time zone matches the game's. */
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
