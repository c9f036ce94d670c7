/**
 * `<map-view>`: a map to pan and zoom. A tap fires a `map-pick` event with the province;
 * a near miss picks one of `candidates` instead. A listener that handles it prevents its default, the double-tap zoom.
 */

import { fillShapes } from "./map-shapes.js";
import { offerStyles } from "./map-styles.js";
import { PanZoom, STEP } from "./pan-zoom.js";

/** The places last shown, by the map's key, for maps that are put into the page again. */
const places = new Map();
/** Distances in pixels at which a near miss looks for a candidate. */
const REACHES = [9, 17];
/** Half the 24 pixels that a finger needs: within it, a tap picks the nearest candidate unit. */
const FINGER = 12;
/** Milliseconds after which the shapes of provinces are requested again. */
const RETRY = 5000;
/** Milliseconds that the map must rest before its place is stored. */
const STORE_AFTER = 200;
/** The classes of a page whose maps show patterns, and of one whose maps show no decoration. */
const PATTERNED = "is-patterned";
const PLAIN = "is-plain";
/** The class of a map that was placed in its window: before that, laying out its drawing would be wasted work. */
const PLACED = "is-placed";
/** The class of a map whose drawing has been painted: its labels follow. */
const SETTLED = "is-settled";
/** Font size in pixels below which names cannot be read. */
const MIN_FONT_SIZE = 6.4;
/** Width in pixels below which a whole map is too small to play on. */
const MIN_PLAYABLE_WIDTH = 640;
/** The width in pixels at which names and units are easy to see. */
const CLEAR_WIDTH = 1000;
/** The largest factor by which the whole map is enlarged to fill its window. */
const MAX_CROP = 1.35;
/** The margin around the units to show, as a share of the map's width. */
const MARGIN = 0.07;
/** What lies over a map that fills its container. */
const CONTROLS = ".map__tools button, .map__style, .map__play, :scope > .order-bar";
/** Pixels between a control over the map, or the edge of its window, and the middle of a unit that it does not hide. */
const CLEARANCE = 16;
/** A province's code on the map, and its place. */
const CODE = /<text x="([^"]*)" y="([^"]*)"[^>]*>([^<]*)</g;
const PORTRAIT = matchMedia("(orientation: portrait)");
const DIRECTIONS = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => [Math.cos((n * Math.PI) / 4), Math.sin((n * Math.PI) / 4)]);

/** Return the value stored under `name`, null if the browser does not store anything. */
function readStored(storage, name) {
  try { return window[storage].getItem(name); } catch { return null; }
}

function store(storage, name, value) {
  try { window[storage].setItem(name, value); } catch { /* then it applies to this page only */ }
}

/** Whether this page was reached from another page of the same game or by reloading it. */
function continues(path) {
  const [entry] = performance.getEntriesByType("navigation");
  return entry?.type !== "navigate" || document.referrer.startsWith(`${location.origin}${path}`);
}

/** Keep the content of a group of labels as a text, or make elements of it again. */
function fold(group, folded) {
  if (folded && group.childElementCount) {
    group.dataset.folded = group.innerHTML; // not a property: copies of the group have it, too
    group.replaceChildren();
  } else if (!folded && group.dataset.folded) {
    group.innerHTML = group.dataset.folded;
    delete group.dataset.folded;
  }
}

export class MapView extends HTMLElement {
  candidates = new Set();

  connectedCallback() {
    this.sheet = this.querySelector(".map__sheet");
    this.window = this.querySelector(".map__window");
    this.fills = "fills" in this.dataset;
    this.needsFrame = "passages" in this.dataset; // which has the letters of the passages
    this.key = this.dataset.place || this.querySelector("img")?.src || "";
    this.listen = new AbortController();
    this.addCaption();
    const { signal } = this.listen;
    this.sheet.addEventListener("click", (event) => this.pick(event), { signal });
    this.sheet.addEventListener("pointermove", (event) => this.showName(event.target.closest?.("[data-province]")?.dataset.province), { signal });
    this.sheet.addEventListener("pointerleave", () => { this.caption.textContent = ""; }, { signal });
    this.tools = this.querySelector(".map__tools");
    this.tools.addEventListener("click", (event) => this.use(event.target.closest("button")?.dataset.zoom), { signal });
    addEventListener("pagehide", () => this.storePlace(), { signal });
    PORTRAIT.addEventListener("change", () => { if (this.boxOfUnits()) this.shows = "units"; }, { signal });
    this.offer("[data-patterns]", PATTERNED, (on) => on);
    this.offer("[data-decoration]", PLAIN, (on) => !on);
    const styles = this.tools.querySelector(".map__style select");
    if (styles) offerStyles(styles);
    this.tools.hidden = false;
    this.makeMovable();
    this.classList.add(PLACED);
    this.fill();
    this.sizes = new ResizeObserver(() => { if (this.isResized) this.settle(); });
    this.sizes.observe(this.window);
    if (document.fonts.status !== "loaded") document.fonts.ready.then(() => this.remeasure());
  }

  /** Put the shapes of provinces into the drawing, and mark them. */
  async fill() {
    const filled = await fillShapes(this.overlay, this.dataset.shapes);
    if (filled && this.marks) this.mark(this.marks);
    if (filled && this.dataset.sites && this.shows !== "visit") this.restore(); // places to build in have a size now
    if (!filled && this.isConnected) this.retry = setTimeout(() => this.fill(), RETRY);
  }

  disconnectedCallback() {
    clearTimeout(this.retry);
    cancelAnimationFrame(this.measuring);
    this.storePlace();
    this.listen.abort();
    this.sizes.disconnect();
    this.panzoom.destroy();
  }

  addCaption() {
    this.caption = this.querySelector(".map__caption") ?? document.createElement("p");
    this.caption.className = "map__caption";
    this.caption.setAttribute("aria-hidden", "true");
    this.append(this.caption);
  }

  /** The drawing's size, and its corner, which is the frame's: without the frame, the map starts at 0, 0. */
  get chart() {
    const { x, y, width, height } = this.overlay?.viewBox.baseVal ?? {};
    if (width) return { x, y, width, height };
    const picture = this.querySelector("img");
    return { x: 0, y: 0, width: picture?.width || 1, height: picture?.height || 1 };
  }

  get overlay() {
    return this.sheet.querySelector(":scope > svg");
  }

  makeMovable() {
    const { x, width, height } = this.chart;
    this.panzoom = new PanZoom(this.window, this.sheet, {
      ratio: width / height,
      inset: this.needsFrame ? 0 : -x / width,
      fills: this.fills,
      moved: (place) => this.remember(place),
      taken: () => { this.shows = "place"; },
    });
    this.window.tabIndex = 0;
    this.window.setAttribute("role", "group");
    this.window.setAttribute("aria-label", "Map: arrow keys move it, plus and minus zoom");
    this.restore();
  }

  remember(place) {
    this.chooseLabels(place.width);
    if (this.shows === "visit") return;
    const state = { place, shows: this.shows, phase: this.dataset.phase };
    places.set(this.key, state);
    if (!this.fills) return;
    clearTimeout(this.storing);
    this.storing = setTimeout(() => this.storePlace(), STORE_AFTER);
  }

  /** Store the place for the next page of this game. Storing waits for the disk, so not while the map moves. */
  storePlace() {
    if (!this.storing) return;
    clearTimeout(this.storing);
    this.storing = 0;
    store("sessionStorage", `map ${this.key}`, JSON.stringify(places.get(this.key)));
  }

  /**
   * Show what the same map showed before it was replaced, or before the page was loaded again; in a new phase, the
   * viewer's units.
   */
  restore() {
    const path = this.dataset.place;
    const stored = path && continues(path) && readStored("sessionStorage", `map ${this.key}`);
    const last = places.get(this.key) ?? (stored ? JSON.parse(stored) : null);
    const shows = last?.phase === this.dataset.phase || !this.boxOfUnits() ? last?.shows : "units";
    this.shows = shows || (this.boxOfUnits() ? "units" : "");
    this.panzoom.place = last?.place ?? null;
    const button = this.tools.querySelector("[data-zoom=units]");
    if (button) button.hidden = !this.boxOfUnits();
    this.settle();
  }

  /**
   * Place the map in its window once that has a size, and again whenever the size changes: on the player's units,
   * whole, or in the place to which the player has moved it.
   */
  settle() {
    const { size } = this.panzoom;
    if (!size) return;
    this.settledFor = size;
    [this.panzoom.covered] = this.listRooms(this.listControls());
    if ((this.shows === "place" || this.shows === "visit") && this.panzoom.place) this.panzoom.show(this.panzoom.place);
    else if (this.shows === "units" && this.boxOfUnits()) this.showUnits();
    else if (this.shows === "whole") this.showWhole();
    else this.open();
    this.remeasure();
  }

  /**
   * Offer a button that gives the page a class. The choice applies to every map and is stored. `isPressed` says how the
   * button looks with the class and without it.
   */
  offer(selector, name, isPressed) {
    const page = document.documentElement;
    const button = this.tools.querySelector(selector);
    if (!button) return;
    const show = (on) => {
      page.classList.toggle(name, on);
      for (const toggle of document.querySelectorAll(`map-view ${selector}`)) toggle.setAttribute("aria-pressed", String(isPressed(on)));
    };
    show(readStored("localStorage", name) === "on");
    button.onclick = () => { // not addEventListener: an element that is put back into the page would get two
      const on = !page.classList.contains(name);
      store("localStorage", name, on ? "on" : "off");
      show(on);
    };
    if (name === PLAIN) button.hidden = !this.sheet.querySelector(".decoration");
  }

  /**
   * Show the viewer's own units as large as fits, but no larger than needed to see them clearly, and none of them under
   * a control.
   */
  showUnits(options) {
    this.shows = "units";
    const { width } = this.panzoom.size;
    // On an ordinary page, a map that is clear as a whole stays whole.
    const place = this.fills || width < MIN_PLAYABLE_WIDTH ? this.placeUnits() : this.panzoom.whole();
    this.panzoom.show(place, { ...options, snug: true });
  }

  /** Return the place of the viewer's units, with as little room for controls as leaves none of the units under them. */
  placeUnits() {
    const { panzoom } = this;
    const box = this.boxOfUnits();
    const widest = Math.max(this.coverWidth(), CLEAR_WIDTH);
    const controls = this.listControls();
    const points = this.pointsOfUnits();
    let place;
    for (const covered of this.listRooms(controls)) {
      panzoom.covered = covered;
      place = panzoom.around(box, widest);
      const drawn = panzoom.lay(place, true);
      if (!points.some((point) => this.isUnder(controls, point, drawn))) break;
    }
    return place;
  }

  /** Return the rectangles of the controls over the map, in pixels of its window. */
  listControls() {
    const room = this.window.getBoundingClientRect();
    return [...this.parentElement.querySelectorAll(CONTROLS)]
      .map((control) => control.getBoundingClientRect())
      .filter((box) => box.width > 0 && box.left < room.right && box.right > room.left && box.top < room.bottom && box.bottom > room.top)
      .map((box) => ({ left: box.left - room.left, top: box.top - room.top, right: box.right - room.left, bottom: box.bottom - room.top }));
  }

  /**
   * Return what can be left free for `controls` at the right and lower edges of the window, from little to much: always
   * for a bar, and for buttons if need be.
   */
  listRooms(controls) {
    const { width, height } = this.panzoom.size;
    const [lefts, rights] = [controls.filter((box) => box.left < width / 2), controls.filter((box) => box.left >= width / 2)];
    const right = Math.max(0, ...rights.map((box) => width - box.left));
    const bottom = Math.max(0, ...lefts.map((box) => height - box.top));
    const bar = Math.max(0, ...lefts.filter((box) => box.right > width / 2).map((box) => height - box.top));
    return [{ right: 0, bottom: bar }, { right, bottom: bar }, { right: 0, bottom }, { right, bottom }];
  }

  /**
   * Whether one of `controls` hides `point`, in shares of a drawing that takes up the rectangle `drawn`, or the window
   * does not show it.
   */
  isUnder(controls, point, drawn) {
    const { width, height } = this.panzoom.size;
    const x = drawn.x + point.x * drawn.width;
    const y = drawn.y + point.y * drawn.height;
    if (x < CLEARANCE || y < CLEARANCE || x > width - CLEARANCE || y > height - CLEARANCE) return true;
    return controls.some((box) => x > box.left - CLEARANCE && x < box.right + CLEARANCE && y > box.top - CLEARANCE && y < box.bottom + CLEARANCE);
  }

  /** Controls over the map came, went or changed their size: keep the viewer's units clear of them. */
  makeRoom() {
    if (!this.settledFor || !this.panzoom.size || this.shows === "visit") return;
    if (this.shows === "units") this.showUnits();
    else [this.panzoom.covered] = this.listRooms(this.listControls());
  }

  /**
   * Bring these provinces out from under what covers the map, until `leave`: the map moves no further than necessary,
   * and shrinks only if they do not fit.
   */
  uncover(provinces) {
    const { panzoom } = this;
    const points = provinces.map((province) => this.pointOf(province)).filter(Boolean).map((point) => this.shareOf(point));
    if (!points.length || !panzoom.size || !panzoom.place) return;
    const controls = this.listControls();
    const isClear = (drawn) => !points.some((point) => this.isUnder(controls, point, drawn));
    if (isClear(panzoom.lay(panzoom.place))) return;
    const { place } = panzoom;
    let goal;
    for (const covered of this.listRooms(controls)) {
      panzoom.covered = covered;
      goal = panzoom.nearest(points, 2 * CLEARANCE, place);
      if (isClear(panzoom.lay(goal))) break;
    }
    if (this.shows !== "visit") this.left = { shows: this.shows, place };
    this.shows = "visit";
    panzoom.show(goal, { glide: true });
  }

  /** Return where the unit in a province is drawn, or else its label, in units of the drawing; nothing if it has neither. */
  pointOf(province) {
    const unit = this.sheet.querySelector(`.unit[data-province="${CSS.escape(province)}"]`);
    if (unit?.transform.baseVal.length) {
      const { e, f } = unit.transform.baseVal.getItem(0).matrix;
      return { x: e, y: f };
    }
    const codes = this.sheet.querySelector(".codes");
    for (const [, x, y, code] of (codes?.dataset.folded ?? codes?.innerHTML ?? "").matchAll(CODE)) if (code === province) return { x: Number(x), y: Number(y) };
    return null;
  }

  showWhole(options) {
    this.shows = "whole";
    this.panzoom.show(this.panzoom.whole(), options);
  }

  /** Bring the drawn `shapes` into view if necessary, until `leave`. */
  visit(shapes) {
    const box = this.boxOf(shapes.map((shape) => shape.getBBox()));
    if (!box || !this.panzoom.size || !this.panzoom.place || this.panzoom.covers(box)) return;
    if (this.shows !== "visit") this.left = { shows: this.shows, place: this.panzoom.place };
    this.shows = "visit";
    this.window.classList.add("is-visiting");
    this.panzoom.show(this.panzoom.around(box, this.panzoom.place.width), { glide: true, snug: true });
  }

  /** Return from a visit, unless the person has moved the map since. */
  leave() {
    if (this.shows !== "visit") return;
    this.shows = this.left.shows;
    [this.panzoom.covered] = this.listRooms(this.listControls());
    if (this.shows === "units") this.showUnits({ glide: true });
    else this.panzoom.show(this.left.place, { glide: true, snug: this.shows !== "place" });
  }

  /** Show the map to a viewer without units: as a whole, or filling a window of a similar shape. */
  open() {
    this.shows = "";
    const whole = this.panzoom.whole();
    const width = this.fills ? Math.min(this.coverWidth(), whole.width * MAX_CROP) : whole.width;
    this.panzoom.show({ ...whole, width }, { snug: true });
  }

  /** The width at which the drawing without its frame covers the window; or is whole, if its frame is needed and it is clear. */
  coverWidth() {
    const { width: whole } = this.panzoom.whole();
    if (this.needsFrame && whole >= MIN_PLAYABLE_WIDTH) return whole;
    const { x, y, width, height } = this.chart;
    const { width: across, height: down } = this.panzoom.size;
    const inner = { width: (width + 2 * x) / width, height: (height + 2 * y) / height };
    return Math.max(across / inner.width, (down * (width / height)) / inner.height);
  }

  /**
   * Return the shares of the drawing that the viewer's units take up with a margin, or else the places where the viewer
   * can build; null without either.
   */
  boxOfUnits() {
    const places = this.placesOfUnits();
    if (places.length) return this.boxOf(places);
    const sites = new Set((this.dataset.sites ?? "").split(" ").filter(Boolean));
    const shapes = [...this.sheet.querySelectorAll("path.province")].filter(({ dataset }) => sites.has(dataset.province));
    return this.boxOf(shapes.map((shape) => shape.getBBox()));
  }

  /** Return where the viewer's units are drawn, as boxes without a size. */
  placesOfUnits() {
    const powers = new Set((this.dataset.powers ?? "").split(" ").filter(Boolean));
    return [...this.sheet.querySelectorAll(".unit")]
      .filter((unit) => powers.has(unit.dataset.power) && unit.transform.baseVal.length > 0)
      .map((unit) => unit.transform.baseVal.getItem(0).matrix)
      .map(({ e, f }) => ({ x: e, y: f, width: 0, height: 0 }));
  }

  /** Return the middles of the viewer's units as shares of the drawing. */
  pointsOfUnits() {
    return this.placesOfUnits().map((point) => this.shareOf(point));
  }

  /** Return a point in units of the drawing as shares of it. */
  shareOf({ x, y }) {
    const { chart } = this;
    return { x: (x - chart.x) / chart.width, y: (y - chart.y) / chart.height };
  }

  /** Return the shares of the drawing that `boxes` in its units take up with a margin; null without boxes. */
  boxOf(boxes) {
    if (!boxes.length) return null;
    const { x, y, width, height } = this.chart;
    const margin = (MARGIN * width) / height;
    return {
      left: Math.min(...boxes.map((box) => (box.x - x) / width)) - MARGIN,
      right: Math.max(...boxes.map((box) => (box.x + box.width - x) / width)) + MARGIN,
      top: Math.min(...boxes.map((box) => (box.y - y) / height)) - margin,
      bottom: Math.max(...boxes.map((box) => (box.y + box.height - y) / height)) + margin,
    };
  }

  /**
   * Show codes instead of names where the map is too small for names. What is not shown is kept as a text: a browser
   * styles and lays out hidden elements, too.
   */
  chooseLabels(width = this.panzoom.place?.width ?? 0) {
    const names = this.sheet.querySelector(".names");
    if (!names) return;
    const share = names.getAttribute("font-size") / names.ownerSVGElement.viewBox.baseVal.width;
    const isFar = width * share < MIN_FONT_SIZE;
    this.sheet.classList.toggle("is-far", isFar);
    if (!this.fills) return;
    fold(names, isFar);
    fold(this.sheet.querySelector(".codes"), !isFar);
  }

  /** Whether the size of the window has changed since the map was placed in it. */
  get isResized() {
    const { size } = this.panzoom;
    return size && (size.width !== this.settledFor?.width || size.height !== this.settledFor.height);
  }

  /**
   * Make the browser measure all text, once before the next frame: Chromium halves text that it measured at another
   * scale of the map. The first time, this shows the drawing, and in the frame after it the labels.
   */
  remeasure() {
    cancelAnimationFrame(this.measuring);
    this.measuring = requestAnimationFrame(() => {
      const { overlay } = this;
      if (!overlay) return;
      if (!this.classList.contains(SETTLED)) {
        const isDrawn = this.drawn;
        this.drawn = true;
        if (isDrawn) this.classList.add(SETTLED);
        else this.remeasure();
        return;
      }
      overlay.style.display = "none";
      overlay.getBoundingClientRect();
      overlay.removeAttribute("style");
    });
  }

  use(button) {
    const glide = { glide: true };
    if (!this.panzoom.size) return;
    if (button === "in" || button === "out") {
      this.shows = "place";
      this.panzoom.zoomBy(button === "in" ? STEP : 1 / STEP, undefined, glide);
    }
    if (button === "whole") this.showWhole(glide);
    if (button === "units") this.showUnits(glide);
  }

  /** Show the name of `province` under the map. */
  showName(province) {
    if (province === this.named) return;
    this.named = province;
    this.caption.textContent = this.describe(province);
  }

  /** Return in words which province this is, what stands there and who owns it; blank without a province. */
  describe(province) {
    const shape = province && this.querySelector(`path[data-province="${CSS.escape(province)}"]`);
    const name = shape?.dataset.name ?? shape?.querySelector("title")?.textContent;
    if (!name) return "";
    const units = [...this.sheet.querySelectorAll(`.unit[data-province="${CSS.escape(province)}"]`)].map((unit) => unit.querySelector("title").textContent.replace(/ in .*?(?=,|$)/, ""));
    return [`${name} · ${province}`, ...units, ...this.describeOwner(province)].join(" · ");
  }

  /** Return who owns a province, if it has a center or is colored, and the page names the powers. */
  describeOwner(province) {
    const star = this.sheet.querySelector(`.star[data-center="${CSS.escape(province)}"]`);
    const power = star ? star.dataset.power : this.ownerAt(this.pointOf(province));
    const name = power && document.querySelector(`.power[data-seat="${CSS.escape(power)}"] .flag`)?.textContent.trim();
    if (name) return [star ? `center of ${name}` : `held by ${name}`];
    return star && !power ? ["center without an owner"] : [];
  }

  /** Return the power in whose color the drawing shows a point. */
  ownerAt(point) {
    if (!point) return undefined;
    const at = new DOMPoint(point.x, point.y);
    return [...this.sheet.querySelectorAll(".country[data-power]")].find((country) => [...country.querySelectorAll("path")].some((path) => path.isPointInFill(at)))?.dataset.power;
  }

  pick(event) {
    if (this.panzoom.dragged) return;
    const province = this.nearest(event);
    this.showName(province);
    const detail = { bubbles: true, cancelable: true, detail: { province } };
    if (!province || this.dispatchEvent(new CustomEvent("map-pick", detail))) this.panzoom.tap(event);
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
  mark(marks) {
    this.marks = marks;
    const { selected = "", unit = "", targets = [], mine = [] } = marks;
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

  /** Replace the orders on the map, and the names that give way to them, with `drawing`, the text of these groups; `find` finds a group by its class. */
  drawOrders(drawing, find = (name) => this.querySelector(`svg > g.${name}`)) {
    const parsed = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${drawing}</svg>`, "image/svg+xml");
    for (const name of ["orders", "labels", "order-marks"]) {
      const old = find(name);
      const group = parsed.querySelector(`g.${name}`);
      if (old && group) old.replaceChildren(...group.childNodes); // not the group: see `fillShapes`
    }
    this.chooseLabels();
  }
}

customElements.define("map-view", MapView);
