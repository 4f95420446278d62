// The maker's page. Workers compute all that is slow, by the files included before this one.

const data = JSON.parse(ui.data.textContent);

const capitalize = (name) => name[0].toUpperCase() + name.slice(1);

// Values of each option; labels of tiles that are not the capitalized value.
const CHOICES = {
  look: Object.keys(LOOK_NEEDS),
  size: ["40", "60", "80", "120"],
  transition: Object.keys(TRANSITIONS),
  order: Object.keys(ORDERS),
  palette: Object.keys(data.palettes),
};
const LABELS = { levels: "Three levels", spot: "Spot colours" };

const MIN_SIDE = 16; // pixels
const MAX_ZOOM = 12;
// Height of the film as a share of the window; in narrow ones, where it stays in view.
const MAX_HEIGHT_SHARE = 0.68, STICKY_HEIGHT_SHARE = 0.4;
// CSS pixels between the board and the panel of clicks; share of their width that may stay empty.
const PANEL_GAP = 12, MAX_WASTE = 0.1;

const SLOT_PARTS = ["crop", "target", "name", "problem", "pick"];
const slots = [...document.querySelectorAll(".slot")].map((element) => ({
  ...Object.fromEntries(SLOT_PARTS.map((name) => [name, element.querySelector(`.${name}`)])),
  element,
  fingers: new Map(),
  picture: null,
}));
const choices = { look: "classic", size: "80", transition: "wipe", order: "radial", palette: "ink" };

// The film, its state (see film.js), and the data that downloads need.
const playback = {
  animation: null, look: null, written: null, film: null, state: null, playing: !reducedMotion,
};

// Pictures

// A picture has the number by which the desk knows it, a small copy to draw, and its crop: the centre,
// as shares of the sides, and the zoom factor.  `cropOf` is what workers need of it.
const cropOf = ({ number, name, image: { width, height }, x, y, zoom, sha256 }) =>
  ({ number, name, image: { width, height }, x, y, zoom, sha256 });

let pictureCount = 0;
const unused = new FinalizationRegistry((number) => askDesk("close", number));

// Loads the picture of a file; throws a message for the user if that fails.
async function loadPicture(file, sample) {
  try {
    const source = await createImageBitmap(file).catch(() => decodeDrawing(file));
    const { naturalWidth: width = source.width, naturalHeight: height = source.height } = source;
    if (Math.min(width, height) < MIN_SIDE)
      throw `${file.name} has ${width} × ${height} pixels; the minimum is ${MIN_SIDE} × ${MIN_SIDE}.`;
    const name = file.name.replace(/(?!^)\.[^.]*$/, "") || "picture", number = pictureCount++;
    const bitmap = source instanceof Image ? drawLimited(source, width, height).canvas.transferToImageBitmap() : source;
    const image = await askDesk("open", number, bitmap);
    const sha256 = sample ? null : await crypto.subtle?.digest("SHA-256", await file.arrayBuffer()); // only at secure addresses
    const picture = { ...sample, number, name, image, x: 0.5, y: 0.5, zoom: 1, sha256: sha256 && formatHex([...new Uint8Array(sha256)]).slice(1) };
    unused.register(picture, number);
    return picture;
  } catch (problem) {
    throw typeof problem === "string" ? problem : fileProblem(file);
  }
}

// Returns the picture of a file that only pages can decode, such as an SVG.
async function decodeDrawing(file) {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  await image.decode().finally(() => URL.revokeObjectURL(image.src));
  return image;
}

function fileProblem({ name, type, size }) {
  if (!size) return `${name} is empty; choose a picture.`;
  if (/\.hei[cf]$/i.test(name) || /hei[cf]/.test(type))
    return `This browser cannot read HEIC pictures such as ${name}; save it as JPEG first.`;
  if (type && !type.startsWith("image/")) return `${name} is not a picture; choose a JPEG, PNG or WebP.`;
  return `${name} cannot be read: it is damaged, or this browser does not support it. Choose a JPEG, PNG or WebP.`;
}

