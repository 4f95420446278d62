// Two pictures in, a film out: this file has the page; what it makes comes from the files before it

const data = JSON.parse(ui.data.textContent);
const script = document.currentScript.textContent;

const title = (name) => name[0].toUpperCase() + name.slice(1);

// What can be chosen, with the words on its tile.
const CHOICES = {
  look: { classic: "Classic", linocut: "Linocut", levels: "Three levels", colour: "Colour" },
  size: { 80: "80", 40: "40", 60: "60", 120: "120" },
  transition: { wipe: "Wipe", dissolve: "Dissolve", automaton: "Automaton" },
  order: {
    radial: "Radial", sweep: "Sweep", diagonal: "Diagonal", spiral: "Spiral", noise: "Noise",
    random: "Random",
  },
  palette: Object.fromEntries(Object.keys(data.palettes).map((name) => [name, title(name)])),
};

// What else is said of choices.
const NOTES = {
  look: "Classic dithers as Floyd and Steinberg do, rows to and fro; the dither that lightsanim searches for is not in this page.",
};

// What looks ask of pictures and targets: as the presets of Python, but for the searched dither.
const CLASSIC = { dither: "floyd-steinberg", detail: 1.5, levels: 2, rgb: false };
const LOOKS = {
  classic: CLASSIC,
  linocut: { ...CLASSIC, dither: "threshold", detail: 3 },
  levels: { ...CLASSIC, levels: 3 },
  colour: { ...CLASSIC, levels: 3, rgb: true, detail: 0.8 },
};

// What transitions ask of boards and time.
const WAYS = {
  wipe: { rules: ["plus"], options: {} },
  dissolve: { rules: ["plus"], options: { fps: 12 } },
  automaton: { rules: ["plus", "ring"], options: { fps: 12 } },
};

// Pixels on the longer side of what a board shows that are kept of a picture; that are read of one
// at most, in all and on a side, or canvases fail; one with fewer than the last has nothing to show.
const KEPT = 640, MOST_READ = 4_000_000, LONGEST_READ = 16_384, FEWEST = 16;

const TILE = 40; // cells a side of what tiles show
const MAX_ZOOM = 12;
const HIGHEST = 0.7; // of the window, the film

const slots = [...document.querySelectorAll(".slot")].map((element) => ({
  element,
  crop: element.querySelector(".crop"),
  target: element.querySelector(".target"),
  name: element.querySelector(".name"),
  problem: element.querySelector(".problem"),
  button: element.querySelector(".pick"),
  fingers: new Map(),
  picture: null,
}));
const chosen = { look: "classic", size: "80", transition: "wipe", order: "radial", palette: "ink" };

// What is played: film and state as film.js has them, and what is kept of them.
const shown = {
  animation: null, look: null, written: null, film: null, state: null, playing: !calm,
};

// Pictures

// A picture has its light, read when it is first asked for, a small copy to draw, and the part that
// is looked at: its middle, in shares of the sides, and how many times it is enlarged.
function pictureOf(name, source, width, height) {
  const longest = LONGEST_READ / Math.max(width, height);
  const scale = Math.min(1, Math.sqrt(MOST_READ / (width * height)), longest);
  const wide = Math.max(1, Math.round(width * scale)), high = Math.max(1, Math.round(height * scale));
  const seen = Math.min(Math.max(wide, high), 2 * Math.min(wide, high)), lights = {};
  const factor = Math.max(1, Math.floor(seen / KEPT));
  const pixels = () => drawn(source, wide, high).getImageData(0, 0, wide, high);
  const light = (rgb) => (lights[rgb] ??= lightOf(pixels(), { rgb, factor }));
  const image = drawn(source, Math.floor(wide / factor), Math.floor(high / factor)).canvas;
  return { name, light, image, x: 0.5, y: 0.5, zoom: 1 };
}

function drawn(source, width, height) {
  const context = sheet(width, height);
  context.imageSmoothingQuality = "high";
  context.drawImage(source, 0, 0, width, height);
  return context;
}

