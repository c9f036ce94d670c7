/**
 * Keeps the territory when the server sends the table again and no owner has changed. Requests say which
 * territories the page has, and the answer has gaps for them.
 */

import { findTerritory, listTerritories } from "../results/turn-stage.js";

const GAP = /<g class="([\w-]+)" data-same(?:="")?><\/g>/g;
document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  if (ctx.target?.id !== "play" || !document.querySelector(".map__sheet > svg")) return;
  ctx.request.headers["Map-Has"] = listTerritories().join(" ");
});

document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
  const key = ctx.text?.match(/ data-territory="(\w+)"/)?.[1];
  if (!key || !document.querySelector(".map__sheet > svg")) return;
  ctx.text = ctx.text.replace(GAP, (gap, name) => {
    const group = findTerritory(key)?.[name] ?? gap;
    return typeof group === "string" ? group : group.outerHTML;
  });
});
