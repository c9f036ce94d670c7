/** One line of the order form: a button with the current order, and a panel to change it. */

import { ICONS } from "../../pages/js/site.js";
import { DIRECT, WORDS, describePath, narrowed, nextQuestion, readChoices, verbsOf } from "./order-choices.js";

const SVG = "http://www.w3.org/2000/svg";

export class OrderSlot {
  constructor(form, item) {
    this.form = form;
    this.item = item;
    this.select = item.querySelector("select");
    this.all = readChoices(this.select);
    this.writeChoice(this.chosen);
    this.unit = item.dataset.unit;
    this.province = item.dataset.province;
    this.exclusive = "exclusive" in item.dataset;
    /** Whether the player has given the order: otherwise, the list shows what happens without one. */
    this.given = "saved" in this.select.dataset;
    this.reset();
    this.build();
    this.close();
  }

  /** Forget the choices made for an unfinished order. */
  reset() {
    this.verb = "";
    this.path = [];
    this.started = false;
  }

  /** Whether the player has started but not finished choosing an order: it cannot be sent. */
  get unfinished() {
    return this.started && narrowed(this.choices, this.verb, this.path).length > 0;
  }

  build() {
    const label = this.item.querySelector(".slot__label");
    this.order = element("span", "slot__order");
    const unit = element("span", "slot__unit");
    unit.append(...label.querySelector("span").childNodes);
    this.button = element("button", "slot__button");
    this.button.type = "button";
    this.button.append(label.querySelector("svg"), unit, this.order, icon("down"));
    this.button.addEventListener("click", () => {
      this.form.toggle(this);
      if (this.form.active === this) this.reveal();
    });
    this.panel = element("div", "slot__panel");
    this.panel.id = `${this.select.id}-panel`;
    this.button.setAttribute("aria-controls", this.panel.id);
    label.hidden = true;
    this.select.hidden = true;
    this.item.classList.add("is-enhanced");
    this.item.prepend(this.button, this.panel);
  }

  /** The choices that no other exclusive line has taken. */
  get choices() {
    if (!this.exclusive) return this.all;
    const taken = this.form.takenBeside(this);
    return this.all.filter(({ province }) => !province || !taken.has(province));
  }

  get chosen() {
    return this.all.find(({ value }) => value === this.select.value);
  }

  /** Leave only the chosen order in the list, which is sent and no longer shown. */
  writeChoice(choice) {
    this.select.replaceChildren(...(choice ? [new Option(choice.label, choice.value, true, true)] : []));
  }

  /** The server has saved `orders`: note whether that of this line is among them. */
  noteSaved(orders) {
    const value = this.select.value;
    if (!this.given || !value || orders.includes(value)) this.select.dataset.default = value;
    this.show();
  }

  /** Return what to do to take back the next change. */
  remember() {
    const { chosen, given } = this;
    return () => {
      this.writeChoice(chosen);
      this.given = given;
      this.reset();
      this.show();
    };
  }

  get changed() {
    return this.select.value !== this.select.dataset.default;
  }

  show() {
    const { unfinished } = this;
    this.order.textContent = unfinished ? `${describePath(this.choices, this.verb, this.path)}…` : (this.chosen?.label ?? "");
    this.item.classList.toggle("is-unfinished", unfinished);
    this.item.classList.toggle("is-changed", this.changed && !unfinished);
  }

  /** Show the panel, where an order that is not finished can be continued. */
  open() {
    if (!this.unfinished) this.reset();
    this.panel.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    const verbs = verbsOf(this.choices);
    if (verbs.length === 1) this.verb = verbs[0];
    this.render();
    this.show();
  }

  /** Scroll no further than is necessary to show what can be chosen now. */
  reveal() {
    (this.panel.querySelector(".chips") ?? this.panel).scrollIntoView({ block: "nearest" });
  }

  close() {
    this.panel.hidden = true;
    this.panel.replaceChildren();
    this.button.setAttribute("aria-expanded", "false");
    this.show();
  }

  /** Leave the order as it was. */
  cancel() {
    this.reset();
    this.form.shut();
    this.form.note();
    this.button.focus({ preventScroll: true });
  }

  /** Say that the order must be finished before orders can be sent. */
  demand() {
    if (this.form.active !== this) this.form.toggle(this);
    const text = "Nothing was sent, because this order is not finished. Choose the rest, or cancel it.";
    const note = element("p", "errorlist");
    note.setAttribute("role", "alert");
    note.textContent = text;
    this.panel.querySelector(".errorlist")?.remove();
    const question = this.panel.querySelector(".slot__ask");
    if (question) question.before(note);
    else this.panel.append(note);
    this.focusPanel();
    note.scrollIntoView({ block: "nearest" });
  }

