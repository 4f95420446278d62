/** Files that are chosen, dropped or pasted: pictures and projects. */

import { h } from "../page/create.js";
import { findElements } from "../page/elements.js";
import { openWork, problemOf } from "./api.js";
import { clearProblem, showProblem } from "./problems.js";
import { keepWork, waitUntilKept } from "./sync.js";
import { uploadFiles } from "./uploads.js";
import { restore } from "./work.js";

const ui = findElements({ pick: HTMLInputElement, "open-file": HTMLInputElement });

/** @param {HTMLInputElement} input @param {(files: File[]) => void} act */
const onFilesChosen = (input, act) =>
  (input.onchange = () => {
    const files = [...(input.files ?? [])];
    if (files.length) act(files);
    input.value = "";
  });

export function listenToFiles() {
  onFilesChosen(ui.pick, uploadFiles);
  onFilesChosen(ui["open-file"], ([file]) => openWorkFile(file));
  document
    .querySelectorAll(".pick")
    .forEach((button) => button.addEventListener("click", () => ui.pick.click()));
  listenToDrops();
  addEventListener("paste", (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (!files.length) return;
    event.preventDefault();
    uploadFiles(files, true);
  });
}

function listenToDrops() {
  let depth = 0; // number of elements around the pointer that a drag has entered
  /** @param {"dragenter" | "dragleave" | "dragover" | "drop"} kind @param {() => number} next */
  const listen = (kind, next) =>
    addEventListener(kind, (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      depth = next();
      document.body.classList.toggle("over", depth > 0);
      if (kind === "drop") openDropped([...event.dataTransfer.files]);
    });
  listen("dragenter", () => depth + 1);
  listen("dragleave", () => depth - 1);
  listen("dragover", () => depth);
  listen("drop", () => 0);
}

/** @param {File[]} files */
function openDropped(files) {
  const work = files.find(({ name }) => /\.(zip|lightsanim)$/i.test(name));
  return work ? openWorkFile(work) : uploadFiles(files);
}

/** @param {File} file */
const openWorkFile = (file) =>
  tryFile(async () => {
    const { work, version } = await openWork(file);
    keepWork(work, version);
    restore(work);
    clearProblem("upload");
  });

/** Downloads the project as a file. */
export const saveWorkFile = () =>
  tryFile(async () => {
    await waitUntilKept();
    h("a", { href: "work/file", download: "" }).click();
  });

/** @param {() => Promise<void>} act */
const tryFile = (act) => act().catch((error) => showProblem("upload", problemOf(error)));
