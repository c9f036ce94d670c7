/**
 * A sheet that is moved and scaled in a window: by drag, wheel, pinch, double tap and keys.
 *
 * Without a transform, the sheet fits the window. A place is the share of the drawing in the middle of the
 * window (`u`, `v`, from 0 to 1) and the `width` of the drawing in pixels.
 */

/** How far past its edge a drawing that fills the window can be moved, in pixels. */
const SLACK = 56;
/** The largest factor by which the drawing is enlarged beyond its fitting size. */
const MAX_SCALE = 12;
/** Pixels after which a press is a drag. */
const DRAG = 8;
/** Milliseconds and pixels between the two taps of a double tap. */
const TAP_MS = 320;
const TAP_GAP = 30;
/** The factors of one press of a zoom button or key, and of a double tap. */
export const STEP = 1.6;
const TWICE = 2;
const NUDGE = 90;
const WHEEL_SPEED = 0.0016;
const PINCH_SPEED = 0.012;
const LINE = 16;

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

export class PanZoom {
  /**
   * `ratio` is the drawing's width to its height, and `inset` the share of its width that a frame takes up on
   * each side. With `fills`, the drawing takes every wheel turn and touch. `moved` is called at every new place, and
   * `taken` at every movement by the person.
   */
  constructor(window, sheet, { ratio, inset = 0, fills = false, moved = () => {}, taken = () => {} }) {
    Object.assign(this, { window, sheet, ratio, inset, fills, moved, taken });
    this.place = null;
    /** How many pixels at the right and lower edges of the window are covered: there, the drawing can be moved further. */
    this.covered = { right: 0, bottom: 0 };
    this.pointers = new Map();
    this.stop = new AbortController();
    const { signal } = this.stop;
    const listen = (name, act, options = {}) => window.addEventListener(name, act, { signal, ...options });
    listen("pointerdown", (event) => this.press(event));
    listen("pointermove", (event) => this.drag(event));
    for (const name of ["pointerup", "pointercancel"]) listen(name, (event) => this.release(event));
    listen("wheel", (event) => this.wheel(event), { passive: false });
    listen("keydown", (event) => this.key(event));
    listen("dragstart", (event) => event.preventDefault());
    sheet.style.transformOrigin = "0 0";
  }

  destroy() {
    this.stop.abort();
  }

  /** The size of the window in pixels; null while it is not laid out. */
  get size() {
    const { clientWidth: width, clientHeight: height } = this.window;
    return width > 0 && height > 0 ? { width, height } : null;
  }

  /** The rectangle of the drawing on the sheet without a transform. */
  get fitted() {
    const { offsetWidth: across, offsetHeight: down } = this.sheet;
    const width = Math.min(across, down * this.ratio);
    const height = width / this.ratio;
    return { x: (across - width) / 2, y: (down - height) / 2, width, height };
  }

  get scale() {
    return this.place && this.size ? this.place.width / this.fitted.width : 1;
  }

  /** Show `place`; with `glide`, move there visibly; with `snug`, without the frame if there is no room for it. */
  show(place, { glide = false, snug = false } = {}) {
    if (!this.size) return;
    const { width: across, height: down } = this.size;
    const fit = this.fitted;
    const { x, y, width, height } = this.lay(place, snug);
    this.place = { u: (across / 2 - x) / width, v: (down / 2 - y) / height, width };
    const scale = width / fit.width;
    this.window.classList.toggle("is-gliding", glide);
    if (!glide) this.window.classList.remove("is-visiting");
    // A layer that moves by whole pixels is not drawn again.
    const [dx, dy] = [x - fit.x * scale, y - fit.y * scale].map(Math.round);
    this.sheet.style.transform = scale === 1 && !this.fills ? "" : `translate(${dx}px, ${dy}px) scale(${scale})`;
    this.window.style.touchAction = this.fills || scale > 1.01 ? "none" : "pan-y";
    this.moved(this.place);
  }

