// Requests to the server; URLs are relative to the page's URL.

// Errors of superseded and aborted requests, which the user does not see.
export const isStale = (error) => error.name === "AbortError" || error.status === 409;

// Errors of requests that the server did not answer; all have the same message.
export const isGone = (error) => error instanceof TypeError;

let reportGone = () => {};
export const onGone = (act) => (reportGone = act);

// Id of this page; the server stops older requests of the same page only.
const PAGE = Math.random().toString(36).slice(2);

async function request(method, path, { body, raw, signal, keepalive, version, known } = {}) {
  const headers = { "X-Page": PAGE, ...(version && { "If-Match": version }), ...(known && { "If-None-Match": known }), ...(raw === undefined && body !== undefined && { "Content-Type": "application/json" }) };
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: raw ?? JSON.stringify(body), signal, keepalive });
  } catch (error) {
    if (error.name !== "AbortError") reportGone(true);
    throw error;
  }
  reportGone(false);
  if (!answer.ok && answer.status !== 304) throw await readError(answer);
  return answer;
}

async function readError(answer) {
  const { status } = answer, { error, about, picture } = await answer.json().catch(() => ({}));
  return Object.assign(Error(error ?? `The studio answered ${status}.`), { about, picture, status });
}

// Low-priority requests (presets, examples) wait until no urgent request is running.  An urgent
// request that takes longer than MAX_PRIORITY_TIME no longer blocks them.
const urgentRequests = new Set();
const IDLE_TIME = 120, MAX_PRIORITY_TIME = 1500; // milliseconds

async function prioritize(promise) {
  urgentRequests.add(promise);
  const forget = () => urgentRequests.delete(promise);
  setTimeout(forget, MAX_PRIORITY_TIME);
  return promise.finally(forget);
}

export async function waitUntilIdle() {
  do await new Promise((done) => setTimeout(done, IDLE_TIME));
  while (urgentRequests.size);
}

const requestJson = async (...words) => (await request(...words)).json();

export const getOptions = () => requestJson("GET", "options");
export const getPictures = async () => (await requestJson("GET", "pictures")).pictures;
// The project, or null if it still has the known version, and its version (ETag), which the next
// `putWork` must send.
const versionOf = (answer) => answer.headers.get("ETag");
export async function getWork(known) {
  const answer = await request("GET", "work", { known });
  return { work: answer.status === 304 ? null : await answer.json(), version: versionOf(answer) };
}
export const putWork = async (work, version, keepalive = false) =>
  versionOf(await request("PUT", "work", { body: work, version, keepalive }));
export async function openWork(file) {
  const answer = await prioritize(request("POST", "work/file", { raw: file }));
  return { work: (await answer.json()).work, version: versionOf(answer) };
}
export const addPicture = (file, name) =>
  prioritize(requestJson("POST", `pictures?name=${encodeURIComponent(name)}`, { raw: file }));
export const thumbAddress = (id, at = 0) => `pictures/${encodeURIComponent(id)}/thumb${at ? `?at=${at}&page=${PAGE}` : ""}`;
export const fileAddress = (id) => `pictures/${encodeURIComponent(id)}/file`;
export const hasPicture = async (id) => (await fetch(thumbAddress(id))).status !== 404;
export const exampleAddress = (option, value) => `examples/${option}/${value}.png`;
export const solveFilm = (body, signal) => prioritize(requestJson("POST", "film", { body, signal }));
export const getProgress = () => requestJson("GET", "films/progress");
export const playerAddress = (film) => `films/${encodeURIComponent(film)}/player#embedded`;
export const getWords = (body, signal) => requestJson("POST", "words", { body, signal });
export const startSave = (body) => requestJson("POST", "save", { body });
export const cancelSave = (id) => request("DELETE", `saves/${id}`);
export const eventsAddress = (id) => `saves/${encodeURIComponent(id)}/events`;

// A picture's target, and the part of the picture that it shows: edges in percent, or null.
export async function getTarget(body, signal) {
  const promise = request("POST", "target", { body, signal }), answer = await (body.slot ? promise : prioritize(promise));
  const part = answer.headers.get("X-Part")?.split(",").map(parseFloat);
  const bitmap = await createImageBitmap(await answer.blob());
  return { bitmap, part: part?.length === 4 ? part : null };
}
