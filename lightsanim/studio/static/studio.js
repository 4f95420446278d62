// The studio: what is shown follows the work; see work.js.

import { getOptions, getPictures, getWork, openWork, putWork, whenGone } from "./api.js";
import { h, icon, quiet } from "./dom.js";
import { buildFilm, showFilms, sizeFilms } from "./film.js";
import { buildOptions, buildPresets, reveal, showOptions } from "./options.js";
import { buildSamples, showPictures, take, toggle } from "./pictures.js";
import { clearProblem, problem, sayElsewhere, sayIn } from "./problems.js";
import { buildSave, follow, showSave } from "./save.js";
import { canRedo, canUndo, change, current, isEnough, keepSteps, listen, redo, restore, restoreSteps, setTable, surprise, table, undo } from "./work.js";

const $ = (id) => document.getElementById(id);

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

let kept = null, putting = 0;
function keepNow(keepalive) {
  const work = JSON.stringify(current());
  if (work === kept) return;
  kept = work;
  putting += 1;
  putWork(current(), keepalive).catch(() => (kept = null)).finally(() => (putting -= 1));
}
const keep = quiet(400, () => keepNow(false));

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
    const { work } = await openWork(file);
    restore(work);
    clearProblem("upload");
  } catch (error) {
    problem("upload", error);
  }
}

async function saveWork() {
  try {
    await putWork(current());
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
  const kept = await getWork(), work = kept?.pictures ? kept : newWork(await getPictures());
  follow();
  restore(work);
  restoreSteps();
  go(isEnough() ? "film" : "pictures");
}

const newWork = (pictures) => ({
  pictures: pictures.map(({ own, ...picture }) => picture), looks: { A: { values: {}, own: ownOf(pictures) }, B: null },
});
const ownOf = (pictures) => Object.fromEntries(pictures.map(({ id, own = {} }) => [id, own]));

// Another page of this studio, as on a phone, may have gone on with the work.
const OFTEN = 1000;
async function refresh() {
  const before = kept;
  if (document.hidden || putting || JSON.stringify(current()) !== before) return;
  const work = await getWork().catch(() => null), now = JSON.stringify(work);
  if (!work?.pictures || now === before || JSON.stringify(current()) !== before || kept !== before) return;
  kept = now;
  change(null, (next) => Object.assign(next, work));
}
setInterval(refresh, OFTEN);
document.addEventListener("visibilitychange", refresh);

addEventListener("pagehide", () => {
  keepNow(true);
  keepSteps();
});
document.addEventListener("visibilitychange", () => document.hidden && keepNow(true));
begin().catch((error) => {
  $("gone").hidden = false;
  console.error(error);
});
