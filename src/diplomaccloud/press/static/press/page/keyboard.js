/** A phone's keyboard covers the bottom of the page: track its height, so that the composer stays above it. */

const MIN_HEIGHT = 120;
const root = document.documentElement;
const view = globalThis.visualViewport;

function measure() {
  const height = Math.round(innerHeight - view.height - view.offsetTop);
  const isTyping = document.activeElement?.closest("message-composer") !== null;
  const open = height > MIN_HEIGHT && isTyping && view.scale < 1.05;
  root.toggleAttribute("data-keyboard", open);
  root.style.setProperty("--keyboard", open ? `${height}px` : "0px");
}

if (view) {
  view.addEventListener("resize", measure);
  view.addEventListener("scroll", measure);
  document.addEventListener("focusout", () => setTimeout(measure, 100));
}
