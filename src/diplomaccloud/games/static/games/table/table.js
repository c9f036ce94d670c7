/**
 * The table's panel: `<table-tabs>` chooses its section and folds it, `<sheet-handle>` changes its height on a phone.
 * What is chosen is stored on the root element, so that it stays when the server replaces the page's content.
 */

import { findById, unfoldShown } from "./folded-part.js";

const root = document.documentElement;
/** The heights of the sheet, from low to high. */
const HEIGHTS = ["low", "middle", "high"];
/** Pixels that a finger must drag the sheet to change its height. */
const PULL = 44;
const FOLDED = "is-panel-folded";
/** Milliseconds that a success message stays over the map. */
const NOTICE_MS = 8000;
/** Whether the panel is a sheet below the map. */
const SHEET = matchMedia("(max-width: 39.99em), (max-width: 63.99em) and (orientation: portrait)");

function readFolded() {
  try { return localStorage.getItem(FOLDED) === "on"; } catch { return false; }
}

/** Show the section `tab` of the panel; `map` means none. */
export function showTab(tab) {
  if (tab === "map") setHeight("low");
  else {
    root.dataset.tab = tab;
    if (root.dataset.sheet === "low") setHeight("middle");
    setFolded(false);
    unfoldShown();
  }
  for (const tabs of document.querySelectorAll("table-tabs")) tabs.mark();
  for (const handle of document.querySelectorAll("sheet-handle")) handle.mark();
}

export function setHeight(height) {
  root.dataset.sheet = height;
  for (const tabs of document.querySelectorAll("table-tabs")) tabs.mark();
}

// Panels of other apps are separate scripts, which would load a second copy of this one.
document.addEventListener("sheet-height", ({ detail }) => setHeight(detail));

function setFolded(folded) {
  root.dataset.panel = folded ? "folded" : "open";
  try { localStorage.setItem(FOLDED, folded ? "on" : "off"); } catch { /* then it applies to this page only */ }
  for (const tabs of document.querySelectorAll("table-tabs")) tabs.mark();
}

class TableTabs extends HTMLElement {
  connectedCallback() {
    this.links = [...this.querySelectorAll("a[data-tab]")];
    this.fold = this.querySelector(".tabs-fold");
    this.fold.hidden = false;
    this.fold.onclick = () => setFolded(root.dataset.panel !== "folded");
    this.onclick = (event) => this.choose(event);
    const isKnown = (tab) => this.links.some(({ dataset }) => dataset.tab === tab);
    // The tabs of a past phase lead here.
    const linked = location.hash.slice(1);
    if (!isKnown(root.dataset.tab)) root.dataset.tab = isKnown(linked) && linked !== "map" ? linked : this.first;
    root.dataset.panel ??= readFolded() ? "folded" : "open";
    root.dataset.sheet ??= "middle";
    unfoldShown();
    this.mark();
  }

  get first() {
    return this.links.find(({ dataset }) => dataset.tab !== "map").dataset.tab;
  }

  choose(event) {
    const link = event.target.closest("a[data-tab]");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const { tab } = link.dataset;
    const again = tab === root.dataset.tab && root.dataset.panel === "open" && root.dataset.sheet !== "low";
    showTab(tab);
    if (again && SHEET.matches) setHeight(root.dataset.sheet === "high" ? "middle" : "high");
    document.querySelector(".table__scroll")?.scrollTo(0, 0);
  }

  mark() {
    const folded = root.dataset.panel === "folded" && !SHEET.matches;
    const shown = SHEET.matches && root.dataset.sheet === "low" ? "map" : folded ? "" : root.dataset.tab;
    for (const link of this.links) {
      if (link.dataset.tab === shown) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    this.fold.setAttribute("aria-expanded", String(!folded));
  }
}

class SheetHandle extends HTMLElement {
  connectedCallback() {
    this.hidden = false;
    this.onclick = ({ target }) => this.step(Number(target.closest("button")?.dataset.step ?? 0));
    this.onpointerdown = (event) => this.grab(event);
    this.onpointermove = (event) => this.drag(event);
    this.onpointerup = this.onpointercancel = (event) => this.drop(event);
    this.mark();
  }

