/** `<turn-replay>`: plays the turn whose result the board shows, once automatically and then on demand. Then the board is as it was. */

import { TurnPlayer } from "../games/results/turn-player.js";
import { TurnStage } from "../games/results/turn-stage.js";

/** Milliseconds from loading the page until the turn starts to play. */
const LEAD = 400;

class TurnReplay extends HTMLElement {
  connectedCallback() {
    this.phase = JSON.parse(document.getElementById("turn").textContent);
    this.map = document.querySelector(".lesson__board map-view");
    this.caption = document.createElement("div");
    this.caption.className = "turn-caption";
    // The text beside the board says the same.
    this.caption.setAttribute("aria-hidden", "true");
    this.caption.hidden = true;
    this.map.append(this.caption);
    this.stage = new TurnStage(this.map);
    this.player = new TurnPlayer(this.stage, (text) => this.tell(text));
    this.button = this.querySelector("button");
    this.button.hidden = false;
    this.button.addEventListener("click", () => this.toggle());
    this.map.addEventListener("click", () => this.player.skip(), { capture: true });
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) setTimeout(() => this.play(), LEAD);
  }

  tell(text) {
    this.caption.textContent = text;
    this.caption.hidden = !text;
  }

  toggle() {
    if (this.player.playing) this.player.skip();
    else this.play();
  }

  async play() {
    if (this.player.playing || !this.isConnected) return;
    const label = this.button.querySelector("span");
    label.textContent = "Skip";
    await this.player.play(this.phase);
    this.stage.clear();
    this.tell("");
    label.textContent = "Play the turn again";
  }
}

customElements.define("turn-replay", TurnReplay);
