/**
 * Plays a phase on a stage: orders appear, supports light up, units move, bounce back or fall.
 * The server says what happens to each unit; nothing here knows the rules.
 */

/** The parts of an animation, in milliseconds. */
const APPEAR = 750;
const LIGHT = 550;
const MOVE = 1150;
const SETTLE = 350;
/** The extra time to read each caption after the first. */
const READ = 350;
/** How long a still picture is shown to people who prefer no motion. */
const STILL = 3200;
/** The longest time that counts between two frames, so that a pause in the browser does not skip anything. */
const MAX_FRAME = 400;
/** The share of its path that a unit travels before it bounces back. */
const REACH = 0.46;
/** When units fall or leave the board, as a share of the time in which others move. */
const IMPACT = 0.5;

const isStill = matchMedia("(prefers-reduced-motion: reduce)");

const ease = (share) => (share < 0.5 ? 2 * share * share : 1 - (2 - 2 * share) ** 2 / 2);
const limit = (share) => Math.min(Math.max(share, 0), 1);
const part = (share, start, end) => limit((share - start) / (end - start));

/** Return the function from 0 to 1 to the points of a path `M x y Q x y x y`. */
function pointsOf(path) {
  const [x0, y0, x1, y1, x2, y2] = path.match(/-?[\d.]+/g).map(Number);
  return (t) => {
    const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t * t];
    return [a * x0 + b * x1 + c * x2, a * y0 + b * y1 + c * y2];
  };
}

/** The badge of a unit, which can be moved, turned and scaled. */
class Piece {
  constructor(element) {
    this.element = element;
    const transform = element.getAttribute("transform");
    const [, x, y, scale] = transform.match(/translate\((-?[\d.]+)[ ,](-?[\d.]+)\)(.*)/);
    Object.assign(this, { x: Number(x), y: Number(y), scale });
  }

