/**
 * The turns of a game on the map of its page: shows and plays past phases in place of the present one, and explains why
 * an order had its outcome. The order form beside it stays as it is.
 */

import { announce } from "../../pages/js/site.js";
import { TurnPlayer } from "./turn-player.js";
import { fetchPhase, TurnStage } from "./turn-stage.js";
import { TurnWhy } from "./turn-why.js";

/** How long a caption stays after an animation, in milliseconds. */
const LINGER = 4500;
/** The pause between two phases that are played one after the other. */
const PAUSE = 650;

export class TurnTable {
  /** `changed` is called with the address of the phase that is shown, blank for the present one. `lastTurn` are the addresses of the last turn. */
  constructor(map, changed, lastTurn) {
    this.lastTurn = lastTurn;
    this.map = map;
    this.changed = changed;
    this.stage = new TurnStage(map);
    this.caption = this.addCaption();
    this.player = new TurnPlayer(this.stage, (text) => this.tell(text));
    this.why = new TurnWhy(map);
    this.shown = "";
    this.stop = new AbortController();
    const { signal } = this.stop;
    // Before the order form, which would order a unit that is not there now.
    document.addEventListener("map-pick", (event) => this.pick(event), { capture: true, signal });
    document.addEventListener("keydown", (event) => this.key(event), { capture: true, signal });
    map.addEventListener("click", (event) => this.click(event), { capture: true, signal });
    for (const act of ["input", "click"]) {
      document.querySelector("order-form")?.addEventListener(act, () => {
        this.asked = null;
        if (this.stage.busy) this.showNow();
      }, { signal });
    }
    this.markArrows();
  }

  /** Forget the map, which has left the page. */
  leave() {
    this.stop.abort();
    this.running = null;
    this.requested = null;
    this.asked = null;
    this.player.skip();
    clearTimeout(this.lingering);
  }

  addCaption() {
    const caption = this.map.querySelector(".turn-caption") ?? document.createElement("div");
    caption.className = "turn-caption";
    caption.hidden = true;
    const text = document.createElement("p");
    const end = document.createElement("button");
    end.type = "button";
    end.addEventListener("click", (event) => {
      event.stopPropagation();
      this.showNow();
    });
    caption.replaceChildren(text, end);
    this.map.append(caption);
    return caption;
  }

  tell(text) {
    clearTimeout(this.lingering);
    this.caption.hidden = !text;
    this.caption.querySelector("p").textContent = text;
    const end = this.caption.querySelector("button");
    end.hidden = !this.running;
    end.textContent = "Skip";
  }

  /** Show the phase whose page is at `url` as a still picture; return whether that was possible. */
  async show(url) {
    this.halt();
    this.asked = null;
    const request = (this.requested = Symbol(url));
    const phase = await fetchPhase(url);
    if (request !== this.requested) return true;
    if (!phase) return false;
    this.stage.show(phase.parts);
    this.phase = phase;
    this.setShown(url);
    this.tell(phase.title);
    announce(phase.title);
    return true;
  }

  showNow() {
    this.halt();
    this.requested = null;
    this.asked = null;
    this.phase = null;
    this.why.close();
    this.stage.clear();
    this.setShown("");
  }

  setShown(url) {
    if (this.shown === url) return;
    this.shown = url;
    this.tell("");
    this.why.close();
    this.changed(url);
  }

  /** Play the phases at `urls` one after the other, then show the present one. */
  async play(urls) {
    this.halt();
    this.requested = null;
    this.asked = null;
    const run = (this.running = Symbol("run"));
    let phase = await fetchPhase(urls[0]);
    for (const [place, url] of urls.entries()) {
      const following = urls[place + 1] ? fetchPhase(urls[place + 1]) : null;
      if (!phase || this.running !== run) break;
      this.phase = phase;
      this.shown = url;
      this.changed(url);
      const completed = await this.player.play(phase);
      if (!completed || this.running !== run) break;
      phase = await following;
      if (phase) await new Promise((done) => { setTimeout(done, PAUSE); });
    }
    if (this.running !== run) return;
    this.running = null;
    const last = this.caption.querySelector("p").textContent;
    this.showNow();
    if (!last) return;
    this.tell(last);
    announce(last);
    this.lingering = setTimeout(() => this.tell(""), LINGER);
  }

  /** Stop what is playing, and show the present phase. */
  halt() {
    if (!this.running) return;
    this.running = null;
    this.player.skip();
    this.stage.clear();
    this.phase = null;
    this.setShown("");
    this.tell("");
  }

  /** Whether a tap, click or key press only ends the animation. */
  ends(event) {
    if (!this.running) return false;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.halt();
    return true;
  }

  key(event) {
    if (event.key !== "Escape") return;
    if (this.ends(event)) return;
    if (this.why.close() || !this.stage.busy) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.showNow();
  }

  click(event) {
    if (event.target.closest("button, a, .turn-why")) return;
    if (this.ends(event)) return;
    const order = event.target.closest?.(".order[data-outcome]");
    if (!order) return;
    event.stopImmediatePropagation();
    this.explain(order.dataset.power, order.dataset.order);
  }

  /** Say why the order of the unit in a province had its outcome, while a past phase is shown. */
  pick(event) {
    if (!this.stage.busy || !this.map.contains(event.target)) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    const { province } = event.detail;
    const unit = this.stage.drawing.querySelector(`.unit[data-province="${CSS.escape(province)}"]`);
    const line = this.phase?.orders.find(({ power, unit: text }) => unit && power === unit.dataset.power && text === unit.dataset.unit);
    if (line) this.why.open(this.phase, line);
  }

  /** Say why an order that is drawn on the map had its outcome. */
  async explain(power, text) {
    const asked = (this.asked = Symbol(text));
    const find = (phase) => phase?.orders.find((line) => line.power === power && line.order === text);
    let { phase } = this;
    let line = find(phase);
    for (const url of phase ? [] : this.lastTurn) {
      if (line) break;
      phase = await fetchPhase(url);
      line = find(phase);
    }
    if (line && asked === this.asked) this.why.open(phase, line);
  }

  /** Let arrows of the last turn, which are on the present picture, be clicked. */
  markArrows() {
    this.map.classList.toggle("has-results", Boolean(this.stage.drawing?.querySelector(".order[data-outcome]")));
  }
}
