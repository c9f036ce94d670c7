/**
 * `<order-form>`: an order form for clicks and taps. A unit chosen in the list or on the map offers its legal orders,
 * the next tap chooses one, and the map shows the choices.
 */

import { announce } from "../../pages/js/site.js";
import { VERBS } from "./order-choices.js";
import { OrderSaver } from "./order-saver.js";
import { OrderSlot } from "./order-slot.js";
import { hideUndo, showUndo } from "./undo-chip.js";

/** Where the map stays at the top of the screen and the list moves below it. */
const NARROW = matchMedia("(max-width: 63.99rem)");
/** The longest time that a browser's timer can wait, in milliseconds. */
const MAX_WAIT = 2 ** 31 - 1;

export class OrderForm extends HTMLElement {
  connectedCallback() {
    this.form = this.querySelector("form");
    this.sheet = this.form.elements.sheet;
    this.typed = this.sheet.value;
    this.map = document.querySelector("map-view");
    this.slots = [...this.querySelectorAll(".slot")].map((item) => new OrderSlot(this, item));
    this.stop = new AbortController();
    const { signal } = this.stop;
    if (this.dataset.save) this.saver = new OrderSaver(this, signal);
    document.addEventListener("pointerup", ({ clientX: x, clientY: y }) => { this.touch = { x, y }; }, { capture: true, signal });
    this.map?.addEventListener("map-pick", (event) => { if (this.pick(event.detail.province)) event.preventDefault(); }, { signal });
    document.addEventListener("keydown", (event) => this.key(event), { signal });
    document.addEventListener("orders-adopted", (event) => this.adopt(event), { signal });
    addEventListener("beforeunload", (event) => { if (this.wouldLose || this.sending) event.preventDefault(); }, { signal });
    this.addEventListener("submit", (event) => this.finishFirst(event), { capture: true, signal });
    this.form.addEventListener("submit", () => { this.sent = true; });
    this.form.addEventListener("htmx:before:request", ({ detail: { ctx } }) => this.noteSending(ctx));
    for (const end of ["htmx:after:request", "htmx:finally:request"]) {
      this.form.addEventListener(end, () => { this.sending = this.inert = false; });
    }
    document.addEventListener("htmx:before:swap", (event) => this.keepChanges(event), { signal });
    for (const failure of ["htmx:error", "htmx:response:error"]) {
      this.form.addEventListener(failure, () => this.failed());
    }
    document.addEventListener("htmx:before:request", (event) => this.guard(event), { signal });
    this.sheet.addEventListener("input", () => {
      this.sent = false;
      this.note();
    });
    this.light();
    this.warnInTime();
    this.pointFocus();
  }

  /** After saving, focus the server's message; in a new phase, the first unit. */
  pointFocus() {
    const status = document.getElementById("order-form-status");
    // The page is the answer to a form, which a reload would send again.
    const { address } = status?.querySelector("[data-address]")?.dataset ?? {};
    if (address) history.replaceState(history.state, "", address);
    const turned = status?.querySelector("[data-new-phase]");
    if (turned) announce(turned.textContent.trim());
    // Later than htmx, which gives the focus back to a button with the same id.
    if (turned) setTimeout(() => this.focusFirst());
    else if (status?.querySelector(".note")) setTimeout(() => status.focus());
  }

  focusFirst() {
    this.slots[0]?.button.focus({ preventScroll: true });
  }

  disconnectedCallback() {
    this.stop.abort();
    clearTimeout(this.timer);
    clearTimeout(this.warning);
    hideUndo();
  }

  /** Show the warning about the live draft once the deadline is near. */
  warnInTime() {
    const note = document.querySelector("[data-show-at]");
    const wait = note?.hidden ? Date.parse(note.dataset.showAt) - Date.now() : NaN;
    if (wait < MAX_WAIT) this.warning = setTimeout(() => { note.hidden = false; }, Math.max(wait, 0));
  }

