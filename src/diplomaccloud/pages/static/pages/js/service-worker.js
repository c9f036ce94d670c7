/**
 * The service worker: static files of this release come from a cache, pages from the network. The
 * pages of a person's own games are stored for when there is no network.
 */

const { release, offlineStore } = self;
const FILES = `files-${release.digest}`;
const MAX_PAGES = 12;
/** Parts of pages of games, which are fetched when they are shown. */
const PART = /\/games\/[^/]+\/parts\/[\w-]+\/$/;
const MAX_PARTS = 24;
const MAX_PICTURES = 18;
/** Milliseconds to wait for a page before its stored copy is shown. */
const PATIENCE = 10_000;
/** The address of a file of any release, and its path inside the release. */
const RELEASE_FILE = /\/static\/[0-9a-f]{12}\/(.+)$/;
/** The map under the board, in any style, and the shapes of its provinces: their addresses contain a digest of the map. */
const PICTURE = /^\/maps\/[0-9a-f]{64}\/(?:(?:[a-z-]+-)?(?:light|dark)\.svg|shapes\.json)$/;
/** The media query of pictures for dark colors, as in `color_scheme.py`. */
const DARK_MEDIA = { auto: "(prefers-color-scheme: dark)", light: "not all", dark: "all" };
/** The headers that a stored page still needs. */
const HEADERS = ["Content-Type", "Content-Security-Policy", "Referrer-Policy"];

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => answer(event));
self.addEventListener("sync", (event) => { if (event.tag === "orders") event.waitUntil(sendInBackground()); });
self.addEventListener("push", (event) => event.waitUntil(showNotice(event)));
self.addEventListener("notificationclick", (event) => event.waitUntil(openNotice(event)));
self.addEventListener("message", (event) => event.waitUntil(storeNow(event.data)));

/** Store what the offline page needs, and this release's versions of all files stored before. */
async function install() {
  const files = await caches.open(FILES);
  await files.addAll([...release.shell, release.offlinePage]);
  for (const name of await caches.keys()) {
    if (!name.startsWith("files-") || name === FILES) continue;
    const stored = await (await caches.open(name)).keys();
    const inside = stored.map(({ url }) => RELEASE_FILE.exec(url)?.[1]).filter(Boolean);
    await Promise.allSettled(inside.map((path) => files.add(release.prefix + path)));
  }
  await self.skipWaiting();
}

async function activate() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith("files-") && name !== FILES);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

function answer(event) {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method === "POST" && pathname === release.logout) event.respondWith(logOut(request));
  else if (request.method !== "GET") return;
  else if (RELEASE_FILE.test(pathname)) event.respondWith(readFile(request, pathname));
  else if (PICTURE.test(pathname)) event.respondWith(readPicture(request));
  else if (PART.test(pathname) && request.mode !== "navigate") event.respondWith(readPart(request, pathname));
  else if (request.mode === "navigate") event.respondWith(readPage(event, pathname));
}

async function logOut(request) {
  await offlineStore.wipe();
  const subscription = await self.registration.pushManager?.getSubscription().catch(() => null);
  await subscription?.unsubscribe().catch(() => {});
  return fetch(request);
}

/** Return a static file. A stored page of an older release gets the file of this one. */
async function readFile(request, pathname) {
  const files = await caches.open(FILES);
  const stored = await files.match(request);
  if (stored) return stored;
  try {
    const response = await fetch(request);
    if (response.ok && pathname.startsWith(release.prefix)) await files.put(request, response.clone());
    return response;
  } catch (error) {
    const current = await files.match(release.prefix + RELEASE_FILE.exec(pathname)[1]);
    if (current) return current;
    throw error;
  }
}

async function readPicture(request) {
  const account = await offlineStore.readAccount();
  if (!account) return fetch(request);
  const pictures = await caches.open(`account-${account}-pictures`);
  const stored = await pictures.match(request);
  if (stored) return stored;
  const response = await fetch(request).catch(async (error) => {
    // The person may have changed the colors after the board was stored.
    const other = request.url.replace(/(?:light|dark)(?=\.svg)/, (scheme) => (scheme === "dark" ? "light" : "dark"));
    const picture = await pictures.match(other);
    if (picture) return picture;
    throw error;
  });
  if (response.ok && response.url === request.url) {
    await pictures.put(request, response.clone());
    await trim(pictures, MAX_PICTURES);
  }
  return response;
}

/** Return a page from the network, or its stored copy if the network fails or takes too long. */
async function readPage(event, pathname) {
  const network = fetch(event.request).then((response) => {
    event.waitUntil(store(pathname, response.clone()));
    return response;
  });
  try {
    return await Promise.race([network, readLate(pathname)]);
  } catch {
    return await readStored(pathname) || await paint(await caches.match(release.offlinePage)) || Response.error();
  }
}

