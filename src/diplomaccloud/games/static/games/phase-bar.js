/** `<phase-bar>`: the phases of a game as bars, their playback, and the arrow keys. */

import { announce } from "../pages/js/site.js";

const PACE = 1800;
const INSIDE = /\/phases\/\d+\/$/;
let playing = 0;

const KEYS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };

class PhaseBar extends HTMLElement {
  connectedCallback() {
    this.links = [...this.querySelectorAll(".phase-list a")];
    const play = this.querySelector(".phase-bar__play");
    play.hidden = this.links.length < 2 || !document.getElementById("phase");
    play.setAttribute("aria-pressed", String(Boolean(playing)));
    play.addEventListener("click", () => (playing ? stop() : start()));
    this.center();
    this.addEventListener("click", (event) => {
      const link = event.target.closest("a");
      if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      stop();
      go(link.href, link.rel);
    });
  }

  /** Scroll the bar of the phase shown into view if not all bars fit. */
  center() {
    const list = this.querySelector(".phase-list");
    const current = list.querySelector("[aria-current]");
    if (current) list.scrollLeft = current.parentElement.offsetLeft - list.clientWidth / 2;
  }
}

/** Play the phases in order, starting over after the last. */
async function start() {
  const mine = (playing = Date.now());
  const bar = () => document.querySelector("phase-bar");
  pressed(true);
  if (!next(bar())) await go(bar().links[0].href);
  while (playing === mine) {
    await new Promise((done) => setTimeout(done, PACE));
    const link = next(bar());
    if (playing !== mine) return;
    if (!link) return stop();
    await go(link.href);
  }
}

function stop() {
  playing = 0;
  pressed(false);
}

function pressed(whether) {
  document.querySelector(".phase-bar__play")?.setAttribute("aria-pressed", String(whether));
}

/** Return the link to the next phase that has been played, if there is one. */
function next(bar) {
  const link = bar?.querySelector('a[rel="next"]');
  return link && INSIDE.test(new URL(link.href).pathname) ? link : null;
}

/** Show the phase at `href`: swapped in place between history pages, otherwise as a new page. */
async function go(href, rel = "") {
  if (!document.getElementById("phase") || !INSIDE.test(new URL(href).pathname)) {
    location.assign(href);
    return;
  }
  await window.htmx.ajax("GET", href, { target: "#phase", swap: "outerHTML" });
  if (playing) history.replaceState(null, "", href);
  else history.pushState(null, "", href);
  const { title } = document.getElementById("phase").dataset;
  document.title = document.title.replace(/^[^·]*/, `${title} `);
  announce(title);
  if (rel) document.querySelector(`phase-bar a[rel="${rel}"]`)?.focus({ preventScroll: true });
}

document.addEventListener("keydown", (event) => {
  const rel = KEYS[event.key];
  if (!rel || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (event.target.closest("input, textarea, select, .table-scroll, .panel--scroll")) return;
  const link = document.querySelector(`phase-bar a[rel="${rel}"]`);
  if (!link) return;
  event.preventDefault();
  stop();
  link.click();
});
addEventListener("popstate", () => location.reload());

customElements.define("phase-bar", PhaseBar);