  /**
   * Send nothing while an order is not finished: it would be sent as if nothing were chosen. While orders are on their
   * way, wait for the answer, which says what was saved; what is sent next must know that.
   */
  finishFirst(event) {
    const { submitter } = event;
    // The answer to the form says why the page no longer saves.
    if (this.saver?.stopped) return;
    const slot = this.slots.find(({ unfinished }) => unfinished);
    if (!this.sending && !this.saver?.busy && !slot) {
      this.saver?.yieldTo();
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    if (this.sending) return;
    if (slot) slot.demand();
    else this.saver.flush().then(() => { if (this.isConnected && !this.saver.stopped) this.form.requestSubmit(submitter); });
  }

  /** Send the form as it is; its answer replaces this element. */
  submitAll() {
    this.form.requestSubmit();
  }

  /**
   * Ask for confirmation before anything but saving replaces unsaved orders. Until its answer, no order can be chosen,
   * because it would be lost.
   */
  guard(event) {
    const { ctx } = event.detail ?? {};
    const { sourceElement, target } = ctx ?? {};
    if (!target?.contains?.(this) || this.form.contains(sourceElement) || sourceElement === document.body) return;
    if (this.saver?.pending && !this.saver.waiting && !this.saver.stopped) {
      event.preventDefault();
      this.saver.flush().then(() => repeat(sourceElement));
      return;
    }
    if (this.wouldLose && !confirm("Your order changes are not saved. Leave without saving them?")) {
      event.preventDefault();
      return;
    }
    this.inert = true;
    document.addEventListener("htmx:finally:request", ({ detail }) => {
      if (detail.ctx === ctx) this.inert = false;
    }, { signal: this.stop.signal });
  }

  /** The orders are on their way, even if the page is left now. What is chosen meanwhile would be lost. */
  noteSending(ctx) {
    this.sending = this.inert = true;
    ctx.request.keepalive = true;
  }

  /** Keep orders that were changed while the page requested the next phase. */
  keepChanges(event) {
    const { ctx } = event.detail;
    if (ctx.sourceElement === document.body && ctx.target?.contains?.(this) && this.dirty) event.preventDefault();
  }

  /** The server refused the orders: keep them here and scroll to the reason. */
  failed() {
    this.sent = false;
    setTimeout(() => document.querySelector("#notices .note")?.scrollIntoView({ block: "center" }), 100);
  }

  /** Whether there are choices or text that the server does not have. */
  get dirty() {
    return !this.sent && (this.wouldLose || Boolean(this.saver?.pending) || this.slots.some(({ changed }) => changed));
  }

  /** Whether leaving the page would lose something: it saves complete orders by itself. */
  get wouldLose() {
    if (this.sent) return false;
    const isUnsaved = this.saver ? this.saver.refused || (this.saver.waiting && !this.saver.isStored) : this.slots.some(({ changed }) => changed);
    return isUnsaved || this.sheet.value !== this.typed || this.slots.some(({ unfinished }) => unfinished);
  }

  /** Show whether something has to be sent by a button. */
  note() {
    this.querySelector(".order-form__dirty").hidden = this.saver ? this.sheet.value === this.typed : !this.dirty;
  }

  /** The server has saved orders of this form: list them as it has them. */
  noteSaved({ receipt }) {
    const list = document.querySelector("#saved-orders .counts__text");
    if (receipt) {
      document.dispatchEvent(new Event("orders-saved"));
      document.getElementById("saved-orders").hidden = false;
      document.getElementById("no-saved-orders").hidden = true;
      document.getElementById("saved-at")?.remove(); // the line beside the button has the time
      list.textContent = receipt.text.split("\n").slice(1).join("\n");
    }
    this.note();
  }

  /**
   * Whether the player may choose orders: if they are marked as ready, ask whether to take that back first, and do
   * `then` once the server has.
   */
  mayChange(then = null) {
    if (!("ready" in this.dataset)) return true;
    const button = document.querySelector(".order-form__ready button");
    if (!button || !confirm("You are ready. Change your orders?")) return false;
    document.addEventListener("htmx:after:swap", () => { if (!this.isConnected) then?.(); }, { once: true });
    button.form.requestSubmit(button);
    return false;
  }

  /** Give orders from another part of the page, for example from a shared map, and say which could not be given; `note` is about a draft. */
  adopt(event) {
    const { orders, phase, show } = event.detail;
    if (phase !== this.form.elements.phase.value || this.sending || this.saver?.stopped) return;
    event.preventDefault();
    if (!this.mayChange(() => document.dispatchEvent(new CustomEvent(event.type, { cancelable: true, detail: event.detail })))) return;
    this.shut();
    const changes = orders.map((order) => this.give(order, orders));
    const done = changes.filter(Boolean);
    if (done.length) this.noteChange();
    show({
      note: this.querySelector(".order-form__state .soft:not(.order-form__live)")?.textContent.trim() ?? "",
      added: orders.filter((_, number) => changes[number]),
      refused: orders.filter((_, number) => !changes[number]),
      undo: () => document.querySelector("order-form")?.takeBack(phase, done),
    });
  }

  /** Give `order`, one of `orders`; return its line, and the order there now and before; null if it cannot be given. */
  give(order, orders) {
    const able = this.slots.filter((slot) => slot.choiceFor(order));
    const { province } = able[0]?.choiceFor(order) ?? {};
    const isTaken = (slot) => orders.some((other) => slot.choiceFor(other)?.value === slot.select.value);
    // Of builds and disbands, the line that has the province already, else an open one, else that of another order.
    const slot = able.find((one) => !one.exclusive || (province && one.chosen?.province === province))
      ?? able.find((one) => !one.select.value) ?? able.find((one) => !isTaken(one));
    if (!slot) return null;
    const { given, chosen } = slot;
    slot.give(slot.choiceFor(order));
    return { id: slot.item.id, now: slot.select.value, before: chosen?.value, given };
  }

  /** Take back `changes` that were given in the phase, except where the order has changed since. */
  takeBack(phase, changes) {
    if (phase !== this.form.elements.phase.value || !this.mayChange()) return;
    this.shut();
    for (const { id, now, before, given } of [...changes].reverse()) {
      const slot = this.slots.find(({ item }) => item.id === id);
      if (slot?.select.value !== now) continue;
      slot.give(slot.all.find(({ value }) => value === before));
      slot.given = given;
    }
    this.noteChange();
  }

  toggle(slot) {
    if (!this.mayChange()) return;
    hideUndo(); // it may lie on what is tapped next
    const was = this.active;
    this.shut();
    if (was === slot) return;
    this.active = slot;
    slot.open();
    // Elsewhere the map would scroll away with the page.
    if (NARROW.matches && this.closest(".table__scroll")) slot.button.scrollIntoView({ block: "start" });
  }

  shut() {
    this.active?.close();
    this.active = undefined;
    this.light();
  }

  chosen(slot, choice, undo) {
    this.shut();
    this.noteChange();
    slot.button.focus({ preventScroll: true });
    announce(`${slot.item.dataset.title}: ${choice.label}.`);
    if (!this.tapped) return;
    showUndo(choice.label, this.tapped, () => {
      undo();
      this.shut();
      this.noteChange();
      announce(`${slot.item.dataset.title}: ${slot.chosen?.label ?? ""}.`);
    });
  }

  noteChange() {
    this.sent = false;
    this.saver?.note();
    this.note();
    this.sketch();
  }

  /** Return the provinces that the other exclusive lines have taken. */
  takenBeside(slot) {
    const others = this.slots.filter((other) => other !== slot && other.exclusive);
    return new Set(others.map((other) => other.chosen?.province).filter(Boolean));
  }

  /** Handle a tap on `province`; return whether it did anything. */
  pick(province) {
    if (this.inert) return false;
    hideUndo();
    this.tapped = this.touch;
    const meant = this.pickAt(province);
    this.tapped = undefined;
    return meant;
  }

  pickAt(province) {
    if (this.active?.pick(province)) return true;
    const isHere = (one) => one.province === province || (one.exclusive && province && one.chosen?.province === province);
    const slot = this.slots.find((one) => isHere(one) && one !== this.active);
    if (slot) {
      this.toggle(slot);
      if (!NARROW.matches) slot.button.scrollIntoView({ block: "nearest" });
      return true;
    }
    const open = this.openSlot;
    if (!open || open === this.active) return false;
    this.toggle(open);
    const meant = open.pick(province);
    if (!meant) this.shut();
    return meant;
  }

  light() {
    const active = this.active;
    this.map?.mark?.({
      selected: active?.province ?? "",
      unit: active?.unit ?? "",
      targets: active ? [...active.targets().keys()] : this.openPlaces(),
      mine: this.slots.map(({ province }) => province).filter(Boolean),
    });
    this.dispatchEvent(new Event("orders-lit", { bubbles: true }));
  }

  /** The first line without an order that any province can fill, for builds and disbands. */
  get openSlot() {
    return this.slots.find((slot) => slot.exclusive && !slot.select.value);
  }

  /** Whether a tap does something even though no line is open: for remaining builds and disbands. */
  openPlaces() {
    const open = this.openSlot;
    return open ? open.choices.map(({ province }) => province).filter(Boolean) : [];
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
    if (!this.active || this.inert) return;
    if (event.key === "Escape") {
      const { button } = this.active;
      if (!this.active.back()) {
        this.shut();
        button.focus();
      }
      this.note();
      event.preventDefault();
      return;
    }
    const verb = Object.values(VERBS).find((word) => word[0] === event.key.toLowerCase() && word !== "none");
    if (verb) this.active.setVerb(verb);
  }

  /** Ask the server to draw the chosen orders without saving them. */
  sketch() {
    if (!this.dataset.sketch) return;
    clearTimeout(this.timer);
    const timer = setTimeout(async () => {
      const answer = await fetch(this.dataset.sketch, { method: "POST", body: new FormData(this.form) }).catch(() => null);
      const drawing = answer?.ok ? await answer.text().catch(() => "") : "";
      // Answers may arrive in another order.
      if (drawing && timer === this.timer && this.isConnected) this.map?.drawOrders(drawing);
    }, 120);
    this.timer = timer;
  }
}

/** Do again what was put off: follow a link, or send a form with the button that was pressed. */
function repeat(source) {
  if (!source.isConnected) return;
  const button = source.contains(document.activeElement) ? document.activeElement.closest("button") : null;
  if (source.matches("form")) source.requestSubmit(button?.form === source ? button : null);
  else source.click();
}

customElements.define("order-form", OrderForm);
