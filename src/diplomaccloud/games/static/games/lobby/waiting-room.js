/** Keeps the waiting room current: changed parts are replaced, and the rest keeps its focus and text. */

import { announce } from "../../pages/js/site.js";

const PARTS = [".room__head", ".room__act", ".room__seats", ".room__guests"];
/** Parts that come or go for a viewer who joins or leaves. */
const OWN_PARTS = [".room__press", ".room__invite", ".room__leave"];
const CONTROLS = "a[href], button, summary, input:not([type=hidden])";

/** Return the page of the waiting room as it is now; null if the site does not answer. */
export async function fetchRoom(address) {
  const answer = await fetch(address).catch(() => null);
  if (!answer || answer.status >= 500) return null;
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/** Show the waiting room of `page`; return false if the whole page has to be loaded. */
export function showRoom(page) {
  if (!page.querySelector(".room")) return false;
  if (OWN_PARTS.some((name) => !page.querySelector(name) !== !document.querySelector(name))) return false;
  const title = document.querySelector(".room__head h2").textContent;
  for (const name of PARTS) replacePart(document.querySelector(name), page.querySelector(name));
  const now = document.querySelector(".room__head h2").textContent;
  if (now !== title) announce(now);
  return true;
}

function replacePart(old, now) {
  if (!old || !now || withoutTokens(old).isEqualNode(withoutTokens(now))) return;
  const controls = [...old.querySelectorAll(CONTROLS)];
  const focused = controls.find((control) => control === document.activeElement);
  old.replaceWith(document.adoptNode(now));
  if (focused) focusAgain(focused, controls, now);
}

/** Return a copy of the part without the values that differ in every response. */
function withoutTokens(part) {
  const copy = part.cloneNode(true);
  for (const token of copy.querySelectorAll("[name=csrfmiddlewaretoken]")) token.remove();
  return copy;
}

/** What pressing a control does. */
const aimOf = ({ form, href, localName }) => `${localName} ${form?.getAttribute("action") ?? href ?? ""}`;

/** Focus the control that does what `focused` did before, or else the part: a press must do nothing unexpected. */
function focusAgain(focused, controls, part) {
  const isSame = (control) => aimOf(control) === aimOf(focused);
  const same = [...part.querySelectorAll(CONTROLS)].filter(isSame);
  const isOnly = same.length === 1 && controls.filter(isSame).length === 1;
  const next = isOnly ? same[0] : same.find(({ textContent }) => textContent === focused.textContent);
  if (!next) part.tabIndex = -1;
  (next ?? part).focus({ preventScroll: true });
}
