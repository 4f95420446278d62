// Cards for the pictures, with frame, target and name, and a film strip for clips.

import { addPicture, getTarget, hasPicture, isGone, isStale, thumbAddress } from "./api.js";
import { lazyImage } from "./controls.js";
import { $, drawBitmap, h, iconButton, latestOnly, plural } from "./dom.js";
import { clearProblem, setProblemPlace, showProblem, toSentence } from "./problems.js";
import { listenToGestures, partOf, recordBoardSize, shapeOf, sizeOf, snapWidth, targetBody, viewOfPart } from "./part.js";
import { addPictures, current, look, movePicture, pictureOf, removePicture, setValue, setView, updateWithoutUndo, valueOf } from "./work.js";

const list = $("cards");
const cards = new Map();
const switches = { shine: false, wrong: false };

function buildCard(picture) {
  const { id, name } = picture;
  const image = h("img", { alt: "", draggable: "false", src: thumbAddress(id), onerror: () => removeMissing(id, name) });
  const otherImage = h("img", { alt: "", draggable: "false", class: "other", hidden: true });
  const frame = h("div", {
    class: "frame", tabindex: "0", role: "application", "aria-roledescription": "frame",
    "aria-label": `Visible part of ${name}: arrow keys move it, plus and minus zoom, 0 resets it`,
  }, image, otherImage);
  const target = h("canvas", { class: "target", role: "img", "aria-label": `Target of ${name}` });
  const state = h("p", { class: "soft state" }), says = h("p", { class: "problem", role: "alert" });
  const readFrame = () => {
    const own = pictureOf(id), shape = shapeOf(current(), look());
    return { picture: own, shape, view: own.view ?? viewOfFocus(own, shape) };
  };
  const viewOfFocus = (own, shape) =>
    isServerCrop(id, card.part) && card.part ? viewOfPart(own, shape, card.part) : null;
  const gestures = listenToGestures(frame, readFrame, (view) => setView(id, view));
  const grip = iconButton("grip", `Move ${name}: drag, or use the arrow keys`, null, { class: "icon grip" });
  const tools = h("div", { class: "tools" },
    grip,
    h("span", { class: "name", title: name }, h("bdi", {}, name)),
    iconButton("close", `Remove ${name}`, () => {
      removePicture(id);
      document.querySelector("#pictures .pick").focus();
    }));
  const panes = h("div", { class: "panes" }, frame, target);
  const zooms = h("div", { class: "tools zooms" },
    iconButton("minus", `Zoom out of ${name}`, () => gestures.closer(1 / 1.2)),
    iconButton("plus", `Zoom into ${name}`, () => gestures.closer(1.2)),
    iconButton("whole", `Reset the view of ${name}`, gestures.whole),
    state);
  const strip = picture.kind === "clip" && picture.seconds ? buildStrip(picture) : null;
  const element = h("li", { class: "card" }, tools, panes, zooms, strip?.element, says);
  const card = { id, element, image, other: otherImage, frame, target, state, strip, part: null, asked: null, clip: "", size: "", found: "" };
  if (picture.kind === "clip") card.clip = `clip${picture.seconds === null ? "" : ` of ${Number(picture.seconds.toFixed(2))} s`}, `;
  card.ask = latestOnly((signal) => askTarget(card, signal));
  setProblemPlace(id, says);
  listenToGrip(grip, card);
  return card;
}

// A strip of a clip's frames, with handles for its start and end.

const STRIP_FRAMES = 8, MIN_CLIP_SECONDS = 0.1; // shortest part of a clip, in seconds

function buildStrip({ id, name, seconds }) {
  const at = (i) => Number((((i + 0.5) * seconds) / STRIP_FRAMES).toFixed(2));
  const frames = Array.from({ length: STRIP_FRAMES }, (_, i) => lazyImage(`${thumbAddress(id, at(i))}&strip=1`, { draggable: "false" }));
  const handle = (option, word) => h("input", {
    type: "range", min: 0, max: seconds, step: "any", "aria-label": `${word} of ${name}`, "data-option": option,
    oninput: ({ target }) => {
      const limit = option === "start" ? (valueOf("end", id) ?? seconds) - MIN_CLIP_SECONDS : (valueOf("start", id) ?? 0) + MIN_CLIP_SECONDS;
      const to = Math[option === "start" ? "min" : "max"](Number(target.value), Math.max(limit, 0));
      const isUsual = to === (option === "start" ? 0 : seconds) && !(option in look().values);
      setValue(option, isUsual ? null : Number(to.toFixed(2)), id);
      set();
    },
  });
  const start = handle("start", "Start"), end = handle("end", "End"), times = h("span", { class: "soft" });
  const element = h("div", { class: "strip" }, h("div", { class: "frames" }, ...frames, start, end), times);
  const set = () => {
    const [from, to] = [valueOf("start", id) ?? 0, Math.min(valueOf("end", id) ?? seconds, seconds)];
    [start.value, end.value] = [from, to];
    start.style.zIndex = Number(from > seconds / 2); // if both handles are at one end, the movable handle is on top
    for (const input of [start, end]) input.ariaValueText = `${input.value} s`;
    element.style.setProperty("--from", from / seconds);
    element.style.setProperty("--to", to / seconds);
    times.textContent = `${Number(from.toFixed(2))} to ${Number(to.toFixed(2))} s`;
    element.hidden = valueOf("at", id) !== null;
  };
  return { element, set };
}

