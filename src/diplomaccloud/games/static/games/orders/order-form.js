/**
 * `<order-form>`: an order form for clicks and taps. A unit chosen in the list or on the map offers its legal orders,
 * the next tap chooses one, and the map shows the choices.
 */

import { announce } from "../../pages/js/site.js";
import { VERBS } from "./order-choices.js";
import { OrderSlot } from "./order-slot.js";

/** Where the map stays at the top of the screen and the list moves below it. */
const NARROW = matchMedia("(max-width: 63.99rem)");
/** The longest time that a browser's timer can wait, in milliseconds. */
const MAX_WAIT = 2 ** 31 - 1;
const OK = 200;

export class OrderForm extends HTMLElement {
  connectedCallback() {
    this.form = this.querySelector("form");
    this.sheet = this.form.elements.sheet;
    this.typed = this.sheet.value;
    this.map = document.querySelector("map-view");
    this.slots = [...this.querySelectorAll(".slot")].map((item) => new OrderSlot(this, item));
    this.stop = new AbortController();
    const { signal } = this.stop;
    this.map?.addEventListener("map-pick", (event) => { if (this.pick(event.detail.province)) event.preventDefault(); }, { signal });
    document.addEventListener("keydown", (event) => this.key(event), { signal });
    addEventListener("beforeunload", (event) => { if (this.dirty || this.sending) event.preventDefault(); }, { signal });
    this.addEventListener("submit", (event) => this.finishFirst(event), { capture: true, signal });
    this.form.addEventListener("submit", () => { this.sent = true; });
    this.form.addEventListener("htmx:before:request", ({ detail: { ctx } }) => this.noteSending(ctx));
    this.form.addEventListener("htmx:after:request", () => { this.sending = false; });
    this.form.addEventListener("htmx:finally:request", () => {
      this.sending = false;
      this.next = null;
    });
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
    if (this.sending) {
      event.preventDefault();
      event.stopImmediatePropagation();
      if (this.dirty || event.submitter !== this.pressed) this.next = event.submitter;
      return;
    }
    const slot = this.slots.find(({ unfinished }) => unfinished);
    if (!slot) {
      this.pressed = event.submitter;
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    slot.demand();
  }

  /**
   * Ask for confirmation before anything but saving replaces unsaved orders. Until its answer, no order can be chosen,
   * because it would be lost.
   */
  guard(event) {
    const { ctx } = event.detail ?? {};
    const { sourceElement, target } = ctx ?? {};
    if (!target?.contains?.(this) || this.form.contains(sourceElement) || sourceElement === document.body) return;
    if (this.dirty && !confirm("Your order changes are not saved. Leave without saving them?")) {
      event.preventDefault();
      return;
    }
    this.inert = true;
    document.addEventListener("htmx:finally:request", ({ detail }) => {
      if (detail.ctx === ctx) this.inert = false;
    }, { signal: this.stop.signal });
  }

  /** The orders are on their way, even if the page is left now. */
  noteSending(ctx) {
    this.sending = true;
    ctx.request.keepalive = true;
  }

  /**
   * Keep orders that were changed while the saved ones were on their way, instead of the server's form; and those that
   * were changed while the page requested the next phase.
   */
  keepChanges(event) {
    const { ctx } = event.detail;
    if (ctx.sourceElement === document.body && ctx.target?.contains?.(this) && this.dirty) event.preventDefault();
    if (ctx.sourceElement !== this.form || ctx.response?.status !== OK) return;
    const page = new DOMParser().parseFromString(ctx.text, "text/html");
    const saved = page.getElementById("orders");
    const { phase, version } = this.form.elements;
    if (saved?.elements.phase?.value !== phase.value) return;
    saved.querySelectorAll("select[name=order]").forEach(({ dataset }, index) => this.slots[index]?.save(dataset.default));
    const { next } = this;
    if (!this.dirty && !next) return;
    event.preventDefault();
    version.value = saved.elements.version.value;
    this.note();
    if (next) setTimeout(() => this.form.requestSubmit(next));
    else announce("Your orders were saved as they were when you pressed the button. Later changes are not saved yet.");
  }

  /** The server refused the orders: keep them here and scroll to the reason. */
  failed() {
    this.sent = false;
    setTimeout(() => document.querySelector("#notices .note")?.scrollIntoView({ block: "center" }), 100);
  }

  /** Whether there are choices or text that have not been sent. */
  get dirty() {
    return !this.sent && (this.sheet.value !== this.typed || this.slots.some(({ changed, unfinished }) => changed || unfinished));
  }

  note() {
    this.querySelector(".order-form__dirty").hidden = !this.dirty;
  }

  toggle(slot) {
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

  chosen(slot, choice) {
    this.shut();
    this.sent = false;
    this.note();
    slot.button.focus({ preventScroll: true });
    announce(`${slot.item.dataset.title}: ${choice.label}.${slot.changed ? " Not saved yet." : ""}`);
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
    if (this.active?.pick(province)) return true;
    const slot = this.slots.find((one) => one.province === province && one !== this.active);
    if (slot) {
      this.toggle(slot);
      if (!NARROW.matches) slot.button.scrollIntoView({ block: "nearest" });
      return true;
    }
    const open = this.slots.find((one) => one.exclusive && one !== this.active && !one.select.value);
    if (!open) return false;
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
  }

  /** Whether a tap does something even though no line is open: for remaining builds and disbands. */
  openPlaces() {
    const open = this.slots.find((slot) => slot.exclusive && !slot.select.value);
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

customElements.define("order-form", OrderForm);
