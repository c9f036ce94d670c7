/**
 * Beside a shared map: adds the reader's own orders on it to those in the order form of the page, and takes them back.
 */

import { announce } from "../../pages/js/site.js";

/** Hand the orders of `form` to the order form; return whether the page has one that takes them. */
export function adopt(form) {
  const { adopt: orders, phase } = form.dataset;
  const show = (result) => showResult(form, result);
  const detail = { orders: orders.split(";").filter(Boolean), phase, show };
  return !document.dispatchEvent(new CustomEvent("orders-adopted", { cancelable: true, detail }));
}

/** Say below `form` what was added and what was not, with a button that takes it back. */
function showResult(form, { added, refused, note, undo }) {
  form.parentElement.querySelector(".adopted")?.remove();
  const place = document.createElement("div");
  place.className = "adopted";
  const parts = [];
  if (added.length) parts.push(`${note ? "Added" : "Added to your orders"}: ${added.join(", ")}.`, note);
  if (refused.length) parts.push(`Not possible now: ${refused.join(", ")}.`);
  const text = document.createElement("p");
  text.textContent = parts.filter(Boolean).join(" ");
  place.append(text);
  announce(text.textContent);
  form.after(place);
  if (!added.length) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button button--quiet button--small";
  button.textContent = "Undo";
  button.addEventListener("click", () => {
    undo();
    place.remove();
    form.hidden = false;
    form.querySelector("button").focus({ preventScroll: true });
    announce("Your orders are as they were.");
  });
  place.append(button);
  form.hidden = true;
  button.focus({ preventScroll: true });
  place.scrollIntoView({ block: "nearest" });
}
