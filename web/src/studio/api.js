/** Requests to the server; URLs are relative to the page's URL. */

/**
 * @import { Box } from "../types.js"
 * @import {
 *   FilmAnswer, FilmBody, OptionTable, Problem, Progress, ReadPicture, Snippets, Target, TargetBody,
 *   Values, Work
 * } from "./types.js"
 */

import { prioritize } from "./urgent.js";

/** A refusal by the server, with the option and the picture at fault. */
export class RefusedError extends Error {
  /** @param {number} status @param {Problem} problem */
  constructor(status, { message, about = null, picture = null }) {
    super(message);
    this.status = status;
    this.about = about;
    this.picture = picture;
  }
}

/**
 * Returns the problem that an error describes.
 *
 * @param {unknown} error
 * @returns {Problem}
 */
export const problemOf = (error) => (error instanceof Error ? error : { message: String(error) });

/** @param {unknown} error @param {number} status */
export const hasStatus = (error, status) =>
  error instanceof RefusedError && error.status === status;

/** @param {unknown} error */
const isAborted = (error) => error instanceof DOMException && error.name === "AbortError";

/**
 * Returns whether an error is of a superseded or aborted request, which the user does not see.
 *
 * @param {unknown} error
 */
export const isStale = (error) => isAborted(error) || hasStatus(error, 409);

/**
 * Returns whether an error is of a request that the server did not answer; all have the same
 * message.
 *
 * @param {unknown} error
 */
export const isGone = (error) => error instanceof TypeError;

/** @type {(isGone: boolean) => void} */
let reportGone = () => {};

/**
 * Sets what is called after each request, with whether the server did not answer.
 *
 * @param {(isGone: boolean) => void} act
 */
export const onGone = (act) => (reportGone = act);

/** Id of this page; the server stops older requests of the same page only. */
const PAGE = Math.random().toString(36).slice(2);

/**
 * @typedef {object} Sent
 * @property {unknown} [body] sent as JSON
 * @property {Blob} [raw] sent as it is
 * @property {AbortSignal} [signal]
 * @property {boolean} [keepalive] whether it outlives the page
 * @property {string | null} [version] the version that it replaces
 * @property {string | null} [known] the version that need not be sent again
 */

/**
 * @param {string} method
 * @param {string} path
 * @param {Sent} [sent]
 */
async function request(method, path, { body, raw, signal, keepalive, version, known } = {}) {
  const headers = {
    "X-Page": PAGE,
    ...(version && { "If-Match": version }),
    ...(known && { "If-None-Match": known }),
    ...(body !== undefined && { "Content-Type": "application/json" }),
  };
  const sent = { method, headers, body: raw ?? JSON.stringify(body), signal, keepalive };
  const answer = await fetch(path, sent).catch((error) => {
    if (!isAborted(error)) reportGone(true);
    throw error;
  });
  reportGone(false);
  if (!answer.ok && answer.status !== 304) throw await readError(answer);
  return answer;
}

/** @param {Response} answer */
async function readError(answer) {
  const { error, about, picture } = await answer.json().catch(() => ({}));
  const message = error ?? `The studio answered ${answer.status}.`;
  return new RefusedError(answer.status, { message, about, picture });
}

/**
 * @param {string} method
 * @param {string} path
 * @param {Sent} [sent]
 */
const requestJson = async (method, path, sent) => (await request(method, path, sent)).json();

/** @returns {Promise<OptionTable>} */
export const getOptions = () => requestJson("GET", "options");

/** @returns {Promise<(ReadPicture & { own?: Values })[]>} */
export const getPictures = async () => (await requestJson("GET", "pictures")).pictures;

/** @param {Response} answer */
const versionOf = (answer) => answer.headers.get("ETag");

/**
 * Returns the project, or null if it still has the known version, and its version (ETag), which the
 * next `putWork` must send.
 *
 * @param {string | null} [known]
 * @returns {Promise<{ work: Work | null, version: string | null }>}
 */
export async function getWork(known) {
  const answer = await request("GET", "work", { known });
  return { work: answer.status === 304 ? null : await answer.json(), version: versionOf(answer) };
}

/**
 * Sends the project; returns its version.
 *
 * @param {Work} work
 * @param {string | null} version
 * @param {boolean} [keepalive]
 */
export const putWork = async (work, version, keepalive = false) =>
  versionOf(await request("PUT", "work", { body: work, version, keepalive }));

/**
 * Opens a project file.
 *
 * @param {File} file
 * @returns {Promise<{ work: Work, version: string | null }>}
 */
export async function openWork(file) {
  const answer = await prioritize(request("POST", "work/file", { raw: file }));
  return { work: (await answer.json()).work, version: versionOf(answer) };
}

/** @param {File} file @param {string} name @returns {Promise<ReadPicture>} */
export const addPicture = (file, name) =>
  prioritize(requestJson("POST", `pictures?name=${encodeURIComponent(name)}`, { raw: file }));

/**
 * @param {string} id
 * @param {number | null} [at] second of a clip's frame
 */
export const thumbAddress = (id, at) =>
  `pictures/${encodeURIComponent(id)}/thumb${at ? `?at=${at}&page=${PAGE}` : ""}`;

/** @param {string} id */
export const fileAddress = (id) => `pictures/${encodeURIComponent(id)}/file`;

/** @param {string} id */
export const hasPicture = async (id) => (await fetch(thumbAddress(id))).status !== 404;

/** @param {string} option @param {string} value */
export const exampleAddress = (option, value) => `examples/${option}/${value}.png`;

/**
 * @param {FilmBody & { slot: string, draft?: boolean }} body
 * @param {AbortSignal} signal
 * @returns {Promise<FilmAnswer>}
 */
export const solveFilm = (body, signal) =>
  prioritize(requestJson("POST", "film", { body, signal }));

/** @returns {Promise<Record<string, Progress | undefined>>} */
export const getProgress = () => requestJson("GET", "films/progress");

/** @param {string} film */
export const playerAddress = (film) => `films/${encodeURIComponent(film)}/player#embedded`;

/** @param {FilmBody} body @param {AbortSignal} signal @returns {Promise<Snippets>} */
export const getSnippets = (body, signal) => requestJson("POST", "words", { body, signal });

/** @param {FilmBody & { formats: string[] }} body @returns {Promise<{ save: string }>} */
export const startSave = (body) => requestJson("POST", "save", { body });

/** @param {string} id */
export const cancelSave = (id) => request("DELETE", `saves/${id}`);

/** @param {string} id */
export const eventsAddress = (id) => `saves/${encodeURIComponent(id)}/events`;

/**
 * Returns a picture's target, and the part of the picture that it shows.
 *
 * @param {TargetBody} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<Target>}
 */
export async function getTarget(body, signal) {
  const promise = request("POST", "target", { body, signal });
  const answer = await (body.slot ? promise : prioritize(promise));
  const part = answer.headers.get("X-Part")?.split(",").map(parseFloat);
  const bitmap = await createImageBitmap(await answer.blob());
  return { bitmap, part: part?.length === 4 ? /** @type {Box} */ (part) : null };
}