async function removeMissing(id, name) {
  const isMissing = !(await hasPicture(id).catch(() => true));
  if (!isMissing || !pictureOf(id)) return;
  updateWithoutUndo((work) => (work.pictures = work.pictures.filter((each) => each.id !== id)));
  showProblem("upload", { message: `${name} was removed from the studio; add it again.` });
}

// Moves a card by dragging or with the arrow keys.
function listenToGrip(grip, card) {
  const position = () => current().pictures.findIndex(({ id }) => id === card.id);
  grip.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    movePicture(card.id, position() + by);
    grip.focus();
  });
  grip.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    grip.focus();
    grip.setPointerCapture(event.pointerId);
    card.element.classList.add("moved");
  });
  grip.addEventListener("pointermove", (event) => {
    if (!grip.hasPointerCapture(event.pointerId)) return;
    const under = current().pictures.findIndex(({ id }) => {
      const box = cards.get(id).element.getBoundingClientRect();
      return box.left < event.clientX && event.clientX < box.right && box.top < event.clientY && event.clientY < box.bottom;
    });
    if (under >= 0 && under !== position()) movePicture(card.id, under);
  });
  grip.addEventListener("lostpointercapture", () => card.element.classList.remove("moved"));
}

// Targets

// Milliseconds until a superseded target is requested again, and until a waiting card looks busy.
const RETRY_DELAY = 200, BUSY_DELAY = 300;

async function askTarget(card, signal) {
  const picture = pictureOf(card.id);
  if (!picture) return;
  const body = targetBody(current(), picture, look(), switches.wrong), asked = JSON.stringify(body);
  if (asked === card.asked) return clearProblem(card.id);
  const late = setTimeout(() => card.element.classList.add("busy"), BUSY_DELAY);
  try {
    const answer = await getTarget(body, signal);
    card.asked = asked;
    clearProblem(card.id);
    showTarget(card, answer);
  } catch (error) {
    if (error.status === 409) setTimeout(card.ask, RETRY_DELAY);
    else if (!isStale(error) && !isGone(error)) showProblem(card.id, error);
  } finally {
    clearTimeout(late);
    card.element.classList.remove("busy");
  }
}

function showTarget(card, { bitmap, part }) {
  card.part = part;
  card.size = `${card.clip}${bitmap.width} × ${bitmap.height} cells`;
  showState(card);
  if (recordBoardSize(bitmap.width, bitmap.height)) arrangeCards();
  drawBitmap(card.target, bitmap);
  placeCard(card);
}

const showState = (card) => {
  card.state.textContent = [card.size, card.found].filter(Boolean).join(", ");
};

// Shows the number of wrong cells of each picture, from the film's report.
export function showReport(report) {
  for (const [i, { id }] of current().pictures.entries()) {
    const card = cards.get(id), wrong = report?.pictures?.[i]?.wrong;
    if (!card) continue;
    card.found = wrong === undefined ? "" : wrong ? plural(wrong, "wrong cell") : "no wrong cells";
    showState(card);
  }
}

const FRAME_HEIGHT = 140, MAX_WASTE = 0.15; // pixels; share of a width that may stay empty so that cells have whole pixels

function arrangeCards() {
  const shape = shapeOf(current(), look()), { columns } = sizeOf();
  const first = list.querySelector(".card .panes");
  if (!first) return;
  const gap = parseFloat(getComputedStyle(first).columnGap) || 0;
  const highest = Math.max(FRAME_HEIGHT, innerHeight * 0.2) * shape;
  const width = snapWidth(Math.min((first.clientWidth - gap) / 2, highest), columns, MAX_WASTE);
  list.style.setProperty("--width", `${width}px`);
  list.style.setProperty("--height", `${width / shape}px`);
  for (const card of cards.values()) placeCard(card);
}

