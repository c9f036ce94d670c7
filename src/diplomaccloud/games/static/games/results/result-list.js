/** `<result-list>`: the results of a phase; beside its map, a tap on a province explains its order. */

class ResultList extends HTMLElement {
  connectedCallback() {
    this.page = this.closest("#phase");
    this.map = this.page?.querySelector("map-view");
    if (!this.map) return;
    // A tap close to a unit with an order counts as a tap on that unit.
    this.map.candidates = new Set([...this.querySelectorAll(".result")].map((line) => line.dataset.province));
    this.hear = ({ detail }) => this.explain(detail.province);
    this.map.addEventListener("map-pick", this.hear);
  }

  disconnectedCallback() {
    this.map?.removeEventListener("map-pick", this.hear);
  }

  /** Show the first order for a unit in `province` and why it had its outcome. */
  explain(province) {
    const line = this.querySelector(`.result[data-province="${CSS.escape(province)}"]`);
    if (!line) return;
    const asked = line.querySelector(".why");
    if (asked) asked.open = true;
    else line.querySelector(".why__ask")?.click();
    line.scrollIntoView({ block: "nearest" });
  }
}

customElements.define("result-list", ResultList);
