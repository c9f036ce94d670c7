/**
 * Cards of proposals and documents that may still change, which are fetched again when the viewer's press has
 * changed. A document whose text has changed on the page can be signed only after the reader has said so.
 */

const parse = (text) => new DOMParser().parseFromString(text, "text/html");

/** The digests of the documents' texts that the reader has read, by the address of the card. */
const read = new Map();

/** Return the card as the server sends it, without form tokens, which differ in each response. */
function describe(card) {
  const copy = card.cloneNode(true);
  copy.querySelector("[data-again]")?.remove();
  copy.querySelector("[data-sign]")?.removeAttribute("disabled");
  for (const time of copy.querySelectorAll("time")) time.replaceWith(time.dateTime);
  return copy.outerHTML.replace(/value="[A-Za-z0-9]{64}"/g, "");
}

/** Let the reader sign the new text only after ticking that it was read, away from the button. */
function guard(card) {
  const [url, digest] = [card.dataset.card, card.querySelector("[name=digest]")?.value];
  const [sign, before] = [card.querySelector("[data-sign]"), read.get(url)];
  if (!before && digest) read.set(url, digest);
  if (!sign || !before || before === digest || card.querySelector("[data-again]")) return;
  sign.disabled = true;
  const [again, box] = [document.createElement("label"), document.createElement("input")];
  again.className = "document__again";
  again.dataset.again = "";
  box.type = "checkbox";
  box.autocomplete = "off";
  box.addEventListener("change", () => {
    sign.disabled = !box.checked;
    read.set(url, box.checked ? digest : before);
  });
  again.append(box, "I have read the new text.");
  sign.form.before(again);
}

/** Watch the texts of the documents in `part` of the page. */
export const guardDocuments = (part) => part.querySelectorAll(".document[data-card]").forEach(guard);

/** For each card: the one that now stands in its place, and the number of the request that it answers. */
const places = new WeakMap();
let asked = 0;

/** Fetch a card again. An answer that a newer one has overtaken is dropped. */
async function renew(card) {
  const place = places.get(card) ?? { card, answered: 0 };
  places.set(card, place);
  asked += 1;
  const number = asked;
  const answer = await fetch(card.dataset.card, { headers: { "HX-Request": "true" } }).catch(() => null);
  const now = answer?.ok ? parse(await answer.text().catch(() => "")).querySelector(".deal") : null;
  if (!now || number < place.answered) return;
  place.answered = number;
  if (!place.card.isConnected || place.card.contains(document.activeElement)) return;
  if (describe(now) === describe(place.card)) return;
  place.card.replaceWith(document.adoptNode(now));
  place.card = now;
  places.set(now, place);
  guard(now);
}

/** Fetch the cards in `part` of the page whose proposals may have changed. */
export const renewCards = (part) => Promise.all([...part.querySelectorAll("[data-card]")].map(renew));
