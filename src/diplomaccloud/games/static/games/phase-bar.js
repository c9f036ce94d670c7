/** `<phase-bar>`: a slider over the phases of a game, and the arrow keys. */

import { announce } from "../pages/js/site.js";

const KEYS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };

class PhaseBar extends HTMLElement {
  connectedCallback() {
    this.links = [...this.querySelectorAll(".phase-list a")];
    const slider = this.querySelector(".phase-bar__slider");
    const title = this.querySelector("output");
    slider.hidden = this.links.length < 2;
    const input = slider.querySelector("input");
    input.addEventListener("input", () => {
      title.textContent = this.links[input.value - 1].dataset.title;
      input.setAttribute("aria-valuetext", title.textContent);
    });
    input.setAttribute("aria-valuetext", title.textContent);
    input.addEventListener("change", () => go(this.links[input.value - 1].href));
    this.addEventListener("click", (event) => {
      const link = event.target.closest("a");
      if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go(link.href, link.rel);
    });
  }
}

/** Show the phase at `href`: swapped in place between history pages, else as a page. */
async function go(href, rel = "") {
  const inside = /\/phases\/\d+\/$/;
  if (!document.getElementById("phase") || !inside.test(new URL(href).pathname)) {
    location.assign(href);
    return;
  }
  await window.htmx.ajax("GET", href, { target: "#phase", swap: "outerHTML" });
  history.pushState(null, "", href);
  const { title } = document.getElementById("phase").dataset;
  document.title = document.title.replace(/^[^·]*/, `${title} `);
  announce(title);
  document.querySelector(`phase-bar a[rel="${rel}"]`)?.focus({ preventScroll: true });
}

document.addEventListener("keydown", (event) => {
  const rel = KEYS[event.key];
  if (!rel || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (event.target.closest("input, textarea, select, .table-scroll, .panel--scroll")) return;
  const link = document.querySelector(`phase-bar a[rel="${rel}"]`);
  if (!link) return;
  event.preventDefault();
  link.click();
});
addEventListener("popstate", () => location.reload());

customElements.define("phase-bar", PhaseBar);
