/**
 * `<talk-panel>`: the conversations of one viewer in one game. On the game page its links open inside it. It
 * fetches updates when the live stream announces a change in the viewer's press, appends messages in
 * order, and marks as read only what was on the screen.
 */

import { announce, waitForAnswer } from "../../pages/js/site.js";
import { adopt } from "../maps/adopt.js";
import { guardDocuments, renewCards } from "./cards.js";
import { renewBar } from "./game-bar.js";
import "../conversations/kept-text.js";
import { offerPlaces } from "./reading-places.js";
import { ReaderPlace } from "./reader-place.js";
import { SeenMessages } from "./seen-messages.js";
import { sendWaiting, showWaiting } from "../conversations/waiting-messages.js";

/** How many pixels from the end of the log still count as its end. */
const NEAR_END = 90;
const RETRY_MS = 5000;
const CALM = matchMedia("(prefers-reduced-motion: reduce)");

const parse = (text) => new DOMParser().parseFromString(text, "text/html");

class TalkPanel extends HTMLElement {
  place = new ReaderPlace();
  seen = new SeenMessages(this);

  connectedCallback() {
    this.stop = new AbortController();
    const { signal } = this.stop;
    this.isPage = "page" in this.dataset;
    this.address ??= this.conversation?.dataset.url ?? (this.isPage ? location.pathname + location.search : this.dataset.url);
    this.version ??= Number(this.dataset.version);
    const refresh = () => this.refresh();
    this.addEventListener("click", (event) => this.follow(event), { signal });
    this.addEventListener("toggle", (event) => this.showMenu(event), { signal, capture: true });
    this.addEventListener("scroll", ({ target }) => { if (target === this.box) this.place.note(target, this.isAtEnd); }, { signal, capture: true });
    this.addEventListener("submit", (event) => this.act(event), { signal });
    this.addEventListener("message-sent", ({ detail }) => this.showSent(detail), { signal });
    this.addEventListener("message-carried", (event) => this.carry(event), { signal });
    this.addEventListener("message-waits", () => this.showWaiting(true), { signal });
    document.addEventListener("own-changed", ({ detail }) => this.hear(detail), { signal });
    document.addEventListener("messages-sent", refresh, { signal });
    document.addEventListener("orders-closed", refresh, { signal });
    document.addEventListener("seats-changed", refresh, { signal });
    // A stream that the network has cut can look open.
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.refresh(); this.seen.look(); }, { signal });
    addEventListener("online", refresh, { signal });
    addEventListener("pageshow", (event) => { if (event.persisted) this.refresh(); }, { signal });
    if (this.dataset.live) this.listen();
    this.showChip();
    this.settle();
  }

  disconnectedCallback() {
    this.stop.abort();
    this.source?.close();
    this.seen.stop();
    this.place.stop();
    clearTimeout(this.closing);
    clearTimeout(this.relistening);
    clearTimeout(this.turning);
  }

  get conversation() { return this.querySelector(".conversation"); }
  get log() { return this.querySelector(".messages"); }
  get box() { return this.querySelector(".conversation__log"); }

  /** The element that scrolls the messages: the log, or the page. */
  get scroller() {
    return this.box && getComputedStyle(this.box).overflowY === "auto" ? this.box : document.scrollingElement;
  }

  get isAtEnd() {
    const { scrollTop, clientHeight, scrollHeight } = this.scroller;
    return scrollHeight - scrollTop - clientHeight < NEAR_END;
  }

  /** Listen to the game's stream on pages without `live-game`. */
  listen() {
    this.source = new EventSource(this.dataset.live);
    this.source.addEventListener("changed", ({ data }) => {
      const { own, version, phase, status } = JSON.parse(data);
      if (phase !== undefined) this.showPhase(`${status} ${phase ?? 0}`);
      const moved = this.gameVersion !== undefined && version !== this.gameVersion;
      this.gameVersion = version;
      if (moved) this.refresh();
      else this.hear(own);
    });
    this.source.addEventListener("error", () => {
      // The response is not a stream, for example from a proxy while the site restarts: the browser gives up.
      if (this.source.readyState === EventSource.CLOSED) this.relistening = setTimeout(() => this.listen(), RETRY_MS);
    });
  }

  /** Make sure that the page's bar shows the phase `turn`, updating it until it does. */
  async showPhase(turn) {
    clearTimeout(this.turning);
    if (turn === this.dataset.turn || !this.isConnected) return;
    if (await renewBar(this.dataset.url)) this.dataset.turn = turn;
    else this.turning = setTimeout(() => this.showPhase(turn), RETRY_MS);
  }

  /** Handle a new count of the viewer's own changes, `own`; undefined if it is unknown. */
  hear(own) {
    if (own !== undefined && own === this.version) return;
    if (own !== undefined) this.version = own;
    this.refresh();
  }

  /** After inserting content: scroll, watch for seen messages, and enable the script features. */
  settle() {
    offerPlaces(this);
    guardDocuments(this);
    this.showWaiting();
    const pill = this.querySelector(".press-pill");
    if (pill) pill.onclick = () => this.scrollToEnd(true);
    if (this.conversation && !this.isSettled) {
      this.isSettled = true;
      this.showStart();
    }
    const root = this.scroller === document.scrollingElement ? null : this.scroller;
    this.seen.watch(root, () => { if (this.isAtEnd) this.hidePill(); });
    this.place.watch(this.box);
    clearTimeout(this.closing);
    const changes = Date.parse(this.querySelector("[data-changes]")?.dataset.changes ?? "");
    const wait = changes - Date.now();
    if (wait > 0 && wait < 2 ** 31) this.closing = setTimeout(() => this.refresh(), wait + 300);
  }

  /** Scroll to the first unread message, or to the end. */
  showStart() {
    const unread = this.querySelector(".press-unread");
    if (this.isPage && location.hash) return;
    if (unread) unread.scrollIntoView({ block: "start" });
    else this.scrollToEnd();
  }

  scrollToEnd(isAsked = false) {
    this.scroller.scrollTo({ top: this.scroller.scrollHeight, behavior: isAsked && !CALM.matches ? "smooth" : "instant" });
    this.hidePill();
  }

  hidePill() {
    const pill = this.querySelector(".press-pill");
    if (pill) pill.hidden = true;
  }

  /** Open the panel's links inside it. */
  follow(event) {
    const link = event.target.closest("a[href]");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if ("older" in link.dataset) {
      event.preventDefault();
      this.showOlder(link);
    } else if ("press" in link.dataset && !this.isPage) {
      event.preventDefault();
      this.open(link.pathname + link.search);
    }
  }

  /** Scroll a message menu into view when it opens. */
  showMenu({ target }) {
    if (target.matches(".message__menu[open]")) target.lastElementChild.scrollIntoView({ block: "nearest" });
  }

  async fetchPart(address) {
    const headers = { "HX-Request": "true", ...(this.isPage ? { "HX-Target": "mail" } : {}) };
    const answer = await fetch(address, { headers, signal: waitForAnswer() }).catch(() => null);
    if (!answer) return null;
    if (answer.status === 404) return "gone";
    const text = answer.ok ? await answer.text().catch(() => "") : "";
    return text ? parse(text) : null;
  }

  async open(address) {
    this.opening = address;
    const part = await this.fetchPart(address);
    // Another link was followed in the meantime.
    if (this.opening !== address) return null;
    if (part === "gone") return this.address === this.dataset.url ? null : this.open(this.dataset.url);
    const content = part?.querySelector("talk-panel");
    if (!content) {
      location.assign(address);
      return null;
    }
    const before = this.conversation?.dataset.key;
    this.address = address;
    this.isSettled = false;
    this.place.forget();
    this.replaceChildren(...document.adoptNode(content).childNodes);
    if (this.conversation?.dataset.key !== before) this.seen.keepUnread = false;
    this.noteCount(content);
    this.settle();
    this.querySelector("#talk-title, #new-title")?.focus({ preventScroll: true });
    this.showChip();
    return null;
  }

  /** Scroll the row of conversations to the open one. */
  showChip() {
    const chip = this.querySelector(".press-chips [aria-current]");
    if (chip) chip.parentElement.scrollLeft = chip.offsetLeft - (chip.parentElement.clientWidth - chip.offsetWidth) / 2;
  }

  /** Fetch updates: at most one request at a time, and another one if something has changed since. */
  async refresh() {
    if (this.busy) {
      this.again = true;
      return;
    }
    this.busy = true;
    clearTimeout(this.retrying);
    try {
      await this.update();
    } finally {
      this.busy = false;
    }
    if (this.again) {
      this.again = false;
      this.refresh();
    }
  }

  async update() {
    const { address } = this;
    const last = this.conversation?.dataset.last;
    const part = await this.fetchPart(last === undefined ? address : `${address}?after=${last}`);
    if (address !== this.address || !this.isConnected) return;
    if (part === "gone" && !this.isPage && address !== this.dataset.url) {
      await this.open(this.dataset.url);
      return;
    }
    const content = part?.querySelector?.("talk-panel");
    if (!content) {
      this.retrying = setTimeout(() => this.refresh(), RETRY_MS);
      return;
    }
    this.noteCount(content);
    this.replacePart(content, ".press-bar");
    this.replacePart(content, ".conversation__changes");
    this.replacePart(content, ".conversation__waiting");
    const talks = part.querySelector(".mail__list");
    if (talks) document.querySelector(".mail__list")?.replaceChildren(...document.adoptNode(talks).childNodes);
    if (this.conversation) renewCards(this);
    this.replacePart(content, ".conversation__notes");
    if (this.conversation && !("past" in this.conversation.dataset)) this.takeMessages(content);
    else if (this.conversation) return;
    else if (!this.querySelector("message-composer")) this.replacePart(content, ".press-scroll");
    this.settle();
  }

  replacePart(content, selector) {
    const [old, now] = [this.querySelector(selector), content.querySelector(selector)];
    if (!old || !now || old.innerHTML === now.innerHTML) return;
    const [left, top] = [old.firstElementChild?.scrollLeft ?? 0, old.scrollTop];
    const focus = old.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    old.replaceWith(document.adoptNode(now));
    if (now.firstElementChild) now.firstElementChild.scrollLeft = left;
    now.scrollTop = top;
    if (focus) now.querySelector(`a[href="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
  }

  /** Append new messages, and replace the composer if the conversation has opened or closed. */
  takeMessages(content) {
    const now = content.querySelector(".conversation");
    if (!now) return;
    const wasAtEnd = this.isAtEnd;
    const known = new Set([...this.log.querySelectorAll("[data-number]")].map(({ dataset }) => dataset.number));
    let [added, isOwn, before] = [0, false, []];
    for (const part of [...now.querySelector(".messages").children]) {
      if (!part.dataset.number) {
        if (!part.matches(".messages__none, .press-unread")) before.push(part);
        continue;
      }
      if (!known.has(part.dataset.number)) {
        const shown = [...this.log.querySelectorAll(".press-divider")].at(-1)?.textContent;
        before = before.filter((element) => !element.matches(".press-divider") || element.textContent !== shown);
        const mark = this.log.querySelector("[data-waiting]");
        for (const element of [...before, part]) this.log.insertBefore(document.adoptNode(element), mark);
        part.classList.add("is-new");
        added += 1;
        isOwn ||= part.matches(".message--yours");
      }
      before = [];
    }
    if (added) this.log.querySelector(".messages__none")?.remove();
    this.conversation.dataset.last = Math.max(Number(now.dataset.last), Number(this.conversation.dataset.last));
    this.conversation.dataset.read = now.dataset.read;
    if ("more" in now.dataset) this.again = true;
    const [foot, next] = [this.querySelector("[data-composer]"), now.querySelector("[data-composer]")];
    if (foot && next && foot.firstElementChild?.localName !== next.firstElementChild?.localName) foot.replaceWith(document.adoptNode(next));
    if (added && (wasAtEnd || isOwn)) this.scrollToEnd(true);
    else if (added) this.querySelector(".press-pill").hidden = false;
  }

  /** Insert older messages above, without moving those on the screen. */
  async showOlder(link) {
    if ("asked" in link.dataset) return null;
    link.dataset.asked = "";
    const part = await this.fetchPart(link.pathname + link.search);
    delete link.dataset.asked;
    // Another conversation was opened in the meantime.
    if (!link.isConnected) return null;
    const now = part?.querySelector?.(".conversation");
    if (!now) return location.assign(link.href);
    const { scroller } = this;
    const bottom = scroller.scrollHeight - scroller.scrollTop;
    const older = [...now.querySelector(".messages").children].filter((element) => !element.matches(".messages__none, .press-unread"));
    const first = this.log.querySelector(".press-divider");
    const lastDivider = older.filter((element) => element.matches(".press-divider")).at(-1);
    if (first && lastDivider?.textContent === first.textContent && first === this.log.querySelector(".press-divider, [data-number]")) first.remove();
    this.log.setAttribute("aria-live", "off");
    this.log.prepend(...older.map((element) => document.adoptNode(element)));
    const more = now.querySelector(".conversation__older");
    const old = this.querySelector(".conversation__older");
    if (more) old.replaceWith(document.adoptNode(more));
    else old.remove();
    scroller.scrollTop = scroller.scrollHeight - bottom;
    this.settle();
    setTimeout(() => this.log?.setAttribute("aria-live", "polite"), 1000);
    return null;
  }

  /** Submit the panel's small forms without leaving the page. */
  async act(event) {
    const form = event.target;
    if (event.defaultPrevented || form.closest("message-composer") || "leave" in form.dataset) return;
    // Without an order form that takes them, the site adds the orders.
    if ("adopt" in form.dataset && !adopt(form)) return;
    event.preventDefault();
    if ("adopt" in form.dataset) return;
    const body = new URLSearchParams(new FormData(form, event.submitter));
    const address = event.submitter?.getAttribute("formaction") ?? form.action;
    const answer = await fetch(address, { method: "POST", body, headers: { Accept: "application/json" } }).catch(() => null);
    if (!answer) return this.say("The site does not answer. Try again.");
    if (!answer.ok) {
      // The page in the response says why.
      form.dataset.leave = "";
      form.requestSubmit(event.submitter);
      return null;
    }
    this.seen.keepUnread = address.endsWith("/unread/");
    return this.open(this.seen.keepUnread && !this.isPage ? this.dataset.url : this.address);
  }

  /** Show a message below the composer, or announce it to screen readers if there is no composer. */
  say(text) {
    const state = this.querySelector(".composer__state");
    if (state) state.textContent = text;
    else announce(text);
    return null;
  }

  /** Move text to another conversation, which opens in the panel on the game page. */
  carry(event) {
    if (this.isPage) return;
    event.preventDefault();
    this.open(event.detail);
  }

  async showSent({ sent = [], note = "", board }) {
    announce(note);
    if (board && this.isPage) {
      location.assign(board);
      return;
    }
    const target = sent.length === 1 ? sent[0].url : this.dataset.url;
    if (this.conversation) await this.refresh();
    else if (this.isPage) location.assign(target);
    else await this.open(target);
  }

  async showWaiting(isNew = false) {
    const { isAtEnd } = this;
    await showWaiting(this, async (again, entry) => {
      if (entry) this.querySelector("message-composer").edit(entry.fields);
      if (again) await sendWaiting();
      await this.showWaiting();
      await this.refresh();
    });
    if (!this.conversation) {
      if (isNew) this.log?.lastElementChild?.scrollIntoView({ block: "nearest" });
    } else if (isNew || (isAtEnd && this.log?.querySelector("[data-waiting]"))) this.scrollToEnd();
  }

  /** Show the number of unread messages on the tab and in the site's header. */
  noteCount({ dataset }) {
    this.version = Math.max(this.version, Number(dataset.version));
    for (const [name, value] of [["press", dataset.unread], ["inbox", dataset.inbox]]) {
      for (const count of document.querySelectorAll(`[data-unread="${name}"]`)) {
        if (value === undefined) continue;
        count.hidden = value === "0";
        count.firstElementChild.textContent = value;
      }
    }
  }
}

customElements.define("talk-panel", TalkPanel);

/** The panel keeps its conversation and the typed text when the server sends the table again. */
let panel = null;
let focus = null;
document.addEventListener("htmx:before:swap", ({ detail: { ctx } }) => {
  if (ctx.target?.id !== "play") return;
  panel = document.getElementById("talk-panel");
  focus = panel?.contains(document.activeElement) ? document.activeElement : null;
});
document.addEventListener("htmx:after:swap", () => {
  const now = document.getElementById("talk-panel");
  if (!panel || !now || now === panel) return;
  panel.dataset.version = now.dataset.version;
  panel.place.comeBack();
  now.replaceWith(panel);
  focus?.focus({ preventScroll: true });
  panel.refresh();
  panel = null;
});
