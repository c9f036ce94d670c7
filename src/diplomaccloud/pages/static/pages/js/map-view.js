/**
 * `<map-view>`: a map to pan and zoom. A tap fires a `map-pick` event with the province;
 * a near miss picks one of `candidates` instead.
 */

/** The place shown last, by the URL of the map. */
const places = new Map();
/** Distances in pixels at which a near miss looks for a candidate. */
const REACHES = [9, 17];
/** Half the 24 pixels that a finger needs: within it, a tap picks the nearest candidate unit. */
const FINGER = 12;
const PATTERNED = "is-patterned";
/** Font size in pixels below which names cannot be read. */
const MIN_FONT_SIZE = 6.4;
/** Width in pixels below which a whole map is too small to play on. */
const MIN_PLAYABLE_WIDTH = 640;
/** The most that the map is enlarged then. */
const MAX_APPROACH = 2.6;
const DIRECTIONS = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => [Math.cos((n * Math.PI) / 4), Math.sin((n * Math.PI) / 4)]);

/** Return the value stored under `name`, null if the browser does not store anything. */
function readStored(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}

function store(name, value) {
  try { localStorage.setItem(name, value); } catch { /* then it applies to this page only */ }
}

export class MapView extends HTMLElement {
  candidates = new Set();

  connectedCallback() {
    this.sheet = this.querySelector(".map__sheet");
    this.window = this.querySelector(".map__window");
    this.key = this.querySelector("img")?.src ?? "";
    this.caption = document.createElement("p");
    this.caption.className = "map__caption";
    this.caption.setAttribute("aria-hidden", "true");
    this.append(this.caption);
    this.sheet.addEventListener("click", (event) => this.pick(event));
    this.sheet.addEventListener("pointermove", (event) => this.showName(event.target.closest?.("[data-province]")?.dataset.province));
    this.sheet.addEventListener("pointerleave", () => { this.caption.textContent = ""; });
    this.tools = this.querySelector(".map__tools");
    this.offerPatterns();
    if (window.Panzoom) this.makeMovable();
    this.sizes = new ResizeObserver(() => this.chooseLabels());
    this.sizes.observe(this.window);
    document.fonts.ready.then(() => this.remeasure());
  }

  disconnectedCallback() {
    this.sizes?.disconnect();
    this.panzoom?.destroy();
  }

  makeMovable() {
    this.panzoom = window.Panzoom(this.sheet, {
      minScale: 1,
      maxScale: 8,
      step: 0.45,
      contain: "outside",
      panOnlyWhenZoomed: true,
      cursor: "",
      touchAction: "pan-y",
      animate: !matchMedia("(prefers-reduced-motion: reduce)").matches,
      handleStartEvent: (event) => { if (event.pointerType === "mouse") event.preventDefault(); },
    });
    this.sheet.addEventListener("panzoomchange", ({ detail }) => this.moved(detail));
    this.window.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.window.addEventListener("pointerdown", (event) => { this.from = [event.clientX, event.clientY]; });
    this.tools.addEventListener("click", (event) => this.zoom(event.target.closest("button")?.dataset.zoom));
    this.restore();
  }

  /** Offer patterns in addition to the colors of powers. The choice applies to every map and is stored. */
  offerPatterns() {
    const page = document.documentElement;
    const button = this.tools.querySelector("[data-patterns]");
    const show = (on) => {
      page.classList.toggle(PATTERNED, on);
      for (const toggle of document.querySelectorAll("map-view [data-patterns]")) toggle.setAttribute("aria-pressed", String(on));
    };
    show(readStored(PATTERNED) === "on");
    button.onclick = () => { // not addEventListener: an element that is put back into the page would get two
      const on = !page.classList.contains(PATTERNED);
      store(PATTERNED, on ? "on" : "off");
      show(on);
    };
    this.tools.hidden = false;
  }

  restore() {
    const place = places.get(this.key);
    if (place) this.moveTo(place);
  }

  /** Show the map at `place` and remember it, whatever the library reports on the way there. */
  moveTo(place) {
    this.settling = true;
    places.set(this.key, place);
    this.panzoom.zoom(place.scale, { animate: false });
    setTimeout(() => { // after the library's first pan
      this.panzoom.pan(place.x, place.y, { animate: false });
      requestAnimationFrame(() => {
        this.settling = false;
        this.remeasure();
      });
    });
  }

  /** Zoom in on the units in `provinces` if the whole map is too small to read and was not moved yet. */
  approach(provinces) {
    const sheet = this.sheet.getBoundingClientRect();
    if (!this.panzoom || places.has(this.key) || sheet.width === 0 || sheet.width > MIN_PLAYABLE_WIDTH) return;
    const boxes = provinces
      .map((code) => this.querySelector(`.unit[data-province="${CSS.escape(code)}"]`)?.getBoundingClientRect())
      .filter(Boolean);
    if (boxes.length === 0) return;
    const [left, right] = [Math.min(...boxes.map((box) => box.left)), Math.max(...boxes.map((box) => box.right))];
    const [top, bottom] = [Math.min(...boxes.map((box) => box.top)), Math.max(...boxes.map((box) => box.bottom))];
    const margin = sheet.width * 0.24;
    const scale = Math.min(MAX_APPROACH, sheet.width / (right - left + margin), sheet.height / (bottom - top + margin));
    if (scale < 1.2) return;
    const x = sheet.left + sheet.width / 2 - (left + right) / 2;
    const y = sheet.top + sheet.height / 2 - (top + bottom) / 2;
    this.moveTo({ x, y, scale });
  }

