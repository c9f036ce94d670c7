/** The time on the server's clock, because the clock of this device may be wrong. */

/** The longest time in milliseconds that a page can plausibly take to reach its scripts. */
const MAX_DELAY = 60_000;
/** A smaller difference in milliseconds is the delay of a response, not a wrong clock. */
const TOLERANCE = 1500;
const HALF_SECOND = 500;

let offset = 0;
let drift = Date.now() - performance.now();
readPage();

/** Return the server's time in milliseconds. */
export function serverNow() {
  return Date.now() + offset;
}

/** Note that the server's time was `stamp`, as text, when this device's clock showed `heardAt`. */
export function noteServerTime(stamp, heardAt = Date.now()) {
  const measured = Date.parse(stamp) - heardAt;
  if (Number.isFinite(measured) && Math.abs(measured - offset) > TOLERANCE) offset = measured;
}

/** Note that a response just arrived with the header `date`, whose time is rounded down to a second. */
export function noteServerDate(date) {
  if (date) noteServerTime(date, Date.now() - HALF_SECOND);
}

/** Return whether this device's clock was changed, or the device slept, since the last call. */
export function hasClockMoved() {
  const current = Date.now() - performance.now();
  const moved = Math.abs(current - drift) > TOLERANCE;
  drift = current;
  return moved;
}

/** Read the time at which the server made this page, and estimate when it arrived. */
function readPage() {
  const stamp = document.querySelector('meta[name="server-time"]')?.content;
  if (!stamp) return;
  const [navigation] = performance.getEntriesByType?.("navigation") ?? [];
  const delay = performance.now() - (navigation?.responseStart || performance.now());
  noteServerTime(stamp, Date.now() - Math.min(Math.max(delay, 0), MAX_DELAY));
}