function sampleOf({ name, side, tones, grey }) {
  const context = sheet(side, side), image = context.createImageData(side, side);
  numbers(grey).forEach((tone, i) => {
    image.data.fill(Math.round((255 * tone) / (tones - 1)), 4 * i, 4 * i + 3);
    image.data[4 * i + 3] = 255;
  });
  context.putImageData(image, 0, 0);
  return { ...pictureOf(name, context.canvas, side, side), isSample: true };
}

// The picture of a file, or a sentence that says why there is none.
async function pictureOfFile(file) {
  const image = new Image(), address = URL.createObjectURL(file);
  try {
    image.src = address;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    if (Math.min(width, height) < FEWEST)
      throw `${file.name} has ${width} × ${height} pixels; take one of ${FEWEST} × ${FEWEST} or more.`;
    const name = file.name.replace(/(?!^)\.[^.]*$/, "") || "picture";
    const picture = pictureOf(name, image, width, height);
    picture.light(LOOKS[chosen.look].rgb); // here, as some drawings can be seen, but not read
    return picture;
  } catch (problem) {
    throw typeof problem === "string" ? problem : whyNot(file);
  } finally {
    URL.revokeObjectURL(address);
  }
}

function whyNot({ name, type, size }) {
  if (!size) return `${name} is empty; choose a picture.`;
  if (/\.hei[cf]$/i.test(name) || /hei[cf]/.test(type))
    return `This browser cannot read HEIC pictures such as ${name}; save it as JPEG, and choose that.`;
  if (type && !type.startsWith("image/")) return `${name} is no picture; choose a JPEG, PNG or WebP.`;
  return `${name} cannot be read: it is damaged, or of a kind that this browser does not know. A JPEG, PNG or WebP will do.`;
}

// Files go to a place and on to the other; without one, two as they come, and one first to a place
// that shows a sample.
async function take(files, slot) {
  slot ??= files.length > 1 ? slots[0] : slots.find(({ picture }) => picture.isSample) ?? slots[1];
  const places = [slot, slots.find((other) => other !== slot)];
  await Promise.all([...files].slice(0, 2).map(async (file, i) => {
    const place = places[i], turn = (place.turn = (place.turn ?? 0) + 1);
    say(place.problem, "");
    say(place.name, `Reading ${file.name} …`);
    try {
      const picture = await pictureOfFile(file);
      if (place.turn === turn) place.picture = picture; // else another one came after it
      shown.state.time = 0;
    } catch (problem) {
      if (place.turn === turn) say(place.problem, problem);
    }
  }));
  makeAll();
}

// From choices to a film

function boardOf({ size, look, transition }) {
  const { width, height } = slots[0].picture.image;
  const shape = Math.min(2, Math.max(0.5, width / height)), longer = Number(size);
  const columns = Math.round(longer * Math.min(1, shape)), rows = Math.round(longer / Math.max(1, shape));
  return perfectBoard({ rows, columns, levels: LOOKS[look].levels }, WAYS[transition].rules);
}

// The part of a picture that is looked at, in pixels, of a board's shape.
function boxOf(picture, { rows, columns }) {
  const { width, height } = picture.image;
  const [left, top, right, bottom] = middleBox([0, 0, width, height], columns / rows);
  const wide = (right - left) / picture.zoom, high = (bottom - top) / picture.zoom;
  const x = Math.min(Math.max(picture.x * width - wide / 2, 0), width - wide);
  const y = Math.min(Math.max(picture.y * height - high / 2, 0), height - high);
  return [x, y, x + wide, y + high];
}

// The filter sees whole pixels round the box, and no others.
function greysOf(picture, board, { rgb, detail }) {
  const light = picture.light(rgb), box = boxOf(picture, board);
  const outer = box.map((side, i) => (i < 2 ? Math.floor(side) : Math.ceil(side)));
  return greyOf(light, outer, board.rows, board.columns, { detail, part: box });
}

