/** Cards of proposals that may still change, which are fetched again when the viewer's press has changed. */

const parse = (text) => new DOMParser().parseFromString(text, "text/html");

async function renew(card) {
  const answer = await fetch(card.dataset.card, { headers: { "HX-Request": "true" } }).catch(() => null);
  if (!answer?.ok || !card.isConnected) return;
  const now = parse(await answer.text()).querySelector(".deal");
  if (!now || card.contains(document.activeElement)) return;
  // Form tokens differ in each response.
  const strip = (part) => part.outerHTML.replace(/value="[A-Za-z0-9]{64}"/g, "");
  if (strip(now) !== strip(card)) card.replaceWith(document.adoptNode(now));
}

/** Fetch the cards in `part` of the page whose proposals may have changed. */
export const renewCards = (part) => Promise.all([...part.querySelectorAll("[data-card]")].map(renew));
