// The work: pictures, and one or two looks of their film.  Every change goes through `change`, can
// be undone, and is told to who listens.
//
// A look is what the options are set to: `values` by name, those that are not as they usually are,
// and `own`, likewise for each picture by its id.

const MOST_STEPS = 200;
const SAME_CHANGE = 800; // milliseconds within which one thing changed again is one change

export const table = { options: new Map(), groups: [], presets: {}, palettes: {}, formats: [] };

export function setTable(answer) {
  Object.assign(table, answer);
  table.options = new Map(answer.groups.flatMap(({ options }) => options).map((o) => [o.name, o]));
}

const newSeed = () => Math.floor(Math.random() * 1e6); // short enough to be told
const newLook = () => ({ values: { seed: newSeed() }, own: {} });
const blank = () => ({ pictures: [], looks: { A: newLook(), B: null }, slot: "A", formats: [".gif"] });

let work = blank(), past = [], future = [], last = { what: null, time: 0 };
const listeners = [];

export const current = () => work;
export const pictureOf = (id) => work.pictures.find((picture) => picture.id === id);
export const look = () => work.looks[work.slot];
export const slots = () => ["A", "B"].filter((slot) => work.looks[slot]);
export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;
export const listen = (act) => listeners.push(act);
const tell = () => listeners.forEach((act) => act());

// As the server kept it; what is missing is as in a new work.
export function restore(kept) {
  const whole = { ...blank(), ...kept };
  if (!whole.looks?.A) whole.looks = blank().looks;
  for (const each of Object.values(whole.looks)) if (each) each.values.seed ??= newSeed();
  if (!whole.looks[whole.slot]) whole.slot = "A";
  for (const picture of whole.pictures) picture.view ??= null;
  [work, past, future] = [whole, [], []];
  tell();
}

// The steps outlive a reload of the page, in this tab alone.
const STEPS = `${location.pathname}steps`, KEPT_STEPS = 60;

export function keepSteps() {
  const kept = { work, past: past.slice(-KEPT_STEPS), future: future.slice(-KEPT_STEPS) };
  try {
    sessionStorage.setItem(STEPS, JSON.stringify(kept));
  } catch {
    sessionStorage.removeItem(STEPS); // there is no room for them
  }
}

export function restoreSteps() {
  const kept = JSON.parse(sessionStorage.getItem(STEPS) ?? "null");
  if (JSON.stringify(kept?.work) !== JSON.stringify(work)) return;
  ({ past, future } = kept);
  tell();
}

// `act` changes a copy; changes of the same thing (`what`) in a row are undone together.
export function change(what, act) {
  const next = structuredClone(work), now = performance.now();
  act(next);
  if (JSON.stringify(next) === JSON.stringify(work)) return;
  if (!what || what !== last.what || now - last.time > SAME_CHANGE) past.push(work);
  if (past.length > MOST_STEPS) past.shift();
  last = { what, time: now };
  [work, future] = [next, []];
  tell();
}

// What one page (`mine`) and another (`theirs`) made of the same work; where both changed one thing, mine.
export function merged(base, mine, theirs) {
  const [before, here, there] = [base, mine, theirs].map((value) => JSON.stringify(value));
  if (here === before || here === there) return theirs;
  if (there === before || ![mine, theirs].every((value) => value && typeof value === "object")) return mine;
  const isList = Array.isArray(mine); // of pictures, by their ids, or of formats
  const [old, own, other] = [base ?? [], mine, theirs].map((value) =>
    isList ? Object.fromEntries(value.map((each) => [each.id ?? each, each])) : value);
  const pairs = Object.keys({ ...own, ...other }).map((key) => [key, merged(old[key], own[key], other[key])]);
  const kept = Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
  return isList ? Object.values(kept) : kept;
}

// Without a step: what is no part of how the film looks.
export function note(act) {
  act(work);
  tell();
}

function step(from, onto) {
  if (!from.length) return;
  onto.push(work);
  work = from.pop();
  last = { what: null, time: 0 };
  tell();
}

export const undo = () => step(past, future);
export const redo = () => step(future, past);

// Values

export const same = (one, other) => one === other || String(one) === String(other);
export const usual = (name) => table.options.get(name)?.default ?? null;

// What an option is set to, for one picture or (null) for all.
export const valueOf = (name, id = null, of = look()) =>
  of.own[id]?.[name] ?? of.values[name] ?? usual(name);

export const isSet = (name, id = null, of = look()) =>
  id ? name in (of.own[id] ?? {}) : name !== "seed" && name in of.values;

export function setValue(name, value, id = null) {
  change(`${work.slot}.${name}.${id}`, (next) => put(next, name, value, id));
}

// Each picture has a focus of its own, so that dragging it can take it away.
const EACH = ["focus", "crop"];

export function put(next, name, value, id = null, slot = next.slot) {
  const { values, own } = next.looks[slot];
  if (id === null && EACH.includes(name)) {
    for (const picture of next.pictures) put(next, name, value, picture.id, slot);
    return;
  }
  if (id === null) for (const each of Object.values(own)) delete each[name];
  const place = id === null ? values : (own[id] ??= {});
  const base = id === null ? usual(name) : (values[name] ?? usual(name));
  if (value === null || value === undefined || same(value, base)) delete place[name];
  else place[name] = value;
  if (name === "seed" && value === null) values.seed = newSeed();
  if (name === "focus" && value !== null) {
    const picture = next.pictures.find((each) => each.id === id);
    if (picture) picture.view = null;
  }
}

