/**
 * Passkeys: a form with `data-passkey="create"` or `"get"` sends the browser's response to the options in
 * `#passkey-options`, or for a log-in to those at the address in `data-options`.
 */

const FAILED = "That did not work. Try again, or use another method.";

function toBytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

function toText(buffer) {
  const plain = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const toKey = (key) => ({ ...key, id: toBytes(key.id) });

async function readOptions(form) {
  if (!form.dataset.options) {
    const data = JSON.parse(document.querySelector("#passkey-options").textContent);
    return data.creation_options ?? data.request_options;
  }
  const answer = await fetch(form.dataset.options, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return (await answer.json()).request_options;
}

function create(options, form) {
  const alone = Boolean(form.elements.passwordless?.checked);
  const selection = { ...options.authenticatorSelection };
  selection.requireResidentKey = alone;
  selection.residentKey = alone ? "required" : "discouraged";
  if (alone) selection.userVerification = "required";
  return navigator.credentials.create({ publicKey: {
    ...options,
    authenticatorSelection: selection,
    challenge: toBytes(options.challenge),
    user: toKey(options.user),
    excludeCredentials: (options.excludeCredentials ?? []).map(toKey),
  } });
}

function get(options) {
  return navigator.credentials.get({ publicKey: {
    ...options,
    challenge: toBytes(options.challenge),
    allowCredentials: (options.allowCredentials ?? []).map(toKey),
  } });
}

/** Return the credential as JSON, with text for bytes. */
function describe(credential) {
  const response = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (credential.response[name]) response[name] = toText(credential.response[name]);
  }
  if (credential.response.getTransports) response.transports = credential.response.getTransports();
  return JSON.stringify({
    id: credential.id,
    rawId: toText(credential.rawId),
    type: credential.type,
    authenticatorAttachment: credential.authenticatorAttachment ?? null,
    clientExtensionResults: credential.getClientExtensionResults(),
    response,
  });
}

async function use(form) {
  const error = form.querySelector("[data-passkey-error]");
  error.hidden = true;
  try {
    const options = (await readOptions(form)).publicKey;
    const credential = await (form.dataset.passkey === "create" ? create : get)(options, form);
    form.elements.credential.value = describe(credential);
    form.submit();
  } catch {
    error.textContent = FAILED;
    error.hidden = false;
  }
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  if (window.isSecureContext && window.PublicKeyCredential) {
    form.hidden = false;
    form.querySelector("button").addEventListener("click", () => use(form));
    form.addEventListener("submit", (event) => { event.preventDefault(); use(form); });
  }
}
