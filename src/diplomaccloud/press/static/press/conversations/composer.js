/**
 * `<message-composer data-unsent="...">` around a form: keeps the text until it is sent, sends without leaving the
 * page, and stores messages on this device while there is no connection. The form's key makes the server accept a
 * message only once, however often it is sent.
 */

import { announce, waitForAnswer } from "../../pages/js/site.js";
import { deleteUnsent, readUnsent, watchUnsent, writeUnsent } from "../../pages/js/unsent-text.js";
import "../../pages/js/offline-store.js";

const MAX_LENGTH = 10_000;
/** How close to the limit the number of remaining characters is shown. */
const NEAR_LIMIT = 1000;
const KEY_BYTES = 16;
const OUTAGES = [500, 502, 503, 504];
/** Why a message was not sent, by the status of a response without a reason. */
const NOT_SENT = {
  400: "Not sent: the text has a character that cannot be sent. Your text stays here.",
  403: "Not sent: you have logged in or out since opening this page. Reload it. Your text stays here.",
  other: "Not sent. Your text stays here.",
};
const LOGGED_OUT = 401;
const LOGIN = "/accounts/login/";
const NOT_STORED = ["csrfmiddlewaretoken"];
const account = document.querySelector('meta[name="account"]')?.content ?? "none";
const canWait = isSecureContext && "serviceWorker" in navigator && account !== "none";