  /** Go back one question; return false when there was none. */
  back() {
    if (this.path.length) this.path.pop();
    else if (this.verb && verbsOf(this.choices).length > 1) this.verb = "";
    else return false;
    this.started = Boolean(this.path.length || (this.verb && verbsOf(this.choices).length > 1));
    this.render();
    this.show();
    this.focusPanel();
    return true;
  }

  setVerb(verb) {
    if (!verbsOf(this.choices).includes(verb)) return;
    this.verb = verb;
    this.path = [];
    this.started = true;
    this.advance();
  }

  answer(value) {
    this.path.push(value);
    this.started = true;
    this.advance();
  }

  advance() {
    const left = narrowed(this.choices, this.verb, this.path);
    if (left.length && !nextQuestion(left, this.verb, this.path)) {
      this.choose(left[0]);
      return;
    }
    this.render();
    this.show();
    this.form.note();
    this.focusPanel();
    this.reveal();
  }

  choose(choice) {
    const undo = this.give(choice);
    this.form.chosen(this, choice, undo);
  }

  /** Take `choice` as given; return what to do to take that back. */
  give(choice) {
    const undo = this.remember();
    this.writeChoice(choice);
    this.given = true;
    this.reset();
    this.show();
    return undo;
  }

  /** The choice for the order with this text; the choices of a player of several powers begin with the power's name. */
  choiceFor(order) {
    return this.all.find(({ value }) => value === order || value.endsWith(`: ${order}`));
  }

  /** Return the provinces to light up now, with the answer each stands for. */
  targets() {
    const found = new Map();
    if (!this.verb) {
      for (const choice of this.choices) if (DIRECT.includes(choice.verb)) found.set(choice.province, choice);
      return found;
    }
    const question = nextQuestion(narrowed(this.choices, this.verb, this.path), this.verb, this.path);
    if (!question || question.key === "value") return found;
    for (const { value, choice } of question.answers) {
      const at = question.key === "target" ? this.form.map?.provinceOf(value) : choice.province;
      if (at && (question.key !== "where" || value === at || !found.has(at))) found.set(at, value);
    }
    return found;
  }

  /** Handle a tap on `province`; return whether it did anything here. */
  pick(province) {
    const found = this.targets().get(province);
    if (found === undefined) {
      const hold = this.choices.find(({ verb }) => verb === "hold");
      if (this.verb || province !== this.province || !hold) return false;
      this.choose(hold);
      return true;
    }
    if (this.verb) this.answer(found);
    else this.answerDirectly(found.verb, province);
    return true;
  }

  /** A tap means the plain move; a move by convoy is chosen in the list. */
  answerDirectly(verb, province) {
    const plain = this.choices.filter((choice) => choice.kind === verb && choice.province === province);
    if (plain.length === 1) {
      this.choose(plain[0]);
      return;
    }
    this.verb = verb;
    this.path = [];
    this.answer(province);
  }

  render() {
    const parts = [];
    const verbs = verbsOf(this.choices);
    if (verbs.length > 1) parts.push(this.verbRow(verbs));
    const question = this.verb && nextQuestion(narrowed(this.choices, this.verb, this.path), this.verb, this.path);
    if (question) parts.push(...this.asked(question));
    else if (!this.verb && this.targets().size) parts.push(ask("Or tap a marked province on the map."));
    if (this.started) parts.push(this.cancelButton());
    this.panel.replaceChildren(...parts);
    this.form.light();
  }

  cancelButton() {
    const button = element("button", "button button--quiet slot__cancel");
    button.type = "button";
    button.textContent = this.chosen?.value ? `Cancel and keep “${this.chosen.label}”` : "Cancel";
    button.addEventListener("click", () => this.cancel());
    return button;
  }

  verbRow(verbs) {
    const row = element("div", "verbs");
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", "Kind of order");
    for (const verb of verbs) {
      const button = element("button", "verb");
      button.type = "button";
      button.textContent = WORDS[verb] ?? this.all.find((choice) => choice.verb === verb).label;
      button.setAttribute("aria-pressed", String(verb === this.verb));
      button.addEventListener("click", () => this.setVerb(verb));
      row.append(button);
    }
    return row;
  }

  asked({ key, asked, answers }) {
    const row = element("div", "chips");
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", asked);
    for (const { value, label, choice } of answers) {
      const button = element("button", "chip");
      button.type = "button";
      button.textContent = label;
      if (choice.value === this.select.value && key === "value") button.setAttribute("aria-current", "true");
      button.addEventListener("click", () => this.answer(value));
      row.append(button);
    }
    return [ask(asked), row];
  }

  focusPanel() {
    (this.panel.querySelector(".chip") ?? this.panel.querySelector(".verb"))?.focus({ preventScroll: true });
  }
}

function element(name, className) {
  const made = document.createElement(name);
  made.className = className;
  return made;
}

function ask(text) {
  const made = element("p", "slot__ask");
  made.textContent = text;
  return made;
}

function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${ICONS}#${name}`);
  svg.append(use);
  return svg;
}
