/** Saves a film to files. */

/** @import { Problem, Progress, SavedFiles } from "./types.js" */

import { h } from "../page/create.js";
import { findElements, setText } from "../page/elements.js";
import { cancelSave, eventsAddress, fileAddress, problemOf, startSave } from "./api.js";
import { filmBody } from "./bodies.js";
import { chooseFormat, describeFormat } from "./formats.js";
import { isEnough } from "./look.js";
import { clearProblem, setProblemPlace, showProblem } from "./problems.js";
import { formatBytes } from "./sentences.js";
import { table } from "./table.js";
import { current, look, updateWithoutUndo } from "./work.js";

const ui = findElements({
  save: HTMLElement,
  formats: HTMLElement,
  start: HTMLButtonElement,
  cancel: HTMLButtonElement,
  progress: HTMLElement,
  bar: HTMLProgressElement,
  stage: HTMLElement,
  files: HTMLElement,
  "save-problem": HTMLElement,
});

/** The token in the page's path distinguishes studios that used the same port. */
const STORAGE_KEY = location.pathname;

/** @type {{ id: string, events: EventSource, isCancelled: boolean } | null} */
let saving = null;

/** Leaving the page closes its connections, but the save continues. */
let isLeaving = false;
addEventListener("beforeunload", () => (isLeaving = true));
// A page that Back shows again as it was has lost its connections.
addEventListener("pageshow", ({ persisted }) => {
  isLeaving = false;
  if (!persisted || !saving) return;
  saving.events.close();
  followSave();
});

export function buildSave() {
  ui.formats.append(...[...table.formats, ...table.stills].map(formatBox));
  ui.start.onclick = startSaving;
  ui.cancel.onclick = cancelSaving;
  setProblemPlace("save", ui["save-problem"]);
}

/** @param {string} suffix */
function formatBox(suffix) {
  const [name, description] = describeFormat(suffix);
  const onchange = () =>
    updateWithoutUndo(
      (work) => (work.formats = chooseFormat(work.formats, suffix, input.checked, table.stills)),
    );
  const input = h("input", { type: "checkbox", value: suffix, onchange });
  return h("label", {}, input, h("span", {}, name, h("small", {}, description)));
}

export function showSave() {
  const { formats } = current();
  ui.formats
    .querySelectorAll("input")
    .forEach((input) => (input.checked = formats.includes(input.value)));
  ui.save.hidden = !isEnough();
  ui.start.disabled = !formats.length || Boolean(saving);
  setText(ui.start, formats.length > 1 ? `Save ${formats.length} files` : "Save");
}

async function startSaving() {
  ui.files.replaceChildren();
  clearProblem("save");
  ui.start.disabled = true;
  try {
    const { save } = await startSave({
      ...filmBody(current(), look()),
      formats: current().formats,
    });
    sessionStorage.setItem(STORAGE_KEY, save);
    followSave();
  } catch (error) {
    showFailure(problemOf(error));
  }
}

/** Follows a running save, also after a reload of the page. */
export function followSave() {
  const id = sessionStorage.getItem(STORAGE_KEY);
  if (!id) return;
  const events = new EventSource(eventsAddress(id));
  saving = { id, events, isCancelled: false };
  events.addEventListener("progress", ({ data }) => showProgress(JSON.parse(data)));
  events.addEventListener("done", ({ data }) => showFiles(JSON.parse(data)));
  events.addEventListener("failed", ({ data }) => showFailure(toProblem(JSON.parse(data))));
  events.onerror = () => {
    if (events.readyState === EventSource.CLOSED && !isLeaving)
      showFailure({ message: "the studio no longer responds" });
  };
  showProgress({ share: 0, stage: "starting", note: "" });
}

/** @param {{ error: string, about: string | null }} refusal */
const toProblem = ({ error, about }) => ({ message: error, about });

/** @param {Progress} progress */
function showProgress({ share, stage, note }) {
  ui.progress.hidden = false;
  ui.bar.value = share;
  setText(ui.stage, [stage, note].filter(Boolean).join(": "));
}

function endSave() {
  saving?.events.close();
  saving = null;
  sessionStorage.removeItem(STORAGE_KEY);
  ui.progress.hidden = true;
  showSave();
}

/** @param {Problem} problem */
function showFailure(problem) {
  const isCancelled = saving?.isCancelled;
  endSave();
  if (!isCancelled) showProblem("save", problem);
}

/**
 * Shows links to the saved files, and to pasted pictures, since the command reads them from files.
 *
 * @param {SavedFiles} saved
 */
function showFiles({ files, notes = [] }) {
  endSave();
  const pasted = current().pictures.filter((picture) => picture.pasted);
  ui.files.replaceChildren(
    ...files.map(({ name, url, bytes }) => fileLink(name, url, formatBytes(bytes))),
    ...pasted.map(({ id, name }) =>
      fileLink(name, fileAddress(id), "pasted picture, needed by the command"),
    ),
    ...notes.map((note) => h("li", { class: "soft" }, note)),
  );
  const first = ui.files.querySelector("a");
  if (files.length === 1) first?.click();
  else first?.focus();
}

/** @param {string} name @param {string} url @param {string} words */
const fileLink = (name, url, words) =>
  h(
    "li",
    {},
    h("a", { href: url, download: name }, name),
    " ",
    h("span", { class: "soft" }, words),
  );

async function cancelSaving() {
  if (!saving) return;
  saving.isCancelled = true;
  await cancelSave(saving.id).catch(() => {});
  endSave();
}
