/**
 * Keeps the parts of the map that stay the same when the server sends the table again: the shapes
 * of provinces, and the territory. Requests say which territories the page has, and the answer has
 * gaps for them.
 */

import { findTerritory, listTerritories } from "./turn-stage.js";

const GAP = /<g class="([\w-]+)" data-same(?:="")?><\/g>/g;
/** What the order form marks on the map, and marks again on the new one. */
const MARKS = ["is-mine", "is-target", "is-selected"];

/** Return the shapes of the provinces on this page as text. */
function writeProvinces() {
  const group = document.querySelector(".map__sheet > svg > g.provinces").cloneNode(true);
  for (const shape of group.children) shape.classList.remove(...MARKS);
  return group.outerHTML;
}

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  if (ctx.target?.id !== "play" || !document.querySelector(".map__sheet > svg > g.provinces > path")) return;
  ctx.request.headers["Map-Has"] = listTerritories().join(" ");
});

document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
  const key = ctx.text?.match(/ data-territory="(\w+)"/)?.[1];
  if (!key || !document.querySelector(".map__sheet > svg")) return;
  ctx.text = ctx.text.replace(GAP, (gap, name) => {
    if (name === "provinces") return writeProvinces();
    const group = findTerritory(key)?.[name] ?? gap;
    return typeof group === "string" ? group : group.outerHTML;
  });
});