function makeKey() {
  return [...crypto.getRandomValues(new Uint8Array(KEY_BYTES))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Return the number of characters as the server counts them. */
const countCharacters = (text) => [...text.normalize("NFC").replace(/\r\n?/g, "\n")].length;

/** Return the values of one field from stored fields. */
const valuesOf = (stored, name) => (stored ?? []).filter(([field]) => field === name).map(([, value]) => value);

class MessageComposer extends HTMLElement {
  connectedCallback() {
    this.form = this.querySelector("form");
    this.text = this.querySelector("textarea");
    if (!this.text) return;
    this.state = this.querySelector(".composer__state");
    this.place = this.dataset.unsent;
    this.stop = new AbortController();
    const { signal } = this.stop;
    this.form.addEventListener("submit", (event) => this.submit(event), { signal });
    this.form.addEventListener("input", () => this.note(), { signal });
    this.text.addEventListener("keydown", (event) => this.press(event), { signal });
    watchUnsent(this.place, (value, wiped) => this.follow(value, wiped), signal);
    // A refused message returned by the server is newer than the stored one.
    if ("carried" in this.dataset) this.join(readUnsent(this.place));
    else if (!this.querySelector(".composer__error")) this.fill(readUnsent(this.place));
    this.fit();
    this.count();
  }

  disconnectedCallback() {
    this.stop?.abort();
  }

  get fields() {
    return [...new FormData(this.form)].filter(([name]) => !NOT_STORED.includes(name));
  }

  /** Put stored fields into the form. */
  fill(stored) {
    if (!stored?.length) return;
    const values = (name) => valuesOf(stored, name);
    if (!values("body")[0] && !values("subject")[0]) return;
    this.text.value = values("body")[0] ?? "";
    const { subject, key } = this.form.elements;
    if (subject) {
      subject.value = values("subject")[0] ?? "";
      if (subject.value) subject.closest("details")?.setAttribute("open", "");
    }
    key.value = values("key")[0] ?? key.value;
    for (const box of this.form.querySelectorAll("[type=checkbox][name=to]")) box.checked ||= values("to").includes(box.value);
    for (const choice of this.form.querySelectorAll("[name=mode]")) choice.checked = values("mode").includes(choice.value);
  }

  /** Put the fields of an unsent message back into the form, as a new message, before what was typed since. */
  edit(fields) {
    const typed = this.text.value;
    this.fill(fields.filter(([name]) => name !== "key"));
    if (typed.trim()) this.text.value = `${this.text.value}\n\n${typed}`;
    this.note();
    this.text.focus();
  }

  /** Append text from another form to the stored text, and store both. */
  join(stored) {
    const before = valuesOf(stored, "body")[0];
    if (before && !this.text.value.includes(before)) this.text.value = this.text.value ? `${before}\n\n${this.text.value}` : before;
    this.note();
  }

  /** Store the contents of the form. */
  note() {
    const { subject } = this.form.elements;
    if (this.text.value || subject?.value) writeUnsent(this.place, this.fields);
    else deleteUnsent(this.place);
    this.fit();
    this.count();
  }

  /** Handle changes from another tab: typing, sending or logging out. */
  follow(value, wiped) {
    if (value && document.activeElement !== this.text) this.fill(value);
    else if (wiped || (value === null && document.activeElement !== this.text)) this.clear();
  }

  clear() {
    this.text.value = "";
    if (this.form.elements.subject) this.form.elements.subject.value = "";
    this.form.elements.key.value = makeKey();
    this.say("");
    this.fit();
  }

  /** Grow with the text in browsers that don't do it. */
  fit() {
    if (CSS.supports("field-sizing", "content")) return;
    this.text.style.height = "auto";
    this.text.style.height = `${this.text.scrollHeight + 2}px`;
  }

  count() {
    const left = MAX_LENGTH - countCharacters(this.text.value);
    if (left < 0) this.say(`${-left} characters too many.`, true);
    else if (left < NEAR_LIMIT) this.say(`${left} characters left.`);
    else if (this.state.dataset.count) this.say("");
    this.state.toggleAttribute("data-count", left < NEAR_LIMIT);
  }

  press(event) {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    this.form.requestSubmit();
  }

  say(text, isWrong = false) {
    this.state.textContent = text;
    this.state.classList.toggle("is-wrong", isWrong);
  }

  /** Say why nothing was sent, with a log-in link that returns here. The text is stored in this browser. */
  offerLogin(text) {
    this.say(`${text} `, true);
    const link = document.createElement("a");
    link.href = `${LOGIN}?${new URLSearchParams({ next: location.pathname })}`;
    link.textContent = "Log in";
    this.state.append(link);
  }

  async submit(event) {
    const other = event.submitter?.hasAttribute("formaction") ? event.submitter : null;
    if (other && !this.leave(other)) return;
    event.preventDefault();
    if (other) return;
    if (this.sending) return;
    this.querySelector(".composer__error")?.remove();
    if (this.form.querySelector(".addressees") && !this.form.querySelector(".addressees :checked")) {
      this.say("Choose at least one country.", true);
      this.form.querySelector(".addressees input").focus();
      return;
    }
    this.sending = true;
    this.say("Sending…");
    // Not `disabled`, which would take the focus away.
    const send = this.querySelector("button.composer__send, .button--main");
    send.setAttribute("aria-disabled", "true");
    try {
      await this.send();
    } catch {
      this.say("Not sent, and this browser cannot store the message. Your text stays here. Try again.", true);
    } finally {
      this.sending = false;
      send.removeAttribute("aria-disabled");
    }
  }

  /** Run the action of a button other than Send; return whether it is done. The text stays in this browser. */
  leave({ dataset: { href, carry }, value }) {
    if (value === "detach") this.detach();
    else if (carry) this.carry(carry);
    else if (href) location.assign(href);
    else return false;
    return true;
  }

  /** Move the text, subject and attachment to the conversation `url`. */
  carry(url) {
    const own = this.fields.filter(([name]) => ["subject", "body"].includes(name));
    const before = valuesOf(readUnsent(url), "body")[0] ?? "";
    const text = [before, this.text.value].filter(Boolean).join("\n\n");
    if (text || own[0]?.[1]) writeUnsent(url, own.map(([name, value]) => [name, name === "body" ? text : value]));
    const attached = [...this.querySelectorAll("[data-attached] input")].map(({ name, value }) => [name, value]);
    const address = attached.length ? `${url}?${new URLSearchParams(attached)}` : url;
    deleteUnsent(this.place);
    const event = new CustomEvent("message-carried", { bubbles: true, cancelable: true, detail: address });
    if (this.dispatchEvent(event)) location.assign(address);
  }

  async send() {
    const fields = [...new FormData(this.form)];
    const typed = this.text.value;
    const { action } = this.form;
    const isBlocked = canWait && (await this.waiting()).length > 0;
    if (canWait && (isBlocked || !navigator.onLine)) return this.wait(fields, typed);
    const body = new URLSearchParams(fields);
    const headers = { Accept: "application/json" };
    const answer = await fetch(action, { method: "POST", body, headers, signal: waitForAnswer() }).catch(() => null);
    if (!answer || OUTAGES.includes(answer.status)) {
      if (canWait && !answer) return this.wait(fields, typed);
      return this.say("Not sent: the site does not answer. Your text stays here. Try again.", true);
    }
    const result = await answer.json().catch(() => ({}));
    if (answer.status === LOGGED_OUT) return this.offerLogin(result.error);
    if (result.used) {
      this.form.elements.key.value = makeKey();
      this.note();
    }
    if (!answer.ok) return this.say(result.error ?? NOT_SENT[answer.status] ?? NOT_SENT.other, true);
    this.finish(typed);
    this.say(result.note ?? "");
    this.dispatchEvent(new CustomEvent("message-sent", { bubbles: true, detail: result }));
  }

  /** The unsent messages of the same conversation. */
  async waiting() {
    const entries = await globalThis.offlineStore.readMessages().catch(() => []);
    return entries.filter((entry) => entry.account === account && entry.place === this.place);
  }

  /** Store the message on this device until there is a connection. */
  async wait(fields, typed) {
    const body = fields.find(([name]) => name === "body")?.[1] ?? "";
    await globalThis.offlineStore.writeMessage({ account, place: this.place, url: new URL(this.form.action).pathname, fields, body, at: Date.now() });
    this.finish(typed);
    announce("No connection. Your message is saved on this device and will be sent later.");
    this.dispatchEvent(new CustomEvent("message-waits", { bubbles: true }));
    // Not awaited: without a service worker this never resolves, and the page sends waiting messages.
    navigator.serviceWorker.ready.then(({ sync }) => sync?.register("orders")).catch(() => {});
  }

  /** The attachment was sent with the message: a reload must not attach it again. */
  detach() {
    const attached = this.querySelector("[data-attached]");
    if (!attached) return;
    attached.remove();
    this.querySelector(".attach-row")?.removeAttribute("hidden");
    this.text.required = true;
    const url = new URL(location.href);
    url.search = "";
    history.replaceState(history.state, "", url);
  }

  /** The text `typed` is on its way: keep only what was written in the meantime. */
  finish(typed) {
    const { value } = this.text;
    const rest = value.startsWith(typed) ? value.slice(typed.length).trimStart() : value;
    deleteUnsent(this.place);
    this.detach();
    this.clear();
    if (!rest) return this.count();
    this.text.value = rest;
    return this.note();
  }
}

customElements.define("message-composer", MessageComposer);
