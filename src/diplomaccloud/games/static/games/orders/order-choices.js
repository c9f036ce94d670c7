/**
 * The legal orders of one unit as the page has them: options of a `<select>`, sorted into a
 * path of questions. There are no rules here: players can only choose from the options.
 */

export const VERBS = {
  hold: "hold", move: "move", convoyed: "move", "support-hold": "support", "support-move": "support",
  convoy: "convoy", retreat: "retreat", build: "build", disband: "disband", waive: "waive", none: "none",
};
export const WORDS = {
  hold: "Hold", move: "Move", support: "Support", convoy: "Convoy",
  retreat: "Retreat", build: "Build", disband: "Disband", waive: "No build",
};
const QUESTIONS = {
  support: ["target", "province", "value"],
  convoy: ["target", "province", "value"],
  move: ["where", "value"],
  retreat: ["province", "value"],
  build: ["province", "value"],
  disband: ["province", "value"],
};
const ASKED = {
  "support.target": "Support whom?", "support.province": "Support it where?",
  "convoy.target": "Convoy which army?", "convoy.province": "Convoy it where?",
  "move.where": "Move where?", "retreat.province": "Retreat where?",
  "build.province": "Build where?", "disband.province": "Disband the unit where?",
};
/** Verbs that a tap on a province implies by default. */
export const DIRECT = ["move", "retreat", "build", "disband"];

const CONVOY = "by convoy";

/** Return the choices that `select` offers. */
export function readChoices(select) {
  const titles = new Map();
  const places = new Map(); // that of an option stands for those after it in the same province
  for (const { dataset } of select.options) if (dataset.targetTitle) titles.set(dataset.target, dataset.targetTitle);
  const choices = [...select.options].map((option) => {
    const { target, place, province = "" } = option.dataset;
    const kind = option.dataset.kind ?? option.parentElement.dataset.kind;
    if (place) places.set(province, place);
    return {
      value: option.value,
      label: option.textContent.trim(),
      kind,
      verb: VERBS[kind] ?? "none",
      target: target ?? "",
      targetTitle: titles.get(target) ?? target,
      place: places.get(province) ?? province,
      province,
    };
  });
  return choices.map((choice) => ({ ...choice, where: whereTo(choice, choices) }));
}

/** Return the answer to "Move where?": a move by convoy is a separate answer if the unit can also go by land. */
function whereTo(choice, choices) {
  const walks = choices.some(({ kind, province }) => kind === "move" && province === choice.province);
  return choice.kind === "convoyed" && walks ? `${choice.province} ${CONVOY}` : choice.province;
}

/** Return the verbs of `choices` without duplicates, in order. */
export function verbsOf(choices) {
  return [...new Set(choices.map(({ verb }) => verb))];
}

/** Return the choices left after `verb` and the answers `path`. */
export function narrowed(choices, verb, path) {
  const keys = QUESTIONS[verb] ?? ["value"];
  return choices.filter((choice) => choice.verb === verb && path.every((answer, n) => choice[keys[n]] === answer));
}

/**
 * Return the next question about `left`: its `key`, the text asked, and its `answers`, each
 * with value, label and a choice as example. Null when one choice is left.
 */
export function nextQuestion(left, verb, path) {
  const keys = QUESTIONS[verb] ?? ["value"];
  if (left.length <= 1 && path.length > 0) return null;
  if (left.length === 1 && !QUESTIONS[verb]) return null;
  const key = keys[path.length];
  if (!key) return null;
  const answers = new Map();
  for (const choice of left) {
    if (!answers.has(choice[key])) answers.set(choice[key], { value: choice[key], label: labelFor(choice, key), choice });
  }
  return { key, asked: ASKED[`${verb}.${key}`] ?? "Which?", answers: [...answers.values()] };
}

/** Return what has been chosen of an order that is not finished: `Build, Munich`. */
export function describePath(choices, verb, path) {
  const keys = QUESTIONS[verb] ?? ["value"];
  const labels = path.map((_, n) => labelFor(narrowed(choices, verb, path.slice(0, n + 1))[0], keys[n]));
  return [WORDS[verb], ...labels].join(", ");
}

function labelFor(choice, key) {
  if (key === "target") return choice.targetTitle;
  if (key === "where") return choice.where === choice.province ? basePlace(choice) : `${basePlace(choice)} ${CONVOY}`;
  if (key === "province") return choice.kind === "support-hold" ? "to hold where it is" : basePlace(choice);
  return choice.label;
}

/** Return the province's name: a place without the coast in brackets. */
function basePlace({ place }) {
  return place.replace(/ \([^)]*\)$/, "");
}
