/** Keeps the project at the server, and merges the changes of other pages, as on a phone. */

/** @import { Work } from "./types.js" */

import { debounce } from "../page/debounce.js";
import { getWork, hasStatus, putWork } from "./api.js";
import { mergeWork } from "./merge.js";
import { change, current } from "./work.js";

const SAVE_DELAY = 400; // milliseconds without a change before it is sent
const SYNC_INTERVAL = 1000; // milliseconds between checks for changes by other pages

/**
 * The project as it was last sent to or received from the server, and its version there.
 *
 * @type {{ text: string, version: string | null }}
 */
let kept = { text: "null", version: null };
/** @type {Promise<void> | null} */
let syncing = null;

/** Returns whether the server has the project as it is. */
const isKept = () => JSON.stringify(current()) === kept.text;

/**
 * Records a project that the server has sent.
 *
 * @param {Work | null} work
 * @param {string | null} version
 */
export const keepWork = (work, version) => (kept = { text: JSON.stringify(work), version });

async function sendWork(keepalive = false) {
  const before = kept;
  const text = JSON.stringify(current());
  const version = await putWork(current(), before.version, keepalive);
  if (kept === before) kept = { text, version };
}

async function exchangeWork() {
  if (!isKept()) {
    try {
      return await sendWork();
    } catch (error) {
      if (!hasStatus(error, 412)) throw error;
    }
  }
  const before = kept;
  const { work, version } = await getWork(before.version);
  if (version === before.version || kept !== before || !work?.pictures) return;
  keepWork(work, version);
  change(null, (next) => Object.assign(next, mergeWork(JSON.parse(before.text), next, work)));
}

/** Sends or receives the project. */
const syncWork = () => (syncing ??= exchangeWork().finally(() => (syncing = null)));

const trySyncWork = () => syncWork().catch(() => {});

export const saveSoon = debounce(SAVE_DELAY, trySyncWork);

/** Waits until the server has the project. */
export async function waitUntilKept() {
  while (!isKept()) await syncWork();
}

export function saveBeforeLeaving() {
  if (!isKept()) sendWork(true).catch(() => {});
}

/** Looks for changes by other pages. */
export function followOtherPages() {
  setInterval(() => document.hidden || trySyncWork(), SYNC_INTERVAL);
  document.addEventListener("visibilitychange", () =>
    document.hidden ? saveBeforeLeaving() : trySyncWork(),
  );
}
