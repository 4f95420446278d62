/** The studio's page: shows the project after each change. */

import { findElements, listenToButtons } from "../page/elements.js";
import { getOptions, getPictures, getWork, onGone } from "./api.js";
import { keepCardsArranged, showPictures, toggleSwitch } from "./cards.js";
import { icon } from "./elements.js";
import { listenToFiles, saveWorkFile } from "./files.js";
import { buildOptions, revealOption, showOptions } from "./option_form.js";
import { restorePlace } from "./place.js";
import { buildPresets, showPresets } from "./preset_cards.js";
import { setDefaultPlace, setProblemPlace } from "./problems.js";
import { buildSave, followSave, showSave } from "./save_form.js";
import { listenToCopies, showSnippets } from "./snippets.js";
import { buildFilm, showFilms } from "./stages.js";
import { surprise } from "./surprise.js";
import { followOtherPages, keepWork, saveBeforeLeaving, saveSoon } from "./sync.js";
import { setTable, table } from "./table.js";
import { listenToTabs } from "./tabs.js";
import { listenToUndoKeys } from "./undo_keys.js";
import { buildSamples } from "./uploads.js";
import {
  canRedo,
  canUndo,
  current,
  onChange,
  redo,
  restore,
  undo,
  workFromPictures,
} from "./work.js";

const ui = findElements({
  undo: HTMLButtonElement,
  redo: HTMLButtonElement,
  surprise: HTMLButtonElement,
  gone: HTMLElement,
  "open-file": HTMLInputElement,
  "upload-problem": HTMLElement,
  "film-problem": HTMLElement,
});

function showAll() {
  document.body.classList.toggle("empty", !current().pictures.length);
  ui.undo.disabled = !canUndo();
  ui.redo.disabled = !canRedo();
  showPictures();
  showOptions();
  showPresets();
  showFilms();
  showSave();
  showSnippets();
  saveSoon();
}

/** Shows the page again after the server has not responded. */
async function retry() {
  if (!table.groups.length) return location.reload();
  await getOptions();
  showAll();
}

function listenToPage() {
  listenToFiles();
  listenToUndoKeys();
  listenToTabs();
  listenToCopies();
  listenToButtons({
    undo,
    redo,
    surprise,
    "save-work": saveWorkFile,
    "open-work": () => ui["open-file"].click(),
    again: retry,
    shine: () => toggleSwitch("shine"),
    wrong: () => toggleSwitch("wrong"),
  });
  ui.undo.prepend(icon("undo"));
  ui.redo.prepend(icon("redo"));
  ui.surprise.prepend(icon("dice"));
  onGone((isGone) => (ui.gone.hidden = !isGone));
}

async function startStudio() {
  listenToPage();
  setProblemPlace("upload", ui["upload-problem"]);
  setDefaultPlace(ui["film-problem"], revealOption);
  setTable(await getOptions());
  buildOptions();
  buildPresets();
  buildFilm();
  buildSave();
  buildSamples();
  keepCardsArranged();
  onChange(showAll);
  const { work, version } = await getWork();
  const known = work?.pictures ? work : workFromPictures(await getPictures());
  keepWork(work, version);
  followSave();
  restore(known);
  restorePlace();
  addEventListener("pagehide", saveBeforeLeaving);
  followOtherPages();
}

startStudio().catch((error) => {
  ui.gone.hidden = false;
  console.error(error);
});
