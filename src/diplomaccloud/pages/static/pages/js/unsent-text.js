/**
 * Text that a person has typed and not sent: stored in this browser for one account, so that it survives a
 * reload, and deleted at log-out and when another account logs in here. A form's own key is stored with it:
 * two tabs with the same text send it once.
 */

const PREFIX = "unsent ";
const WIPED = "unsent-wiped";
const LOGOUT = "/accounts/logout/";
const account = document.querySelector('meta[name="account"]')?.content ?? "none";
const nameOf = (place) => `${PREFIX}${account} ${place}`;

/** Run `work` on the store; return null if the browser stores nothing. */
function use(work) {
  try { return work(localStorage); } catch { return null; }
}

/** Return what was stored for `place`, null if nothing was. */
export function readUnsent(place) {
  const text = use((store) => store.getItem(nameOf(place)));
  try { return text ? JSON.parse(text) : null; } catch { return null; }
}

export function writeUnsent(place, value) {
  use((store) => store.setItem(nameOf(place), JSON.stringify(value)));
}

export function deleteUnsent(place) {
  use((store) => store.removeItem(nameOf(place)));
}

/** Call `changed` with the value, or null, when another tab changes what is stored for `place`. */
export function watchUnsent(place, changed, signal) {
  addEventListener("storage", ({ key, newValue }) => {
    if (key === WIPED) changed(null, true);
    else if (key === nameOf(place)) changed(newValue ? JSON.parse(newValue) : null, false);
  }, { signal });
}

/** Delete the text of all accounts but `mine`. */
function wipe(mine) {
  use((store) => {
    const names = Object.keys(store).filter((name) => name.startsWith(PREFIX));
    for (const name of names) if (!mine || !name.startsWith(`${PREFIX}${mine} `)) store.removeItem(name);
    if (!mine) store.setItem(WIPED, String(Date.now()));
  });
}

document.addEventListener("submit", ({ target }) => {
  if (new URL(target.action, location.href).pathname === LOGOUT) wipe("");
});
if (account !== "none") wipe(account);