// Loads up to three files, from `slot` on. Without `slot`, several files fill the slots in turn, and a single
// file replaces a sample, read or yet to be read (in whose place no file is being read), else the second picture.
async function loadFiles(files, slot) {
  const isFree = ({ picture, isReading }, i) => !isReading && (picture ? picture.isSample : i < 2);
  slot ??= files.length > 1 ? slots[0] : slots.find(isFree) ?? slots[1];
  const targetSlots = [slot, ...slots.filter((other) => other !== slot)];
  await Promise.all([...files].slice(0, 3).map(async (file, i) => {
    const targetSlot = targetSlots[i], turn = (targetSlot.turn = (targetSlot.turn ?? 0) + 1);
    targetSlot.isReading = true;
    setText(targetSlot.problem, "");
    setText(targetSlot.name, `Reading ${file.name} …`);
    try {
      const picture = await loadPicture(file);
      if (targetSlot.turn === turn) targetSlot.picture = picture; // unless a later file replaced it
      playback.isNew = true;
    } catch (problem) {
      if (targetSlot.turn === turn) setText(targetSlot.problem, problem);
    }
    if (targetSlot.turn === turn) targetSlot.isReading = false;
  }));
  startFilm();
}

// From choices to a film

let board = null, targets = [], spot = null; // of the film; spot colours if the look has them

// Slots of the film's pictures. Clicks draw the third one in films of two levels, by the wipe.
const canDraw = () => LOOK_NEEDS[choices.look].levels === 2 && choices.transition === "wipe";
const usedSlots = () => slots.filter(({ picture }, i) => i < 2 || (picture && canDraw()));
const pictures = () => usedSlots().map(({ picture }) => picture);

// Shows the third picture, or what it needs.
function showQuestion() {
  const { picture, element, pick } = slots[2];
  element.classList.toggle("empty", !picture);
  ui.needs.hidden = canDraw();
  pick.parentElement.hidden = !canDraw();
  ui.sample.hidden = Boolean(picture);
  ui.remove.hidden = !picture;
  element.querySelector(".pair").hidden = !picture || !canDraw();
}

// Shows the pictures of a film whose search takes seconds, and for the clicks a dither meanwhile.
async function previewSearch() {
  usedSlots().forEach(drawCrop);
  const { picture } = slots[2];
  if (picture === playback.drawn || board.levels > 2) return;
  const { targets: [target] } = await askDesk("targets", [cropOf(picture)], board, choices);
  if (picture === slots[2].picture) drawSlot(slots[2], target);
}

// Sets the picture that the clicks draw, or null.
function drawByClicks(picture) {
  slots[2].picture = picture;
  setText(slots[2].name, "");
  setText(slots[2].problem, "");
  playback.isNew = true;
  startFilm();
}

function drawSlot(slot, target) {
  const palette = buildPalette(data.palettes[choices.palette], LOOK_NEEDS[choices.look], spot);
  drawBoardImage({ ...board, palette }, slot.target, combineShades(lightsOf(target), board.levels));
  slot.target.ariaLabel = `${slot.picture.name} in ${board.columns} × ${board.rows} cells`;
  drawCrop(slot);
}

function drawCrop({ crop, picture, name }) {
  const [left, top, right, bottom] = cropBox(picture, board), { image } = picture;
  const scale = (2 * crop.clientWidth || 256) / board.columns;
  crop.width = board.columns * scale;
  crop.height = board.rows * scale;
  contextOf(crop).fillStyle = "#fff"; // seen through transparent pixels
  contextOf(crop).fillRect(0, 0, crop.width, crop.height);
  contextOf(crop).drawImage(image, left, top, right - left, bottom - top, 0, 0, crop.width, crop.height);
  crop.classList.toggle("zoomed", picture.zoom > 1); // fingers move it in all directions
  crop.ariaLabel = `Crop of ${picture.name}: arrow keys move it, plus and minus zoom`;
  name.textContent = picture.name;
}

const script = document.currentScript.textContent;
const scriptPart = (from, to) => script.slice(script.indexOf(from), script.indexOf(to));
const workAddress = URL.createObjectURL(new Blob([
  `"use strict";const clampIndex = ${clampIndex}, modulo = ${modulo};`,
  scriptPart("/*! A film", "const ui ="), scriptPart("const decodeSrgb", "/*! The page */"), "listenToPage();",
]));

// Asks a worker that does nothing else for the result of one of its `JOBS`.
const ask = (worker, job, report) => new Promise((resolve, reject) => {
  worker.onmessage = ({ data: { share, result, problem } }) => {
    if (share) report(share);
    else if (problem) reject(Error(problem));
    else resolve(result);
  };
  worker.onerror = reject;
  worker.postMessage(job, job.filter((value) => value instanceof ImageBitmap));
});

// The desk has the pictures, and does one quick job after the other.
const desk = new Worker(workAddress);
let deskQueue = Promise.resolve();
const askDesk = (...job) => (deskQueue = deskQueue.catch(() => {}).then(() => ask(desk, job)));

