/**
 * Games without a connection, on the pages of a person with an account. The service worker stores
 * the boards; orders given offline wait here, the newest set of each game, and go when there is a connection.
 * The server treats them like any other form: it never overwrites newer orders or a phase that is over, and its answer
 * is shown.
 */

import { ORDERS, announce, isOutage } from "./site.js";
import "./offline-store.js";
import "./unsent-text.js";

const store = globalThis.offlineStore;
const account = document.querySelector('meta[name="account"]')?.content ?? "none";
/** When this page was stored, if it does not come from the server. */
const { storedAt } = document.documentElement.dataset;
/** The status of an answer that accepted some orders and refused others. */
const PARTLY = 422;
/** Milliseconds until waiting orders are sent again: at first, and at most. */
const FIRST_RETRY = 3000;
const LAST_RETRY = 30_000;
/** Milliseconds between attempts to load a stored page again. */
const RENEW = 5000;
/** Milliseconds in which the site must answer before that: if it is slower, the stored page would come again. */
const QUICK = 2000;

const pathOf = (address) => new URL(address, location.href).pathname;
const isOrders = (ctx) => ctx?.request?.method === "POST" && ORDERS.test(pathOf(ctx.request.action));

/** Return an element with children. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Show a note with the children in `place`, instead of the one with the same id. */
function showNote(id, level, place, ...children) {
  document.getElementById(id)?.remove();
  const note = make("div", { id, class: `note note--${level}`, role: "status" }, make("div", { class: "stack" }, ...children));
  place?.append(note);
  return note;
}

function button(text, action) {
  const element = make("button", { type: "button", class: "button button--quiet" }, text);
  element.addEventListener("click", action);
  return element;
}

const notices = () => document.getElementById("notices");
const formatTime = (time) => new Date(time).toLocaleString(undefined, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

/** Return the name under which a set of orders of this game waits: there is one, and the newest counts. */
function nameEntry(fields) {
  return `${account} ${location.pathname} ${fields.find(([name]) => name === "draft")?.[1] ?? ""}`;
}

function makeEntry(url, fields) {
  return {
    key: nameEntry(fields),
    account,
    url,
    page: location.pathname,
    game: document.querySelector("h1")?.textContent.trim() ?? "",
    phase: document.querySelector(".season")?.textContent.trim() ?? "",
    lines: describe(fields),
    fields,
    at: Date.now(),
  };
}

/** Store the orders that an order form could not save by itself; its own line says so, and it tries again, too. */
async function keepChange({ url, fields }) {
  await store.writeOrders(makeEntry(url, fields));
  document.getElementById("not-sent")?.remove();
  const registration = await navigator.serviceWorker.ready;
  await registration.sync?.register("orders").catch(() => {});
}

/** Store the orders of the form that htmx could not send. */
async function keep({ request, sourceElement }) {
  const form = sourceElement.closest("form");
  const fields = [...new URLSearchParams(request.body)];
  const entry = makeEntry(pathOf(request.action), fields);
  await store.writeOrders(entry);
  const element = form.closest("order-form");
  // Orders may have been changed since.
  if (element && describe(fields).join() === describe(new FormData(form)).join()) {
    element.sent = true;
    element.saver?.leaveToQueue();
    element.note?.();
  }
  showWaiting(entry);
  retry();
  announce("The orders are waiting on this device. They have not been sent yet.");
  const registration = await navigator.serviceWorker.ready;
  await registration.sync?.register("orders").catch(() => {});
}

/** Return the chosen and typed orders of the fields of a form as a person reads them. */
function describe(fields) {
  const orders = [...fields].filter(([name]) => name === "order" || name === "sheet");
  return orders.flatMap(([, value]) => value.split("\n")).map((line) => line.trim()).filter(Boolean);
}

/** Show that the orders of `entry` are waiting on this device. */
function showWaiting(entry) {
  const orders = entry.lines.flatMap((line, index) => [index ? ", " : " ", make("code", {}, line)]);
  const text = make("p", {}, make("strong", {}, "Not sent."), " These orders are waiting on this device for a connection. They count only if the phase is still open then:", ...orders);
  const note = showNote("not-sent", "warning", document.getElementById("order-form-status") ?? notices(), text, button("Discard them", async () => {
    await store.deleteOrders(entry.key);
    location.reload();
  }));
  note.scrollIntoView({ block: "nearest" });
}

/** Put waiting orders back into the form of a stored page. */
async function restore(entry) {
  const pages = await caches.open(`account-${account}`);
  const stored = await pages.match(location.pathname);
  const shown = document.querySelector("order-form");
  if (!stored || !shown) return;
  const page = new DOMParser().parseFromString(await stored.text(), "text/html");
  const form = page.querySelector("order-form");
  const values = (name) => entry.fields.filter(([field]) => field === name).map(([, value]) => value);
  if (form?.querySelector("[name=phase]")?.value !== values("phase")[0]) return;
  if (form.querySelector("[name=draft]")?.value !== values("draft")[0]) return;
  const chosen = values("order");
  for (const select of form.querySelectorAll("select[name=order]")) {
    const given = chosen.findIndex((value) => [...select.options].some((option) => option.value === value));
    if (given < 0) continue;
    const [value] = chosen.splice(given, 1);
    select.dataset.saved = "";
    for (const option of select.options) option.toggleAttribute("selected", option.value === value);
  }
  form.querySelector("[name=sheet]").textContent = values("sheet")[0] ?? "";
  // The page goes on as the one that gave the orders.
  [form.dataset.page] = values("page");
  [form.dataset.change] = values("change");
  form.querySelector("[name=version]").value = values("version")[0] ?? "";
  shown.replaceWith(form);
  window.htmx?.process?.(form);
}

/** Show that the server did not accept the orders, with a button for its answer. */
function showRefused(entry) {
  const form = make("form", { method: "post", action: `${entry.page}orders/`, class: "row" });
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value;
  for (const [name, value] of entry.fields) {
    form.append(make("input", { type: "hidden", name, value: name === "csrfmiddlewaretoken" && token ? token : value }));
  }
  // A page that saves by itself gets the reason; the answer to the whole form shows both sets.
  if (!entry.reason || entry.outdated) form.append(make("button", { class: "button" }, "Show why"));
  form.append(button("Discard them", async () => {
    await store.deleteOrders(entry.key);
    document.getElementById(`refused-${entry.at}`)?.remove();
  }));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await store.writeOrders({ ...entry, shown: true });
    form.submit();
  });
  const orders = `orders that you gave without a connection for ${entry.game}, ${entry.phase},`;
  const text = entry.status === PARTLY ? `Some of the ${orders} were not accepted. ` : `The ${orders} were not accepted. Nothing was changed. `;
  const lines = entry.lines.flatMap((line, index) => [index ? ", " : " ", make("code", {}, line)]);
  showNote(`refused-${entry.at}`, "error", notices(), make("p", {}, text, entry.reason ?? ""), make("p", {}, "Your orders:", ...lines), form);
}