// Dissolves need a threshold for each cell.
const ditherOf = ({ look, transition }) =>
  transition === "dissolve" && !(LOOKS[look].dither in ORDERED) ? "blue-noise" : LOOKS[look].dither;

function targetOf(picture, board, choices) {
  const look = LOOKS[choices.look], options = { dither: ditherOf(choices), levels: look.levels };
  return targetsOf(greysOf(picture, board, look), board.rows, board.columns, options);
}

const shadesShown = (boards, levels) =>
  boards[0].map((_, cell) => boards.reduce((sum, lights, i) => sum + lights[cell] * levels ** i, 0));

function paletteOf(name, boards, levels) {
  const { background, colours } = data.palettes[name];
  return [background, ...shadesOf(colours.map(channelsOf), boards, levels).map(hexOf)];
}

let board = null;

function drawSlot(slot) {
  const { levels, rgb } = LOOKS[chosen.look];
  const palette = paletteOf(chosen.palette, rgb ? 3 : 1, levels);
  drawCells({ ...board, palette }, slot.target, shadesShown(lightsOf(slot.asked), levels));
  slot.target.ariaLabel = `${slot.picture.name} in ${board.columns} × ${board.rows} cells`;
  drawCrop(slot);
}

function drawCrop({ crop, picture, name }) {
  const [left, top, right, bottom] = boxOf(picture, board), { image } = picture;
  const scale = (2 * crop.clientWidth || 256) / board.columns;
  crop.width = board.columns * scale;
  crop.height = board.rows * scale;
  pen(crop).fillStyle = "#fff"; // what transparent pixels show
  pen(crop).fillRect(0, 0, crop.width, crop.height);
  pen(crop).drawImage(image, left, top, right - left, bottom - top, 0, 0, crop.width, crop.height);
  crop.ariaLabel = `Crop of ${picture.name}: arrow keys move it, plus and minus enlarge it`;
  name.textContent = picture.name;
}

function makeFilm() {
  const { palette, transition, order } = chosen, dither = ditherOf(chosen);
  const names = slots.map(({ picture }) => picture.name);
  const options = { transition, order, dither, ...WAYS[transition].options };
  try {
    const animation = animated(board, slots.map(({ asked }) => asked), names, options);
    const look = { ...data.palettes[palette], accents: data.accents };
    const written = filmOf(animation, look);
    const film = readFilm(written), state = stateOf(film);
    const share = shown.film ? shown.state.time / shown.film.starts.at(-1) : 0;
    playOn(film, state, share * film.starts.at(-1));
    Object.assign(shown, { animation, look, written, film, state });
    say(ui.trouble, "");
  } catch (problem) {
    return say(ui.trouble, `This film cannot be made: ${problem.message}.`);
  }
  const longer = Math.max(board.rows, board.columns);
  const moved = longer === Number(chosen.size) ? "" :
    ` It is ${longer}, not ${chosen.size}: there every picture can be reached.`;
  say(ui.facts, `${plural(shown.film.count, "click")} on ${board.columns} × ${board.rows} cells, each a legal step of Lights Out.${moved}`);
  ui.board.ariaLabel = `${shown.film.title}: ${board.columns} by ${board.rows} cells`;
  fit();
  run();
}

// What takes long waits until the fingers rest.
let waiting = 0;

function soon(...acts) {
  clearTimeout(waiting);
  waiting = setTimeout(() => acts.forEach((act) => act()), 120);
}

function makeAll() {
  board = boardOf(chosen);
  for (const slot of slots) slot.asked = targetOf(slot.picture, board, chosen);
  makeFilm();
  requestAnimationFrame(() => slots.forEach(drawSlot)); // the film is seen first
  soon(drawTiles);
}

// Playing, by film.js

// As wide as there is room, and not so high that its buttons were out of sight.
function fit() {
  const { film, state } = shown;
  fitTo(ui.stage.clientWidth, HIGHEST * innerHeight, film, state, [ui.board]);
  showTime();
}

