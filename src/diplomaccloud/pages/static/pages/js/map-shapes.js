/**
 * The shapes of provinces, which react to the pointer. They are the same in every picture of a map, so they are
 * fetched once and put into each drawing of it.
 */

const SVG = "http://www.w3.org/2000/svg";

/** The groups of the maps whose shapes were fetched, by address. */
const groups = new Map();

function make(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Return an arc, a list of numbers in tenths of a unit, as the texts of its ends and of its steps in both directions. */
function writeArc(numbers) {
  let [x, y] = numbers;
  const start = `${x / 10} ${y / 10}`;
  let [there, back] = ["", ""];
  for (let n = 2; n < numbers.length; n += 2) {
    const [dx, dy] = [numbers[n], numbers[n + 1]];
    x += dx;
    y += dy;
    there += ` ${dx / 10} ${dy / 10}`;
    back = ` ${-dx / 10} ${-dy / 10}${back}`;
  }
  return { start, end: `${x / 10} ${y / 10}`, there, back };
}

/** Return the path of a ring: an arc `~n` runs backward. */
function writeRing(ring, arcs) {
  const [first] = ring;
  const start = first < 0 ? arcs[~first].end : arcs[first].start;
  return `M${start}l${ring.map((arc) => (arc < 0 ? arcs[~arc].back : arcs[arc].there)).join("")}z`;
}

function makeShape(attributes, name, rings, arcs) {
  return make("path", { ...attributes, "data-name": name, d: rings.map((ring) => writeRing(ring, arcs)).join("") });
}

/** Give a shape its tooltip when the pointer is over it. */
function addTitle({ target }) {
  const { name } = target.dataset;
  if (!name || target.firstElementChild) return;
  const title = make("title", {});
  title.textContent = name;
  target.append(title);
}

/** Return the group of shapes of a map; null if the server does not answer. */
async function fetchShapes(url) {
  const answer = await fetch(url).catch(() => null);
  if (!answer?.ok) return null;
  const { arcs: numbers, provinces, impassable } = await answer.json();
  const arcs = numbers.map(writeArc);
  const shapes = provinces.map(([code, terrain, name, rings]) => makeShape({ id: `p-${code}`, class: `province ${terrain}`, "data-province": code }, name, rings, arcs));
  const others = impassable.map(([name, rings]) => makeShape({ class: "impassable" }, `${name} (impassable)`, rings, arcs));
  return make("g", { class: "provinces", fill: "none", "fill-rule": "evenodd", "pointer-events": "all" }, ...shapes, ...others);
}

/**
 * Put the shapes of the map at `url` into a drawing with a gap for them: at once if they were fetched before. The
 * result says whether they are there.
 */
export async function fillShapes(drawing, url) {
  const gap = drawing?.querySelector(":scope > g.provinces[data-same]");
  if (!gap || !url) return Boolean(drawing);
  if (!groups.has(url)) {
    const group = await fetchShapes(url);
    if (!group) return false;
    groups.set(url, group);
  }
  // Filled rather than replaced: another child of the drawing makes a browser style all of it again.
  const group = groups.get(url).cloneNode(true);
  for (const { name, value } of group.attributes) gap.setAttribute(name, value);
  gap.removeAttribute("data-same");
  gap.append(...group.childNodes);
  gap.addEventListener("pointerover", addTitle);
  return true;
}
