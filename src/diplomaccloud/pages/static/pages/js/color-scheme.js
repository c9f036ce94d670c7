/** Applies the colors that a person chooses at once. The server gives them to the pages that follow. */

/** The media query of pictures for dark colors, as in `color_scheme.py`. */
const MEDIA = { auto: "(prefers-color-scheme: dark)", light: "not all", dark: "all" };

function paint(scheme) {
  const { dataset } = document.documentElement;
  if (scheme === "auto") delete dataset.colorScheme;
  else dataset.colorScheme = scheme;
  document.querySelector('meta[name="color-scheme"]').content = scheme === "auto" ? "light dark" : scheme;
  for (const part of document.querySelectorAll("source[media], meta[media]")) part.media = MEDIA[scheme];
  for (const button of document.querySelectorAll(".scheme button")) {
    button.setAttribute("aria-pressed", String(button.value === scheme));
  }
}

document.addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  if (!form.matches(".scheme") || !submitter) return;
  event.preventDefault();
  const before = document.documentElement.dataset.colorScheme ?? "auto";
  paint(submitter.value);
  const body = new URLSearchParams(new FormData(form));
  body.set(submitter.name, submitter.value);
  const headers = { Accept: "application/json" };
  const answer = await fetch(form.action, { method: "POST", body, headers, keepalive: true }).catch(() => null);
  if (!answer?.ok) paint(before);
  // Stored pages get the new colors, too.
  else navigator.serviceWorker?.controller?.postMessage({ path: location.pathname });
});
