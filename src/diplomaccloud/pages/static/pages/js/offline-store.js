/**
 * What a browser stores for use without a connection: which account it belongs to, and orders and
 * messages that have not been sent yet. The service worker runs this file too, as part of its own text.
 */

(() => {
  const DATABASE = "diplomaccloud";
  const LOCK = "diplomaccloud-orders";
  /** Statuses that mean to try again later, besides those of a server that is down: busy, or logged out. */
  const LATER = [401, 408, 429];
  const FORBIDDEN = 403;
  /** Milliseconds to wait for an answer: one that never comes must not hold up everything after it. */
  const PATIENCE = 30_000;

  function open() {
    return new Promise((resolve, reject) => {
      const request = indexedDB.open(DATABASE, 2);
      request.onupgradeneeded = ({ oldVersion }) => {
        if (oldVersion < 1) {
          request.result.createObjectStore("facts");
          request.result.createObjectStore("orders", { keyPath: "key" });
        }
        request.result.createObjectStore("messages", { keyPath: "id", autoIncrement: true });
      };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  }

  /** Run `work` on an object store and return the result of its request. */
  async function use(name, mode, work) {
    const database = await open();
    try {
      return await new Promise((resolve, reject) => {
        const transaction = database.transaction(name, mode);
        const request = work(transaction.objectStore(name));
        transaction.oncomplete = () => resolve(request?.result);
        transaction.onerror = transaction.onabort = () => reject(transaction.error);
      });
    } finally {
      database.close();
    }
  }

  const readAccount = () => use("facts", "readonly", (facts) => facts.get("account"));
  const writeAccount = (account) => use("facts", "readwrite", (facts) => facts.put(account, "account"));
  const readScheme = () => use("facts", "readonly", (facts) => facts.get("scheme"));
  const writeScheme = (scheme) => use("facts", "readwrite", (facts) => facts.put(scheme, "scheme"));
  const readOrders = () => use("orders", "readonly", (orders) => orders.getAll());
  const writeOrders = (entry) => use("orders", "readwrite", (orders) => orders.put(entry));
  /**
   * Replace or delete a stored entry that was just sent, unless the person has changed or discarded it in the meantime.
   */
  const settle = (name, key, { at }, next) => use(name, "readwrite", (entries) => {
    const read = entries.get(key);
    read.onsuccess = () => {
      if (read.result?.at !== at) return;
      if (next) entries.put(next);
      else entries.delete(key);
    };
    return read;
  });

  /** Delete the waiting orders under `key`, unless they are of another page, or of a later change than `change`. */
  const dropOrders = (key, page, change) => use("orders", "readwrite", (orders) => {
    const read = orders.get(key);
    read.onsuccess = () => {
      const fields = Object.fromEntries(read.result?.fields ?? []);
      if (fields.page === page && Number(fields.change) <= Number(change)) orders.delete(key);
    };
    return read;
  });

  const deleteOrders = (key) => use("orders", "readwrite", (orders) => orders.delete(key));
  const readMessages = () => use("messages", "readonly", (messages) => messages.getAll());
  const writeMessage = (entry) => use("messages", "readwrite", (messages) => messages.put(entry));
  const deleteMessage = (id) => use("messages", "readwrite", (messages) => messages.delete(id));

  /** Delete all stored pages, and their pictures. */
  async function deletePages() {
    if (!("caches" in globalThis)) return;
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith("account-")).map((name) => caches.delete(name)));
  }

  /** Delete everything that belongs to an account. */
  async function wipe() {
    await deletePages();
    await use("orders", "readwrite", (orders) => orders.clear());
    await use("messages", "readwrite", (messages) => messages.clear());
    await use("facts", "readwrite", (facts) => facts.clear());
  }

  /**
   * Note that `account` is logged in here, or nobody if it is "none". What another account left is
   * deleted. If a session has ended without a log-out, orders wait for their owner to log in again.
   */
  async function claim(account) {
    const before = await readAccount();
    if (account === before) return;
    await deletePages();
    if (account === "none") return;
    for (const { key, account: owner } of await readOrders()) if (owner !== account) await deleteOrders(key);
    for (const { id, account: owner } of await readMessages()) if (owner !== account) await deleteMessage(id);
    await writeAccount(account);
  }

  /** Send the fields of an entry as its form would have been sent; return the answer, or null if it must wait. */
  async function post({ url, fields }, token, redirect = "follow") {
    const body = new URLSearchParams(fields);
    if (token) body.set("csrfmiddlewaretoken", token);
    const headers = { Accept: "application/json" };
    const signal = AbortSignal.timeout?.(PATIENCE);
    const answer = await fetch(url, { method: "POST", body, headers, redirect, signal }).catch(() => null);
    if (!answer || answer.status >= 500 || LATER.includes(answer.status)) return null;
    // The token is older than the last log-in: the next page has a newer one.
    if (answer.status === FORBIDDEN && (await answer.clone().json().catch(() => null))?.stale) return null;
    return answer;
  }

  /**
   * Send one entry as its form would have been sent, and return how it ended: "sent", "saved" if the
   * server saved the orders and has something to say about them, "refused", or "waiting"; and what the server
   * answered to a page that saves by itself.
   */
  async function sendEntry(entry, token) {
    const answer = await post(entry, token, "manual");
    if (!answer) return ["waiting"];
    const { status } = answer;
    const body = answer.type === "opaqueredirect" ? null : await answer.json().catch(() => null);
    if (answer.type === "opaqueredirect" || answer.ok) {
      await settle("orders", entry.key, entry);
      return [answer.ok && !body ? "saved" : "sent", { status, body }];
    }
    await settle("orders", entry.key, entry, { ...entry, refused: true, status, reason: body?.error, outdated: body?.outdated });
    return ["refused", { status, body }];
  }

  /**
   * Send the waiting orders of `account`, each once, and return `[entry, end, answer]` for each. `token` is the page's
   * CSRF token, which may be newer than those of the forms.
   */
  function sendOrders(account, token = "") {
    return navigator.locks.request(LOCK, async () => {
      const ends = [];
      for (const entry of await readOrders()) {
        if (entry.account === account && !entry.refused) ends.push([entry, ...await sendEntry(entry, token)]);
      }
      return ends;
    });
  }

  /** Send one message, and return how it ended: "sent", "refused", or "waiting". */
  async function sendMessage(entry, token) {
    const answer = await post(entry, token);
    if (!answer) return "waiting";
    if (answer.ok) {
      await settle("messages", entry.id, entry);
      return "sent";
    }
    const { error: reason = "" } = await answer.json().catch(() => ({}));
    await settle("messages", entry.id, entry, { ...entry, refused: true, reason });
    return "refused";
  }

  /**
   * Send the waiting messages of `account`, oldest first, and return `[entry, end]` for each. A message
   * that waits or is refused stops those after it in the same conversation.
   */
  function sendMessages(account, token = "") {
    return navigator.locks.request(LOCK, async () => {
      const ends = [];
      const stopped = new Set();
      for (const entry of await readMessages()) {
        if (entry.account !== account || stopped.has(entry.place)) continue;
        const end = entry.refused ? "refused" : await sendMessage(entry, token);
        if (end !== "sent") stopped.add(entry.place);
        if (!entry.refused) ends.push([entry, end]);
      }
      return ends;
    });
  }

  /** Delete an unsent message; return false, and keep it, while something is being sent: perhaps this message. */
  const withdrawMessage = (id) => navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (lock) await deleteMessage(id);
    return Boolean(lock);
  });

  globalThis.offlineStore = {
    readAccount, readScheme, writeScheme, readOrders, writeOrders, deleteOrders, dropOrders, wipe, claim, sendOrders,
    readMessages, writeMessage, withdrawMessage, sendMessages,
  };
})();