  place([x, y], { turn = 0, size = 1, opacity = 1 } = {}) {
    const extra = turn || size !== 1 ? `rotate(${turn.toFixed(1)})scale(${size.toFixed(3)})` : "";
    this.element.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})${this.scale}${extra}`);
    this.element.style.opacity = opacity;
  }
}

/** Return a function that places `piece` for a share of the time in which units move. */
function directPiece(piece, steps) {
  const acts = [];
  let at = () => [piece.x, piece.y];
  for (const { kind, path } of steps) {
    const points = path ? pointsOf(path) : null;
    const from = at;
    if (kind === "go" && points) {
      acts.push((share) => piece.place(points(ease(part(share, 0, 0.85)))));
      at = () => points(1);
    } else if (kind === "bounce" && points) {
      acts.push((share) => {
        if (share > 0.8) return piece.place(points(0));
        const out = part(share, 0, 0.45);
        const back = part(share, 0.45, 0.8);
        const shake = back > 0 && back < 1 ? Math.sin(back * Math.PI * 4) * 5 * (1 - back) : 0;
        return piece.place(points(back > 0 ? REACH * (1 - ease(back)) : REACH * ease(out)), { turn: shake });
      });
      at = () => points(0);
    } else if (kind === "fall" && points) {
      acts.push((share) => {
        const fallen = part(share, IMPACT, 1);
        if (fallen > 0) piece.place(points(1 - (1 - fallen) ** 2), { turn: Math.sin(fallen * Math.PI) * 16 });
      });
      at = () => points(1);
    } else if (kind === "vanish") {
      acts.push((share) => {
        const gone = part(share, IMPACT, 1);
        if (gone > 0) piece.place(from(), { turn: 24 * gone, size: 1 - 0.6 * gone, opacity: 1 - gone });
      });
    }
  }
  return (share) => acts.forEach((act) => act(share));
}

/** Return a function that lets an order appear: lines grow, then the rest of it appears. */
function directArrow(order) {
  const lines = [];
  const rest = [];
  for (const shape of order.querySelectorAll("path, line, circle, use")) {
    const isLine = shape.tagName === "path" && !shape.hasAttribute("fill") && !shape.hasAttribute("stroke-dasharray");
    (isLine && order.matches(".move, .retreat") ? lines : rest).push(shape);
  }
  for (const line of lines) {
    line.setAttribute("pathLength", "1");
    line.setAttribute("stroke-dasharray", "1 2");
  }
  return (share) => {
    for (const line of lines) line.setAttribute("stroke-dashoffset", String(1 - ease(part(share, 0, 0.8))));
    for (const shape of rest) shape.style.opacity = part(share, lines.length ? 0.65 : 0, 1);
    order.style.visibility = share > 0 ? "" : "hidden";
  };
}

export class TurnPlayer {
  /** `caption` is called with the text to show under the map. */
  constructor(stage, caption) {
    this.stage = stage;
    this.caption = caption;
  }

  /** Whether an animation is running. */
  get playing() {
    return Boolean(this.finish);
  }

  /** Play `phase` on the stage; the result is whether it was played to its end. */
  async play(phase) {
    this.skip();
    if (isStill.matches) return this.hold(phase);
    const act = this.direct(phase);
    return this.run(act.length, act.draw);
  }

  /** End the animation at once. */
  skip() {
    this.finish?.(false);
  }

  /** Show a still picture with its captions. */
  hold(phase) {
    this.stage.show(phase.parts);
    this.look(phase);
    this.caption([phase.title, ...phase.captions.slice(0, 1)].join(". "));
    return this.run(STILL, () => {});
  }

  /** Bring what happens in `phase` into view. */
  look({ motions, orders }) {
    const { drawing, map } = this.stage;
    const moving = new Set(motions.map(({ unit, power }) => `${power} ${unit}`));
    const happens = new Set(orders.filter(({ unit, power }) => moving.has(`${power} ${unit}`)).map(({ order, power }) => `${power} ${order}`));
    const arrows = [...drawing.querySelectorAll(":scope > .orders > .order, :scope > .order-marks > .order")];
    map.visit(arrows.filter(({ dataset }) => happens.has(`${dataset.power} ${dataset.order}`)));
  }

  /** Call `draw` with the milliseconds since the start until `length`; time stops while the page is hidden. */
  run(length, draw) {
    return new Promise((resolve) => {
      let frame = 0;
      let last = null;
      let time = 0;
      this.finish = (completed) => {
        cancelAnimationFrame(frame);
        this.finish = null;
        resolve(completed);
      };
      const tick = (now) => {
        time += last === null || document.hidden ? 0 : Math.min(now - last, MAX_FRAME);
        last = document.hidden ? null : now;
        if (!this.stage.drawing.isConnected) return this.finish?.(false);
        draw(Math.min(time, length));
        if (time >= length) return this.finish?.(true);
        frame = requestAnimationFrame(tick);
        return undefined;
      };
      frame = requestAnimationFrame(tick);
    });
  }

  /** Prepare the stage; return the length of the animation and the function that draws a moment of it. */
  direct(phase) {
    const { stage } = this;
    stage.show({ ...phase.parts, ...phase.planned, standoffs: phase.planned.standoffs ?? phase.parts.standoffs });
    const arrows = [...stage.drawing.querySelectorAll(":scope > .orders > .order, :scope > .order-marks > .order")];
    this.look(phase);
    const facts = new Map(phase.orders.map((order) => [`${order.power} ${order.order}`, order]));
    const factOf = ({ dataset }) => facts.get(`${dataset.power} ${dataset.order}`);
    const appear = arrows.map(directArrow);
    const supports = arrows.filter((arrow) => factOf(arrow)?.support);
    const pieces = phase.motions.map(({ unit, power, steps }) => {
      const element = stage.drawing.querySelector(`.unit[data-unit="${CSS.escape(unit)}"][data-power="${CSS.escape(power)}"]`);
      return element ? directPiece(new Piece(element), steps) : () => {};
    });
    const lit = supports.length ? LIGHT : 0;
    const start = APPEAR + lit;
    const captions = phase.captions.length ? phase.captions : [phase.title];
    const end = start + MOVE + (captions.length - 1) * READ;
    const state = { judged: false, caption: "" };
    const tell = (text) => {
      if (state.caption !== text) this.caption(text);
      state.caption = text;
    };
    const draw = (time) => {
      const shown = time / APPEAR;
      appear.forEach((grow, number) => {
        const delay = (0.45 * number) / Math.max(appear.length, 1);
        if (shown < 1.05) grow(part(shown, delay, delay + 0.55));
      });
      for (const support of supports) {
        support.classList.toggle("is-lit", time >= APPEAR && time < start && factOf(support).succeeded);
        if (time >= APPEAR + lit * 0.5 && !factOf(support).succeeded) support.style.opacity = 0.35;
      }
      const share = limit((time - start) / MOVE);
      if (time >= start) for (const place of pieces) place(share);
      if (!state.judged && share >= IMPACT * 0.9) {
        state.judged = true;
        this.judge(phase);
      }
      if (time < start) tell(phase.title);
      else tell(captions[Math.min(captions.length - 1, Math.floor(((time - start) / (end + SETTLE - start)) * captions.length))]);
    };
    return { length: end + SETTLE, draw };
  }

  /** Replace the orders as they were given with the orders as they were judged. */
  judge(phase) {
    for (const name of ["standoffs", "orders", "order-marks"]) {
      const text = phase.parts[name];
      if (!text || !phase.planned[name]) continue;
      const old = this.stage.group(name);
      const judged = this.stage.add(name, text);
      judged.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 220 });
      old.animate([{ opacity: 1 }, { opacity: 0 }], { duration: 320, fill: "forwards" });
    }
  }
}