const BUSY_DELAY = 300; // milliseconds until a slow film shows its progress
let worker = null, isWorking = false, busyTimer = 0, filmTurn = 0;

function stopWork() {
  clearTimeout(busyTimer);
  if (isWorking) worker.terminate();
  if (isWorking) worker = null;
  isWorking = false;
  filmTurn++;
  ui.busy.hidden = true;
}

// Makes the film in a worker; a later call stops an earlier one.  Until then the last film stays, and is not saved.
async function startFilm() {
  showQuestion();
  if (!pictures().every(Boolean)) return;
  if (board && usedSlots()[2]) previewSearch();
  stopWork();
  const turn = filmTurn, chosen = { ...choices }, crops = pictures().map(cropOf);
  const { palettes, accents, program } = data, palette = palettes[choices.palette];
  ui.save.inert = ui.facts.inert = true;
  ui.done.value = 0;
  busyTimer = setTimeout(() => (ui.busy.hidden = false), BUSY_DELAY);
  let made = null, trouble = "";
  try {
    const greys = await askDesk("greys", crops, chosen);
    if (turn !== filmTurn) return;
    isWorking = true;
    const job = { pictures: crops.map((crop, i) => ({ ...crop, ...greys[i] })), choices: chosen, palette, accents, program };
    made = await ask((worker ??= new Worker(workAddress)), ["film", job], (share) => (ui.done.value = share));
  } catch ({ message }) {
    trouble = `This film cannot be made: ${message}.`;
  }
  if (turn !== filmTurn) return;
  isWorking = false;
  stopWork();
  if (made) showFilm(made, chosen);
  else setText(ui.trouble, trouble);
}

function showFilm(made, chosen) {
  ({ board, targets, spot } = made);
  const { animation, look, written, film } = made, state = createState(film);
  playback.drawn = targets[2] ? slots[2].picture : null;
  const share = playback.film && !playback.isNew ? playback.state.time / playback.film.starts.at(-1) : 0;
  advance(film, state, share * film.starts.at(-1));
  Object.assign(playback, { animation, look, written, film, state, chosen, isNew: false });
  setText(ui.trouble, "");
  ui.save.inert = ui.facts.inert = false;
  setText(ui.facts, `${plural(film.count, "click")} on ${board.columns} × ${board.rows} cells, each a move of Lights Out.`);
  ui.board.ariaLabel = `${film.title}: ${board.columns} by ${board.rows} cells`;
  fit();
  run();
  ui.presses.hidden = !film.clicks_panel;
  requestAnimationFrame(() => targets.forEach((target, i) => drawSlot(slots[i], target))); // after the film is painted
  debounce(drawTiles);
}

// Goes back to the choices of the film that is shown.
function cancelFilm() {
  stopWork();
  choose(playback.chosen ?? {});
  if (canDraw()) slots[2].picture = playback.drawn;
  if (canDraw() && playback.drawn) drawSlot(slots[2], targets[2]);
  showQuestion();
  ui.save.inert = ui.facts.inert = false;
}

// Delays slow work until 120 ms after the last change that asks for it.
const waiting = new Map();

function debounce(act) {
  clearTimeout(waiting.get(act));
  waiting.set(act, setTimeout(act, 120));
}

// Playing, by film.js

// Fits the film to the width; the height is limited so that the buttons stay visible.
function fit() {
  if (!playback.film) return;
  const { film, state } = playback, isSticky = getComputedStyle(ui.screen).position === "sticky";
  const highest = (isSticky ? STICKY_HEIGHT_SHARE : MAX_HEIGHT_SHARE) * innerHeight;
  const { clientWidth: wide } = ui.stage, canvases = [ui.board, ui.pressed];
  if (film.clicks_panel) fitCanvases((wide - PANEL_GAP) / 2, highest, film, state, canvases, MAX_WASTE);
  else fitCanvases(wide, highest, film, state, canvases);
  showProgress();
}

// Paints the board and updates the time slider.
function showProgress() {
  if (!playback.film) return;
  const { film, state, playing } = playback;
  paintState(film, state, ui.board);
  if (film.clicks_panel) paintBoard(film, state, ui.pressed, boardImage(film, pressesBetween(film, 0, state.done)));
  ui.scrub.value = (1000 * state.time) / film.starts.at(-1);
  ui.scrub.ariaValueText = plural(state.done, "click");
  setText(ui.play, playing ? "Pause" : "Play");
}

