// The requests that the server answers.  All addresses are beside the page's own.

// What another request has put out of date, and what was aborted: nobody needs to know.
export const isStale = (error) => error.name === "AbortError" || error.status === 409;

// There was no answer: that is said of all requests at once.
export const isGone = (error) => error instanceof TypeError;

let tellGone = () => {};
export const whenGone = (act) => (tellGone = act);

// Two pages of one studio put out of date what they asked for themselves alone.
const PAGE = Math.random().toString(36).slice(2);

async function ask(method, path, { body, raw, signal, keepalive, version } = {}) {
  const headers = { "X-Page": PAGE, ...(version && { "If-Match": version }), ...(raw === undefined && body !== undefined && { "Content-Type": "application/json" }) };
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: content, signal, keepalive });
  } catch (error) {
    if (error.name !== "AbortError") tellGone(true);
    throw error;
  }
  tellGone(false);
  if (!answer.ok) throw await refusal(answer);
  return answer;
}

async function refusal(answer) {
  const { status } = answer, { error, about, picture } = await answer.json().catch(() => ({}));
  return Object.assign(Error(error ?? `The studio answered ${status}.`), { about, picture, status });
}

// What one waits for goes first: presets are drawn while nothing of that is asked for.
// They do not wait for what takes long.
const waiting = new Set();
const REST = 120, LONG = 1500; // milliseconds

async function first(asking) {
  waiting.add(asking);
  const over = () => waiting.delete(asking);
  setTimeout(over, LONG);
  return asking.finally(over);
}

export async function idle() {
  do await new Promise((done) => setTimeout(done, REST));
  while (waiting.size);
}

const json = async (...words) => (await ask(...words)).json();

export const getOptions = () => json("GET", "options");
export const getPictures = async () => (await json("GET", "pictures")).pictures;
// The work, and the version by which the next one that is put names it.
const versionOf = (answer) => answer.headers.get("ETag");
export async function getWork() {
  const answer = await ask("GET", "work");
  return { work: await answer.json(), version: versionOf(answer) };
}
export const putWork = async (work, version, keepalive = false) =>
  versionOf(await ask("PUT", "work", { body: work, version, keepalive }));
export async function openWork(file) {
  const answer = await first(ask("POST", "work/file", { raw: file }));
  return { work: (await answer.json()).work, version: versionOf(answer) };
}
export const addPicture = (file, name) =>
  first(json("POST", `pictures?name=${encodeURIComponent(name)}`, { raw: file }));
export const thumbOf = (id, at = 0) => `pictures/${encodeURIComponent(id)}/thumb${at ? `?at=${at}` : ""}`;
export const fileOf = (id) => `pictures/${encodeURIComponent(id)}/file`;
export const isThere = async (id) => (await fetch(thumbOf(id))).status !== 404;
export const exampleOf = (option, value) => `static/examples/${option}-${value}.png`;
export const solveFilm = (body, signal) => first(json("POST", "film", { body, signal }));
export const getProgress = () => json("GET", "films/progress");
export const playerOf = (film) => `films/${encodeURIComponent(film)}/player#embedded`;
export const getWords = (body, signal) => json("POST", "words", { body, signal });
export const startSave = (body) => json("POST", "save", { body });
export const cancelSave = (id) => ask("DELETE", `saves/${id}`);
export const eventsOf = (id) => `saves/${encodeURIComponent(id)}/events`;

// A picture's target: its pixels, and the part of the picture that it shows, where that was found.
export async function getTarget(body, signal) {
  const asking = ask("POST", "target", { body, signal }), answer = await (body.slot ? asking : first(asking));
  const part = answer.headers.get("X-Part")?.split(",").map(parseFloat);
  const bitmap = await createImageBitmap(await answer.blob());
  return { bitmap, part: part?.length === 4 ? part : null };
}
