/**
 * The stage: pictures of past phases in place of the present one, on the same map.
 * The groups of the present picture are taken out of the drawing and put back later, as they were.
 */

const SVG = "http://www.w3.org/2000/svg";
/** The groups of the drawing that change with the turn, by class; all others stay. */
const GROUPS = ["countries", "standoffs", "orders", "labels", "stars", "units", "order-marks"];

/** The groups that depend on the owners of provinces alone. */
const TERRITORY = ["countries", "stars"];

/** The territories that were shown or fetched, by key: groups, or their texts. */
const territories = new Map();
/** The phases that were fetched, by address. */
const phases = new Map();

/** Return the keys of the territories that this page has. */
export function listTerritories() {
  return [...territories.keys()];
}

/** Return the groups of a territory, or their texts, by class. */
export function findTerritory(key) {
  return territories.get(key);
}

/** Return a new group from its text, or from another group. */
function makeGroup(text) {
  if (typeof text !== "string") return text.cloneNode(true);
  const parsed = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${text}</svg>`, "image/svg+xml");
  return document.adoptNode(parsed.documentElement.firstElementChild);
}

/** Return the phase whose page is at `url` as an animation; null if the server does not answer. */
export async function fetchPhase(url) {
  const known = phases.get(url);
  if (known) return known;
  const have = [...territories.keys()].map((key) => `have=${encodeURIComponent(key)}`).join("&");
  const answer = await fetch(`${url}animation/?${have}`).catch(() => null);
  if (!answer?.ok) return null;
  const phase = await answer.json();
  if (phase.parts.countries) {
    const drawn = TERRITORY.map((name) => [name, phase.parts[name]]);
    territories.set(phase.territory, Object.fromEntries(drawn));
  }
  phase.parts = { ...phase.parts, ...territories.get(phase.territory) };
  phases.set(url, phase);
  return phase;
}

export class TurnStage {
  constructor(map) {
    this.map = map;
    this.drawing = map.querySelector(".map__sheet > svg");
    this.present = null;
    const { territory } = this.drawing.dataset;
    if (territory && !territories.has(territory)) {
      const drawn = TERRITORY.map((name) => [name, this.group(name).cloneNode(true)]);
      territories.set(territory, Object.fromEntries(drawn));
    }
    const draw = map.drawOrders;
    // New orders belong in the present picture, even while it is away.
    map.drawOrders = (drawing) => draw.call(map, drawing, (name) => this.present?.get(name) ?? this.group(name));
  }

  /** Whether a picture other than the present one is shown. */
  get busy() {
    return this.present !== null;
  }

  /** Return the group `name` that is shown. */
  group(name) {
    return this.drawing.querySelector(`:scope > g.${name}`);
  }

  /** Show the groups of `parts`, texts by class; the others as copies, because an animation changes them. */
  show(parts) {
    this.present ??= new Map(GROUPS.map((name) => [name, this.group(name)]));
    this.removeExtras();
    for (const name of GROUPS) {
      const drawn = parts[name] ?? this.present.get(name);
      if (drawn) this.group(name)?.replaceWith(makeGroup(drawn));
    }
    this.map.chooseLabels();
    this.map.classList.add("is-past");
  }

  /** Add the group drawn by `text` above the group `name`, until the next picture. */
  add(name, text) {
    const extra = makeGroup(text);
    extra.classList.add("is-extra");
    this.group(name).after(extra);
    return extra;
  }

  /** Show the present picture again, with its original elements. */
  clear() {
    if (!this.present) return;
    this.removeExtras();
    for (const [name, group] of this.present) {
      const shown = this.group(name);
      if (group && shown && shown !== group) shown.replaceWith(group);
    }
    this.present = null;
    this.map.chooseLabels();
    this.map.classList.remove("is-past");
    this.map.leave();
    document.querySelector("order-form")?.light?.();
  }

  removeExtras() {
    for (const extra of this.drawing.querySelectorAll(":scope > .is-extra")) extra.remove();
  }
}
