// The project: pictures, and one or two looks (A and B) of their film.  Changes by `change` can be
// undone, and are reported to listeners.
//
// A look is {values, own}: options that differ from their defaults by name, and the pictures' own
// options by picture id.

const MAX_UNDO_STEPS = 200;
const SAME_CHANGE = 800; // milliseconds; faster changes of the same value are one undo step

export const table = { options: new Map(), groups: [], presets: {}, palettes: {}, formats: [] };

export function setTable(answer) {
  Object.assign(table, answer);
  table.options = new Map(answer.groups.flatMap(({ options }) => options).map((o) => [o.name, o]));
}

const newSeed = () => Math.floor(Math.random() * 1e6); // at most six digits
const newLook = () => ({ values: { seed: newSeed() }, own: {} });
const newWork = () => ({ pictures: [], looks: { A: newLook(), B: null }, slot: "A", formats: [".gif"] });

let work = newWork(), past = [], future = [], lastChange = { what: null, time: 0 };
const listeners = [];

export const current = () => work;
export const pictureOf = (id) => work.pictures.find((picture) => picture.id === id);
export const look = () => work.looks[work.slot];
export const slots = () => ["A", "B"].filter((slot) => work.looks[slot]);
export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;
export const onChange = (act) => listeners.push(act);
const notify = () => listeners.forEach((act) => act());

// Replaces the project with a stored one; missing members get their initial values.
export function restore(stored) {
  const complete = { ...newWork(), ...stored };
  if (!complete.looks?.A) complete.looks = newWork().looks;
  for (const oneLook of Object.values(complete.looks)) if (oneLook) oneLook.values.seed ??= newSeed();
  if (!complete.looks[complete.slot]) complete.slot = "A";
  for (const picture of complete.pictures) picture.view ??= null;
  [work, past, future] = [complete, [], []];
  notify();
}

// Undo steps are stored for this tab, so that they survive a reload of the page.
const STEPS = `${location.pathname}steps`, MAX_STORED_STEPS = 60;

export function storeSteps() {
  const stored = { work, past: past.slice(-MAX_STORED_STEPS), future: future.slice(-MAX_STORED_STEPS) };
  try {
    sessionStorage.setItem(STEPS, JSON.stringify(stored));
  } catch {
    sessionStorage.removeItem(STEPS); // the storage is full
  }
}

export function restoreSteps() {
  const stored = JSON.parse(sessionStorage.getItem(STEPS) ?? "null");
  if (JSON.stringify(stored?.work) !== JSON.stringify(work)) return;
  ({ past, future } = stored);
  notify();
}

// Changes the project by `act(copy)`; quick successive changes of the same `what` are one undo step.
export function change(what, act) {
  const next = structuredClone(work), now = performance.now();
  act(next);
  if (JSON.stringify(next) === JSON.stringify(work)) return;
  if (!what || what !== lastChange.what || now - lastChange.time > SAME_CHANGE) past.push(work);
  if (past.length > MAX_UNDO_STEPS) past.shift();
  lastChange = { what, time: now };
  [work, future] = [next, []];
  notify();
}

// Three-way merge of this page's project and another page's; in a conflict this page's value wins.
export function mergeWork(base, mine, theirs) {
  const [before, here, there] = [base, mine, theirs].map((value) => JSON.stringify(value));
  if (here === before || here === there) return theirs;
  if (there === before || ![mine, theirs].every((value) => value && typeof value === "object")) return mine;
  const isList = Array.isArray(mine); // pictures, matched by id, or formats
  const [old, own, theirItems] = [base ?? [], mine, theirs].map((value) =>
    isList ? Object.fromEntries(value.map((each) => [each.id ?? each, each])) : value);
  const pairs = Object.keys({ ...own, ...theirItems }).map((key) => [key, mergeWork(old[key], own[key], theirItems[key])]);
  const members = Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
  return isList ? Object.values(members) : members;
}

// Changes the project without an undo step, for members that do not affect the film.
export function updateWithoutUndo(act) {
  act(work);
  notify();
}

function moveStep(from, onto) {
  if (!from.length) return;
  onto.push(work);
  work = from.pop();
  lastChange = { what: null, time: 0 };
  notify();
}

export const undo = () => moveStep(past, future);
export const redo = () => moveStep(future, past);

export const isSame = (one, other) => one === other || String(one) === String(other);
export const defaultOf = (name) => table.options.get(name)?.default ?? null;

// The value of an option for one picture; for all pictures if `id` is null.
export const valueOf = (name, id = null, of = look()) =>
  of.own[id]?.[name] ?? of.values[name] ?? defaultOf(name);

export const isSet = (name, id = null, of = look()) =>
  id ? name in (of.own[id] ?? {}) : name !== "seed" && name in of.values;

export function setValue(name, value, id = null) {
  change(`${work.slot}.${name}.${id}`, (next) => putValue(next, name, value, id));
}

// Options always stored per picture, so that dragging one picture resets them only for this one.
const PER_PICTURE = ["focus", "crop"];

export function putValue(next, name, value, id = null, slot = next.slot) {
  const { values, own } = next.looks[slot];
  if (id === null && PER_PICTURE.includes(name)) {
    for (const picture of next.pictures) putValue(next, name, value, picture.id, slot);
    return;
  }
  if (id === null) for (const ownValues of Object.values(own)) delete ownValues[name];
  const target = id === null ? values : (own[id] ??= {});
  const base = id === null ? defaultOf(name) : (values[name] ?? defaultOf(name));
  if (value === null || value === undefined || isSame(value, base)) delete target[name];
  else target[name] = value;
  if (name === "seed" && value === null) values.seed = newSeed();
  const picture = next.pictures.find((each) => each.id === id);
  if (picture && name === "focus" && value !== null) picture.view = null;
}

