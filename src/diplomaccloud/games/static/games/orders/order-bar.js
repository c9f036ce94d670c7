/**
 * `<order-bar>`: gives orders on the map alone, while the order form is out of sight. It shows what the form asks, and
 * hands every answer to it, with the form's line about what is saved.
 */

import { WORDS, narrowed, nextQuestion, verbsOf } from "./order-choices.js";

/** Whether a button of the bar was pressed by the keyboard shortly before the server replaced the bar. */
let hadFocus = false;

export class OrderBar extends HTMLElement {
  connectedCallback() {
    this.map = this.parentElement.querySelector("map-view");
    this.hint = make("p", "order-bar__text");
    this.hint.tabIndex = -1;
    this.hint.setAttribute("aria-live", "polite");
    this.status = make("p", "order-bar__status");
    this.status.setAttribute("role", "status");
    this.cancel = this.makeButton("cancel", "×", () => this.form.active?.cancel());
    this.cancel.className = "order-bar__cancel";
    this.cancel.setAttribute("aria-label", "Cancel");
    const head = make("div", "order-bar__head");
    head.append(this.hint, this.status, this.cancel);
    this.answers = make("div", "order-bar__answers");
    this.answers.setAttribute("role", "group");
    this.buttons = make("div", "order-bar__buttons");
    this.replaceChildren(head, this.answers, this.buttons);
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", "Orders on the map");
    this.stop = new AbortController();
    const { signal } = this.stop;
    document.addEventListener("orders-lit", () => this.show(), { signal });
    document.addEventListener("htmx:after:swap", () => this.show(), { signal });
    this.map?.addEventListener("map-pick", ({ detail }) => this.tell(detail.province), { signal });
    this.addEventListener("keydown", (event) => this.key(event));
    this.sizes = new ResizeObserver(() => {
      this.map?.makeRoom?.();
      if (this.form?.active) this.clear(this.form.active);
    });
    this.sizes.observe(this);
    this.saving = new MutationObserver(() => this.showSaving());
    this.show();
    if (hadFocus && this.offsetHeight) this.hint.focus({ preventScroll: true });
    hadFocus = false;
  }

  disconnectedCallback() {
    hadFocus = this.contains(document.activeElement);
    this.stop.abort();
    this.sizes.disconnect();
    this.saving.disconnect();
  }

  get form() {
    return document.querySelector("order-form");
  }

  /** Show what can be chosen now. */
  show() {
    const { form } = this;
    this.hidden = !form?.slots;
    if (this.hidden) return;
    this.watchSaving();
    const focused = this.contains(document.activeElement) && (document.activeElement.dataset.key ?? "text");
    const { active } = form;
    this.about = "";
    this.write();
    this.cancel.hidden = !active;
    this.answers.replaceChildren(...(active ? this.listAnswers(active) : []));
    this.answers.hidden = !this.answers.childElementCount;
    this.buttons.replaceChildren(...this.listVerbs(active ?? form.openSlot), ...(active ? [] : this.listUnits()), ...this.listReady());
    if (focused) this.focusAgain(focused);
    this.clear(active);
  }

  /** Repeat the form's line about what is saved, once there is something to say. */
  watchSaving() {
    const line = this.form.querySelector(".order-form__state");
    if (line === this.line) return;
    this.line = line;
    this.saving.disconnect();
    if (line) this.saving.observe(line, { attributes: true, childList: true, subtree: true, characterData: true });
    this.showSaving();
  }

  showSaving() {
    const text = this.line?.dataset.state !== undefined ? this.line.firstElementChild.textContent : "";
    if (this.status.textContent !== text) this.status.textContent = text;
    this.status.dataset.state = this.line?.dataset.state ?? "";
  }

  focusAgain(key) {
    const again = [...this.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key && one.offsetParent);
    (this.answers.querySelector("button") ?? again ?? this.hint).focus({ preventScroll: true });
  }

  /** Write the first line: what is asked, what the server said, or what was tapped. */
  write() {
    const { active } = this.form;
    const demand = active?.panel.querySelector(".errorlist")?.textContent;
    const answer = this.serverNote;
    const parts = active ? [make("strong", "", active.item.dataset.title), ` · ${demand ?? this.ask(active)}`] : [this.about || answer || this.count()];
    this.hint.replaceChildren(...parts);
    this.classList.toggle("is-warning", Boolean(active ? demand : answer && !this.about && this.confirmation));
  }