/** Whether a reload would lose orders or conditions that are not saved, or interrupt saving them. */
function isBusy() {
  const form = document.querySelector("order-form");
  const conditions = document.querySelector("conditional-orders textarea");
  return Boolean(form?.dirty || form?.sending || form?.saver?.busy || conditions?.value !== conditions?.defaultValue);
}

/** Show how sending ended. */
function report(ends) {
  for (const [entry, end, answer] of ends) {
    const isHere = entry.page === location.pathname;
    const { fields, key } = entry;
    const event = new CustomEvent("orders-sent", { cancelable: true, detail: { fields, ...answer } });
    // The form that gave them says itself how it ended.
    if (end !== "waiting" && !document.dispatchEvent(event)) {
      if (end === "refused") store.deleteOrders(key);
    } else if (end === "refused") showRefused({ ...entry, status: answer.status, reason: answer.body?.error, outdated: answer.body?.outdated });
    // The page that comes next has the server's own message.
    else if (end === "sent" && isHere && !isBusy()) location.reload();
    else if (end === "sent" || end === "saved") {
      document.getElementById("not-sent")?.remove();
      const link = make("a", { href: entry.page }, "Open the game");
      const more = end === "saved" ? " You are not marked as ready. " : " ";
      showNote(`sent-${entry.at}`, "success", notices(), make("p", {}, `Your orders for ${entry.game}, ${entry.phase}, were sent.${more}`, link));
    }
  }
}

let pause = FIRST_RETRY;
let retrying = 0;

/** Send waiting orders after a pause, longer each time: the site can be down even when there is a connection. */
function retry() {
  clearTimeout(retrying);
  retrying = setTimeout(send, pause);
  pause = Math.min(pause * 2, LAST_RETRY);
}

async function send() {
  clearTimeout(retrying);
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value;
  let isDone = false;
  try {
    const ends = await store.sendOrders(account, token);
    report(ends);
    const messages = await store.sendMessages(account, token);
    if (messages.length) document.dispatchEvent(new CustomEvent("messages-sent"));
    isDone = ![...ends, ...messages].some(([, end]) => end === "waiting");
  } catch (error) {
    // The browser's store failed: phones close it when a page sleeps.
    console.warn("Sending stopped.", error);
  }
  if (isDone) pause = FIRST_RETRY;
  else retry();
}