  /** Return the rectangle in pixels of the window that the drawing takes up at `place`. */
  lay(place, snug) {
    const { width: across, height: down } = this.size;
    const width = this.limit(place.width);
    const height = width / this.ratio;
    const { right, bottom } = this.covered;
    const slack = this.fills ? SLACK : 0;
    const [near, far, low] = snug ? [-this.inset * width, right, bottom] : [slack, Math.max(right - slack, 0), Math.max(bottom - slack, 0)];
    return {
      x: this.bound(across / 2 - place.u * width, across - far, width, near),
      y: this.bound(down / 2 - place.v * height, down - low, height, near),
      width,
      height,
    };
  }

  /** Return `width` within its limits: at least the whole drawing fits beside what is covered. */
  limit(width) {
    const { width: across, height: down } = this.size;
    const { right, bottom } = this.covered;
    const fit = this.fitted.width;
    return clamp(width, fit * Math.min(1 - right / across, 1 - bottom / down), fit * MAX_SCALE);
  }

  /** Return `start` such that the drawing covers the room up to `slack` pixels or lies in its middle. */
  bound(start, room, length, slack) {
    const low = room - length - slack;
    return low <= slack ? clamp(start, low, slack) : (room - length) / 2;
  }

  /** Enlarge by `factor` around a point of the window, by default its middle. */
  zoomBy(factor, point, options) {
    if (!this.size) return;
    const place = this.place ?? this.whole();
    const { width: across, height: down } = this.size;
    const width = this.limit(place.width * factor);
    const { x, y } = point ?? { x: across / 2, y: down / 2 };
    const grown = 1 / place.width - 1 / width;
    const u = place.u + (x - across / 2) * grown;
    const v = place.v + (y - down / 2) * grown * this.ratio;
    this.show({ u, v, width }, options);
  }

  panBy(dx, dy, options) {
    const { u, v, width } = this.place ?? this.whole();
    this.show({ u: u - dx / width, v: v - (dy / width) * this.ratio, width }, options);
  }

  whole() {
    return { u: 0.5, v: 0.5, width: this.fitted.width };
  }

  /**
   * Return the place that shows the area from `left`, `top` to `right`, `bottom` beside what is covered, at most `width`
   * pixels wide.
   */
  around({ left, top, right, bottom }, width) {
    const { covered, ratio } = this;
    const { width: across, height: down } = this.size;
    const fitting = Math.min((across - covered.right) / (right - left), ((down - covered.bottom) * ratio) / (bottom - top));
    const shown = this.limit(Math.min(width, fitting));
    return { u: (left + right + covered.right / shown) / 2, v: (top + bottom + (covered.bottom * ratio) / shown) / 2, width: shown };
  }

  /**
   * Return the place nearest to `place` that shows all `points`, in shares of the drawing, with a margin in pixels, beside
   * what is covered; smaller if there is no room for all.
   */
  nearest(points, margin, place) {
    const { covered, ratio } = this;
    const { width: across, height: down } = this.size;
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const [wide, tall] = [across - covered.right - 2 * margin, down - covered.bottom - 2 * margin];
    const width = this.limit(Math.min(place.width, wide / Math.max(right - left, 1e-6), (tall * ratio) / Math.max(bottom - top, 1e-6)));
    const height = width / ratio;
    // The pixels of the drawing's corner: between them, both ends of the points are in view.
    const x = clamp(across / 2 - place.u * width, margin - left * width, across - covered.right - margin - right * width);
    const y = clamp(down / 2 - place.v * height, margin - top * height, down - covered.bottom - margin - bottom * height);
    return { u: (across / 2 - x) / width, v: (down / 2 - y) / height, width };
  }

  /** Whether the part of the drawing from `left`, `top` to `right`, `bottom` is in view. */
  covers({ left, top, right, bottom }) {
    const { width: across, height: down } = this.size;
    const { u, v, width } = this.place;
    const [halfAcross, halfDown] = [across / width / 2, ((down / width) * this.ratio) / 2];
    return Math.max(left, this.inset) >= u - halfAcross && Math.min(right, 1 - this.inset) <= u + halfAcross
      && Math.max(top, 0) >= v - halfDown && Math.min(bottom, 1) <= v + halfDown;
  }

