/** What every page may contain: announcements for screen readers, notices and tabs. */

import "./color-scheme.js";
import "./count-down.js";
import { differs, later, wall } from "./own-time.js";
import { noteServerDate, noteServerTime, serverNow } from "./server-time.js";

export { differs, later, noteServerDate, noteServerTime, serverNow, wall };

/** From this status on, a proxy may answer in place of the site. */
const BAD_GATEWAY = 502;
/** The address of the site's symbols. */
export const ICONS = new URL("../icons.svg", import.meta.url).href;
/** Where orders go, which `offline.js` stores when the site does not answer. */
export const ORDERS = /^\/games\/[a-z2-9]{10}\/orders\/$/;

/** Announce `text` to screen readers, unless it is empty. */
export function announce(text) {
  const announcer = document.getElementById("announcer");
  if (announcer && text) announcer.textContent = announcer.textContent === text ? `${text} ` : text;
}

/** Milliseconds to wait for an answer. */
const PATIENCE = 30_000;

/** Return a signal that ends a request that is not answered in time, in browsers that can. */
export const waitForAnswer = () => AbortSignal.timeout?.(PATIENCE);

/** Whether a proxy answered in place of the site, which marks the parts of its own answers. */
export function isOutage({ response, text }) {
  return response?.status >= BAD_GATEWAY && !text?.includes("<hx-partial");
}

/** Whether `offline.js` stores what the request would have sent: orders, in the browser of someone with an account. */
function isStored({ action }) {
  const canStore = isSecureContext && "serviceWorker" in navigator && document.querySelector('meta[name="account"]');
  return canStore && ORDERS.test(new URL(action, location.href).pathname);
}

/** Say that the site has not answered a form, unless its own answer says more. */
function showOutage({ detail: { ctx } }) {
  // The page itself asks for the next phase, and asks again.
  if (!ctx?.request || ctx.sourceElement === document.body || (ctx.response && !isOutage(ctx))) return;
  if (isStored(ctx.request)) return;
  const note = document.createElement("p");
  note.className = "note note--error";
  note.setAttribute("role", "alert");
  note.textContent = ctx.request.method === "GET"
    ? "The site does not answer. Try again."
    : "The site does not answer, so this was perhaps not saved. What you entered is still here. Try again.";
  const notices = document.getElementById("notices");
  notices?.replaceChildren(note);
  if (notices) floatNotices(notices);
}

/** Milliseconds for which a notice floats over the page. */
const NOTICE_MS = 7000;

/** Scroll the tab of this page into view if not all tabs fit. */
function showTab() {
  const tab = document.querySelector(".tabs [aria-current]");
  const bar = tab?.parentElement;
  if (bar && bar.scrollWidth > bar.clientWidth) bar.scrollLeft = tab.offsetLeft - (bar.clientWidth - tab.offsetWidth) / 2;
}

/** Notices stay at the top of the page; float them for a while over a page that is scrolled down. */
function floatNotices(notices) {
  notices.classList.remove("is-afloat");
  if (!notices.childElementCount || notices.getBoundingClientRect().top >= 0) return;
  notices.classList.add("is-afloat");
  setTimeout(() => notices.classList.remove("is-afloat"), NOTICE_MS);
}

/** If the element with the focus is gone, focus the heading of the part that replaced it. */
function refocus(heading, part) {
  if (document.activeElement !== document.body) return;
  const place = document.getElementById(heading) ?? part?.querySelector("h2, h3, legend") ?? part;
  if (!place) return;
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

/** Return a function that restores the scroll position and the focus after an `hx-boost` form or link. */
function keepPlace({ sourceElement, target }, top) {
  if (!sourceElement.closest("[hx-boost], [hx-boost\\:inherited]")) return () => {};
  const heading = sourceElement.closest("[aria-labelledby]")?.getAttribute("aria-labelledby") ?? "";
  return () => {
    const part = document.getElementById(target?.id);
    scrollTo({ top, behavior: "instant" });
    // A question must be visible from its first line, which may be hidden behind the sticky map.
    if (part && "question" in part.dataset) part.scrollIntoView({ block: "end", behavior: "instant" });
    refocus(heading, part);
  };
}

for (const failure of ["htmx:error", "htmx:response:error"]) document.addEventListener(failure, showOutage);
document.addEventListener("htmx:before:swap", (event) => {
  const { ctx } = event.detail;
  if (isOutage(ctx)) {
    // The proxy's page must not replace the form, or the board.
    event.preventDefault();
    return;
  }
  const source = ctx.sourceElement;
  const restore = keepPlace(ctx, scrollY);
  // htmx fires the event at the element that sent the request, which may have left the page.
  const done = () => {
    source.removeEventListener("htmx:finally:swap", done);
    document.removeEventListener("htmx:finally:swap", done);
    restore();
    floatNotices(document.getElementById("notices"));
    showTab();
  };
  source.addEventListener("htmx:finally:swap", done);
  document.addEventListener("htmx:finally:swap", done);
});
showTab();