/** Show that there is no connection, until there is one. */
function showConnection() {
  if (navigator.onLine && !storedAt) {
    document.getElementById("no-connection")?.remove();
    return;
  }
  const text = storedAt
    ? `No connection. This is the board as it was on ${formatTime(storedAt)}.`
    : "No connection. Orders that you give now wait on this device.";
  const again = make("a", { href: location.href }, "Try again");
  // A notice over the map has a cross instead.
  const hide = document.querySelector(".main--table") ? [] : [button("Hide", () => document.getElementById("no-connection").remove())];
  showNote("no-connection", "warning", notices(), make("p", {}, `${text} `, ...(storedAt ? [again] : [])), ...hide);
}

/** Load a stored page again once the site answers, unless that would lose orders. */
async function renewStored() {
  const { state } = document.querySelector("live-game")?.dataset ?? {};
  if (!state) return;
  const mayAsk = navigator.onLine && !document.hidden && !isBusy();
  const answer = mayAsk ? await fetch(state, { signal: AbortSignal.timeout?.(QUICK) }).catch(() => null) : null;
  if (answer?.ok && !isBusy()) location.reload();
  else setTimeout(renewStored, RENEW);
}

/**
 * Let the worker store this page if it was opened before there was a worker, and again if it changes,
 * but only when the person leaves it.
 */
function storeChanges(changed) {
  const loaded = () => performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.startsWith(location.origin));
  const tell = async () => {
    if (!changed || storedAt || !document.querySelector("live-game")) return;
    changed = false;
    (await navigator.serviceWorker.ready).active.postMessage({ path: location.pathname, loaded: loaded() });
  };
  document.addEventListener("htmx:after:swap", () => { changed = true; });
  document.addEventListener("visibilitychange", () => { if (document.hidden) tell(); });
  tell();
}

/** Whether this page is the server's answer to the orders, which were sent again as a form. */
function hasAnswer({ url }) {
  const [visit] = performance.getEntriesByType("navigation");
  return location.pathname === url || Boolean(visit?.redirectCount);
}

async function showEntries() {
  for (const entry of await store.readOrders()) {
    if (entry.account !== account) continue;
    if (entry.shown && !storedAt && hasAnswer(entry)) await store.deleteOrders(entry.key);
    else if (entry.refused) showRefused(entry);
    else if (entry.page === location.pathname) {
      if (storedAt) await restore(entry);
      if (!document.querySelector("order-form[data-change]")) showWaiting(entry);
    }
  }
}

/** Keep what can't be sent, and send it when there is a connection. */
function listen() {
  document.addEventListener("htmx:before:request", (event) => {
    const { ctx } = event.detail ?? {};
    if (navigator.onLine || !isOrders(ctx)) return;
    event.preventDefault();
    keepOrSay(ctx);
  });
  document.addEventListener("htmx:error", ({ detail }) => {
    if (isOrders(detail?.ctx) && !detail.ctx.response) keepOrSay(detail.ctx);
  });
  document.addEventListener("htmx:response:error", ({ detail }) => {
    if (isOrders(detail?.ctx) && isOutage(detail.ctx)) keepOrSay(detail.ctx);
  });
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (data.ends) report(data.ends);
    if (data.messages) document.dispatchEvent(new CustomEvent("messages-sent"));
  });
  addEventListener("online", () => { showConnection(); send(); });
  addEventListener("offline", showConnection);
  document.addEventListener("message-waits", retry);
  document.addEventListener("orders-wait", (event) => {
    event.preventDefault();
    keepChange(event.detail).catch((error) => console.warn("The orders cannot be stored.", error));
  });
  document.addEventListener("orders-answered", ({ detail: { fields } }) => {
    const { page, change } = Object.fromEntries(fields);
    store.dropOrders(nameEntry(fields), page, change).catch(() => {});
  });
}

/** Store the orders, or say that this browser cannot. */
function keepOrSay(ctx) {
  keep(ctx).catch(() => {
    const form = ctx.sourceElement.closest("order-form");
    if (form) {
      form.sent = false;
      form.note?.();
    }
    showNote("not-kept", "error", notices(), "Your orders were not sent, and this browser cannot store them. Leave this page open and try again.");
  });
}

/** Register the worker, trying again until the site answers. */
function register() {
  navigator.serviceWorker.register("/service-worker.js").catch(() => setTimeout(register, LAST_RETRY));
}

async function start() {
  const isFirst = !navigator.serviceWorker.controller;
  register();
  showConnection();
  try {
    if (!storedAt) await store.claim(account);
    await showEntries();
  } catch (error) {
    console.warn("What waits on this device cannot be read.", error);
  }
  if (navigator.onLine) await send();
  if (storedAt) setTimeout(renewStored, RENEW);
  storeChanges(isFirst);
}

if (isSecureContext && "serviceWorker" in navigator) {
  listen();
  if (document.readyState === "complete") start();
  else addEventListener("load", start);
} else {
  for (const note of document.querySelectorAll("[data-not-offline]")) note.hidden = false;
}
