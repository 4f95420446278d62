// Saves a film to files; shows the command and the code that make the same files.

import { cancelSave, eventsAddress, fileAddress, getWords, isStale, startSave } from "./api.js";
import { $, debounce, h } from "./dom.js";
import { filmBody } from "./part.js";
import { clearProblem, setProblemPlace, showProblem } from "./problems.js";
import { current, isEnough, look, table, updateWithoutUndo } from "./work.js";

const FORMATS = {
  ".gif": ["GIF", "plays anywhere"], ".mp4": ["MP4", "video"], ".webm": ["WebM", "video"],
  ".webp": ["WebP", "small files"], ".apng": ["APNG", "lossless"],
  ".svg": ["SVG", "plays in a README"], ".html": ["Web page", "the player"],
  ".json": ["JSON", "the clicks as data"], "": ["PNGs", "every frame"],
  ".png": ["PNG sheet", "stills"], "-sheet.svg": ["SVG sheet", "for plotters"], ".pdf": ["PDF sheet", "for print"],
  ".h": ["C header", "LEDs and displays"], ".ino": ["Arduino", "sketch for LEDs"], ".wled": ["WLED", "LED controllers"],
};

const STORAGE_KEY = location.pathname; // the token in it distinguishes studios that used the same port
let saving = null; // {id, events}
let leaving = false; // leaving the page closes its connections, but the save continues
addEventListener("beforeunload", () => (leaving = true));

export function buildSave() {
  const formatBox = (suffix, kind) => {
    const [name, description] = FORMATS[suffix] ?? [suffix.slice(1).toUpperCase(), ""];
    const input = h("input", { type: "checkbox", value: suffix, "data-kind": kind, onchange: (event) => chooseFormat(event.target) });
    return h("label", {}, input, h("span", {}, name, h("small", {}, description)));
  };
  $("formats").append(...table.formats.map((s) => formatBox(s, "film")), ...(table.stills ?? []).map((s) => formatBox(s, "still")));
  $("start").onclick = startSaving;
  $("cancel").onclick = cancelSaving;
  for (const button of document.querySelectorAll("[data-copies]")) button.onclick = () => copySnippet(button);
  setProblemPlace("save", $("save-problem"));
}

// Selects or deselects a format; deselects other contact sheets, since only one is allowed.
function chooseFormat(input) {
  updateWithoutUndo((work) => {
    const isReplaced = (suffix) => input.checked && input.dataset.kind === "still" && table.stills.includes(suffix);
    work.formats = work.formats.filter((suffix) => suffix !== input.value && !isReplaced(suffix));
    if (input.checked) work.formats.push(input.value);
  });
}

export function showSave() {
  const { formats } = current();
  for (const input of $("formats").querySelectorAll("input")) input.checked = formats.includes(input.value);
  $("save").hidden = !isEnough();
  $("start").disabled = !formats.length || Boolean(saving);
  $("start").textContent = formats.length > 1 ? `Save ${formats.length} files` : "Save";
  $("words").classList.toggle("stale", requestedText !== JSON.stringify(snippetsBody(current())));
  updateSnippets();
}

async function startSaving() {
  $("files").replaceChildren();
  clearProblem("save");
  $("start").disabled = true;
  try {
    const { save: id } = await startSave({ ...filmBody(current(), look()), formats: current().formats });
    sessionStorage.setItem(STORAGE_KEY, id);
    followSave();
  } catch (error) {
    showFailure({ error: error.message, about: error.about });
  }
}

// Follows a running save, also after a reload of the page.
export function followSave() {
  const id = sessionStorage.getItem(STORAGE_KEY);
  if (!id) return;
  const events = new EventSource(eventsAddress(id));
  saving = { id, events };
  for (const [name, act] of Object.entries({ progress: showProgress, done: showFiles, failed: showFailure }))
    events.addEventListener(name, ({ data }) => act(JSON.parse(data)));
  events.onerror = () =>
    events.readyState === EventSource.CLOSED && !leaving && showFailure({ error: "the studio no longer responds" });
  showProgress({ share: 0, stage: "starting" });
}

function showProgress({ share, stage, note: words }) {
  $("progress").hidden = false;
  $("bar").value = share;
  $("stage").textContent = [stage, words].filter(Boolean).join(": ");
}

function endSave() {
  saving?.events.close();
  saving = null;
  sessionStorage.removeItem(STORAGE_KEY);
  $("progress").hidden = true;
  showSave();
}

function showFailure({ error, about }) {
  if (saving?.cancelled) return endSave();
  endSave();
  showProblem("save", { message: error, about });
}

// Links to the saved files, and to pasted pictures, since the command reads them from files.
function showFiles({ files, notes = [] }) {
  endSave();
  const fileLink = ({ name, url, says }) =>
    h("li", {}, h("a", { href: url, download: name }, name), " ", h("span", { class: "soft" }, says));
  const pasted = current().pictures.filter((picture) => picture.pasted);
  $("files").replaceChildren(
    ...files.map(({ name, url, bytes }) => fileLink({ name, url, says: formatBytes(bytes) })),
    ...pasted.map(({ id, name }) => fileLink({ name, url: fileAddress(id), says: "pasted picture, needed by the command" })),
    ...notes.map((note) => h("li", { class: "soft" }, note)));
  const [first] = $("files").querySelectorAll("a");
  if (files.length === 1) first.click();
  else first?.focus();
}

async function cancelSaving() {
  if (!saving) return;
  saving.cancelled = true;
  await cancelSave(saving.id).catch(() => {});
  endSave();
}

const formatBytes = (bytes) =>
  bytes < 1e3 ? `${bytes} bytes` : bytes < 1e6 ? `${(bytes / 1e3).toFixed(bytes < 1e4 ? 1 : 0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

let requestedText = null, abort = null;

function snippetsBody(work) {
  const formats = work.formats.length ? work.formats : table.formats.slice(0, 1);
  return { ...filmBody(work, look()), formats };
}

const updateSnippets = debounce(150, async () => {
  if (!isEnough()) return;
  const body = snippetsBody(current()), text = JSON.stringify(body);
  if (text === requestedText) return $("words").classList.remove("stale");
  abort?.abort();
  abort = new AbortController();
  try {
    const answer = await getWords(body, abort.signal);
    requestedText = text;
    $("command").replaceChildren(...splitCommand(answer.command));
    for (const name of ["python", "manifest"]) $(name).textContent = answer[name];
    $("words").classList.remove("stale");
  } catch (error) {
    if (!isStale(error)) requestedText = null; // the film's request shows the message
  }
});

// Keeps each word of the command on one line.
const splitCommand = (command) => command.split(/( +)/).map((word) => (word.trim() ? h("span", {}, word) : word));

async function copySnippet(button) {
  const text = $(button.dataset.copies).textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren($(button.dataset.copies));
    button.textContent = "Selected";
  }
  setTimeout(() => (button.textContent = "Copy"), 2000);
}
