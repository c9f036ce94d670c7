/**
 * `<sandbox-table>`: the panel of the sandbox. A tap on the map opens a unit, makes its next choice or puts a
 * piece down; every change is a link or a form of the page. The rules are only on the server.
 */

import "../games/table/copy-text.js";
import "../games/table/table.js";
import "../pages/js/map-view.js";
import { announce } from "../pages/js/site.js";
import { VERBS } from "../games/orders/order-choices.js";
import { OrderSlot } from "../games/orders/order-slot.js";

const TAP = matchMedia("(hover: hover) and (pointer: fine)").matches ? "Click" : "Tap";

/** How many steps can be undone. */
const MAX_ADDRESSES = 100;

/** What to do after the next server response: the line to focus, the text to announce. */
const NOTHING = { line: "", text: "" };
let after = NOTHING;
/** The provinces tapped while a response is awaited, for the board that it shows. */
let early = [];
/** The section shown before. */
let shown = "";

/** Return the addresses seen on this page and the current index, from the tab's storage. */
function readTrail(page) {
  try {
    const { list, at } = JSON.parse(sessionStorage.getItem(page)) ?? {};
    return Array.isArray(list) ? { list, at } : { list: [], at: -1 };
  } catch {
    return { list: [], at: -1 };
  }
}

function storeTrail(page, trail) {
  try { sessionStorage.setItem(page, JSON.stringify(trail)); } catch { /* then only this step can be undone */ }
}

class SandboxTable extends HTMLElement {
  connectedCallback() {
    this.stop = new AbortController();
    const { signal } = this.stop;
    this.map = document.querySelector("map-view");
    this.map?.addEventListener("map-pick", ({ detail }) => this.pick(detail.province), { signal });
    document.addEventListener("keydown", (event) => this.key(event), { signal });
    document.addEventListener("htmx:before:request", (event) => this.begin(event), { signal });
    document.addEventListener("htmx:finally:request", ({ detail }) => this.end(detail.ctx), { signal });
    document.addEventListener("htmx:before:history:restore", () => this.forget(), { signal });
    // Before this event, htmx does not know the new links and forms.
    document.addEventListener("htmx:after:swap", () => this.repeat(), { signal });
    document.documentElement.dataset.sheet ??= "middle";
    this.openLine();
    this.offerUndo();
    this.light();
    this.nameSheet();
    this.finish();
  }

  disconnectedCallback() {
    this.stop.abort();
  }

  // Requests. Each starts from the board that the page shows, so nothing may overtake a form.

  begin(event) {
    const { ctx } = event.detail;
    if (ctx.target?.id !== "play") return;
    if (!ctx.target.isConnected || this.isSaving) {
      event.preventDefault();
      return;
    }
    if (this.sending) this.forget();
    this.sending = ctx;
  }

  get isSaving() {
    return this.sending?.request.method === "POST";
  }

  /** Once a response is shown, this part has left the page: only failures get here. */
  end(ctx) {
    if (ctx === this.sending) this.forget();
  }

  /** Give up the request on its way, and what was to follow it. */
  forget() {
    const { sending } = this;
    this.sending = null;
    after = NOTHING;
    early = [];
    sending?.request.abort();
  }

  /** Repeat the early taps, of which each may have to wait for the one before. */
  repeat() {
    const taps = early;
    early = [];
    for (const province of taps) this.pick(province);
  }

  // The open line. `OrderSlot` requires the following methods from its form.

  openLine() {
    const item = this.querySelector("[data-open]");
    if (!item) return;
    this.active = new OrderSlot(this, item);
    this.active.open();
    this.active.button.focus({ preventScroll: true });
    item.scrollIntoView({ block: "nearest" });
  }

  toggle() {
    this.shut();
  }

  shut() {
    if (this.isSaving) return;
    this.forget();
    after = { ...NOTHING, line: this.active.item.dataset.slot };
    this.querySelector("[data-close]").click();
  }

  /** Send an order, in place of one that is still on its way. */
  chosen(slot, choice) {
    this.forget();
    after = { line: slot.item.dataset.slot, text: `${slot.item.dataset.title}: ${choice.label}.` };
    slot.select.form.requestSubmit();
  }

  note() {}

  takenBeside() {
    return new Set();
  }

