/* The page that draws a new world: landforms and a slider that fit the players, and on a phone the
   way to the picture. */
let isLoaded = false;

class NewWorld extends HTMLElement {
  connectedCallback() {
    const form = this.querySelector(".world-options");
    this.players = form.elements.players;
    this.provinces = form.elements.provinces;
    this.slider = form.querySelector(".size__slider");
    const { perPlayer, perMany } = form.querySelector(".size").dataset;
    this.perPlayer = perPlayer.split(" ").map(Number);
    this.perMany = perMany.split(" ").map(Number);
    this.slider.hidden = false;
    this.slider.addEventListener("input", () => {
      this.provinces.value = this.slider.value;
    });
    this.provinces.addEventListener("input", () => this.fitSlider());
    this.players.addEventListener("input", () => this.fitPlayers());
    this.fitPlayers();
    if (isLoaded && matchMedia("(width < 72rem)").matches) {
      this.querySelector("#drawn")?.scrollIntoView();
    }
  }

  /* A chosen landform stays, so that the form says why it does not fit. */
  fitPlayers() {
    const players = this.countPlayers();
    for (const choice of this.querySelectorAll("[data-min-players]")) {
      const { minPlayers, maxPlayers } = choice.dataset;
      choice.disabled = !choice.checked && (players < Number(minPlayers) || players > Number(maxPlayers));
    }
    this.fitSlider();
  }

  /* A blank field means the usual size, which the field shows. */
  fitSlider() {
    const players = this.countPlayers();
    const [least, each, most] = this.perPlayer;
    const [many, eachOfMany] = this.perMany;
    const sizes = [least, players > many ? eachOfMany : each, most];
    const [low, usual, high] = sizes.map((size) => this.limit(size * players));
    Object.assign(this.slider, { min: low, max: high });
    this.slider.value = this.provinces.value || usual;
    this.provinces.placeholder = usual;
  }

  countPlayers() {
    return Number(this.players.value) || Number(this.players.defaultValue) || 7;
  }

  limit(size) {
    const { min, max } = this.provinces;
    return Math.round(Math.min(Math.max(size, Number(min)), Number(max)));
  }
}

customElements.define("new-world", NewWorld);
isLoaded = true;
