/** The page shown for an address that is not stored: lists the boards that are. */

import "./offline-store.js";

const list = document.getElementById("stored-games");
const account = await globalThis.offlineStore.readAccount();
if (account) {
  const pages = await caches.open(`account-${account}`);
  for (const request of [...await pages.keys()].reverse()) {
    const text = await (await pages.match(request)).text();
    const page = new DOMParser().parseFromString(text, "text/html");
    const link = document.createElement("a");
    link.href = new URL(request.url).pathname;
    link.textContent = page.title.replace(/ · Diplomaccloud$/, "");
    const item = document.createElement("li");
    item.append(link);
    list.append(item);
  }
}
document.getElementById(list.childElementCount ? "stored" : "nothing-stored").hidden = false;
document.getElementById("try-again").addEventListener("click", () => location.reload());
