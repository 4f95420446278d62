/** Saves and shares the film that is shown. */

/** @import { Values } from "./desk.js" */
/** @import { Report } from "./types.js" */
/** @import { ShownFilm } from "./playback.js" */

import { inflate } from "../bytes.js";
import { findElements, setText } from "../page/elements.js";
import { nextPaint } from "../page/next_paint.js";
import { canShare, createFile, downloadFile, shareFile } from "../page/save.js";
import { buildDocument } from "../saved/document.js";
import { FORMATS, toJson, withDigest } from "../saved/json.js";
import { ask, startVideoWorker, startWorker } from "./desk.js";
import { canEncodeVideo } from "./files/video_config.js";
import { data, ui } from "./page.js";
import { playback } from "./playback.js";

const { template } = findElements({ template: HTMLScriptElement });

/** The page of a film, without its facts. */
let pageTemplate = "";
inflate(template.text).then((text) => (pageTemplate = text));

/** @type {Record<string, string>} */
const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&#39;", '"': "&#34;" };

/** @param {string} text */
const escapeHtml = (text) => text.replace(/[&<>'"]/g, (letter) => ESCAPES[letter]);

/**
 * Returns the film's page, as page.py in lightsanim/output/formats writes it.
 *
 * @param {ShownFilm} shown
 */
function buildPage({ written }) {
  const { rows, columns, accent, title } = written;
  /** @type {Record<string, string | number>} */
  const facts = { rows, columns, accent, title: escapeHtml(title) };
  return pageTemplate
    .replace(/«(\w+)»/g, (_, name) => String(facts[name]))
    .replace("<film>", () => toJson(withDigest(written), FORMATS.page));
}

/** @param {ShownFilm} shown */
const buildDocumentText = ({ animation }) => buildDocument(animation, data.program);

/**
 * @typedef {object} Kind a kind of file
 * @property {string} name as in "saved as a GIF"
 * @property {string} suffix
 * @property {string} type
 * @property {(shown: ShownFilm, report: Report) => BlobPart[] | Promise<BlobPart[]>} build
 */

/**
 * Lets a worker of its own write a file, as the film may change meanwhile.
 *
 * @template {"gif" | "still" | "video"} Name
 * @param {Worker} writer
 * @param {Report} report
 * @param {Name} name
 * @param {Values<Name>} values
 */
const writeFile = (writer, report, name, ...values) =>
  ask(writer, report, name, ...values).finally(() => writer.terminate());

/** @satisfies {Record<string, Kind>} */
const KINDS = {
  gif: {
    name: "a GIF",
    suffix: "gif",
    type: "image/gif",
    build: ({ film, look }, report) =>
      writeFile(startWorker(), report, "gif", film, look, data.program),
  },
  video: {
    name: "a video",
    suffix: "mp4",
    type: "video/mp4",
    build: async ({ film, look }, report) =>
      writeFile(await startVideoWorker(), report, "video", film, look, data.program),
  },
  page: { name: "a page", suffix: "html", type: "text/html", build: (shown) => [buildPage(shown)] },
  still: {
    name: "a picture",
    suffix: "png",
    type: "image/png",
    build: ({ film, state }, report) => writeFile(startWorker(), report, "still", film, state.done),
  },
  document: {
    name: "data",
    suffix: "json",
    type: "application/json",
    build: (shown) => [buildDocumentText(shown)],
  },
};

/** The page and the data of the film that is shown, for tests. */
export const savedTexts = {
  pageText: () => playback.shown && buildPage(playback.shown),
  documentText: () => playback.shown && buildDocumentText(playback.shown),
};

/**
 * Makes the file of the film that is shown; the button shows the share done.
 *
 * @param {Kind} kind
 * @param {HTMLButtonElement} button
 * @returns {Promise<File | null>} null if the file cannot be made, or is being made
 */
async function makeFile(kind, button) {
  const { shown } = playback;
  if (button.ariaBusy || !shown) return null;
  const words = button.textContent ?? "";
  button.ariaBusy = "true";
  try {
    await nextPaint();
    const pieces = await kind.build(shown, (share) =>
      setText(button, `${words}: ${Math.floor(100 * share)} %`),
    );
    return createFile(shown.animation.pictures.join(" to "), kind.suffix, kind.type, pieces);
  } catch (error) {
    const problem = error instanceof Error ? error.message : error;
    setText(ui.trouble, `This film cannot be saved as ${kind.name}: ${problem}.`);
    return null;
  } finally {
    button.ariaBusy = null;
    setText(button, words);
  }
}

/** @param {Kind} kind @param {HTMLButtonElement} button */
async function save(kind, button) {
  const file = await makeFile(kind, button);
  if (file) downloadFile(file);
}

/**
 * The last file that was made to be shared: a second tap shares it at once.
 *
 * @type {{ shown: ShownFilm | null, kind: Kind, file: File } | null}
 */
let ready = null;

/** @param {Kind} kind @param {HTMLButtonElement} button */
async function share(kind, button) {
  const { shown } = playback;
  const isReady = ready?.shown === shown && ready?.kind === kind;
  const file = isReady ? ready?.file : await makeFile(kind, button);
  if (!file) return;
  ready = { shown, kind, file };
  const outcome = await shareFile(file);
  if (outcome === "too late") setText(ui.trouble, "The file is ready; tap again to share it.");
  else if (outcome === "refused")
    setText(ui.trouble, "This device cannot share the file; save it instead.");
  else setText(ui.trouble, "");
}

/** Shows the buttons that save and share files which this device can make and share. */
export async function listenToSaving() {
  for (const [name, kind] of Object.entries(KINDS)) {
    for (const button of buttonsOf("save", name)) button.onclick = () => save(kind, button);
    for (const button of buttonsOf("share", name)) button.onclick = () => share(kind, button);
  }
  const canMakeVideo = await canEncodeVideo();
  for (const [name, kind] of Object.entries(KINDS)) {
    const isMade = name !== "video" || canMakeVideo;
    for (const button of buttonsOf("save", name)) button.hidden = !isMade;
    for (const button of buttonsOf("share", name))
      button.hidden = !isMade || !canShare(kind.suffix, kind.type);
  }
  ui.share.hidden = !ui.share.querySelector("button:not([hidden])");
}

/** @param {"save" | "share"} act @param {string} kind */
const buttonsOf = (act, kind) =>
  /** @type {NodeListOf<HTMLButtonElement>} */ (ui[act].querySelectorAll(`[value=${kind}]`));