// What is played is seen, and how far it is.
function showTime() {
  const { film, state, playing } = shown;
  paintState(film, state, ui.board);
  ui.scrub.value = (1000 * state.time) / film.starts.at(-1);
  ui.scrub.ariaValueText = plural(state.done, "click");
  say(ui.play, playing ? "Pause" : "Play");
}

function run() {
  animate((seconds) => {
    if (shown.playing) playFor(seconds);
    return shown.playing;
  }, shown);
}

function playFor(seconds) {
  playOn(shown.film, shown.state, seconds);
  showTime();
}

function playOrPause() {
  shown.playing = !shown.playing;
  showTime();
  run();
}

function seek() {
  shown.playing = false;
  shown.state.time = (ui.scrub.value / 1000) * shown.film.starts.at(-1) * 0.9999;
  playFor(0);
}

// Tiles: each shows what it does, to the pictures that are there

const small = { rows: TILE, columns: TILE };

function stills(look, count = TILE) {
  const { levels, rgb } = LOOKS[look], side = { rows: count, columns: count };
  const shades = slots.map(({ picture }) => shadesShown(lightsOf(targetOf(picture, side, { look })), levels));
  return { ...side, shades, boards: rgb ? 3 : 1, levels };
}

// Half way from one to the other, by when each cell's turn comes.
function halfWay(order) {
  const times = ORDERS[order](small, seeded(1)), draw = seeded(2);
  const ties = times.map((time) => time + draw() * (order === "random" ? 1 : 1e-6));
  const middle = Float64Array.from(ties).sort()[Math.floor(ties.length / 2)];
  return ([one, other]) => one.map((shade, cell) => (ties[cell] < middle ? other[cell] : shade));
}

const TRANSITION_TILES = {
  wipe: halfWay("radial"),
  dissolve: halfWay("random"),
  automaton: ([one]) => played({ ...small, levels: 2 }, [one], 4).at(-1)[0],
};

// What each tile shows: a still, its shades, and the palette if it has its own.
const TILES = {
  look: (look) => ({ still: stills(look) }),
  size: (size) => ({ still: stills(chosen.look, Math.round(size / 3)) }),
  transition: (name, plain) => ({ still: plain, mix: TRANSITION_TILES[name] }),
  order: (name, plain) => ({ still: plain, mix: halfWay(name) }),
  palette: (palette, plain) => ({ still: plain, palette }),
};

let tilesDrawn = 0;

// One a frame, so that all else goes on, until they are to be drawn anew.
async function drawTiles() {
  const plain = stills("classic"), turn = ++tilesDrawn;
  for (const tile of ui.choices.querySelectorAll(".tile")) {
    await new Promise(requestAnimationFrame);
    if (turn !== tilesDrawn) return;
    const { name, value } = tile.querySelector("input");
    const { still, mix = ([one]) => one, palette = chosen.palette } = TILES[name](value, plain);
    const board = { ...still, palette: paletteOf(palette, still.boards, still.levels) };
    drawCells(board, tile.querySelector("canvas"), mix(still.shades));
  }
}

function writeTiles() {
  ui.choices.innerHTML = Object.entries(CHOICES).map(([name, values]) => {
    const tiles = Object.entries(values).map(([value, words]) =>
      `<label class="tile"><input type="radio" name="${name}" value="${value}"><canvas aria-hidden="true"></canvas>${words}</label>`);
    return `<fieldset id="choice-${name}"><legend>${title(name)}</legend><div class="tiles">${tiles.join("")}</div>${NOTES[name] ? `<p class="soft">${NOTES[name]}</p>` : ""}</fieldset>`;
  }).join("");
  choose({});
}

// In colour a palette's two ends must differ in red, green and blue.
const suits = (palette, { levels, rgb }) =>
  !rgb || new Set(paletteOf(palette, 3, levels).slice(1)).size === levels ** 3;

