// The form of all options, built from the server's option table, and the presets above it.

import { getTarget, waitUntilIdle } from "./api.js";
import { controlFor, optionLabel } from "./controls.js";
import { $, debounce, drawBitmap, h, iconButton } from "./dom.js";
import { filmBody } from "./part.js";
import { setProblemPlace } from "./problems.js";
import { applyPreset, current, isSet, look, pictureOf, presetNow, presetOptions, setValue, table, unfitReason, valueOf } from "./work.js";

const GROUP_ORDER = ["Board", "Picture", "Clips", "Look", "Clicks", "Timing", "Output"];
const OPEN_GROUPS = ["Board", "Picture", "Look"];
const groups = $("groups"), find = $("find");
// Additional words by which the search finds an option.
const SYNONYMS = {
  palette: "color", colours: "color palette", rgb: "color colours", lit: "color", unlit: "color", background: "color",
  fps: "speed", duration: "speed length", total: "speed length time", clicks_per_frame: "speed length", focus: "crop", fit: "crop", mute: "sound audio music",
  gap: "grid lines", loop: "repeat again", ending: "repeat back loop cycle boomerang", size: "resolution cells", canvas: "resolution",
  width: "resolution", cell: "resolution", levels: "grey gray shades", dither: "halftone", transition: "morph effect", seed: "random",
};
const scopes = h("div", { class: "scopes", role: "group", "aria-label": "Apply options to" });
const rows = new Map();
let scope = null; // id of the picture whose options the form sets; null for all pictures

const scopeOf = (option) => (option.own ? scope : null);

export function buildOptions() {
  const groupRank = ({ name }) => (GROUP_ORDER.includes(name) ? GROUP_ORDER.indexOf(name) : GROUP_ORDER.length);
  for (const group of [...table.groups].sort((one, other) => groupRank(one) - groupRank(other))) groups.append(buildGroup(group));
  find.oninput = search;
}

function buildGroup({ name, options }) {
  const visible = options.filter((option) => option.name !== "crop"); // the user sets the crop by dragging the picture
  const common = visible.filter((option) => !option.advanced), rare = visible.filter((option) => option.advanced);
  if (!common.length) common.push(...rare.splice(0));
  const moreDetails = rare.length > 0 && h("details", { class: "more" }, h("summary", {}, "More"), ...rare.map(buildRow));
  const body = [...(options.some((option) => option.own && !option.of_clips) ? [scopes] : []), ...common.map(buildRow), moreDetails || null];
  const count = h("span", { class: "count" });
  return h("details", { class: "group", open: OPEN_GROUPS.includes(name), "data-name": name }, h("summary", {}, h("h3", {}, name), count), ...body);
}

// Help texts that differ from the command line's, where the form has other fields.
const HELP = {
  size: "Columns and rows of the board, in cells.",
  canvas: "Exact size of a frame in pixels, such as 1920x1080 or square; replaces width. Videos round odd sides up.",
  panels: "Number of lamp panels across and down, such as 2x1.",
};

// The help text without its list of choices, which the form shows, and with the form's names of options.
function helpText({ name, help, unset, choices }) {
  const own = (HELP[name] ?? help).replace(/--([\w-]+)/g, "“$1”");
  const text = choices?.length && !HELP[name] ? own.replace(/: [^:]*\.$/, ".") : own;
  return text + (unset ? ` Default: ${unset}.` : "");
}

function buildRow(option) {
  const { name } = option, id = `o-${name}`;
  const put = (value) => setValue(name, value, scopeOf(option));
  const control = controlFor(option, put, id);
  const field = control.element.querySelector(`#${id}`);
  const label = h(field ? "label" : "span", { class: "word", id: `${id}-name`, ...(field && { for: id }) }, optionLabel(name));
  const reset = iconButton("back", `Reset ${optionLabel(name)}`, () => setValue(name, null, scopeOf(option)), { class: "icon reset" });
  const off = h("span", { class: "soft off" });
  const help = h("p", { class: "soft help", id: `${id}-help` }, helpText(option));
  const problemLine = h("p", { class: "problem", role: "alert" });
  const kind = control.element.getAttribute("role") === "switch" ? "row flag" : "row";
  const element = h("div", { class: kind, "data-name": name }, h("div", { class: "head" }, label, off, reset), control.element, help, problemLine);
  rows.set(name, { option, element, control, reset, off, text: ` ${normalizeText(`${name} ${SYNONYMS[name] ?? ""} ${option.help} ${(option.choices ?? []).join(" ")}`)}` });
  setProblemPlace(name, problemLine);
  return element;
}

// The focus that is set on all pictures, or null if they differ.
function sharedFocus() {
  const all = current().pictures.map(({ id }) => look().own[id]?.focus ?? null);
  return all.every((each) => each === all[0]) ? (all[0] ?? null) : null;
}