function run() {
  animate((seconds) => {
    if (playback.playing) playFor(seconds);
    return playback.playing;
  }, playback);
}

function playFor(seconds) {
  if (playback.film) advance(playback.film, playback.state, seconds);
  showProgress();
}

function playOrPause() {
  playback.playing = !playback.playing;
  showProgress();
  run();
}

function seek() {
  if (!playback.film) return;
  playback.playing = false;
  playback.state.time = (ui.scrub.value / 1000) * playback.film.starts.at(-1) * 0.9999;
  playFor(0);
}

// Tiles: each previews its option with the current pictures

let tilesDrawn = 0;

// Draws one tile after the other; a newer call stops it.
async function drawTiles() {
  const turn = ++tilesDrawn, shown = pictures().slice(0, 2); // kept, so that the desk keeps them, too
  for (const tile of ui.choices.querySelectorAll(".tile")) {
    const { name, value } = tile.querySelector("input"), palette = name === "palette" ? value : choices.palette;
    const still = await askDesk("tile", shown.map(cropOf), choices, name, value);
    if (turn !== tilesDrawn) return;
    const board = { ...still, palette: buildPalette(data.palettes[palette], still, still.spot) };
    drawBoardImage(board, tile.querySelector("canvas"), still.shades);
  }
}

function writeTiles() {
  ui.choices.innerHTML = Object.entries(CHOICES).map(([name, values]) => {
    const tiles = values.map((value) =>
      `<label class="tile"><input type="radio" name="${name}" value="${value}"><canvas aria-hidden="true"></canvas>${LABELS[value] ?? capitalize(value)}</label>`);
    return `<fieldset id="choice-${name}"><legend>${capitalize(name)}</legend><div class="tiles">${tiles.join("")}</div></fieldset>`;
  }).join("");
  choose({});
}

// In colour a palette's two ends must differ in red, green and blue.
const isSuitable = (palette, needs) =>
  !needs.rgb || new Set(buildPalette(data.palettes[palette], needs).slice(1)).size === needs.levels ** 3;

function choose(values) {
  Object.assign(choices, values);
  for (const tile of ui.choices.elements.palette)
    tile.parentElement.hidden = !isSuitable(tile.value, LOOK_NEEDS[choices.look]);
  if (!isSuitable(choices.palette, LOOK_NEEDS[choices.look])) choices.palette = "ink";
  for (const name in choices) ui.choices.elements[name].value = choices[name];
  document.getElementById("choice-order").hidden = choices.transition !== "wipe";
  document.getElementById("choice-palette").hidden = choices.look === "spot";
}

function shuffleChoices() {
  const drawRandom = (values) => values[Math.floor(Math.random() * values.length)];
  const values = Object.entries(CHOICES).map(([name, those]) => [name, drawRandom(those)]);
  const { size, look, transition } = choices;
  choose({ ...Object.fromEntries(values), size, ...(usedSlots()[2] && { look, transition }) });
  startFilm();
}

function swapPictures() {
  [slots[0].picture, slots[1].picture] = [slots[1].picture, slots[0].picture];
  playback.isNew = true;
  startFilm();
}

// The game on a small board: three seconds of clicks; with reduced motion the first of them

const GAME_CLICKS = [12, 6, 8, 18, 16], CLICK_SECONDS = 0.6, GAME_WIDTH = 80;
const game = {
  rows: 5, columns: 5, gap: null, shape: "square", offsets: [[0, 0], [0, 1], [1, 0], [0, -1], [-1, 0]],
  palette: ["#1d1d1b", "#42423f", "#f6f6f2", "#e8940c"], // unlit, lit, just clicked
};

function playGame() {
  const state = { shades: new Uint8Array(25), touched: [] };
  let done = 0;
  fitCanvases(GAME_WIDTH, GAME_WIDTH, game, state, [ui.game]);
  animate((_, passed) => {
    const due = reducedMotion ? 1 : passed / CLICK_SECONDS;
    if (due >= done + 1) turnNeighbourhood(game, state, GAME_CLICKS[done++], [1, 0]);
    const clicked = due - done < 0.5 ? GAME_CLICKS[done - 1] : null;
    paintBoard(game, state, ui.game, boardImage(game, state.shades.map((shade, cell) => (cell === clicked ? 2 : shade))));
    return !reducedMotion && due < GAME_CLICKS.length + 0.6;
  });
}

// Cropping

let isPreviewing = false, isCropNew = false;

