/**
 * `<map-view>`: a map to pan and zoom. A tap on it becomes a `map-pick` event with the
 * province; `candidates` are the provinces that a near miss is taken for.
 */

const kept = new Map();
const REACH = [9, 17];
/** Half the 24 pixels that a finger needs: so near, the nearest unit that may be meant is meant. */
const FINGER = 12;
const PATTERNED = "is-patterned";
/** The size in pixels below which names cannot be read. */
const LEAST = 6.4;
/** The width in pixels below which a whole map is too small to play on, and how near to come then. */
const LEGIBLE = 640;
const CLOSEST = 2.6;
const AROUND = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => [Math.cos((n * Math.PI) / 4), Math.sin((n * Math.PI) / 4)]);

/** Return what was remembered under `name`; nothing where the browser keeps nothing. */
function remembered(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}

function remember(name, value) {
  try { localStorage.setItem(name, value); } catch { /* it holds for this page then */ }
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
    this.sheet.addEventListener("pointermove", (event) => this.tell(event.target));
    this.sheet.addEventListener("pointerleave", () => { this.caption.textContent = ""; });
    this.tools = this.querySelector(".map__tools");
    this.offerPatterns();
    if (window.Panzoom) this.makeMovable();
    this.sizes = new ResizeObserver(() => this.letter());
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

  /** Offer patterns beside the colours of powers; what somebody chose holds for every map, and stays. */
  offerPatterns() {
    const page = document.documentElement;
    const button = this.tools.querySelector("[data-patterns]");
    const show = (on) => {
      page.classList.toggle(PATTERNED, on);
      for (const one of document.querySelectorAll("map-view [data-patterns]")) one.setAttribute("aria-pressed", String(on));
    };
    show(remembered(PATTERNED) === "on");
    button.onclick = () => { // not a listener: an element put back into the page would get two
      const on = !page.classList.contains(PATTERNED);
      remember(PATTERNED, on ? "on" : "off");
      show(on);
    };
    this.tools.hidden = false;
  }

  restore() {
    const was = kept.get(this.key);
    if (was) this.place(was);
  }

  /** Show the map at `where` and remember that, whatever the library reports on the way there. */
  place(where) {
    this.settling = true;
    kept.set(this.key, where);
    this.panzoom.zoom(where.scale, { animate: false });
    setTimeout(() => { // after the library's own first pan
      this.panzoom.pan(where.x, where.y, { animate: false });
      requestAnimationFrame(() => {
        this.settling = false;
        this.remeasure();
      });
    });
  }

  /** Where a whole map is too small to read and nobody has moved it yet, come closer to the units in `provinces`. */
  approach(provinces) {
    const sheet = this.sheet.getBoundingClientRect();
    if (!this.panzoom || kept.has(this.key) || sheet.width === 0 || sheet.width > LEGIBLE) return;
    const boxes = provinces
      .map((code) => this.querySelector(`.unit[data-province="${CSS.escape(code)}"]`)?.getBoundingClientRect())
      .filter(Boolean);
    if (boxes.length === 0) return;
    const [left, right] = [Math.min(...boxes.map((box) => box.left)), Math.max(...boxes.map((box) => box.right))];
    const [top, bottom] = [Math.min(...boxes.map((box) => box.top)), Math.max(...boxes.map((box) => box.bottom))];
    const around = sheet.width * 0.24;
    const scale = Math.min(CLOSEST, sheet.width / (right - left + around), sheet.height / (bottom - top + around));
    if (scale < 1.2) return;
    const x = sheet.left + sheet.width / 2 - (left + right) / 2;
    const y = sheet.top + sheet.height / 2 - (top + bottom) / 2;
    this.place({ x, y, scale });
  }

  moved({ x, y, scale }) {
    this.letter(scale);
    if (!this.settling) kept.set(this.key, { x, y, scale });
    const touchAction = scale > 1.01 ? "none" : "pan-y";
    if (this.sheet.style.touchAction !== touchAction) this.panzoom.setOptions({ touchAction });
  }

  /** Print codes where the map is too small for names. */
  letter(scale = this.panzoom?.getScale() ?? 1) {
    const names = this.sheet.querySelector(".names");
    if (!names) return;
    const share = names.getAttribute("font-size") / names.ownerSVGElement.viewBox.baseVal.width;
    this.sheet.classList.toggle("is-far", this.window.clientWidth * scale * share < LEAST);
  }

  /** Have all letters measured anew: Chromium halves those it measured while a map was being scaled. */
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

  zoom(how) {
    if (how === "in") this.panzoom.zoomIn();
    if (how === "out") this.panzoom.zoomOut();
    if (how === "whole") this.panzoom.reset();
  }

  tell(target) {
    this.name(target.closest?.("[data-province]")?.dataset.province);
  }

  /** Write the name of `province` under the map. */
  name(province) {
    const shape = province && this.querySelector(`path[data-province="${CSS.escape(province)}"]`);
    const name = shape?.querySelector("title")?.textContent;
    this.caption.textContent = name ? `${name} · ${province}` : "";
  }

  pick(event) {
    const [x, y] = this.from ?? [event.clientX, event.clientY];
    if (Math.hypot(event.clientX - x, event.clientY - y) > 8) return;
    const province = this.nearest(event);
    this.name(province);
    if (province) this.dispatchEvent(new CustomEvent("map-pick", { bubbles: true, detail: { province } }));
  }

  nearest(event) {
    const hit = event.target.closest?.("[data-province]")?.dataset.province;
    const unit = event.pointerType === "touch" && this.unitUnder(event, hit);
    if (unit) return unit;
    if (!hit || this.candidates.has(hit)) return hit;
    for (const reach of REACH) {
      for (const [dx, dy] of AROUND) {
        const found = document.elementFromPoint(event.clientX + dx * reach, event.clientY + dy * reach);
        const near = this.contains(found) && found.closest("[data-province]")?.dataset.province;
        if (near && this.candidates.has(near)) return near;
      }
    }
    return hit;
  }

  /**
   * Return the candidate whose unit is nearest to a finger and within its reach. Nothing when
   * the finger is on a candidate without a unit, for it then means that province.
   */
  unitUnder({ clientX, clientY }, hit) {
    const near = [...this.querySelectorAll(".unit")]
      .filter((one) => this.candidates.has(one.dataset.province))
      .map((one) => [one.getBoundingClientRect(), one.dataset.province])
      .map(([box, province]) => [Math.hypot(box.x + box.width / 2 - clientX, box.y + box.height / 2 - clientY), province])
      .sort(([one], [other]) => one - other);
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

  /** Put `drawing`, the text of a `<g class="orders">`, in place of the orders now drawn. */
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