function choose(values) {
  Object.assign(chosen, values);
  for (const tile of ui.choices.elements.palette)
    tile.parentElement.hidden = !suits(tile.value, LOOKS[chosen.look]);
  if (!suits(chosen.palette, LOOKS[chosen.look])) chosen.palette = "ink";
  for (const name in chosen) ui.choices.elements[name].value = chosen[name];
  document.getElementById("choice-order").hidden = chosen.transition !== "wipe";
}

function shuffle() {
  const any = (values) => values[Math.floor(Math.random() * values.length)];
  const values = Object.entries(CHOICES).map(([name, those]) => [name, any(Object.keys(those))]);
  choose({ ...Object.fromEntries(values), size: chosen.size });
  makeAll();
}

function swap() {
  [slots[0].picture, slots[1].picture] = [slots[1].picture, slots[0].picture];
  shown.state.time = 0;
  makeAll();
}

// Cropping

function recrop(slot) {
  slot.asked = targetOf(slot.picture, board, chosen);
  drawSlot(slot);
  soon(makeFilm, drawTiles);
}

// Moves the picture by pixels of the page, and enlarges it so many times; it stays within its edges.
function move(slot, right, down, times = 1) {
  const { picture, crop } = slot, { width, height } = picture.image;
  const [left, top, edge, bottom] = boxOf(picture, board), pixel = (edge - left) / crop.clientWidth;
  picture.x = ((left + edge) / 2 - right * pixel) / width;
  picture.y = ((top + bottom) / 2 - down * pixel) / height;
  picture.zoom = Math.min(Math.max(picture.zoom * times, 1), MAX_ZOOM);
  recrop(slot);
}

// One finger moves, two enlarge by how far apart they are.
function drag(slot, event) {
  const { fingers } = slot, old = fingers.get(event.pointerId);
  if (!old) return;
  const apart = () => {
    const [one, other] = [...fingers.values()];
    return other ? Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) : 1;
  };
  const earlier = apart(), share = 1 / fingers.size;
  fingers.set(event.pointerId, event);
  const right = event.clientX - old.clientX, down = event.clientY - old.clientY;
  move(slot, right * share, down * share, apart() / Math.max(earlier, 1));
}

const STEP = 8; // pixels that an arrow key moves
const CROP_KEYS = {
  ArrowLeft: [STEP, 0], ArrowRight: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP],
  "+": [0, 0, 1.1], "=": [0, 0, 1.1], "-": [0, 0, 1 / 1.1],
};

function listenToSlot(slot) {
  const { crop, element, button, fingers } = slot;
  let target = null, travelled = 0;
  crop.onpointerdown = (event) => {
    if (event.button) return; // not the main one
    crop.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, event);
    [target, travelled] = [event, 0];
  };
  crop.onpointermove = (event) => {
    const { clientX: x, clientY: y } = fingers.get(event.pointerId) ?? event;
    travelled += Math.abs(event.clientX - x) + Math.abs(event.clientY - y);
    drag(slot, event);
  };
  crop.onpointerup = (event) => {
    fingers.delete(event.pointerId);
    if (target && travelled < 6 && !fingers.size) pick(slot); // a tap
    if (!fingers.size) target = null;
  };
  crop.onpointercancel = (event) => fingers.delete(event.pointerId);
  crop.onkeydown = (event) => {
    if (event.key === "Enter") return pick(slot);
    if (!CROP_KEYS[event.key] || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    move(slot, ...CROP_KEYS[event.key]);
  };
  crop.addEventListener("wheel", (event) => {
    event.preventDefault();
    move(slot, 0, 0, Math.exp(-event.deltaY / 500));
  }, { passive: false });
  element.ondragover = () => element.classList.add("over");
  element.ondragleave = element.ondrop = () => element.classList.remove("over");
  button.onclick = () => pick(slot);
}

function pick(slot) {
  ui.files.value = "";
  ui.files.onchange = () => ui.files.files.length && take(ui.files.files, slot);
  ui.files.click();
}

