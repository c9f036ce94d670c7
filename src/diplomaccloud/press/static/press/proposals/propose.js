/** The proposal page: tapping the map chooses a unit and then its order, or the provinces of a zone. */

const form = document.getElementById("proposal");
const map = document.querySelector(".proposal__map map-view");
const hint = document.querySelector(".proposal__hint");
const order = form?.querySelector("#order");
const tap = matchMedia("(hover: hover) and (pointer: fine)").matches ? "Click" : "Tap";
const HINTS = {
  order: `${tap} a unit, then the province it moves to.`,
  dmz: `${tap} the provinces of the zone.`,
};
let unit = "";

const kind = () => form.querySelector("[name=kind]:checked")?.value ?? "";
const groupOf = (province) => province && [...order.querySelectorAll("optgroup")].find((group) => group.dataset.province === province);

/** Show the choices in the form on the map. */
function draw() {
  const chosen = kind() === "dmz" ? [...form.querySelectorAll("[name=province]:checked")].map(({ value }) => value) : [unit];
  for (const shape of map.querySelectorAll("path.province")) {
    shape.classList.toggle("is-zone", chosen.includes(shape.dataset.province));
  }
  hint.textContent = HINTS[kind()] ?? "";
  hint.hidden = !hint.textContent;
}

function pickOrder(province) {
  const move = groupOf(unit) && [...groupOf(unit).children].find(({ dataset }) => dataset.kind?.startsWith("move") && dataset.to.split("/")[0] === province);
  if (move && province !== unit) {
    order.value = move.value;
    unit = "";
  } else if (groupOf(province)) {
    unit = province;
    order.value = groupOf(province).firstElementChild.value;
  }
}

function pick(event) {
  const { province } = event.detail;
  if (!province) return;
  event.preventDefault();
  if (kind() === "order" && order) pickOrder(province);
  if (kind() === "dmz") {
    const box = form.querySelector(`[name=province][value="${CSS.escape(province)}"]`);
    if (box) box.checked = !box.checked;
    box?.closest("label").scrollIntoView({ block: "nearest" });
  }
  draw();
}

if (form && map) {
  map.addEventListener("map-pick", pick);
  form.addEventListener("change", draw);
  draw();
}