export function showOptions(id = scope) {
  scope = pictureOf(id) ? id : null;
  for (const { option, element, control, reset, off } of rows.values()) {
    const { name } = option, id = scopeOf(option), shared = name === "focus" && id === null;
    const set = shared ? sharedFocus() !== null : isSet(name, id), why = unfitReason(option, look(), id);
    control.set(shared ? sharedFocus() : valueOf(name, id));
    element.classList.toggle("set", set);
    reset.hidden = !set;
    control.element.inert = Boolean(why);
    off.textContent = why;
    element.classList.toggle("unfit", Boolean(why));
  }
  for (const group of groups.children) {
    const set = group.querySelectorAll(".row.set").length;
    group.querySelector(".count").textContent = set ? `${set} set` : "";
  }
  showScopes();
  showPresets();
}

function showScopes() {
  const { pictures } = current(), names = [[null, "All pictures"], ...pictures.map(({ id, name }) => [id, name])];
  const scopesKey = JSON.stringify([names, scope]);
  if (scopes.dataset.names === scopesKey) return;
  const hadFocus = scopes.contains(document.activeElement);
  scopes.dataset.names = scopesKey;
  scopes.hidden = pictures.length < 2;
  const button = ([id, name]) => h("button", {
    type: "button", "aria-pressed": String(id === scope), title: name, onclick: () => showOptions(id),
  }, h("bdi", {}, name));
  scopes.replaceChildren(...names.map(button));
  if (hadFocus) scopes.querySelector("[aria-pressed=true]").focus();
}

// Opens the groups around an option, so that its message is visible.
export function reveal(name) {
  const element = rows.get(name)?.element;
  for (let ancestor = element; ancestor && ancestor !== groups; ancestor = ancestor.parentElement) ancestor.open = true;
}

const normalizeText = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, " ");

function search() {
  const words = normalizeText(find.value).split(" ").filter(Boolean);
  groups.classList.toggle("searching", words.length > 0);
  for (const { element, text } of rows.values()) element.hidden = !words.every((word) => text.includes(` ${word}`));
  for (const group of groups.querySelectorAll("details")) {
    group.hidden = !group.querySelector(".row:not([hidden])");
    group.dataset.open ??= String(group.open);
    group.open = words.length ? true : group.dataset.open === "true";
    if (!words.length) delete group.dataset.open;
  }
  const firstMatch = groups.querySelector(".row:not([hidden]):is(:not(.unfit), .set)");
  $("nothing").hidden = !words.length || Boolean(firstMatch);
}

const cards = $("presets");
const pictures = new Map(); // canvas of each preset, by name
const PRESETS_DELAY = 1200; // milliseconds without a change before presets are drawn, after the film
let drawnText = null, drawing = Promise.resolve();

export function buildPresets() {
  for (const name of ["", ...Object.keys(table.presets)]) {
    const canvas = h("canvas", { width: 1, height: 1, "aria-hidden": "true" });
    pictures.set(name, canvas);
    const button = h("button", { type: "button", onclick: () => applyPreset(name), value: name }, canvas, h("span", {}, name || "plain"));
    cards.append(h("li", {}, button));
  }
}

function showPresets() {
  const now = presetNow();
  for (const button of cards.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.value === now));
  drawPresets();
}

function presetLook(preset) {
  const base = look(), names = presetOptions(preset);
  const values = Object.fromEntries(Object.entries(base.values).filter(([name]) => !names.includes(name)));
  if (values.transition === "dissolve") delete values.transition;
  const own = Object.fromEntries(Object.entries(base.own).map(([id, { focus }]) => [id, focus ? { focus } : {}]));
  return { values: { ...values, ...table.presets[preset] }, own };
}

const presetBodies = () => [...pictures.keys()].map((name) => ({ ...filmBody(current(), presetLook(name)), index: 0, slot: "preset" }));

// Draws one preset after the other until there is a change, which does not abort a preset's request:
// the server would have to end a worker and start another one.
async function drawEachPreset() {
  const bodies = presetBodies(), text = JSON.stringify(bodies), names = [...pictures.keys()];
  if (!current().pictures.length || text === drawnText) return;
  for (const [i, name] of names.entries()) {
    try {
      await waitUntilIdle();
      if (JSON.stringify(presetBodies()) !== text) return;
      drawBitmap(pictures.get(name), (await getTarget(bodies[i])).bitmap);
    } catch (error) {
      if (error.status !== 400) return;
      pictures.get(name).width = 1; // the picture has too few colours for this preset
    }
  }
  drawnText = text;
}

const drawPresets = debounce(PRESETS_DELAY, () => (drawing = drawing.then(drawEachPreset)));