function placeCard(card) {
  const { pictures } = current(), picture = pictureOf(card.id);
  if (!picture) return;
  const shape = shapeOf(current(), look());
  const thumbnail = thumbAddress(picture.id, picture.kind === "clip" ? (valueOf("at", picture.id) ?? valueOf("start", picture.id)) : 0);
  layImage(card.image, thumbnail, card, picture, shape);
  card.strip?.set();
  const next = pictures[(pictures.indexOf(picture) + 1) % pictures.length];
  card.other.hidden = !switches.shine || next === picture;
  if (card.other.hidden) return;
  layImage(card.other, thumbAddress(next.id), cards.get(next.id), next, shape);
}

// Whether the server chooses the visible part: by a focus, by a crop from the command line, or by a
// part other than the middle, which keeps heads whole.
const isServerCrop = (id, part) =>
  Boolean(valueOf("focus", id) || valueOf("crop", id) || (part?.[1] >= 0 && Math.abs(part[1] + part[3] - 100) > 0.1));

function layImage(image, address, card, picture, shape) {
  if (image.getAttribute("src") !== address) image.src = address;
  const focused = isServerCrop(picture.id, card?.part), fit = valueOf("fit", picture.id);
  // With fit "auto", a part that extends beyond the edges shows the whole picture with padding.
  const contained = fit === "contain" || (fit === "auto" && card?.part && Math.min(...card.part) < 0);
  const free = !picture.view && !focused && (contained || fit === "stretch");
  const view = picture.view ?? (focused && card?.part ? viewOfPart(picture, shape, card.part) : null);
  const [left, top, width, height] = free ? [0, 0, 1, 1] : partOf(picture, shape, view);
  const percent = (share) => `${100 * share}%`;
  image.style.objectFit = free && contained ? "contain" : "fill";
  image.style.width = percent(1 / width);
  image.style.height = percent(1 / height);
  image.style.left = percent(-left / width);
  image.style.top = percent(-top / height);
  // If the full height is visible, vertical swipes scroll the page.
  if (image.classList.contains("other")) return;
  card.frame.style.touchAction = height > 0.999 ? "pan-y" : "none";
}

export function showPictures() {
  const { pictures } = current();
  for (const [id, card] of cards) {
    if (pictureOf(id)) continue;
    card.element.remove();
    clearProblem(id);
    cards.delete(id);
  }
  for (const picture of pictures) if (!cards.has(picture.id)) cards.set(picture.id, buildCard(picture));
  const elements = pictures.map(({ id }) => cards.get(id).element), held = document.activeElement;
  for (const [i, element] of elements.entries()) if (list.children[i] !== element) list.insertBefore(element, list.children[i]);
  if (held !== document.activeElement) held.focus();
  arrangeCards();
  for (const card of cards.values()) card.ask();
}

export function toggleSwitch(name, button) {
  switches[name] = !switches[name];
  button.setAttribute("aria-checked", switches[name]);
  arrangeCards();
  if (name === "wrong") for (const card of cards.values()) card.ask();
}

let pastedCount = 0;
const uploadStatus = $("waiting");

function uploadName(file, isPasted) {
  if (!isPasted || (file.name && !/^image\.\w+$/.test(file.name))) return file.name;
  const suffix = { "image/jpeg": "jpg", "image/webp": "webp", "image/gif": "gif" }[file.type] ?? "png";
  return `pasted${++pastedCount > 1 ? `-${pastedCount}` : ""}.${suffix}`;
}

export async function uploadFiles(files, isPasted = false) {
  const added = [], refused = [];
  for (const [i, file] of [...files].entries()) {
    uploadStatus.textContent = `Reading ${file.name || "a picture"}${files.length > 1 ? `, ${i + 1} of ${files.length}` : ""} …`;
    try {
      added.push({ ...(await addPicture(file, uploadName(file, isPasted))), pasted: isPasted });
    } catch (error) {
      refused.push(toSentence(error instanceof TypeError ? `${file.name} could not be uploaded` : error.message));
    }
  }
  uploadStatus.textContent = "";
  if (refused.length) showProblem("upload", { message: refused.join(" ") });
  else clearProblem("upload");
  if (added.length) addPictures(added);
}

// Pairs of sample pictures, which are uploaded like pasted pictures.
const SAMPLE_PAIRS = [["face", "skull"], ["eye", "moon"], ["cat", "knight"]];

export function buildSamples() {
  for (const names of SAMPLE_PAIRS) {
    const images = names.map((name) => h("img", { src: `samples/${name}`, alt: "", width: 72, height: 72, loading: "lazy" }));
    const addSamples = async () => {
      const contents = await Promise.all(images.map(async ({ src }) => (await fetch(src)).blob()));
      await uploadFiles(contents.map((content, i) => new File([content], names[i])), true);
    };
    const button = h("button", { type: "button", "aria-label": `Start with ${names.join(" and ")}`, onclick: addSamples }, ...images);
    $("samples").append(h("li", {}, button));
  }
}

new ResizeObserver(arrangeCards).observe(list);
addEventListener("resize", arrangeCards);