/** Return a part of a page from the network, or as it was last shown in the page's phase if the network fails. */
async function readPart(request, pathname) {
  const account = await offlineStore.readAccount();
  const parts = account && await caches.open(`account-${account}-parts`);
  const response = await fetch(request).catch(() => null);
  if (!response) {
    const stored = await parts?.match(pathname);
    return stored?.headers.get("Game-Phase") === request.headers.get("Game-Phase") ? stored : Response.error();
  }
  if (parts && response.ok && response.headers.get("Account") === account && response.headers.has("Offline-Copy")) {
    await parts.delete(pathname);
    await parts.put(pathname, response.clone());
    await trim(parts, MAX_PARTS);
  }
  return response;
}

async function readStored(pathname) {
  const account = await offlineStore.readAccount();
  const pages = account && await caches.open(`account-${account}`);
  return pages && paint(await pages.match(pathname));
}

/** Return a stored page in the colors of the last page from the network, which the person may have chosen since. */
async function paint(page) {
  const scheme = page && await offlineStore.readScheme();
  if (!scheme) return page;
  const root = scheme === "auto" ? "" : ` data-color-scheme="${scheme}"`;
  const text = (await page.text())
    .replace(/<html([^>]*?)(?: data-color-scheme="\w+")?>/, `<html$1${root}>`)
    .replace(/(<meta name="color-scheme" content=)"[^"]*"/, `$1"${scheme === "auto" ? "light dark" : scheme}"`)
    .replace(/(<(?:source|meta name="theme-color") media=)"[^"]*"/g, `$1"${DARK_MEDIA[scheme]}"`);
  return new Response(text, { headers: page.headers });
}

/** Return the stored page after a while; never settle without one. */
function readLate(pathname) {
  return new Promise((resolve) => {
    setTimeout(async () => {
      const page = await readStored(pathname).catch(() => null);
      if (page) resolve(page);
    }, PATIENCE);
  });
}

/** Note who the page is for, and store it if the server allows that. */
async function store(pathname, response) {
  const account = response.headers.get("Account");
  if (!account) return;
  await offlineStore.claim(account);
  await offlineStore.writeScheme(response.headers.get("Color-Scheme"));
  if (!response.ok || account === "none" || !response.headers.has("Offline-Copy")) return;
  const now = new Date().toISOString();
  const text = (await response.text()).replace("<html ", `<html data-stored-at="${now}" `);
  const headers = HEADERS.map((name) => [name, response.headers.get(name)]).filter(([, value]) => value);
  const pages = await caches.open(`account-${account}`);
  // The oldest comes first: a page that is stored again moves to the end.
  await pages.delete(pathname);
  await pages.put(pathname, new Response(text, { headers }));
  await trim(pages, MAX_PAGES);
}

/** Store the page at `path`, which has changed since it was opened, and files that are loaded already. */
async function storeNow({ path, loaded = [] }) {
  await Promise.allSettled(loaded.map((address) => {
    const { pathname } = new URL(address);
    if (RELEASE_FILE.test(pathname)) return readFile(new Request(address), pathname);
    return PICTURE.test(pathname) ? readPicture(new Request(address)) : null;
  }));
  const response = await fetch(path, { credentials: "same-origin" }).catch(() => null);
  if (response) await store(path, response);
}

async function trim(cache, size) {
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(keys.length - size, 0)).map((key) => cache.delete(key)));
}

/** The browser has a connection again, perhaps with no page open. */
async function sendInBackground() {
  const account = await offlineStore.readAccount();
  if (!account) return;
  const ends = await offlineStore.sendOrders(account);
  const messages = await offlineStore.sendMessages(account);
  for (const client of await self.clients.matchAll()) client.postMessage({ ends, messages: messages.length });
  if ([...ends, ...messages].some(([, end]) => end === "waiting")) throw new Error("Some orders or messages are still waiting.");
}

/** Show a notice that the site has pushed; a later one with the same tag takes its place. */
async function showNotice({ data }) {
  const { title, body, path, tag } = data.json();
  await self.registration.showNotification(title, { body, tag, renotify: true, icon: release.icon, badge: release.icon, data: { path } });
}

/** Open the page of a notice, in a window of the site if there is one. */
async function openNotice({ notification }) {
  notification.close();
  const address = new URL(notification.data.path, location.origin);
  if (address.origin !== location.origin) return;
  const windows = await self.clients.matchAll({ type: "window" });
  const open = windows.find(({ url }) => new URL(url).pathname === address.pathname) ?? windows[0];
  if (!open) await self.clients.openWindow(address.href);
  else {
    await open.focus();
    if (new URL(open.url).pathname !== address.pathname) await open.navigate(address.href).catch(() => self.clients.openWindow(address.href));
  }
}