  light() {
    const lines = [...this.querySelectorAll("a[data-province]")];
    const { active } = this;
    this.map?.mark?.({
      selected: active?.province ?? "",
      unit: active?.unit ?? "",
      targets: active ? [...active.targets().keys()] : [],
      mine: lines.map(({ dataset }) => dataset.province).filter(Boolean),
    });
    (active?.panel.querySelector(".chips") ?? active?.item)?.scrollIntoView({ block: "nearest" });
  }

  pick(province) {
    if (this.sending) {
      early.push(province);
      return;
    }
    const palette = this.querySelector("#palette");
    if (palette) {
      this.put(palette, province);
      return;
    }
    if (this.active?.pick(province)) return;
    this.querySelector(`a[data-line][data-province="${CSS.escape(province)}"]`)?.click();
  }

  /** Put a piece or a mark on a province; an arrow needs two taps. */
  put(palette, province) {
    const { place, mark, to } = palette.elements;
    if (mark?.value === "arrow" && this.from !== province) {
      if (!this.from) {
        this.from = place.value = province;
        const name = place.selectedOptions[0]?.textContent ?? province;
        this.querySelector("[data-hint]").textContent = `Arrow from ${name}. ${TAP} where it ends.`;
        this.map?.mark?.({ selected: province, unit: "", targets: [], mine: [] });
        return;
      }
      to.value = province;
      place.value = this.from;
    } else if (mark?.value === "arrow") {
      this.from = "";
      this.map?.mark?.({ selected: "", unit: "", targets: [], mine: [] });
      return;
    } else {
      place.value = province;
    }
    this.from = "";
    palette.requestSubmit();
  }

  key(event) {
    if (event.target.closest("input, textarea, select")) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== "z") return;
      event.preventDefault();
      document.querySelector(event.shiftKey ? "a[data-redo][href]" : "a[data-undo][href]")?.click();
      return;
    }
    if (event.altKey || !this.active) return;
    if (event.key === "Escape") {
      event.preventDefault();
      if (!this.active.back()) this.shut();
      return;
    }
    const verb = Object.values(VERBS).find((word) => word[0] === event.key.toLowerCase() && word !== "none");
    if (verb) this.active.setVerb(verb);
  }

  finish() {
    const { line, text } = after;
    after = NOTHING;
    const { view } = this.dataset;
    if (this.querySelector(":scope > .note") || (shown && shown !== view)) {
      early = [];
      requestAnimationFrame(() => this.closest(".table__scroll")?.scrollTo(0, 0)); // after the table restores it
    }
    shown = view;
    if (text) announce(text);
    if (line && !this.active) this.querySelector(`[data-line="${CSS.escape(line)}"]`)?.focus({ preventScroll: true });
  }

  /** Show the section's title in the handle of a phone's sheet, where it takes no extra space. */
  nameSheet() {
    const title = document.querySelector(".sheet-handle__title");
    if (title) title.textContent = this.querySelector("h2").textContent;
  }

  // Undo: every state is an address, and the tab stores the latest ones.

  offerUndo() {
    const { board, page } = this.dataset;
    const trail = readTrail(page);
    const { list, at } = trail;
    if (list[at - 1] === board) trail.at -= 1;
    else if (list[at + 1] === board) trail.at += 1;
    else if (list[at] !== board) {
      trail.list = [...list.slice(0, at + 1), board].slice(-MAX_ADDRESSES);
      trail.at = trail.list.length - 1;
    }
    storeTrail(page, trail);
    const bar = document.querySelector("[data-undo-bar]");
    bar.hidden = trail.list.length < 2;
    this.link(bar.querySelector("[data-undo]"), trail.list[trail.at - 1]);
    this.link(bar.querySelector("[data-redo]"), trail.list[trail.at + 1]);
  }

  link(anchor, board) {
    if (board === undefined) {
      anchor.removeAttribute("href");
      anchor.setAttribute("aria-disabled", "true");
      return;
    }
    const { view, page } = this.dataset;
    const url = new URL(page, location.href);
    url.searchParams.set("board", board);
    if (view === "setup" || view === "marks") url.searchParams.set("view", view);
    anchor.href = url.href;
  }
}

customElements.define("sandbox-table", SandboxTable);
