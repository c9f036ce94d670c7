/**
 * The page of a past phase: shows another phase in its place. Only what differs is replaced, so that
 * the map stays where it was moved to, and the panel as it was opened.
 */

/** The parts of the page that belong to the phase, apart from the map. */
const PARTS = [".bar__past", ".table__powers", "#results", "#chronicle", ".table__timeline", "#game .page-list"];

/** The newest request: answers to earlier ones are too late. */
let newest = null;

/** Replace the groups of the drawing `old` that differ in `fresh`. */
function redraw(old, fresh) {
  for (const part of [...fresh.children]) {
    if ("same" in part.dataset) continue;
    const place = part.localName === "g" ? `:scope > g.${part.classList[0]}` : `:scope > ${part.localName}`;
    old.querySelector(place)?.replaceWith(document.adoptNode(part));
  }
  for (const { name, value } of fresh.attributes) old.setAttribute(name, value);
}

/** Show the phase whose page is at `href`; return its title, blank if it cannot be shown in place. */
export async function showPage(href) {
  const request = (newest = Symbol(href));
  const drawing = document.querySelector("#map .map__sheet > svg");
  const headers = { "HX-Request": "true", "Map-Has": drawing.dataset.territory ?? "" };
  const answer = await fetch(href, { headers }).catch(() => null);
  const page = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
  if (request !== newest) return null;
  const fresh = page && page.getElementById("phase");
  if (!fresh) return "";
  redraw(drawing, fresh.querySelector(".map__sheet > svg"));
  document.getElementById("map").setAttribute("aria-label", fresh.querySelector("#map").getAttribute("aria-label"));
  document.querySelector("map-view").remeasure();
  for (const part of PARTS) {
    const [old, renewed] = [document.querySelector(`#phase ${part}`), fresh.querySelector(part)];
    if (!old || !renewed) continue;
    old.replaceWith(document.adoptNode(renewed));
    window.htmx.process(renewed);
  }
  document.querySelector(".table__scroll")?.scrollTo(0, 0);
  for (const place of document.querySelectorAll("table-tabs, sheet-handle")) place.mark();
  const { title } = fresh.dataset;
  document.getElementById("phase").dataset.title = title;
  document.title = document.title.replace(/^[^·]*/, `${title} `);
  return title;
}