function listenToFiles() {
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const { files } = event.dataTransfer, slot = slots.find(({ element }) => element.contains(event.target));
    if (files.length) take(files, slot);
    else say((slot ?? slots[0]).problem, "That was no file; save the picture first, then drop it here.");
  });
  addEventListener("paste", ({ clipboardData: { files } }) => {
    if (files.length) take(files);
    else say(slots[0].problem, "There is no picture on the clipboard; copy one, and paste it here.");
  });
}

// Keeping

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&#39;", '"': "&#34;" };
const escaped = (text) => text.replace(/[&<>'"]/g, (letter) => ESCAPES[letter]);

// The page of a film, as page.py writes it; its script begins as this one does.
function pageOf(written, count, { before, between, after, clicks }) {
  const { boards, levels, palette } = written, start = script.indexOf('"use strict"');
  const own = { title: escaped(written.title), script: script.slice(start, start + data.shared) };
  const facts = { ...written, ...own };
  return (before + between[`${boards} ${levels}`] + after)
    .replaceAll(plural(clicks, "click"), plural(count, "click"))
    .replaceAll(thousands(clicks), thousands(count))
    .replaceAll(clicks, count)
    .replace(/«(\w+)(?: (\d+))?»/g, (_, name, shade) => (shade ? palette[shade] : facts[name]))
    .replace("<film>", () => jsonOf(withDigest(written), IN_PAGE));
}

const pageText = () => pageOf(shown.written, shown.film.count, data.player);
const documentText = () => documentOf(shown.animation, data.program);
const pageFile = () => fileOf("html", "text/html", [pageText()]);

function fileOf(suffix, type, pieces, { pictures } = shown.animation) {
  const name = pictures.join(" to ").replace(/[/\\:*?"<>|]/g, "-");
  return new File(pieces, `${name}.${suffix}`, { type });
}

function keep(file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// A GIF takes a while, in which the page stays alive, and may go on to another film.
async function keepGif() {
  if (ui.gif.ariaBusy) return;
  const { animation } = shown, { textContent: words } = ui.gif;
  const tell = (share) => say(ui.gif, `GIF: ${Math.floor(100 * share)} %`);
  ui.gif.ariaBusy = "true";
  try {
    keep(fileOf("gif", "image/gif", await gifOf(shown, data.program, tell), animation));
  } catch (problem) {
    say(ui.trouble, `This film cannot be kept as a GIF: ${problem.message}.`);
  }
  ui.gif.ariaBusy = null;
  say(ui.gif, words);
}

// The phone's own sheet, where there is one that takes such files.
async function share() {
  try {
    await navigator.share({ files: [pageFile()] });
  } catch (problem) {
    if (problem.name !== "AbortError") say(ui.trouble, "This device does not share the page; keep it instead.");
  }
}

// For tests: to look, not to touch.
window.lightsanim = Object.freeze({
  configuration: () => [...shown.state.shades],
  clicksDone: () => shown.state.done,
  pageText, documentText,
  targets: () => slots.map(({ asked }) => asked.map(({ configuration }) => [...configuration])),
});

listenToButtons({
  play: playOrPause, shuffle, swap, share,
  page: () => keep(pageFile()),
  document: () => keep(fileOf("json", "application/json", [documentText()])),
  gif: keepGif,
});
ui.board.onclick = playOrPause;
ui.scrub.oninput = seek;
ui.choices.onchange = ({ target: { name, value } }) => {
  choose({ [name]: value });
  makeAll();
};
ui.share.hidden = !navigator.canShare?.({ files: [new File(["."], "film.html", { type: "text/html" })] });
document.body.classList.toggle("framed", self !== top);
slots.forEach(listenToSlot);
slots.forEach((slot, i) => (slot.picture = sampleOf(data.samples[i])));
listenToFiles();
writeTiles();
makeAll();
new ResizeObserver(fit).observe(ui.stage);
addEventListener("resize", fit); // a zoom changes the pixels, but not always the stage
