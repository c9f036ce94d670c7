/**
 * `<phase-bar>`: the phases of a game as bars, their playback, and the arrow keys. On the page of
 * a game the map shows past phases beside the orders; on the page of a past phase its parts are swapped.
 */

import { announce } from "../../pages/js/site.js";
import { showPage } from "./past-page.js";
import { setHeight } from "../table/table.js";

/** Shows past phases on the map: a file of its own, which the first turn of a game does without. */
const TURNS = new URL("../results/turn-table.js", import.meta.url);
let TurnTable;

const PACE = 1800;
const INSIDE = /\/phases\/(\d+)\/$/;
/** Milliseconds from loading the page until a turn that is new to the viewer starts to play. */
const LEAD = 350;
let playing = 0;
/** The newest phase that was seen, by the page of the game, if the browser stores nothing. */
const seen = new Map();

const KEYS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };

const sequenceOf = (href) => Number(new URL(href, location.href).pathname.match(INSIDE)?.[1] ?? 0);

function readSeen(page) {
  try {
    const stored = localStorage.getItem(`seen ${page}`);
    return stored === null ? seen.get(page) : Number(stored);
  } catch { return seen.get(page); }
}

function storeSeen(page, sequence) {
  seen.set(page, sequence);
  try { localStorage.setItem(`seen ${page}`, sequence); } catch { /* then for this page only */ }
}

class PhaseBar extends HTMLElement {
  connectedCallback() {
    this.links = [...this.querySelectorAll(".phase-list a")];
    this.playButton = this.querySelector(".phase-bar__play");
    // The same on the map, for windows without room for the bar.
    this.mapButton = document.querySelector("#map .map__play");
    this.output = this.querySelector("output");
    const map = document.querySelector("map-view");
    if (map && !document.getElementById("phase")) this.showInPlace(map);
    else this.showPages();
    this.center();
  }

  disconnectedCallback() {
    this.table?.leave();
    clearTimeout(this.lead);
  }

  /** Show phases on the map of this page. */
  showInPlace(map) {
    this.phases = this.links.filter(({ href }) => sequenceOf(href));
    if (this.phases.length && !TurnTable) {
      this.onclick = (event) => { if (event.target.closest("a")) event.preventDefault(); };
      const loaded = import(TURNS);
      loaded.then((turns) => {
        ({ TurnTable } = turns);
        if (this.isConnected && !this.table) this.showInPlace(document.querySelector("map-view"));
      }, () => { this.onclick = null; });
      return;
    }
    this.present = { title: this.output.textContent, place: this.phases.length };
    this.place = this.present.place;
    const lastTurn = this.phases.slice(this.lastTurn).map(({ href }) => href);
    if (TurnTable) this.table = new TurnTable(map, (url) => this.mark(url), lastTurn);
    for (const rel of ["prev", "next"]) this.makeStep(rel);
    this.offerPlay(this.phases.length > 0, () => this.togglePlay());
    this.onclick = (event) => this.follow(event);
    const now = document.querySelector("#map .past-now");
    if (now) now.onclick = () => this.go(this.present.place);
    document.getElementById("last-results")?.addEventListener("click", (event) => this.followResult(event));
    this.mark("");
    this.playNews(map);
  }

  /** Make the play buttons, if they are useful, call `act`. */
  offerPlay(isUseful, act) {
    for (const button of [this.playButton, this.mapButton].filter(Boolean)) {
      button.hidden = !isUseful;
      button.onclick = act;
    }
    document.querySelector("map-view")?.makeRoom?.();
  }

  /** Show on the play buttons what they do, and whether something is playing. */
  markPlay(label, isPlaying) {
    for (const button of [this.playButton, this.mapButton].filter(Boolean)) {
      button.querySelector(".offscreen").textContent = label;
      button.title = label;
      button.setAttribute("aria-pressed", String(isPlaying));
    }
  }

  /** Put a button in place of a link or a gap. */
  makeStep(rel) {
    const steps = [...this.querySelectorAll(".phase-bar__step:not(.phase-bar__play)")];
    const old = rel === "prev" ? steps[0] : steps.at(-1);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "phase-bar__step";
    button.dataset.step = rel;
    button.append(old.querySelector("svg").cloneNode(true));
    const label = document.createElement("span");
    label.className = "offscreen";
    label.textContent = rel === "prev" ? "Previous phase" : "Next phase";
    button.append(label);
    old.replaceWith(button);
  }

  follow(event) {
    const button = event.target.closest("button[data-step]");
    if (button) this.step(button.dataset.step);
    const link = event.target.closest("a");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const place = this.phases.indexOf(link);
    this.go(place < 0 ? this.present.place : place);
  }

