/**
 * `<live-game>`: listens for changes with server-sent events, and polls if those fail.
 * A new phase replaces the play section of the page; unsaved orders are never lost silently.
 */

import { announce, noteServerDate, noteServerTime, waitForAnswer } from "../../pages/js/site.js";
import { listTerritories } from "../results/turn-stage.js";

const FAILURES = 3;
const POLL = 10_000;
/** Milliseconds until the stream is tried again while the page polls: at first, and at most. */
const FIRST_RETRY = 10_000;
const LAST_RETRY = 300_000;
/** How often to request the next phase while a turn is judged, with and without live events. */
const JUDGING_POLL = 4000;
const JUDGING_POLL_LIVE = 12_000;
/** The minimum time in milliseconds that judging a turn takes. */
const JUDGING_TIME = 1500;
/** Milliseconds to wait for the answer to a form that leads to another page. */
const LEAVING_TIME = 10_000;

class LiveGame extends HTMLElement {
  /** The seats as the server last reported them after the page was made. */
  seats = [];

  connectedCallback() {
    this.failures = 0;
    this.pause = FIRST_RETRY;
    this.stop = new AbortController();
    const { signal } = this.stop;
    this.listen();
    document.addEventListener("orders-closed", () => this.showMove(false), { signal });
    document.addEventListener("orders-saved", () => this.showMove(false), { signal });
    document.addEventListener("judging", () => this.awaitPhase(), { signal });
    document.addEventListener("clock-moved", () => this.ask(), { signal });
    document.addEventListener("unfolded", () => this.showReady(this.seats), { signal });
    addEventListener("pageshow", (event) => { if (event.persisted) this.ask(); }, { signal });
    // A stream that the network has cut can look open.
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.ask(); }, { signal });
    // After a form, for example one that cancels the game, the browser goes where the answer leads.
    document.addEventListener("submit", (event) => { this.leaving = !event.defaultPrevented; }, { signal });
    this.showMove("move" in this.dataset);
    // The clock may be upgraded before this element. The clock of the last phase may still be on the page.
    const part = this.closest("#play") ?? document;
    if (part.querySelector("game-clock [data-face=due]:not([hidden])")) this.awaitPhase();
  }

  disconnectedCallback() {
    this.source?.close();
    clearInterval(this.timer);
    clearTimeout(this.retrying);
    clearTimeout(this.judging);
    this.stop.abort();
  }

  /** Show in the title and the icon of the tab whether it is the viewer's move. */
  showMove(yours) {
    const { title, titleMove, icon, iconMove } = this.dataset;
    if (!title) return; // a waiting room
    document.title = yours ? titleMove : title;
    const link = document.querySelector('link[rel="icon"]');
    const address = yours ? iconMove : icon;
    if (link && address && link.getAttribute("href") !== address) link.href = address;
  }

  /** Request the next phase until it arrives. */
  awaitPhase(wait = JUDGING_TIME) {
    this.showMove(false);
    clearTimeout(this.judging);
    this.judging = setTimeout(async () => {
      await this.ask().catch(() => null);
      if (this.isConnected) this.awaitPhase(this.timer ? JUDGING_POLL : JUDGING_POLL_LIVE);
    }, wait);
  }

  listen() {
    this.source = new EventSource(this.dataset.live);
    this.source.addEventListener("changed", ({ data }) => {
      this.failures = 0;
      this.pause = FIRST_RETRY;
      clearInterval(this.timer);
      this.timer = undefined;
      this.hear(JSON.parse(data));
    });
    this.source.addEventListener("error", () => {
      this.failures += 1;
      if (this.failures < FAILURES && this.source.readyState !== EventSource.CLOSED) return;
      this.source.close();
      this.timer ??= setInterval(() => this.ask(), POLL);
      this.retrying = setTimeout(() => this.listen(), this.pause);
      this.pause = Math.min(this.pause * 2, LAST_RETRY);
    });
  }

  async ask() {
    const answer = await fetch(this.dataset.state, { signal: waitForAnswer() }).catch(() => null);
    if (!answer?.ok || !this.isConnected) return;
    noteServerDate(answer.headers.get("date"));
    const state = await answer.json().catch(() => null);
    // Answers may arrive in another order, or when the page has another phase.
    if (!state || !this.isConnected || state.version < Number(this.dataset.version)) return;
    this.hear(state);
    this.showReady(state.seats ?? []);
    if ("votes" in this.dataset && state.votes.join() !== this.dataset.votes) this.renewVotes(state.votes);
    if (state.due_at && state.phase === Number(this.dataset.phase) && this.dataset.due !== state.due_at) this.renewClock(state.due_at);
  }

  /** The deadline has moved: replace only the clock, so that orders stay as they are. */
  async renewClock(due) {
    const before = this.dataset.due;
    this.dataset.due = due;
    const page = await this.fetchPage();
    if (this.dataset.due !== due) return; // it has moved again
    // The phase may end meanwhile.
    const isSame = page?.querySelector("live-game")?.dataset.phase === this.dataset.phase && !document.querySelector(".note--turned");
    const clock = isSame ? page.querySelector("game-clock") : null;
    if (!clock) {
      this.dataset.due = before; // asked again with the next change or poll
      return;
    }
    document.querySelector("game-clock")?.replaceWith(clock);
    if (clock.querySelector("[data-face=closed]:not([hidden]), [data-face=due]:not([hidden])")) return;
    clearTimeout(this.judging);
    // This page was made after orders had closed, without a form.
    if (page.querySelector("order-form") && !document.querySelector("order-form")) this.renew();
  }

  /** A vote was called, answered or closed: replace only the votes, unless the player is busy there. */
  async renewVotes(counts) {
    const waiting = counts[1] - Number(this.dataset.votes.split(",")[1]);
    this.dataset.votes = counts.join();
    const page = await this.fetchPage();
    const [renewed, old] = [page?.getElementById("votes-drawer"), document.getElementById("votes-drawer")];
    if (!renewed || !old) return;
    old.querySelector(".drawer__state").replaceWith(renewed.querySelector(".drawer__state"));
    if (waiting > 0) announce(waiting === 1 ? "A vote is waiting for you." : `${waiting} votes are waiting for you.`);
    // What has not been shown yet is fetched when it is.
    const shown = old.querySelector(":scope > #votes");
    const votes = renewed.querySelector(":scope > #votes, :scope > folded-part");
    if (!votes || !shown || shown.contains(document.activeElement)) return;
    shown.replaceWith(votes);
    if (votes.id) window.htmx.process(votes);
  }

  /** A bot has finished a hint: show it. */
  async renewHint() {
    const page = await this.fetchPage();
    const [renewed, old] = [page?.querySelector(".hint"), document.querySelector(".hint")];
    if (renewed && old) old.replaceWith(renewed);
  }

  /** Return the game as it is now, without the map that this page has; null if the server does not answer. */
  async fetchPage() {
    const headers = { "HX-Request": "true", "Map-Has": listTerritories().join(" ") };
    const answer = await fetch(this.dataset.url, { headers, signal: waitForAnswer() }).catch(() => null);
    const text = answer?.ok ? await answer.text().catch(() => "") : "";
    return text && this.isConnected ? new DOMParser().parseFromString(text, "text/html") : null;
  }

  hear({ version, phase, status, now, own, stopped }) {
    const { dataset } = this;
    showStoppedClock(Boolean(stopped));
    if (now) noteServerTime(now);
    this.noteOwn(own);
    // Older than the page: streams lag by up to a second.
    if (version < Number(dataset.version)) return;
    if (status !== dataset.status || String(phase ?? 0) !== dataset.phase) this.turn(status);
    else if (String(version) !== dataset.version) {
      if ("room" in dataset) return this.renewRoom();
      dataset.version = version;
      this.ask();
      if (document.querySelector(".hint--asked")) this.renewHint();
    }
    return null;
  }

  /** Pass on the number of the viewer's own changes; without live events it is unknown, and may have changed. */
  noteOwn(own) {
    if (own !== undefined || this.timer) document.dispatchEvent(new CustomEvent("own-changed", { detail: own }));
  }

  turn(status) {
    // The answer to the orders shows the new phase, and what became of them.
    if (document.querySelector("order-form")?.sending) this.awaitPhase();
    else if (document.querySelector("order-form")?.dirty || document.querySelector("section[data-unsent]")) this.warn(); // orders, not messages
    else if (status !== "running" || "room" in this.dataset) this.reload();
    else this.renew();
  }

  /** Someone has come to the waiting room, has left it, or is ready. */
  async renewRoom() {
    const { fetchRoom, showRoom } = await import("../lobby/waiting-room.js");
    const page = await fetchRoom(this.dataset.url);
    clearTimeout(this.judging);
    if (!page) this.judging = setTimeout(() => this.renewRoom(), JUDGING_POLL);
    if (!page || !this.isConnected) return null;
    const version = page.querySelector("live-game")?.dataset.version;
    if (Number(version) < Number(this.dataset.version)) return null;
    if (!version || !showRoom(page)) return this.reload();
    this.dataset.version = version;
    return null;
  }

  /** Load the game again, but leave time for the answer to a form. */
  reload() {
    setTimeout(() => location.assign(this.dataset.url), this.leaving ? LEAVING_TIME : 0);
  }

  async renew() {
    if (this.renewing) return;
    this.renewing = true;
    await window.htmx.ajax("GET", this.dataset.url, { target: "#play", swap: "outerHTML" });
    this.renewing = false;
    // The site did not answer.
    if (this.isConnected) return this.awaitPhase(JUDGING_POLL);
    const phase = [".season", ".stage"].map((part) => document.querySelector(part)?.textContent ?? "").join(", ");
    announce(`A new phase: ${phase}.`);
    this.point(phase);
    // Not while the player is doing something else.
    const { activeElement } = document;
    if (activeElement === document.body || activeElement.closest("order-form")) document.querySelector("order-form")?.focusFirst();
    return null;
  }

  /** In the order form, say that a new phase has started and link to the results. */
  point(phase) {
    const place = document.getElementById("order-form-status");
    if (!place || place.childElementCount || !document.getElementById("last-results")) return;
    const note = document.createElement("div");
    note.className = "note note--success";
    note.dataset.newPhase = "";
    const text = document.createElement("p");
    const link = document.createElement("a");
    link.href = "#last-results";
    link.textContent = "the results";
    text.append(`It is now ${phase}. See `, link, ".");
    note.append(text);
    place.append(note);
    place.scrollIntoView({ block: "nearest" });
  }

  warn() {
    const notices = document.getElementById("notices");
    if (notices.querySelector(".note--turned")) return;
    document.querySelector("game-clock")?.showOver?.();
    const note = document.createElement("div");
    note.className = "note note--warning note--turned";
    note.setAttribute("role", "alert");
    const text = document.createElement("p");
    const link = document.createElement("a");
    link.href = this.dataset.url;
    link.textContent = "Show the new phase";
    text.append("This phase is over. Your unsaved changes were not sent and are still on this page. ", link);
    note.append(text);
    notices.append(note);
    notices.scrollIntoView({ block: "nearest" });
  }

  showReady(seats) {
    this.seats = seats;
    this.showVacant(seats);
    for (const { power, ready } of seats) {
      if (ready === null) continue;
      const text = ready ? "ready" : "not ready";
      const cell = document.querySelector(`tr[data-seat="${CSS.escape(power)}"] [data-ready]`)?.firstElementChild;
      if (cell) {
        cell.className = ready ? "ready-yes" : "soft";
        cell.textContent = text;
      }
      const chip = document.querySelector(`.power[data-seat="${CSS.escape(power)}"]`);
      const mark = chip?.querySelector(".power__ready");
      if (!mark || mark.hidden !== ready) continue;
      mark.hidden = !ready;
      announce(`${chip.querySelector(".flag").textContent.trim()} is ${text}.`);
    }
  }

  /** Mark the countries without a player, and let conversations know of a change. */
  showVacant(seats) {
    for (const { power, vacant } of seats) {
      const chip = document.querySelector(`.power[data-seat="${CSS.escape(power)}"]`);
      if (!chip || chip.classList.contains("power--vacant") === vacant) continue;
      chip.classList.toggle("power--vacant", vacant);
      chip.querySelector(".power__vacant")?.remove();
      if (vacant) {
        const mark = document.createElement("span");
        mark.className = "power__vacant";
        mark.textContent = "no player";
        chip.querySelector(".power__ready").before(mark);
      }
      const country = chip.querySelector(".flag").textContent.trim();
      announce(vacant ? `${country} has no player.` : `${country} has a player again.`);
      document.dispatchEvent(new Event("seats-changed"));
    }
  }
}

/** Say that the site's clock has stopped, or no longer. */
function showStoppedClock(stopped) {
  const note = document.getElementById("stopped-clock");
  if (!note || note.hidden !== stopped) return;
  note.hidden = !stopped;
  announce(stopped ? note.textContent.replace(/\s+/g, " ").trim() : "The clock runs again.");
}

customElements.define("live-game", LiveGame);