// Clips, but for those of which one frame stands for all.
export const moves = ({ id, kind }, of = look()) => kind === "clip" && valueOf("at", id, of) === null;

// A film needs two pictures, or a clip, or a still that plays itself.
export const isEnough = (of = look()) => work.pictures.length > 1 || work.pictures.some((each) =>
  moves(each, of) || valueOf("transition", null, of) === "automaton");

// Why this option cannot be told the film as it is, or "": not all belong to every transition, nor to clips.
export function unfit(option, of = look(), id = null) {
  const { pictures } = work, clips = pictures.filter((each) => moves(each, of));
  if (option.of_clips && !pictures.some((each) => each.kind === "clip" && (!id || each.id === id))) return "for clips";
  if (option.not_of_one_clip && clips.length && pictures.length === 1) return "not with one clip alone";
  if (option.not_of_clips && clips.length) return "not with clips";
  const transition = valueOf("transition", null, of);
  return option.transitions && !option.transitions.includes(transition) ? `not with ${transition}` : "";
}

// Looks

// The options of a preset, and all others that change a picture's target as they usually are.
export function applyPreset(name) {
  change(null, (next) => {
    const { values } = next.looks[next.slot], names = Object.values(table.presets).flatMap(Object.keys);
    for (const option of names) put(next, option, null);
    for (const [option, value] of Object.entries(table.presets[name] ?? {})) put(next, option, value);
    if (values.transition === "dissolve") put(next, "transition", null);
  });
}

export function presetNow(of = look()) {
  const names = new Set(Object.values(table.presets).flatMap(Object.keys));
  const fits = (values) => [...names].every((n) => same(of.values[n] ?? usual(n), values[n] ?? usual(n)));
  return Object.keys(table.presets).find((name) => fits(table.presets[name])) ?? (fits({}) ? "" : null);
}

const drawn = (list) => list[Math.floor(Math.random() * list.length)];
const often = (share) => Math.random() < share;

// A seed, and a look that is likely to be good: no search that takes long, no illegible board.
export function surprise() {
  const choices = (name) => table.options.get(name)?.choices ?? [];
  const transition = drawn(["wipe", "wipe", "wipe", "dissolve", "sketch"]), dissolves = transition === "dissolve";
  const preset = transition === "wipe" ? drawn([{}, ...Object.values(table.presets)]) : {};
  const drawing = {
    transition,
    ...(!preset.rgb && transition !== "sketch" && { rgb: often(0.3), levels: drawn([2, 2, 3, 5]) }),
    ...(transition !== "sketch" && { size: drawn([null, null, "60", "80", "120"]), perfect: true }),
    ...(dissolves && { dither: drawn(["blue-noise", "blue-noise", "bayer"]) }),
    ...(!dissolves && { dither: drawn(["floyd-steinberg", "atkinson", "stucki", "blue-noise", "bayer"]) }),
    ...(!dissolves && { order: drawn(choices("order").filter((order) => order !== "legal")) }),
    ...(!dissolves && { reverse: often(0.3), spread: drawn([0.02, 0.02, 0, 0.1, 0.3]) }),
    detail: drawn([0.8, 1.5, 1.5, 2.5]),
    palette: drawn(choices("palette")),
    shape: drawn(choices("shape")),
    ...preset,
  };
  change(null, (next) => {
    const { values } = next.looks[next.slot];
    const groups = table.groups.filter(({ name }) => ["Board", "Picture", "Clicks", "Look"].includes(name));
    for (const { name } of groups.flatMap(({ options }) => options))
      if (name in values && name !== "seed") put(next, name, null);
    for (const [name, value] of Object.entries(drawing)) if (table.options.has(name)) put(next, name, value);
    values.seed = newSeed();
  });
}

export function compare() {
  change(null, (next) => {
    next.looks.B = structuredClone(next.looks.A);
    next.slot = "B";
  });
}

export function keep(slot) {
  change(null, (next) => {
    next.looks = { A: next.looks[slot], B: null };
    next.slot = "A";
  });
}

export const choose = (slot) => change("slot", (next) => (next.slot = slot));

// Pictures

export function addPictures(answers) {
  change(null, (next) => next.pictures.push(...answers.map((answer) => ({ ...answer, view: null }))));
}

export function removePicture(id) {
  change(null, (next) => {
    next.pictures = next.pictures.filter((picture) => picture.id !== id);
    for (const each of Object.values(next.looks)) if (each) delete each.own[id];
  });
}

export function movePicture(id, place) {
  change(`move.${id}`, (next) => {
    const from = next.pictures.findIndex((picture) => picture.id === id);
    const to = Math.min(Math.max(place, 0), next.pictures.length - 1);
    next.pictures.splice(to, 0, ...next.pictures.splice(from, 1));
  });
}

export function setView(id, view) {
  change(`view.${id}`, (next) => {
    next.pictures.find((picture) => picture.id === id).view = view;
    for (const each of Object.values(next.looks))
      for (const name of EACH) delete each?.own[id]?.[name];
  });
}
