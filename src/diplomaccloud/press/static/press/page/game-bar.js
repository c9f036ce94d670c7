/** The game's bar on its press pages. */

import { announce } from "../../pages/js/site.js";

const PARTS = [".bar__phase", ".clock"];

/** Show the phase and deadline from the page at `address`; return whether the site answered. */
export async function renewBar(address) {
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok) return false;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const name of PARTS) {
    const [old, now] = [document, page].map((root) => root.querySelector(`.table__bar ${name}`));
    if (old && now) old.replaceWith(document.adoptNode(now));
    else if (old) old.remove();
    else if (now) document.querySelector(".bar__account")?.before(document.adoptNode(now));
  }
  const phase = [".season", ".stage"].map((name) => document.querySelector(`.table__bar ${name}`)?.textContent);
  announce(`Now: ${phase.filter(Boolean).join(", ")}.`);
  return true;
}
