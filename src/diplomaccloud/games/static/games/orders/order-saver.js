/**
 * Saves the orders of an `<order-form>` after each change, and says in one line how far that is.
 *
 * One request at a time, and the newest set wins. The page has a random name and numbers its changes, so that the
 * server knows them from those of other pages, whatever happens to the answers.
 */

import { announce } from "../../pages/js/site.js";
import { keepReceipt } from "./kept-receipts.js";

/** Milliseconds after a change until it is sent. */
const DELAY = 800;
/** Milliseconds to wait for an answer. */
const PATIENCE = 30_000;
/** Milliseconds until a set that could not be sent is sent again: at first, and at most. */
const FIRST_RETRY = 3000;
const LAST_RETRY = 30_000;
const CONFLICT = 409;
const TOO_OFTEN = 429;
/** Statuses that mean to try again later, besides those of a server that is down. */
const LATER = [401, 408];
const DOWN = 500;

const pad = (number) => String(number).padStart(2, "0");

/** Return `10:52` in the reader's time zone. */
function clock(instant) {
  return `${pad(instant.getHours())}:${pad(instant.getMinutes())}`;
}

function randomName() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class OrderSaver {
  constructor(element, signal) {
    this.element = element;
    this.form = element.querySelector("form");
    this.line = element.querySelector(".order-form__state");
    this.page = element.dataset.page ?? randomName();
    /** The number of the newest change, and of the newest one that the server has answered or refused. */
    this.change = this.settled = Number(element.dataset.change ?? 0);
    this.sent = new Map();
    this.pause = FIRST_RETRY;
    this.line.hidden = false;
    element.querySelector("#save")?.remove();
    element.querySelector("#save-typed").hidden = false;
    addEventListener("pagehide", () => this.sendNow(), { signal });
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.sendNow(); }, { signal });
    addEventListener("online", () => this.send(), { signal });
    document.addEventListener("orders-sent", (event) => this.hear(event), { signal });
    signal.addEventListener("abort", () => clearTimeout(this.timer));
    const { savedAt } = this.line.dataset;
    if (element.dataset.change) this.wait();
    else if (savedAt) this.say(`Saved at ${clock(new Date(savedAt))}`, "saved");
  }

  /** Whether there are changes that the server has not answered. */
  get pending() {
    return this.change > this.settled;
  }

  /** Whether a request is on its way. */
  get busy() {
    return this.sent.size > 0;
  }

  /** The fields that are sent: the orders that are complete and were given. */
  get fields() {
    const fields = new FormData(this.form);
    fields.delete("order");
    fields.delete("sheet");
    for (const slot of this.element.slots) if (slot.given && slot.select.value) fields.append("order", slot.select.value);
    fields.set("page", this.page);
    fields.set("change", this.change);
    return [...fields];
  }

  /** An order was given, changed or taken back. */
  note() {
    this.change += 1;
    this.say("Saving…");
    this.schedule(DELAY);
  }

  schedule(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), wait);
  }

  /** The form is sent with all orders: what it sends is newer than every change. */
  yieldTo() {
    clearTimeout(this.timer);
    this.change += 1;
    for (const [name, value] of [["page", this.page], ["change", this.change]]) {
      const input = this.form.elements[name] ?? this.form.appendChild(document.createElement("input"));
      Object.assign(input, { type: "hidden", name, value });
    }
  }

  /** The whole form waits on this device, and is sent from there: there is nothing left to send here. */
  leaveToQueue() {
    clearTimeout(this.timer);
    this.settled = this.change;
    this.say("Not saved yet. No connection.", "waiting");
  }

  /** The page may not come back: send what was not sent, even if an older change is on its way. */
  sendNow() {
    if (this.pending && !this.sent.has(this.change) && !this.stopped) this.attempt();
  }

  /** Send the newest set, unless one is on its way; then it follows. */
  async send() {
    if (!this.pending || this.busy || this.stopped || !this.element.isConnected) return;
    await this.attempt();
    if (this.pending && !this.waiting) await this.send();
  }

  /** Send what is not saved and return once the server has answered; false if it has not, or has refused. */
  async flush() {
    clearTimeout(this.timer);
    while (this.busy) await Promise.race(this.sent.values());
    await this.send();
    return !this.pending && !this.refused;
  }

  attempt() {
    clearTimeout(this.timer);
    const { change } = this;
    const going = this.post(change, this.fields).finally(() => this.sent.delete(change));
    this.sent.set(change, going);
    return going;
  }

  async post(change, fields) {
    this.waiting = false;
    if (!this.refused) this.say("Saving…");
    const answer = await fetch(this.element.dataset.save, {
      method: "POST", body: new URLSearchParams(fields), headers: { Accept: "application/json" }, keepalive: true,
      signal: AbortSignal.timeout?.(PATIENCE),
    }).catch(() => null);
    const body = await answer?.json().catch(() => null);
    const isOutage = !body || answer.status >= DOWN || LATER.includes(answer.status) || body.stale;
    if (isOutage) this.wait(fields, change);
    else if (answer.status === TOO_OFTEN) this.waitFor(Number(answer.headers.get("Retry-After")), body.error);
    else this.accept(change, answer.status, body, fields);
  }

  /** The server did not answer: the set waits on this device, if it can, and is sent again. */
  wait(fields = null, change = this.change) {
    if (change < this.change && fields) return;
    this.waiting = true;
    const text = navigator.onLine ? "Not saved yet. The site does not answer." : "Not saved yet. No connection.";
    this.say(text, "waiting");
    const event = new CustomEvent("orders-wait", { cancelable: true, detail: { url: this.element.dataset.save, fields } });
    /** Whether the set stays on this device even if the page is left. */
    this.isStored = !fields || !document.dispatchEvent(event);
    this.schedule(this.pause);
    this.pause = Math.min(this.pause * 2, LAST_RETRY);
  }

  waitFor(seconds, why) {
    this.waiting = true;
    this.say(`Not saved yet. ${why}`, "waiting");
    this.schedule((seconds || LAST_RETRY / 1000) * 1000);
  }

  /** Another part of this page, or the service worker, has sent a set that waited. */
  hear(event) {
    const { fields, status, body } = event.detail;
    const known = Object.fromEntries(fields);
    if (known.page !== this.page || !body) return;
    event.preventDefault();
    this.accept(Number(known.change), status, body, fields);
  }

  /** The server has saved a set, or part of it, or has refused it. */
  accept(change, status, body, fields) {
    if (change < this.settled || !this.element.isConnected) return;
    this.settled = change;
    this.waiting = false;
    this.pause = FIRST_RETRY;
    document.dispatchEvent(new CustomEvent("orders-answered", { detail: { url: this.element.dataset.save, fields } }));
    if (body.outdated) {
      this.showConflict();
      return;
    }
    const [first] = body.refused ?? [];
    const why = body.error ?? (first ? `${first.text}: ${first.message}` : "");
    this.refused = Boolean(why);
    if (body.saved_at) {
      this.form.elements.version.value = body.version;
      const orders = fields.filter(([name]) => name === "order").map(([, value]) => value);
      for (const slot of this.element.slots) slot.noteSaved(orders);
    }
    if (body.receipt) keepReceipt(body.receipt);
    if (this.pending) return;
    const time = body.saved_at ? `Saved at ${clock(new Date(body.saved_at))}` : "Not saved.";
    if (!why) this.say(time, "saved");
    else {
      this.say(`${time}${body.saved_at ? ", but not " : " "}${why}`, "refused");
      announce(why);
      // The phase or the seat no longer takes orders from this page.
      this.stopped = status === CONFLICT;
    }
    this.element.noteSaved(body);
  }

  /** Other orders were saved elsewhere: the server's page shows both sets, and nothing is saved until one is chosen. */
  showConflict() {
    this.stopped = true;
    this.say("Not saved. Other orders were saved on another page.", "refused");
    this.element.submitAll();
  }

  say(text, state = "") {
    this.line.firstElementChild.textContent = text;
    this.line.dataset.state = state;
  }
}