// Draws the targets of the crops as they are now; crops that move meanwhile are drawn next.
async function previewCrops() {
  isCropNew = true;
  if (isPreviewing || spot) return; // spot colours take longer
  isPreviewing = true;
  while (isCropNew) {
    isCropNew = false;
    const used = usedSlots(), shown = pictures(), before = board;
    const previews = await askDesk("targets", shown.map(cropOf), board, choices);
    if (board !== before || used.some(({ picture }, i) => picture !== shown[i])) continue;
    ({ targets } = previews);
    used.forEach((slot, i) => drawSlot(slot, targets[i]));
  }
  isPreviewing = false;
}

// Moves the picture by CSS pixels and multiplies its zoom; the crop stays inside the picture.
function moveCrop(slot, right, down, times = 1) {
  if (!board) return;
  const { picture, crop } = slot, { width, height } = picture.image;
  const [left, top, edge, bottom] = cropBox(picture, board), pixel = (edge - left) / crop.clientWidth;
  picture.x = ((left + edge) / 2 - right * pixel) / width;
  picture.y = ((top + bottom) / 2 - down * pixel) / height;
  picture.zoom = Math.min(Math.max(picture.zoom * times, 1), MAX_ZOOM);
  drawCrop(slot);
  previewCrops();
  debounce(startFilm);
}

// One finger moves the picture; two fingers zoom by the ratio of their distances.
function dragCrop(slot, event) {
  const { fingers } = slot, old = fingers.get(event.pointerId);
  if (!old) return;
  const fingerDistance = () => {
    const [firstFinger, secondFinger] = [...fingers.values()];
    return secondFinger ? Math.hypot(firstFinger.clientX - secondFinger.clientX, firstFinger.clientY - secondFinger.clientY) : 1;
  };
  const earlier = fingerDistance(), share = 1 / fingers.size;
  fingers.set(event.pointerId, event);
  const right = event.clientX - old.clientX, down = event.clientY - old.clientY;
  moveCrop(slot, right * share, down * share, fingerDistance() / Math.max(earlier, 1));
}

const STEP = 8; // pixels that an arrow key moves
const CROP_KEYS = {
  ArrowLeft: [STEP, 0], ArrowRight: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP],
  "+": [0, 0, 1.1], "=": [0, 0, 1.1], "-": [0, 0, 1 / 1.1],
};

function listenToSlot(slot) {
  const { crop, element, pick, fingers } = slot;
  let target = null, travelled = 0;
  crop.onpointerdown = (event) => {
    if (event.button) return; // only the main button crops
    crop.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, event);
    [target, travelled] = [event, 0];
  };
  crop.onpointermove = (event) => {
    const { clientX: x, clientY: y } = fingers.get(event.pointerId) ?? event;
    travelled += Math.abs(event.clientX - x) + Math.abs(event.clientY - y);
    dragCrop(slot, event);
  };
  crop.onpointerup = (event) => {
    fingers.delete(event.pointerId);
    if (target && travelled < 6 && !fingers.size) pickFile(slot); // a tap
    if (!fingers.size) target = null;
  };
  crop.onpointercancel = (event) => fingers.delete(event.pointerId);
  crop.onkeydown = (event) => {
    if (event.key === "Enter") return pickFile(slot);
    if (!CROP_KEYS[event.key] || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    moveCrop(slot, ...CROP_KEYS[event.key]);
  };
  crop.addEventListener("wheel", (event) => {
    event.preventDefault();
    moveCrop(slot, 0, 0, Math.exp(-event.deltaY / 500));
  }, { passive: false });
  element.ondragover = () => element.classList.add("over");
  element.ondragleave = element.ondrop = () => element.classList.remove("over");
  pick.onclick = () => pickFile(slot);
}

function pickFile(slot) {
  ui.files.value = "";
  ui.files.onchange = () => ui.files.files.length && loadFiles(ui.files.files, slot);
  ui.files.click();
}

function listenToFiles() {
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const { files } = event.dataTransfer, slot = slots.find(({ element }) => element.contains(event.target));
    if (files.length) loadFiles(files, slot);
    else setText((slot ?? slots[0]).problem, "That is not a file; save the picture, then drop it here.");
  });
  addEventListener("paste", ({ clipboardData: { files } }) => {
    if (files.length) loadFiles(files);
    else setText(slots[0].problem, "The clipboard contains no picture; copy one first.");
  });
}

