/** Messages waiting on this device are shown at the end of their conversation, marked as not sent. */

import { announce } from "../../pages/js/site.js";
import "../../pages/js/offline-store.js";

const store = globalThis.offlineStore;
const account = document.querySelector('meta[name="account"]')?.content ?? "none";
const canWait = isSecureContext && "serviceWorker" in navigator && account !== "none";

function makeButton(text, action) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.addEventListener("click", action);
  return button;
}

/** Return the recipients of a message from the form for several countries. */
function listAddressees({ fields }) {
  const labels = fields.filter(([name]) => name === "to").map(([, power]) => document.querySelector(`label[for="to-${CSS.escape(power)}"] > span`));
  const names = labels.filter(Boolean).map(({ textContent }) => textContent.trim());
  return names.length ? `To ${names.join(", ")}` : "";
}

/** Return what became of an unsent message; `isHeld` if an earlier one of the conversation was refused. */
function describe(entry, isHeld) {
  if (entry.refused) return `Not sent. ${entry.reason}`;
  return isHeld ? "Not sent. It waits for the message above." : "Not sent. Waiting for a connection.";
}

/** Take an unsent message back; return whether it was still there to take. */
async function withdraw({ id }) {
  const isWithdrawn = await store.withdrawMessage(id);
  if (!isWithdrawn) announce("Messages are being sent right now. Try again in a moment.");
  return isWithdrawn;
}

/** Return the bubble of an unsent message; only with a composer can its text be edited. */
function draw(entry, isHeld, canEdit, changed) {
  const article = document.createElement("article");
  article.className = `message message--yours message--${entry.refused ? "refused" : "waiting"}`;
  article.dataset.waiting = entry.id;
  const to = document.createElement("p");
  to.className = "small soft";
  to.textContent = listAddressees(entry);
  to.hidden = !to.textContent;
  const text = document.createElement("div");
  text.className = "message__text";
  text.dir = "auto";
  text.textContent = entry.body;
  const meta = document.createElement("footer");
  meta.className = "message__meta";
  meta.textContent = describe(entry, isHeld);
  const acts = document.createElement("div");
  acts.className = "message__waiting";
  if (entry.refused) {
    acts.append(makeButton("Send again", async () => {
      const { id, refused, reason, ...rest } = entry;
      await store.writeMessage({ ...rest, id });
      changed(true);
    }));
  }
  if (canEdit) acts.append(makeButton("Edit", async () => { if (await withdraw(entry)) changed(false, entry); }));
  acts.append(makeButton("Discard", async () => { if (await withdraw(entry)) changed(true); }));
  article.append(to, text, meta, acts);
  return article;
}

/** Show the waiting messages of the conversation in `part`; `changed` is called when the person handles one. */
export async function showWaiting(part, changed) {
  const composer = part.querySelector("message-composer");
  // A closed conversation has no composer, and can still have unsent messages.
  const place = composer?.dataset.unsent ?? part.querySelector(".conversation")?.dataset.url;
  const log = part.querySelector(".messages");
  if (!canWait || !log || !place) return;
  const entries = (await store.readMessages().catch(() => [])).filter((entry) => entry.account === account && entry.place === place);
  for (const old of log.querySelectorAll("[data-waiting]")) old.remove();
  const first = entries.findIndex(({ refused }) => refused);
  log.append(...entries.map((entry, index) => draw(entry, first >= 0 && index > first, Boolean(composer?.querySelector("textarea")), changed)));
  if (entries.length) log.querySelector(".messages__none")?.remove();
}

/** Send the waiting messages in order. */
export async function sendWaiting() {
  if (!canWait) return;
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value;
  await store.sendMessages(account, token);
}
