/** The style of all maps: `map_styles.py` gives it to the pages that follow, and this to the page that is shown. */

const PARCHMENT = "parchment";
/** The style in which badges have patterns, which only pages in this style have. */
const INK = "ink";
/** The first of these patterns. */
const PATTERN = "o-b0";
const SECONDS = 365 * 24 * 60 * 60;
/** The name of a base map in the address of its picture, with the style unless that is parchment. */
const NAME = /\/(?:[a-z-]+-)?(light|dark)\.svg/;

/** Let `select` choose the style, and show in it which one this page has. */
export function offerStyles(select) {
  select.value = document.documentElement.dataset.mapStyle ?? PARCHMENT;
  select.onchange = async () => { // not addEventListener: an element that is put back into the page would get two
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `map_style=${select.value}; path=/; max-age=${SECONDS}; samesite=lax${secure}`;
    if (select.value === INK && !document.getElementById(PATTERN)) await addPatterns();
    paint(select.value, select.dataset.sheet);
  };
}

/** Add the patterns of badges, which the site gives this page now. Without a connection, the page is loaded again. */
async function addPatterns() {
  try {
    const page = await (await fetch(location.href)).text();
    const patterns = new DOMParser().parseFromString(page, "text/html").getElementById(PATTERN).closest("svg");
    if (!document.getElementById(PATTERN)) document.body.append(patterns);
  } catch {
    location.reload();
  }
}

function paint(style, sheet) {
  const { dataset } = document.documentElement;
  if (style === PARCHMENT) delete dataset.mapStyle;
  else dataset.mapStyle = style;
  if (style !== PARCHMENT && !document.querySelector(`link[href="${sheet}"]`)) {
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: sheet }));
  }
  const prefix = style === PARCHMENT ? "" : `${style}-`;
  for (const part of document.querySelectorAll(".map__base :is(img, source)")) {
    const name = part.localName === "img" ? "src" : "srcset";
    part.setAttribute(name, part.getAttribute(name).replace(NAME, `/${prefix}$1.svg`));
  }
  for (const link of document.querySelectorAll('a[href*="?style="]')) {
    if (link.origin === location.origin) link.search = `?style=${style}`;
  }
  for (const select of document.querySelectorAll(".map__style select")) select.value = style;
}
