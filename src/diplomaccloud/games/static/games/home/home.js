/** Home: renews a person's games, and their number in the title, when the page is seen again after a while. */

import "../featured/featured.js";

/** Milliseconds after which the page may have become untrue. */
const AGE = 60_000;
/** The parts that say whose turn it is. */
const PARTS = [".home__main", ".nav"];

let readAt = Date.now();

async function renew() {
  if (document.hidden || Date.now() - readAt < AGE) return;
  readAt = Date.now();
  const answer = await fetch(location.href).catch(() => null);
  const page = answer?.ok && !answer.redirected && new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!page || !page.querySelector(".home__main")) return;
  document.title = page.title;
  for (const part of PARTS) {
    const shown = document.querySelector(part);
    // What has the focus stays.
    if (!shown.contains(document.activeElement)) shown.replaceWith(document.adoptNode(page.querySelector(part)));
  }
}

if (document.querySelector(".home__main")) {
  document.addEventListener("visibilitychange", renew);
  addEventListener("pageshow", renew);
}