  moved({ x, y, scale }) {
    this.chooseLabels(scale);
    if (!this.settling) places.set(this.key, { x, y, scale });
    const touchAction = scale > 1.01 ? "none" : "pan-y";
    if (this.sheet.style.touchAction !== touchAction) this.panzoom.setOptions({ touchAction });
  }

  /** Show codes instead of names where the map is too small for names. */
  chooseLabels(scale = this.panzoom?.getScale() ?? 1) {
    const names = this.sheet.querySelector(".names");
    if (!names) return;
    const share = names.getAttribute("font-size") / names.ownerSVGElement.viewBox.baseVal.width;
    this.sheet.classList.toggle("is-far", this.window.clientWidth * scale * share < MIN_FONT_SIZE);
  }

  /** Make the browser measure all text again: Chromium halves text that it measured while the map was scaled. */
  remeasure() {
    const overlay = this.sheet.querySelector(":scope > svg");
    if (!overlay) return;
    overlay.style.display = "none";
    overlay.getBoundingClientRect();
    overlay.style.display = "";
  }

  wheel(event) {
    const zoomed = this.panzoom.getScale() > 1.01;
    if (event.ctrlKey || event.metaKey || (zoomed && !event.shiftKey)) this.panzoom.zoomWithWheel(event, { animate: false });
  }

  zoom(button) {
    if (button === "in") this.panzoom.zoomIn();
    if (button === "out") this.panzoom.zoomOut();
    if (button === "whole") this.panzoom.reset();
  }

  /** Show the name of `province` under the map. */
  showName(province) {
    const shape = province && this.querySelector(`path[data-province="${CSS.escape(province)}"]`);
    const name = shape?.querySelector("title")?.textContent;
    this.caption.textContent = name ? `${name} · ${province}` : "";
  }

  pick(event) {
    const [x, y] = this.from ?? [event.clientX, event.clientY];
    if (Math.hypot(event.clientX - x, event.clientY - y) > 8) return;
    const province = this.nearest(event);
    this.showName(province);
    if (province) this.dispatchEvent(new CustomEvent("map-pick", { bubbles: true, detail: { province } }));
  }

  nearest(event) {
    const hit = event.target.closest?.("[data-province]")?.dataset.province;
    const unit = event.pointerType === "touch" && this.unitUnder(event, hit);
    if (unit) return unit;
    if (!hit || this.candidates.has(hit)) return hit;
    for (const reach of REACHES) {
      for (const [dx, dy] of DIRECTIONS) {
        const element = document.elementFromPoint(event.clientX + dx * reach, event.clientY + dy * reach);
        const near = this.contains(element) && element.closest("[data-province]")?.dataset.province;
        if (near && this.candidates.has(near)) return near;
      }
    }
    return hit;
  }

  /**
   * Return the candidate whose unit is nearest to a finger and within its reach. Return nothing
   * if the finger is on a candidate without a unit: it then means that province.
   */
  unitUnder({ clientX, clientY }, hit) {
    const near = [...this.querySelectorAll(".unit")]
      .filter((unit) => this.candidates.has(unit.dataset.province))
      .map((unit) => [unit.getBoundingClientRect(), unit.dataset.province])
      .map(([box, province]) => [Math.hypot(box.x + box.width / 2 - clientX, box.y + box.height / 2 - clientY), province])
      .sort(([distance], [otherDistance]) => distance - otherDistance);
    if (this.candidates.has(hit) && !near.some(([, province]) => province === hit)) return "";
    return near.length > 0 && near[0][0] <= FINGER ? near[0][1] : "";
  }

  /** Mark provinces and units: `selected`, `targets` to choose from, and `mine`. */
  mark({ selected = "", unit = "", targets = [], mine = [] }) {
    this.candidates = new Set([...targets, ...mine]);
    const targeted = new Set(targets);
    const owned = new Set(mine);
    for (const shape of this.querySelectorAll(".province, .unit")) {
      const { province } = shape.dataset;
      const isUnit = "unit" in shape.dataset;
      shape.classList.toggle("is-target", targeted.has(province));
      shape.classList.toggle("is-mine", owned.has(province));
      shape.classList.toggle("is-selected", isUnit ? shape.dataset.unit === unit && unit !== "" : province === selected);
    }
  }

  /** Return the province of the unit written as `unit`. */
  provinceOf(unit) {
    return this.querySelector(`.unit[data-unit="${CSS.escape(unit)}"]`)?.dataset.province ?? "";
  }

  /** Replace the orders on the map with `drawing`, the text of a `<g class="orders">`. */
  drawOrders(drawing) {
    const parsed = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${drawing}</svg>`, "image/svg+xml");
    for (const part of ["g.orders", "g.order-marks"]) {
      const old = this.querySelector(`svg > ${part}`);
      const group = parsed.querySelector(part);
      if (old && group) old.replaceWith(document.adoptNode(group));
    }
  }
}

customElements.define("map-view", MapView);
