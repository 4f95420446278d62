/** The form of all options, built from the server's option table. */

/** @import { Control, Option } from "./types.js" */

import { h } from "../page/create.js";
import { findElements, setText } from "../page/elements.js";
import { controlFor } from "./controls.js";
import { iconButton } from "./elements.js";
import { isSet, setValue, sharedFocus, unfitReason, valueOf } from "./look.js";
import { helpText, isFound, searchText, searchWords } from "./option_texts.js";
import { setProblemPlace } from "./problems.js";
import { optionLabel, table } from "./table.js";
import { current, look, pictureOf } from "./work.js";

const GROUP_ORDER = ["Board", "Picture", "Clips", "Look", "Clicks", "Timing", "Output"];
const OPEN_GROUPS = ["Board", "Picture", "Look"];

const ui = findElements({ groups: HTMLElement, find: HTMLInputElement, nothing: HTMLElement });
const scopes = h("div", { class: "scopes", role: "group", "aria-label": "Apply options to" });

/**
 * @typedef {object} Row
 * @property {Option} option
 * @property {Control} control
 * @property {HTMLElement} element
 * @property {HTMLElement} reset
 * @property {HTMLElement} reason why the option does not apply
 * @property {string} text by which the search finds it
 */

/** @type {Map<string, Row>} */
const rows = new Map();

/**
 * Id of the picture whose options the form sets; null for all pictures.
 *
 * @type {string | null}
 */
let scope = null;

export const currentScope = () => scope;

/** @param {Option} option */
const scopeOf = (option) => (option.own ? scope : null);

/** Builds the groups of options. */
export function buildOptions() {
  /** @param {{ name: string }} group */
  const rankOf = ({ name }) =>
    GROUP_ORDER.includes(name) ? GROUP_ORDER.indexOf(name) : GROUP_ORDER.length;
  const groups = [...table.groups].sort((one, other) => rankOf(one) - rankOf(other));
  ui.groups.append(...groups.map(buildGroup));
  ui.find.oninput = search;
}

/** @param {{ name: string, options: Option[] }} group */
function buildGroup({ name, options }) {
  // The user sets the crop by dragging the picture.
  const visible = options.filter((option) => option.name !== "crop");
  const common = visible.filter((option) => !option.advanced);
  const rare = common.length ? visible.filter((option) => option.advanced) : [];
  return h(
    "details",
    { class: "group", open: OPEN_GROUPS.includes(name), "data-name": name },
    h("summary", {}, h("h3", {}, name), h("span", { class: "count" })),
    options.some((option) => option.own && !option.of_clips) ? scopes : null,
    ...(common.length ? common : visible).map(buildRow),
    rare.length
      ? h("details", { class: "more" }, h("summary", {}, "More"), ...rare.map(buildRow))
      : null,
  );
}

/** @param {Option} option */
function buildRow(option) {
  const { name } = option;
  const id = `o-${name}`;
  const word = optionLabel(name);
  const control = controlFor(option, (value) => setValue(name, value, scopeOf(option)), id);
  const field = control.element.querySelector(`#${id}`);
  const label = h(
    field ? "label" : "span",
    { class: "word", id: `${id}-name`, for: field?.id },
    word,
  );
  const reset = iconButton("back", `Reset ${word}`, () => setValue(name, null, scopeOf(option)), {
    class: "icon reset",
  });
  const reason = h("span", { class: "soft off" });
  const problem = h("p", { class: "problem", role: "alert" });
  const isFlag = control.element.getAttribute("role") === "switch";
  const element = h(
    "div",
    { class: isFlag ? "row flag" : "row", "data-name": name },
    h("div", { class: "head" }, label, reason, reset),
    control.element,
    h("p", { class: "soft help", id: `${id}-help` }, helpText(option)),
    problem,
  );
  rows.set(name, { option, control, element, reset, reason, text: searchText(option) });
  setProblemPlace(name, problem);
  return element;
}

/**
 * Shows the values of a picture; of all pictures if `id` is null.
 *
 * @param {string | null} [id]
 */
export function showOptions(id = scope) {
  scope = id && pictureOf(id) ? id : null;
  rows.forEach(showRow);
  for (const count of /** @type {NodeListOf<HTMLElement>} */ (
    ui.groups.querySelectorAll(".count")
  )) {
    const set = count.closest("details")?.querySelectorAll(".row.set").length;
    setText(count, set ? `${set} set` : "");
  }
  showScopes();
}

/** @param {Row} row */
function showRow({ option, control, element, reset, reason }) {
  const { name } = option;
  const id = scopeOf(option);
  const isShared = name === "focus" && id === null;
  const value = isShared ? sharedFocus() : valueOf(name, id);
  const isOptionSet = isShared ? value !== null : isSet(name, id);
  const why = unfitReason(option, look(), id);
  control.set(value);
  element.classList.toggle("set", isOptionSet);
  reset.hidden = !isOptionSet;
  control.element.inert = Boolean(why);
  setText(reason, why);
  element.classList.toggle("unfit", Boolean(why));
}

/** Shows a button for each picture, and one for all. */
function showScopes() {
  const { pictures } = current();
  const ids = [null, ...pictures.map(({ id }) => id)];
  const names = ["All pictures", ...pictures.map(({ name }) => name)];
  const key = JSON.stringify([ids, names, scope]);
  if (scopes.dataset.key === key) return;
  scopes.dataset.key = key;
  scopes.hidden = pictures.length < 2;
  const buttons = ids.map((id, i) =>
    h(
      "button",
      {
        type: "button",
        "aria-pressed": String(id === scope),
        title: names[i],
        onclick: () => showOptions(id),
      },
      h("bdi", {}, names[i]),
    ),
  );
  const hadFocus = scopes.contains(document.activeElement);
  scopes.replaceChildren(...buttons);
  if (hadFocus) buttons[ids.indexOf(scope)].focus();
}

/**
 * Opens the groups around an option, so that its message is visible.
 *
 * @param {string | null} name
 */
export function revealOption(name) {
  let details = rows.get(name ?? "")?.element.closest("details");
  for (; details; details = details.parentElement?.closest("details")) details.open = true;
}

// The search

/** Shows the options that the search finds, and opens their groups. */
export function search() {
  const words = searchWords(ui.find.value);
  ui.groups.classList.toggle("searching", words.length > 0);
  rows.forEach(({ element, text }) => (element.hidden = !isFound(text, words)));
  for (const group of ui.groups.querySelectorAll("details")) {
    group.hidden = !group.querySelector(".row:not([hidden])");
    group.dataset.open ??= String(group.open);
    group.open = words.length ? true : group.dataset.open === "true";
    if (!words.length) delete group.dataset.open;
  }
  ui.nothing.hidden =
    !words.length || Boolean(ui.groups.querySelector(".row:not([hidden]):is(:not(.unfit), .set)"));
}
