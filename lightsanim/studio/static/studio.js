// The studio: what is shown follows the work; see work.js.

import { getOptions, getPictures, getWork, openWork, putWork, whenGone } from "./api.js";
import { $, h, icon, quiet } from "./dom.js";
import { buildFilm, showFilms, sizeFilms } from "./film.js";
import { buildOptions, buildPresets, reveal, showOptions } from "./options.js";
import { buildSamples, showPictures, take, toggle } from "./pictures.js";
import { clearProblem, problem, sayElsewhere, sayIn } from "./problems.js";
import { buildSave, follow, showSave } from "./save.js";
import { canRedo, canUndo, change, current, isEnough, keepSteps, listen, merged, redo, restore, restoreSteps, setTable, surprise, table, undo } from "./work.js";

function show() {
  const empty = !current().pictures.length;
  document.body.classList.toggle("empty", empty);
  $("undo").disabled = !canUndo();
  $("redo").disabled = !canRedo();
  showPictures();
  showOptions();
  showFilms();
  showSave();
  keep();
}

// The work as the server has it, and its version there.
let kept = { text: "null", version: null }, syncing = null;
const isKept = () => JSON.stringify(current()) === kept.text;

async function put(keepalive = false) {
  const before = kept, text = JSON.stringify(current());
  const version = await putWork(current(), kept.version, keepalive);
  if (kept === before) kept = { text, version };
}

// Another page of this studio, as on a phone, may have gone on with the work.
async function exchange() {
  if (!isKept()) {
    try {
      return await put();
    } catch (error) {
      if (error.status !== 412) throw error;
    }
  }
  const before = kept, { work, version } = await getWork();
  if (version === kept.version || kept !== before || !work?.pictures) return;
  const next = merged(JSON.parse(kept.text), current(), work);
  kept = { text: JSON.stringify(work), version };
  change(null, (now) => Object.assign(now, next));
}

const sync = () => (syncing ??= exchange().finally(() => (syncing = null)));
const trySync = () => sync().catch(() => {});
const keep = quiet(400, trySync);
const keepNow = () => isKept() || put(true).catch(() => {});

// Pictures come in

function choose(input, act) {
  input.onchange = () => {
    if (input.files.length) act(input.files);
    input.value = "";
  };
}

function listenToFiles() {
  choose($("pick"), take);
  choose($("open-file"), ([file]) => open(file));
  for (const button of document.querySelectorAll(".pick")) button.onclick = () => $("pick").click();
  let depth = 0;
  const drags = (event) => event.dataTransfer?.types.includes("Files");
  const over = (by) => (event) => {
    if (!drags(event)) return;
    event.preventDefault();
    depth = by ? depth + by : 0;
    document.body.classList.toggle("over", depth > 0);
  };
  addEventListener("dragenter", over(1));
  addEventListener("dragleave", over(-1));
  addEventListener("dragover", (event) => drags(event) && event.preventDefault());
  addEventListener("drop", (event) => {
    if (!drags(event)) return;
    over(0)(event);
    const files = [...event.dataTransfer.files], works = files.filter(({ name }) => /\.(zip|lightsanim)$/i.test(name));
    if (works.length) open(works[0]);
    else take(files);
  });
  addEventListener("paste", (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (!files.length) return;
    event.preventDefault();
    take(files, true);
  });
}

async function open(file) {
  try {
    const { work, version } = await openWork(file);
    kept = { text: JSON.stringify(work), version };
    restore(work);
    clearProblem("upload");
  } catch (error) {
    problem("upload", error);
  }
}

async function saveWork() {
  try {
    while (!isKept()) await sync();
    h("a", { href: "work/file", download: "" }).click();
  } catch (error) {
    problem("upload", error);
  }
}

// Keys and buttons

function listenToKeys() {
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase(), act = key === "y" ? redo : event.shiftKey ? redo : undo;
    if (!["y", "z"].includes(key) || written === event.target) return;
    event.preventDefault();
    act();
  });
}

// A field that is being written in undoes its own letters.
let written = null;
addEventListener("input", ({ target }) => (written = target.matches("[type=text], [type=search]") ? target : null));
addEventListener("change", () => (written = null));

function listenToButtons() {
  const buttons = { undo, redo, surprise, "save-work": saveWork, "open-work": () => $("open-file").click(), again };
  for (const id in buttons) $(id).onclick = buttons[id];
  for (const id of ["undo", "redo"]) $(id).prepend(icon(id));
  $("surprise").prepend(icon("dice"));
  for (const name of ["shine", "wrong"]) $(name).onclick = () => toggle(name, $(name));
  for (const tab of document.querySelectorAll("#tabs button")) tab.onclick = () => go(tab.value);
}

// On a narrow screen, one of four at a time.
function go(name) {
  document.body.dataset.tab = name;
  for (const tab of document.querySelectorAll("#tabs button")) {
    if (tab.value === name) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
  }
  scrollTo({ top: 0 });
  sizeFilms();
}

// The server is gone, or back

whenGone((gone) => ($("gone").hidden = !gone));

async function again() {
  if (!table.groups.length) return location.reload();
  await getOptions();
  show();
}

async function begin() {
  listenToFiles();
  listenToKeys();
  listenToButtons();
  sayIn("upload", $("upload-problem"));
  sayElsewhere($("film-problem"), reveal);
  setTable(await getOptions());
  buildOptions();
  buildPresets();
  buildFilm();
  buildSave();
  buildSamples();
  listen(show);
  const { work, version } = await getWork(), whole = work?.pictures ? work : newWork(await getPictures());
  kept = { text: JSON.stringify(work), version };
  follow();
  restore(whole);
  restoreSteps();
  go(isEnough() ? "film" : "pictures");
}

const newWork = (pictures) => ({
  pictures: pictures.map(({ own, ...picture }) => picture),
  looks: { A: { values: {}, own: Object.fromEntries(pictures.map(({ id, own = {} }) => [id, own])) }, B: null },
});

const OFTEN = 1000; // milliseconds between two looks at what others made of the work

addEventListener("pagehide", () => {
  keepNow();
  keepSteps();
});
document.addEventListener("visibilitychange", () => (document.hidden ? keepNow() : trySync()));
begin().then(() => setInterval(() => document.hidden || trySync(), OFTEN)).catch((error) => {
  $("gone").hidden = false;
  console.error(error);
});