  ask(slot) {
    const question = this.questionOf(slot);
    if (question) return question.asked;
    return slot.targets().size ? "Tap a marked province." : "Choose an order.";
  }

  questionOf({ choices, verb, path }) {
    return verb ? nextQuestion(narrowed(choices, verb, path), verb, path) : null;
  }

  /** Return what is left to do, in words. */
  count() {
    const { slots, openSlot } = this.form;
    if (this.isReady) return "You are ready. The phase ends when everyone is ready.";
    if (openSlot) return `${slots.filter(({ select }) => select.value).length} of ${slots.length} orders given. Tap a marked province.`;
    const holding = slots.filter(({ chosen }) => chosen?.verb === "hold").length;
    if (!holding) return slots.length === 1 ? "Your order is complete." : "All your orders are complete.";
    return `${holding} of ${slots.length} units hold. Tap a unit to order it.`;
  }

  /** What the server said about the orders that were sent last; blank if nothing. */
  get serverNote() {
    const note = document.querySelector("#order-form-status .note:not([data-new-phase])");
    return note && !this.form.dirty ? note.querySelector("p").textContent.replace(/\s+/g, " ").trim() : "";
  }

  get confirmation() {
    return document.querySelector('#order-form-status button[name="anyway"]');
  }

  get isReady() {
    return Boolean(document.querySelector(".order-form__ready"));
  }

  /** Answer a tap that orders nothing: say what stands in the province. */
  tell(province) {
    if (this.hidden) return;
    this.about = this.map.describe(province);
    this.write();
  }

  listVerbs(slot) {
    if (!slot) return [];
    return verbsOf(slot.choices).filter((verb) => WORDS[verb]).map((verb) => {
      const button = this.makeButton(verb, WORDS[verb], () => {
        if (this.form.active !== slot) this.form.toggle(slot);
        slot.setVerb(verb);
      });
      button.className = "verb";
      button.setAttribute("aria-pressed", String(slot === this.form.active && verb === slot.verb));
      return button;
    });
  }

  /** Answers that a tap on the map can give are hidden until the keyboard reaches them. */
  listAnswers(slot) {
    const question = this.questionOf(slot);
    if (!question) return [];
    this.answers.setAttribute("aria-label", question.asked);
    const onMap = new Set(slot.targets().values());
    return question.answers.map(({ value, label }) => {
      const button = this.makeButton(`answer ${value}`, label, () => slot.answer(value));
      button.className = onMap.has(value) ? "chip is-on-map" : "chip";
      return button;
    });
  }

  /** Return the button that selects one line of the form after the other: units, or builds and disbands once all are given. */
  listUnits() {
    const { slots, openSlot } = this.form;
    if (openSlot || !slots.length) return [];
    const button = this.makeButton("unit", slots[0].exclusive ? "Next order" : "Next unit", () => {
      this.last = slots[(slots.indexOf(this.last) + 1) % slots.length];
      this.form.toggle(this.last);
    });
    button.className = "verb";
    return [button];
  }

  /** Return the buttons that do what the form's buttons do. */
  listReady() {
    const ready = document.getElementById("save-ready");
    const kinds = [["anyway", this.confirmation, "Ready anyway"], ["ready", this.confirmation ? null : ready, "Ready"], ["unready", document.querySelector(".order-form__ready button"), "Not ready"]];
    return kinds.filter(([, control]) => control).map(([key, control, text]) => {
      const button = this.makeButton(key, text, () => control.click());
      button.className = key === "unready" ? "button" : "button button--ready";
      button.disabled = control.disabled;
      if (key === "ready") button.prepend(control.querySelector("svg").cloneNode(true));
      return button;
    });
  }

  makeButton(key, text, act) {
    const button = make("button", "", text);
    button.type = "button";
    button.dataset.key = key;
    button.addEventListener("click", act);
    return button;
  }

  key(event) {
    if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
    const row = event.target.closest(".order-bar__answers, .order-bar__buttons");
    if (!row) return;
    const all = [...row.children];
    all[(all.indexOf(event.target) + (event.key === "ArrowRight" ? 1 : all.length - 1)) % all.length]?.focus();
    event.preventDefault();
    event.stopPropagation();
  }

  /** Keep the selected unit and what it can reach above the bar. */
  clear(active) {
    if (!this.offsetHeight) return;
    if (active) this.map?.uncover?.([active.province, ...active.targets().keys()].filter(Boolean));
    else this.map?.leave?.();
  }
}

function make(name, className, text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

customElements.define("order-bar", OrderBar);
