/** `<local-time data-zone="America/Los_Angeles" hidden>` around `<time>`s: prints them in the reader's time zone. */

import { differs, later, wall } from "../../pages/js/site.js";

/** Return the time with the name of the time zone, because one hour repeats in the fall. */
function named(instant) {
  // American English has no short names for the zones of Europe.
  const parts = new Intl.DateTimeFormat("en-GB", { timeZoneName: "short" }).formatToParts(instant);
  return `${wall(instant)} ${parts.find(({ type }) => type === "timeZoneName").value}`;
}

/** Stays hidden if the reader's time zone matches the game's. */
class LocalTime extends HTMLElement {
  connectedCallback() {
    const times = [...this.querySelectorAll("time")];
    this.hidden = !times.some((time) => differs(new Date(time.dateTime), this.dataset.zone));
    // The names of time zones take a browser long to load, so wait until someone reads them.
    if (!this.hidden) later(() => { for (const time of times) time.textContent = named(new Date(time.dateTime)); });
  }
}

later(() => customElements.define("local-time", LocalTime));
