/** Provinces and orders in messages: on a page with a map, tapping one highlights it on the map. */

const LIT = "is-lit";
/** How many milliseconds provinces stay highlighted. */
const LIT_MS = 6000;
/** The margin around highlighted provinces, as a share of the map. */
const MARGIN = 0.06;
const LISTENING = Symbol.for("press places");
let timer = 0;

const findMap = () => document.querySelector(".table__map map-view, .room__map map-view");
const findShapes = (map, codes) => codes.map((code) => map.querySelector(`path.province[data-province="${CSS.escape(code)}"]`)).filter(Boolean);

function darken() {
  clearTimeout(timer);
  for (const shape of document.querySelectorAll(`.${LIT}`)) shape.classList.remove(LIT);
  for (const place of document.querySelectorAll('.place[aria-pressed="true"]')) place.setAttribute("aria-pressed", "false");
}

/** Return the bounds of the shapes as shares of the drawing, with a margin. */
function boxOf(map, shapes) {
  const { x, y, width, height } = map.chart;
  const boxes = shapes.map((shape) => shape.getBBox());
  return {
    left: (Math.min(...boxes.map((box) => box.x)) - x) / width - MARGIN,
    right: (Math.max(...boxes.map((box) => box.x + box.width)) - x) / width + MARGIN,
    top: (Math.min(...boxes.map((box) => box.y)) - y) / height - MARGIN,
    bottom: (Math.max(...boxes.map((box) => box.y + box.height)) - y) / height + MARGIN,
  };
}

/** Return whether all shapes are inside the visible part of the map. */
function areSeen(map, shapes) {
  const frame = map.window.getBoundingClientRect();
  return shapes.every((shape) => {
    const box = shape.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    return x > frame.left && x < frame.right && y > frame.top && y < frame.bottom;
  });
}

function light(place) {
  const map = findMap();
  const wasLit = place.getAttribute("aria-pressed") === "true";
  darken();
  if (!map || wasLit) return;
  const shapes = findShapes(map, place.dataset.places.split(" "));
  if (!shapes.length) return;
  if (document.documentElement.dataset.sheet === "high") document.dispatchEvent(new CustomEvent("sheet-height", { detail: "middle" }));
  for (const shape of shapes) shape.classList.add(LIT);
  place.setAttribute("aria-pressed", "true");
  timer = setTimeout(darken, LIT_MS);
  if (map.panzoom?.size && !areSeen(map, shapes)) {
    map.shows = "place";
    map.panzoom.show(map.panzoom.around(boxOf(map, shapes), map.panzoom.place?.width), { glide: true });
  }
}

/** Turn the marked places in `part` of the page into buttons, if there is a map. */
export function offerPlaces(part) {
  if (!findMap()) return;
  for (const place of part.querySelectorAll(".place:not([role])")) {
    place.setAttribute("role", "button");
    place.setAttribute("aria-pressed", "false");
    place.tabIndex = 0;
    place.title = "Show on the map";
  }
}

function listen() {
  document.addEventListener("click", ({ target }) => {
    const place = target.closest?.('.place[role="button"]');
    if (place) light(place);
  });
  document.addEventListener("keydown", (event) => {
    const place = event.target.closest?.('.place[role="button"]');
    if (!place || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    light(place);
  });
}

// The scripts of two panels may both include this; only one of them listens.
if (!globalThis[LISTENING]) {
  globalThis[LISTENING] = true;
  listen();
}