// Whether a picture is a clip that is not reduced to one frame by the option `at`.
export const isMovingClip = ({ id, kind }, of = look()) => kind === "clip" && valueOf("at", id, of) === null;

// A film needs two pictures, a clip, or a still with the transition automaton.
export const isEnough = (of = look()) => work.pictures.length > 1 || work.pictures.some((each) =>
  isMovingClip(each, of) || valueOf("transition", null, of) === "automaton");

// Why an option does not apply to these pictures and this transition, or "".
export function unfitReason(option, of = look(), id = null) {
  const { pictures } = work, clips = pictures.filter((each) => isMovingClip(each, of));
  if (option.of_clips && !pictures.some((each) => each.kind === "clip" && (!id || each.id === id))) return "for clips only";
  if (option.not_of_one_clip && clips.length && pictures.length === 1) return "not with a single clip";
  if (option.not_of_clips && clips.length) return "not with clips";
  if (option.formats && !option.formats.some((suffix) => work.formats.includes(suffix))) return `for ${option.formats.join(" ")}`;
  const transition = valueOf("transition", null, of);
  return option.transitions && !option.transitions.includes(transition) ? `not with ${transition}` : "";
}

// Returns the options of a preset and of all that share an option with it or with each other, so that
// a preset of times keeps the look; without a preset, those of all presets.
export function presetOptions(preset) {
  const all = Object.values(table.presets).map(Object.keys), own = new Set(Object.keys(table.presets[preset] ?? {}));
  const isShared = (names) => !own.size || names.some((name) => own.has(name));
  for (const _ of all) for (const name of all.filter(isShared).flat()) own.add(name);
  return [...own];
}

// Sets the options of a preset, and resets the others of `presetOptions`.
export function applyPreset(name) {
  change(null, (next) => {
    const { values } = next.looks[next.slot];
    for (const option of presetOptions(name)) putValue(next, option, null);
    for (const [option, value] of Object.entries(table.presets[name] ?? {})) putValue(next, option, value);
    if (values.transition === "dissolve") putValue(next, "transition", null);
  });
}

export function presetNow(of = look()) {
  const isValue = (n, value) => isSame(of.values[n] ?? defaultOf(n), value ?? defaultOf(n));
  const fits = (name) => presetOptions(name).every((n) => isValue(n, table.presets[name]?.[n]));
  return Object.keys(table.presets).find(fits) ?? (fits("") ? "" : null);
}

const drawRandom = (list) => list[Math.floor(Math.random() * list.length)];
const withChance = (share) => Math.random() < share;

// Sets a random look with a new seed, without options that make solving slow or boards illegible.
export function surprise() {
  const choices = (name) => table.options.get(name)?.choices ?? [];
  const transition = drawRandom(["wipe", "wipe", "wipe", "dissolve", "sketch"]), dissolves = transition === "dissolve";
  const preset = transition === "wipe" ? drawRandom([{}, ...Object.values(table.presets).filter(({ dither }) => dither)]) : {};
  const drawing = {
    transition,
    ...(!preset.rgb && transition !== "sketch" && { rgb: withChance(0.3), levels: drawRandom([2, 2, 3, 5]) }),
    ...(transition !== "sketch" && { size: drawRandom([null, null, "60", "80", "120"]), perfect: true }),
    ...(dissolves && { dither: drawRandom(["blue-noise", "blue-noise", "bayer"]) }),
    ...(!dissolves && { dither: drawRandom(["floyd-steinberg", "atkinson", "stucki", "blue-noise", "bayer"]) }),
    ...(!dissolves && { order: drawRandom(choices("order").filter((order) => order !== "legal")) }),
    ...(!dissolves && { reverse: withChance(0.3), spread: drawRandom([0.02, 0.02, 0, 0.1, 0.3]) }),
    detail: drawRandom([0.8, 1.5, 1.5, 2.5]),
    palette: drawRandom(choices("palette")),
    shape: drawRandom(choices("shape")),
    ...preset,
  };
  change(null, (next) => {
    const { values } = next.looks[next.slot];
    const groups = table.groups.filter(({ name }) => ["Board", "Picture", "Clicks", "Look"].includes(name));
    for (const { name } of groups.flatMap(({ options }) => options))
      if (name in values && name !== "seed") putValue(next, name, null);
    for (const [name, value] of Object.entries(drawing)) if (table.options.has(name)) putValue(next, name, value);
    values.seed = newSeed();
  });
}

export function compare() {
  change(null, (next) => {
    next.looks.B = structuredClone(next.looks.A);
    next.slot = "B";
  });
}

export function keepSlot(slot) {
  change(null, (next) => {
    next.looks = { A: next.looks[slot], B: null };
    next.slot = "A";
  });
}

export const choose = (slot) => change("slot", (next) => (next.slot = slot));

export function addPictures(answers) {
  change(null, (next) => next.pictures.push(...answers.map((answer) => ({ ...answer, view: null }))));
}

export function removePicture(id) {
  change(null, (next) => {
    next.pictures = next.pictures.filter((picture) => picture.id !== id);
    for (const oneLook of Object.values(next.looks)) if (oneLook) delete oneLook.own[id];
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
    for (const oneLook of Object.values(next.looks))
      for (const name of PER_PICTURE) delete oneLook?.own[id]?.[name];
  });
}