  /** Show a phase of the last turn on this map, so that unsaved orders are kept. */
  followResult(event) {
    const link = event.target.closest("a");
    const place = this.phases.findIndex(({ href }) => href === link?.href);
    if (place < 0 || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (document.documentElement.dataset.sheet === "high") setHeight("middle");
    this.go(place);
  }

  step(rel) {
    const { place } = this.present;
    const goal = { prev: this.place - 1, next: this.place + 1, first: 0, last: place }[rel];
    this.go(Math.min(Math.max(goal, 0), place));
  }

  /** Show the phase at `place` in the list, or the present one after all others. */
  async go(place) {
    if (place === this.place && !this.table?.running) return;
    this.place = place;
    const link = this.phases[place];
    if (!link) this.table.showNow();
    else if (!(await this.table.show(link.href))) location.assign(link.href);
  }

  /** Mark the phase at `url` as the one that is shown; blank for the present one. */
  mark(url) {
    const place = this.phases.findIndex(({ href }) => href === url);
    this.place = place < 0 ? this.present.place : place;
    const shown = this.phases[this.place];
    for (const link of this.links) link.toggleAttribute("aria-current", false);
    (shown ?? this.links.find(({ href }) => !sequenceOf(href)))?.setAttribute("aria-current", "page");
    const title = shown?.title;
    this.output.textContent = title ?? this.present.title;
    markPast(title);
    this.classList.toggle("is-past", Boolean(shown));
    this.querySelector("[data-step=prev]").disabled = this.place === 0;
    this.querySelector("[data-step=next]").disabled = this.place === this.present.place;
    // Panels may show content of the phase; 0 stands for the present one.
    document.dispatchEvent(new CustomEvent("phase-shown", { detail: shown ? sequenceOf(shown.href) : 0 }));
    this.markPlay(shown ? "Play from here" : "Play the last turn", Boolean(this.table?.running));
    this.center();
  }

  /** The place of the first phase of the last turn. */
  get lastTurn() {
    return Math.max(this.phases.findLastIndex((link) => link.classList.contains("phase-list__m")), 0);
  }

  async togglePlay() {
    const { place } = this;
    if (this.table.running) {
      await this.go(place);
      return;
    }
    await this.playFrom(place === this.present.place ? this.lastTurn : place);
  }

  async playFrom(place) {
    await this.table.play(this.phases.slice(place).map(({ href }) => href));
    this.mark(this.table.shown);
  }

  /** Play the phases judged since the viewer last looked at the game, at most one turn. */
  playNews(map) {
    const page = map.dataset.place || location.pathname;
    const newest = sequenceOf(this.phases.at(-1)?.href ?? "");
    const last = readSeen(page);
    storeSeen(page, newest);
    if (last === undefined || newest <= last) return;
    const place = this.phases.findIndex(({ href }) => sequenceOf(href) > last);
    this.lead = setTimeout(() => {
      if (!this.table.running && this.place === this.present.place) this.playFrom(Math.max(place, this.lastTurn));
    }, LEAD);
  }

  /** Show phases by swapping the page of a past phase. */
  showPages() {
    this.offerPlay(this.links.length > 1 && Boolean(document.getElementById("phase")), () => (playing ? stop() : start()));
    this.markPlay("Play all phases", Boolean(playing));
    this.onclick = (event) => {
      const link = event.target.closest("a");
      if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      stop();
      swap(link.href, link.rel);
    };
  }

  /** Scroll the bar of the phase shown into view if not all bars fit. */
  center() {
    const list = this.querySelector(".phase-list");
    const current = list?.querySelector("[aria-current]");
    if (current) list.scrollLeft = current.parentElement.offsetLeft - list.clientWidth / 2;
  }
}

/** Say in the bar and with a frame that the map shows the past phase `title`; nothing for the present one. */
function markPast(title) {
  const [past, phase] = [document.querySelector(".bar__past"), document.querySelector(".bar__phase")];
  if (past) {
    past.hidden = !title;
    past.textContent = title ? `${title.split(",")[0]} · past` : "";
  }
  if (phase) phase.hidden = Boolean(title);
  document.querySelector(".tabletop")?.classList.toggle("is-past-page", Boolean(title));
}

/** Play the phases in order, starting over after the last. */
async function start() {
  const mine = (playing = Date.now());
  const bar = () => document.querySelector("phase-bar");
  pressed(true);
  if (!next(bar())) await swap(bar().links[0].href);
  while (playing === mine) {
    await new Promise((done) => { setTimeout(done, PACE); });
    const link = next(bar());
    if (playing !== mine) return;
    if (!link) {
      stop();
      return;
    }
    await swap(link.href);
  }
}

function stop() {
  playing = 0;
  pressed(false);
}

function pressed(whether) {
  for (const button of document.querySelectorAll(".phase-bar__play, .map__play")) button.setAttribute("aria-pressed", String(whether));
}

/** Return the link to the next processed phase, if there is one. */
function next(bar) {
  const link = bar?.querySelector('a[rel="next"]');
  return link && INSIDE.test(new URL(link.href).pathname) ? link : null;
}

/** Show the phase at `href`: in place between pages of past phases, otherwise as a new page. */
async function swap(href, rel = "") {
  if (!document.getElementById("phase") || !INSIDE.test(new URL(href).pathname)) {
    location.assign(href);
    return;
  }
  const title = await showPage(href);
  if (title === null) return;
  if (!title) {
    location.assign(href);
    return;
  }
  if (playing) history.replaceState(null, "", href);
  else history.pushState(null, "", href);
  announce(title);
  if (rel) document.querySelector(`phase-bar a[rel="${rel}"]`)?.focus({ preventScroll: true });
}

document.addEventListener("keydown", (event) => {
  const rel = KEYS[event.key];
  if (!rel || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (event.target.closest("input, textarea, select, .table-scroll, .panel--scroll, .map__window, .turn-why")) return;
  const bar = document.querySelector("phase-bar");
  if (bar?.phases) {
    event.preventDefault();
    if (bar.present) bar.step(rel);
    return;
  }
  const link = bar?.querySelector(`a[rel="${rel}"]`);
  if (!link) return;
  event.preventDefault();
  stop();
  link.click();
});
addEventListener("popstate", async () => {
  stop();
  // On the page of the game, only links to its parts change the address.
  if (!document.getElementById("phase")) return;
  const title = INSIDE.test(location.pathname) ? await showPage(location.href) : "";
  if (title === "") location.reload();
  else announce(title);
});

customElements.define("phase-bar", PhaseBar);
