/** A chip under the finger that names the order just given by a tap on the map, and takes it back. */

const SHOWN_MS = 5000;
/** Pixels between the finger and the chip, and between the chip and the edges. */
const GAP = 28;
const EDGE = 8;

let chip;
let timer;

/** Show `text · Undo` in the order bar, or else at the point `x`, `y` of the window; a tap calls `undo`. */
export function showUndo(text, { x, y }, undo) {
  hideUndo();
  chip = document.createElement("button");
  chip.type = "button";
  chip.className = "undo-chip";
  const order = document.createElement("span");
  order.textContent = text;
  const word = document.createElement("strong");
  word.textContent = "Undo";
  chip.append(order, " · ", word);
  chip.addEventListener("click", () => {
    hideUndo();
    undo();
  });
  timer = setTimeout(hideUndo, SHOWN_MS);
  // Within the order bar, it hides nothing of the map.
  const bar = document.querySelector(".order-bar");
  if (bar?.offsetHeight) {
    bar.append(chip);
    return;
  }
  document.body.append(chip);
  const { width, height } = chip.getBoundingClientRect();
  const below = y + GAP + height + EDGE <= innerHeight ? y + GAP : y - GAP - height;
  chip.style.left = `${Math.max(EDGE, Math.min(x - width / 2, innerWidth - width - EDGE))}px`;
  chip.style.top = `${Math.max(EDGE, below)}px`;
}

export function hideUndo() {
  clearTimeout(timer);
  chip?.remove();
  chip = undefined;
}
