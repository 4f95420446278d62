// Entry point: shows the project (work.js) after each change, and synchronizes it with the server.

import { getOptions, getPictures, getWork, onGone, openWork, putWork } from "./api.js";
import { $, debounce, h, icon } from "./dom.js";
import { buildFilm, showFilms, sizeFilms } from "./film.js";
import { buildOptions, buildPresets, reveal, showOptions } from "./options.js";
import { buildSamples, showPictures, toggleSwitch, uploadFiles } from "./pictures.js";
import { clearProblem, setDefaultPlace, setProblemPlace, showProblem } from "./problems.js";
import { buildSave, followSave, showSave } from "./save.js";
import { canRedo, canUndo, change, current, isEnough, mergeWork, onChange, redo, restore, restoreSteps, setTable, storeSteps, surprise, table, undo } from "./work.js";

function showAll() {
  const empty = !current().pictures.length;
  document.body.classList.toggle("empty", empty);
  $("undo").disabled = !canUndo();
  $("redo").disabled = !canRedo();
  showPictures();
  showOptions();
  showFilms();
  showSave();
  saveSoon();
}

// The project as it was last sent to or received from the server, and its version there.
let saved = { text: "null", version: null }, syncing = null;
const isKept = () => JSON.stringify(current()) === saved.text;

async function saveWorkNow(keepalive = false) {
  const before = saved, text = JSON.stringify(current());
  const version = await putWork(current(), saved.version, keepalive);
  if (saved === before) saved = { text, version };
}

// Sends or receives the project; merges changes by other pages of this studio, as on a phone.
async function exchangeWork() {
  if (!isKept()) {
    try {
      return await saveWorkNow();
    } catch (error) {
      if (error.status !== 412) throw error;
    }
  }
  const before = saved, { work, version } = await getWork(saved.version);
  if (version === saved.version || saved !== before || !work?.pictures) return;
  const next = mergeWork(JSON.parse(saved.text), current(), work);
  saved = { text: JSON.stringify(work), version };
  change(null, (now) => Object.assign(now, next));
}

const syncWork = () => (syncing ??= exchangeWork().finally(() => (syncing = null)));
const trySyncWork = () => syncWork().catch(() => {});
const saveSoon = debounce(400, trySyncWork);
const saveBeforeLeaving = () => isKept() || saveWorkNow(true).catch(() => {});

// Files

function onFilesChosen(input, act) {
  input.onchange = () => {
    if (input.files.length) act(input.files);
    input.value = "";
  };
}

function listenToFiles() {
  onFilesChosen($("pick"), uploadFiles);
  onFilesChosen($("open-file"), ([file]) => openWorkFile(file));
  for (const button of document.querySelectorAll(".pick")) button.onclick = () => $("pick").click();
  let depth = 0;
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  const trackDrag = (by) => (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth = by ? depth + by : 0;
    document.body.classList.toggle("over", depth > 0);
  };
  addEventListener("dragenter", trackDrag(1));
  addEventListener("dragleave", trackDrag(-1));
  addEventListener("dragover", (event) => hasFiles(event) && event.preventDefault());
  addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    trackDrag(0)(event);
    const files = [...event.dataTransfer.files], works = files.filter(({ name }) => /\.(zip|lightsanim)$/i.test(name));
    if (works.length) openWorkFile(works[0]);
    else uploadFiles(files);
  });
  addEventListener("paste", (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (!files.length) return;
    event.preventDefault();
    uploadFiles(files, true);
  });
}

async function openWorkFile(file) {
  try {
    const { work, version } = await openWork(file);
    saved = { text: JSON.stringify(work), version };
    restore(work);
    clearProblem("upload");
  } catch (error) {
    showProblem("upload", error);
  }
}

async function saveWork() {
  try {
    while (!isKept()) await syncWork();
    h("a", { href: "work/file", download: "" }).click();
  } catch (error) {
    showProblem("upload", error);
  }
}

// Keys and buttons

function listenToKeys() {
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase(), act = key === "y" ? redo : event.shiftKey ? redo : undo;
    if (!["y", "z"].includes(key) || editedField === event.target) return;
    event.preventDefault();
    act();
  });
}

// The text field being edited, in which the browser itself handles undo.
let editedField = null;
addEventListener("input", ({ target }) => (editedField = target.matches("[type=text], [type=search]") ? target : null));
addEventListener("change", () => (editedField = null));

function listenToButtons() {
  const buttons = { undo, redo, surprise, "save-work": saveWork, "open-work": () => $("open-file").click(), again: retry };
  for (const id in buttons) $(id).onclick = buttons[id];
  for (const id of ["undo", "redo"]) $(id).prepend(icon(id));
  $("surprise").prepend(icon("dice"));
  for (const name of ["shine", "wrong"]) $(name).onclick = () => toggleSwitch(name, $(name));
  for (const tab of document.querySelectorAll("#tabs button")) tab.onclick = () => openTab(tab.value);
}

// A narrow screen shows one of four parts at a time.
function openTab(name) {
  document.body.dataset.tab = name;
  for (const tab of document.querySelectorAll("#tabs button")) tab.ariaCurrent = tab.value === name || null;
  scrollTo({ top: 0 });
  sizeFilms();
}

onGone((gone) => ($("gone").hidden = !gone));

async function retry() {
  if (!table.groups.length) return location.reload();
  await getOptions();
  showAll();
}

async function startStudio() {
  listenToFiles();
  listenToKeys();
  listenToButtons();
  setProblemPlace("upload", $("upload-problem"));
  setDefaultPlace($("film-problem"), reveal);
  setTable(await getOptions());
  buildOptions();
  buildPresets();
  buildFilm();
  buildSave();
  buildSamples();
  onChange(showAll);
  const { work, version } = await getWork(), whole = work?.pictures ? work : workFromPictures(await getPictures());
  saved = { text: JSON.stringify(work), version };
  followSave();
  restore(whole);
  restoreSteps();
  openTab(isEnough() ? "film" : "pictures");
}

const workFromPictures = (pictures) => ({
  pictures: pictures.map(({ own, ...picture }) => picture),
  looks: { A: { values: {}, own: Object.fromEntries(pictures.map(({ id, own = {} }) => [id, own])) }, B: null },
});

const SYNC_INTERVAL = 1000; // milliseconds between checks for changes by other pages

addEventListener("pagehide", () => {
  saveBeforeLeaving();
  storeSteps();
});
document.addEventListener("visibilitychange", () => (document.hidden ? saveBeforeLeaving() : trySyncWork()));
startStudio().then(() => setInterval(() => document.hidden || trySyncWork(), SYNC_INTERVAL)).catch((error) => {
  $("gone").hidden = false;
  console.error(error);
});
