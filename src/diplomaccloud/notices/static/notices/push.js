/** The button that lets this browser show notices while the site is closed. */

const form = document.getElementById("push-form");
const button = document.getElementById("push-button");
const state = document.getElementById("push-state");

/** Return the bytes of base64url text. */
function decode(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** Return a short name for this browser in the list of destinations. */
function describeBrowser() {
  const names = [["Edg/", "Edge"], ["OPR/", "Opera"], ["Firefox/", "Firefox"], ["Chrome/", "Chrome"], ["Safari/", "Safari"]];
  const systems = [["Android", "Android"], ["iPhone", "iPhone"], ["iPad", "iPad"], ["Windows", "Windows"], ["Mac OS", "Mac"], ["Linux", "Linux"]];
  const find = (list) => list.find(([part]) => navigator.userAgent.includes(part))?.[1];
  return [find(names) ?? "Browser", find(systems)].filter(Boolean).join(", ");
}

async function subscribe(event) {
  event.preventDefault();
  button.disabled = true;
  try {
    if (await Notification.requestPermission() !== "granted") {
      state.textContent = "Your browser blocks notices from this site. Change that in the browser's settings.";
      return;
    }
    const { pushManager } = await navigator.serviceWorker.ready;
    const options = { userVisibleOnly: true, applicationServerKey: decode(form.dataset.key) };
    const { endpoint, keys } = (await pushManager.subscribe(options)).toJSON();
    const values = { endpoint, p256dh: keys.p256dh, auth: keys.auth, label: describeBrowser() };
    for (const [name, value] of Object.entries(values)) form.elements[name].value = value;
    form.submit();
  } catch {
    state.textContent = "The browser could not set this up. Try again later, or use another browser.";
  } finally {
    button.disabled = false;
  }
}

async function start() {
  if (!isSecureContext || !("serviceWorker" in navigator) || !("PushManager" in window)) return;
  button.hidden = false;
  form.addEventListener("submit", subscribe);
  const { pushManager } = await navigator.serviceWorker.ready;
  const known = await pushManager.getSubscription();
  if (Notification.permission === "denied") {
    state.textContent = "Your browser blocks notices from this site. Change that in the browser's settings.";
  } else {
    state.textContent = known ? "This browser is subscribed. If it is not in the list, allow it again." : "";
    if (known) button.textContent = "Allow again";
  }
}

if (form) start();
