/**
 * On the game page: loads press and its styles when its panel first appears on the screen, or when the live stream announces a
 * change in the viewer's press since the page was made.
 */

const PRESS = new URL("./press.js", import.meta.url);
const STYLES = ["../conversations/press.css", "../proposals/deals.css"].map((path) => new URL(path, import.meta.url).href);

let news = null;
const findPanel = () => document.getElementById("talk-panel");
const watcher = new IntersectionObserver((entries) => { if (entries.some((entry) => entry.isIntersecting)) load().catch(() => null); });

/** Load a style sheet that the page does not have. */
function style(href) {
  if ([...document.styleSheets].some((sheet) => sheet.href === href)) return null;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  document.head.append(link);
  return new Promise((done) => { link.onload = link.onerror = done; });
}

let loading = null;

/** Load press, which then listens for changes itself and catches up on those it missed. */
function load() {
  loading ??= start().catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function start() {
  watcher.disconnect();
  await Promise.all(STYLES.map(style)); // first, because press measures its panel
  await import(PRESS);
  document.removeEventListener("click", hold, { capture: true });
  document.removeEventListener("pointerdown", foresee);
  document.removeEventListener("own-changed", hear);
  document.removeEventListener("htmx:after:swap", watch);
  if (news) findPanel()?.hear(news.detail);
  news = null;
}

/** Load press while a finger is still on the link that shows it. */
function foresee({ target }) {
  if (target.closest?.('[data-tab="press"]')) load().catch(() => null);
}

function hear(event) {
  if (String(event.detail) === findPanel()?.dataset.version) return;
  news = event;
  load().catch(watch);
}

/** Follow a link in the panel only once press has loaded, so that it opens inside the panel; otherwise as a page. */
async function hold(event) {
  const link = event.target.closest("#talk-panel a[data-press]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  await load().then(() => link.click(), () => location.assign(link.href));
}

/** Watch the panel, since the server may have sent the table again. */
function watch() {
  watcher.disconnect();
  if (findPanel()) watcher.observe(findPanel());
}

document.addEventListener("click", hold, { capture: true });
document.addEventListener("pointerdown", foresee);
document.addEventListener("own-changed", hear);
document.addEventListener("htmx:after:swap", watch);
watch();
// An address that leads to the panel: without the styles it would not appear.
if (location.hash === "#press") load().catch(() => null);