// Saving

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&#39;", '"': "&#34;" };
const escapeHtml = (text) => text.replace(/[&<>'"]/g, (letter) => ESCAPES[letter]);

const decodeBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt());

// Returns a compressed text.
function inflate(text) {
  const packed = new Blob([decodeBase64(text)]).stream();
  return new Response(packed.pipeThrough(new DecompressionStream("deflate"))).text();
}

// Parts of films' pages, each after the kinds of films that have it: "", kinds, text, kinds, text, ...
let pageParts = [];

// Builds the film's page as page.py does, from the parts of films of its kind.
function buildPageText() {
  const { written, film } = playback, { boards, levels, palette } = written;
  const kind = film.clicks_panel ? "3" : boards > 1 ? "2" : levels > 2 ? "1" : "0";
  const facts = { ...written, title: escapeHtml(written.title) };
  return pageParts.filter((_, i) => i % 2 === 0 && pageParts[i - 1]?.includes(kind)).join("")
    .replaceAll(data.clicks, film.count)
    .replace(/«(\w+)(?: (\d+))?»/g, (_, name, shade) => (shade ? palette[shade] : facts[name]))
    .replace("<film>", () => toJson(withDigest(written), IN_PAGE));
}

const buildDocumentText = () => buildDocument(playback.animation, data.program);
const createPageFile = () => createFile("html", "text/html", [buildPageText()]);

function createFile(suffix, type, pieces, { pictures } = playback.animation) {
  const name = pictures.join(" to ").replace(/[/\\:*?"<>|]/g, "-");
  return new File(pieces, `${name}.${suffix}`, { type });
}

function downloadFile(file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// A worker of its own writes the GIF, as the film may change meanwhile.
async function downloadGif() {
  if (ui.gif.ariaBusy) return;
  const { animation, film, look } = playback, { textContent: words } = ui.gif, writer = new Worker(workAddress);
  const showShare = (share) => setText(ui.gif, `GIF: ${Math.floor(100 * share)} %`);
  ui.gif.ariaBusy = "true";
  showShare(0);
  try {
    downloadFile(createFile("gif", "image/gif", await ask(writer, ["gif", { film, look }, data.program], showShare), animation));
  } catch (problem) {
    setText(ui.trouble, `This film cannot be saved as a GIF: ${problem.message}.`);
  }
  writer.terminate();
  ui.gif.ariaBusy = null;
  setText(ui.gif, words);
}

// Opens the share sheet of the device.
async function sharePage() {
  try {
    await navigator.share({ files: [createPageFile()] });
  } catch (problem) {
    if (problem.name !== "AbortError") setText(ui.trouble, "This device cannot share the page; save it instead.");
  }
}

// Read-only, for tests.
window.lightsanim = Object.freeze({
  configuration: () => [...playback.state.shades],
  clicksDone: () => playback.state?.done,
  pageText: buildPageText, documentText: buildDocumentText,
  targets: () => targets.map((planes) => planes.map(({ configuration }) => [...configuration])),
});

// Acts after the next paint, so that the page answers a click before a long task.
const afterPaint = (act) => requestAnimationFrame(() => setTimeout(act));

listenToButtons({
  choose: () => pickFile(), play: playOrPause, shuffle: shuffleChoices, swap: swapPictures, share: sharePage,
  page: () => afterPaint(() => downloadFile(createPageFile())),
  document: () => afterPaint(() => downloadFile(createFile("json", "application/json", [buildDocumentText()]))),
  gif: downloadGif, cancel: cancelFilm, remove: () => drawByClicks(null),
});
ui.board.onclick = playOrPause;
ui.scrub.oninput = seek;
ui.choices.onchange = ({ target: { name, value } }) => {
  choose({ [name]: value });
  startFilm();
};
ui.share.hidden = !navigator.canShare?.({ files: [new File(["."], "film.html", { type: "text/html" })] });
slots.forEach(listenToSlot);
listenToFiles();
writeTiles();
playGame();
inflate(ui.parts.textContent).then((text) => (pageParts = text.split(/«(\d+)»/)));
const loadSample = ({ name, png }) => loadPicture(new File([decodeBase64(png)], name, { type: "image/png" }), { isSample: true });
Promise.all(data.samples.map(loadSample)).then((samples) => {
  slots.slice(0, 2).forEach((slot, i) => (slot.picture ??= samples[i]));
  ui.sample.onclick = () => drawByClicks(samples[2]);
  startFilm();
});
new ResizeObserver(fit).observe(ui.stage);
addEventListener("resize", fit); // a zoom changes the pixels, but not always the stage