  pointOf({ clientX, clientY }) {
    const { left, top } = this.window.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  press(event) {
    if (event.button > 0 || event.target.closest("button, a")) return;
    this.pointers.set(event.pointerId, this.pointOf(event));
    if (this.pointers.size === 1) {
      this.from = this.pointOf(event);
      this.dragged = false;
    }
  }

  drag(event) {
    const last = this.pointers.get(event.pointerId);
    if (!last) return;
    if (event.pointerType === "mouse" && !event.buttons) {
      this.pointers.clear();
      return;
    }
    const at = this.pointOf(event);
    if (this.pointers.size > 1) this.pinch(event.pointerId, last, at);
    else {
      if (!this.dragged && Math.hypot(at.x - this.from.x, at.y - this.from.y) < DRAG) return;
      if (!this.dragged && this.window.style.touchAction !== "none" && event.pointerType === "touch") return;
      if (!this.dragged) this.capture(event);
      this.taken();
      this.panBy(at.x - last.x, at.y - last.y);
    }
    this.pointers.set(event.pointerId, at);
  }

  /** Keep the pointer outside the window too, but only for a drag: a captured tap loses its target. */
  capture({ pointerId }) {
    this.dragged = true;
    this.window.setPointerCapture(pointerId);
    this.window.classList.add("is-dragging");
  }

  pinch(moving, last, at) {
    this.dragged = true;
    this.window.classList.add("is-dragging");
    this.taken();
    const [other] = [...this.pointers].filter(([id]) => id !== moving).map(([, point]) => point);
    const was = Math.hypot(last.x - other.x, last.y - other.y);
    const now = Math.hypot(at.x - other.x, at.y - other.y);
    this.panBy((at.x - last.x) / 2, (at.y - last.y) / 2);
    if (was > 0 && now > 0) this.zoomBy(now / was, { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 });
  }

  release(event) {
    this.pointers.delete(event.pointerId);
    this.window.classList.remove("is-dragging");
  }

  /** Zoom in where a finger taps twice; the owner calls this for taps without another meaning. */
  tap(event) {
    const { at, when } = this.lastTap ?? { at: { x: -TAP_GAP, y: -TAP_GAP }, when: -TAP_MS };
    const point = this.pointOf(event);
    const again = event.timeStamp - when < TAP_MS && Math.hypot(point.x - at.x, point.y - at.y) < TAP_GAP;
    this.lastTap = again ? undefined : { at: point, when: event.timeStamp };
    if (!again) return;
    this.taken();
    this.zoomBy(TWICE, point, { glide: true });
  }

  wheel(event) {
    const pinching = event.ctrlKey || event.metaKey;
    if (!this.fills && !pinching && (this.scale < 1.01 || event.shiftKey)) return;
    event.preventDefault();
    this.taken();
    const turned = event.deltaY * (event.deltaMode === 1 ? LINE : 1);
    this.zoomBy(Math.exp(-turned * (event.ctrlKey ? PINCH_SPEED : WHEEL_SPEED)), this.pointOf(event));
  }

  key(event) {
    if (event.target !== this.window || event.ctrlKey || event.metaKey || event.altKey) return;
    const glide = { glide: true };
    const moves = { ArrowLeft: [NUDGE, 0], ArrowRight: [-NUDGE, 0], ArrowUp: [0, NUDGE], ArrowDown: [0, -NUDGE] };
    if (moves[event.key]) this.panBy(...moves[event.key], glide);
    else if (event.key === "+" || event.key === "=") this.zoomBy(STEP, undefined, glide);
    else if (event.key === "-") this.zoomBy(1 / STEP, undefined, glide);
    else return;
    this.taken();
    event.preventDefault();
    event.stopPropagation();
  }
}
