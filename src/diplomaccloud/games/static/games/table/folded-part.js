/**
 * `<folded-part>` around a `<noscript>`: a part of the page that takes its place when it is first shown. With scripts,
 * the page has no elements for it before; without scripts, it is a plain part of the page.
 */

const root = document.documentElement;

class FoldedPart extends HTMLElement {
  connectedCallback() {
    const inert = this.querySelector(":scope > noscript");
    if (!inert) return;
    // An answer that htmx parsed has the elements, the page itself only their text.
    this.text = inert.childElementCount ? inert.innerHTML : inert.textContent;
    inert.remove();
    if (this.isShown) this.unfold();
  }

  /** Whether the drawer and the section of the panel around it are open. */
  get isShown() {
    const section = this.closest(".tab-section")?.dataset.section;
    return !this.closest("details:not([open])") && (!section || section === root.dataset.tab);
  }

  unfold() {
    if (this.text === undefined) return;
    const template = document.createElement("template");
    template.innerHTML = this.text;
    this.text = undefined;
    const { parentElement } = this;
    this.replaceWith(template.content);
    window.htmx?.process?.(parentElement);
    document.dispatchEvent(new CustomEvent("unfolded"));
  }
}

/** Unfold what is shown now. */
export function unfoldShown() {
  for (const part of document.querySelectorAll("folded-part")) if (part.isShown) part.unfold();
}

/** Return the element with this id, which may be in a folded part. */
export function findById(id) {
  if (!document.getElementById(id)) for (const part of document.querySelectorAll("folded-part")) part.unfold();
  return document.getElementById(id);
}

document.addEventListener("toggle", ({ target }) => { if (target.open) unfoldShown(); }, { capture: true });

customElements.define("folded-part", FoldedPart);
