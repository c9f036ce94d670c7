/** The last receipts of each game, as this browser got them with the answers to saved orders. */

const MOST = 20;

/** The name begins like those of `unsent-text.js`, which deletes them at log-out and for other accounts. */
const nameOf = (game) => `unsent ${document.querySelector('meta[name="account"]')?.content ?? "none"} receipts ${game}`;

/** Return the receipts of `game` that this browser has, oldest first. */
export function readReceipts(game) {
  try {
    return JSON.parse(localStorage.getItem(nameOf(game))) ?? [];
  } catch {
    return [];
  }
}

/** Keep `receipt`, and of its game only the last ones. */
export function keepReceipt(receipt) {
  try {
    const receipts = [...readReceipts(receipt.game), receipt].slice(-MOST);
    localStorage.setItem(nameOf(receipt.game), JSON.stringify(receipts));
  } catch { /* this browser stores nothing: the site has the last receipt */ }
}

/** `<kept-receipts data-game>`: offers them as a file. */
class KeptReceipts extends HTMLElement {
  connectedCallback() {
    const receipts = readReceipts(this.dataset.game);
    this.hidden = !receipts.length;
    this.querySelector("[data-number]").textContent = receipts.length;
    const text = receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join("");
    this.querySelector("a").href = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
  }
}

customElements.define("kept-receipts", KeptReceipts);
