// The requests that the server answers.  All addresses are beside the page's own.

export class Refused extends Error {
  constructor(message, { about = null, picture = null }, status) {
    super(message);
    Object.assign(this, { about, picture, status });
  }
}

// What another request has put out of date, and what was aborted: nobody needs to know.
export const isStale = (error) => error.name === "AbortError" || error.status === 409;

let tellGone = () => {};
export const whenGone = (act) => (tellGone = act);

async function ask(method, path, { body, raw, signal, keepalive } = {}) {
  const headers = raw === undefined && body !== undefined ? { "Content-Type": "application/json" } : {};
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
  const { error, about, picture } = await answer.json().catch(() => ({}));
  return new Refused(error ?? `The studio answered ${answer.status}.`, { about, picture }, answer.status);
}

const json = async (...words) => (await ask(...words)).json();

export const getOptions = () => json("GET", "options");
export const getPictures = async () => (await json("GET", "pictures")).pictures;
export const getWork = () => json("GET", "work");
export const putWork = (work, keepalive = false) => ask("PUT", "work", { body: work, keepalive });
export const openWork = (file) => json("POST", "work/file", { raw: file });
export const addPicture = (file, name) =>
  json("POST", `pictures?name=${encodeURIComponent(name)}`, { raw: file });
export const dropPicture = (id) => ask("DELETE", `pictures/${id}`);
export const thumbOf = (id) => `pictures/${encodeURIComponent(id)}/thumb`;
export const isThere = async (id) => (await fetch(thumbOf(id))).status !== 404;
export const exampleOf = (option, value) => `example?${new URLSearchParams({ option, value })}`;
export const solveFilm = (body, signal) => json("POST", "film", { body, signal });
export const playerOf = (film) => `films/${encodeURIComponent(film)}/player#embedded`;
export const getWords = (body, signal) => json("POST", "words", { body, signal });
export const startSave = (body) => json("POST", "save", { body });
export const cancelSave = (id) => ask("DELETE", `saves/${id}`);
export const eventsOf = (id) => `saves/${encodeURIComponent(id)}/events`;

// A picture's target: its pixels, and the part of the picture that it shows, where that was found.
export async function getTarget(body, signal) {
  const answer = await ask("POST", "target", { body, signal });
  const part = answer.headers.get("X-Part")?.split(",").map(parseFloat);
  const bitmap = await createImageBitmap(await answer.blob());
  return { bitmap, part: part?.length === 4 ? part : null };
}
