/**
 * `<featured-game>`: plays a turn when its picture is first at least half in view, and again on demand.
 * The turn is a moving picture that lies over the still one until it ends. It is loaded only then, and
 * not for people who prefer no motion.
 */

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
/** Milliseconds for which the last moment of a turn stays. */
const REST = 1500;

class FeaturedGame extends HTMLElement {
  connectedCallback() {
    this.button = this.querySelector("button[type=button]");
    this.button.addEventListener("click", () => this.play());
    const picture = this.querySelector("picture");
    if (!picture || STILL.matches) return;
    this.watch = new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting) this.play(); }, { threshold: 0.5 });
    if (document.readyState === "complete") this.watch.observe(picture);
    else addEventListener("load", () => this.watch.observe(picture), { once: true });
  }

  disconnectedCallback() {
    this.watch?.disconnect();
    this.end();
  }

  /** Return the moving picture in the colors of the still one; null if the server does not answer. */
  async load() {
    const still = this.querySelector("img");
    await still.decode().catch(() => {});
    const dark = this.querySelector("source");
    const { turn } = (still.currentSrc.endsWith(dark.srcset) ? dark : still).dataset;
    const answer = await fetch(turn).catch(() => null);
    return answer?.ok ? answer.text() : null;
  }

  async play() {
    this.watch.disconnect();
    this.button.hidden = true;
    this.drawing ??= this.load();
    const drawing = await this.drawing;
    if (!drawing || !this.isConnected) return;
    this.end();
    // A picture of the same address would not begin again.
    this.plays = (this.plays ?? 0) + 1;
    this.moving = new Image();
    this.moving.className = "featured__turn";
    this.moving.alt = "";
    this.moving.src = `data:image/svg+xml,${encodeURIComponent(`${drawing}<!--${this.plays}-->`)}`;
    // Not inside the `picture`, whose sources would replace it.
    this.querySelector("picture").after(this.moving);
    this.timer = setTimeout(() => {
      this.end();
      this.button.hidden = false;
    }, this.dataset.seconds * 1000 + REST);
  }

  /** Show the still picture. */
  end() {
    clearTimeout(this.timer);
    this.moving?.remove();
    this.moving = null;
  }
}

customElements.define("featured-game", FeaturedGame);