  /** Show the title of the section in the handle, where it takes up no extra room. */
  mark() {
    const section = document.querySelector(`.tab-section[data-section="${root.dataset.tab}"]`);
    this.querySelector(".sheet-handle__title").textContent = section?.dataset.title ?? "";
  }

  step(by) {
    const height = HEIGHTS[HEIGHTS.indexOf(root.dataset.sheet) + by];
    if (by && height) setHeight(height);
  }

  grab(event) {
    if (event.target.closest("button")) return;
    this.from = event.clientY;
    this.setPointerCapture(event.pointerId);
  }

  drag({ clientY }) {
    if (this.from !== undefined) this.parentElement.style.setProperty("--drag", `${this.from - clientY}px`);
  }

  drop({ clientY }) {
    if (this.from === undefined) return;
    const pulled = this.from - clientY;
    this.from = undefined;
    this.parentElement.style.removeProperty("--drag");
    if (Math.abs(pulled) > PULL) this.step(Math.sign(pulled));
  }
}

/** Return whether a link leads to a part of the panel that is not in view, as far as the page knows. */
function leadsToHidden(id) {
  const part = document.getElementById(id);
  if (!part) return [...document.querySelectorAll("folded-part")].some((folded) => folded.mayHold(id));
  return Boolean(part.closest(".tab-section")) && (!part.offsetParent || part.closest("details")?.open === false);
}

/** A link to a part of the panel opens its section first. A part that may still be folded is named in `data-part`. */
document.addEventListener("click", async (event) => {
  const link = event.target.closest('a[href^="#"]');
  if (!link || link.dataset.tab || event.defaultPrevented) return;
  const id = link.dataset.part ?? link.hash.slice(1);
  if (id === "panel" && root.dataset.sheet === "low") setHeight("middle");
  if (!id || !leadsToHidden(id)) return;
  event.preventDefault();
  // What is fetched takes its place in a section that is already shown.
  const folded = [...document.querySelectorAll("folded-part[data-url]")].find((one) => one.mayHold(id));
  const first = document.getElementById(id) ?? folded;
  const section = first?.closest(".tab-section");
  if (section) showTab(section.dataset.section);
  const part = await findById(id);
  if (!part) return;
  showTab(part.closest(".tab-section").dataset.section);
  for (let at = part.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
  part.scrollIntoView({ block: "start" });
  if (!part.matches("a, button, input, select, textarea, summary")) part.tabIndex = -1;
  part.focus({ preventScroll: true });
});

SHEET.addEventListener("change", () => {
  for (const tabs of document.querySelectorAll("table-tabs")) tabs.mark();
});

/** Open parts stay open, and the panel keeps its scroll position, when the server sends the table again. */
let open = [];
let scrolled = 0;
document.addEventListener("htmx:before:swap", ({ detail: { ctx } }) => {
  scrolled = document.querySelector(".table__scroll")?.scrollTop ?? 0;
  if (ctx.target?.id !== "play") return;
  open = [...document.querySelectorAll(".drawer[id][open]")].map(({ id }) => id);
});
document.addEventListener("htmx:after:swap", () => {
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  open = [];
  document.querySelector(".table__scroll")?.scrollTo(0, scrolled);
  scrolled = 0;
  // The server's message about the orders just sent must be visible.
  document.querySelector("#order-form-status:has(.note:not([data-new-phase]))")?.scrollIntoView({ block: "nearest" });
  const question = document.querySelector(".table__panel [data-question]");
  if (question && SHEET.matches) setHeight("high");
});

/** Notices lie over the map: success messages disappear on their own, and every notice can be closed. */
function tendNotices() {
  for (const note of document.querySelectorAll(".main--table > #notices > .note:not([data-tended])")) {
    note.dataset.tended = "";
    const close = document.createElement("button");
    close.type = "button";
    close.className = "note__close";
    close.setAttribute("aria-label", "Close");
    close.textContent = "×";
    close.addEventListener("click", () => note.remove());
    note.append(close);
    if (note.matches(".note--success, .note--info")) setTimeout(() => note.remove(), NOTICE_MS);
  }
}
const notices = document.querySelector(".main--table > #notices");
if (notices) new MutationObserver(tendNotices).observe(notices, { childList: true });
tendNotices();

customElements.define("table-tabs", TableTabs);
customElements.define("sheet-handle", SheetHandle);
