// From pictures and choices to a film: what workers do for the maker's page.

// Pixels: longer side of the stored crop; largest area and side that are read (canvases fail above these).
const MAX_KEPT_SIDE = 640, MAX_PIXELS = 4_000_000, MAX_SIDE = 16_384;

const TILE = 40; // cells on each side of a tile's board

// Picture options of each look: the presets of Python, without the searched dither.
const CLASSIC = { dither: "floyd-steinberg", detail: 1.5, autocontrast: true, levels: 2, rgb: false };
const FLAT = { dither: "threshold", detail: 0, autocontrast: false }; // of logos in spot colours
const LOOK_NEEDS = {
  classic: CLASSIC,
  linocut: { ...CLASSIC, dither: "threshold", detail: 3 },
  levels: { ...CLASSIC, levels: 3 },
  colour: { ...CLASSIC, levels: 3, rgb: true, detail: 0.8 },
  spot: { ...CLASSIC, levels: 5, rgb: true, spot: true, detail: 0.5 },
};

// For each transition: rules under which a board must have nullity 0, and options.
const TRANSITION_NEEDS = {
  wipe: { rules: ["plus"], options: {} },
  dissolve: { rules: ["plus"], options: { fps: 12 } },
  automaton: { rules: ["plus", "ring"], options: { fps: 12 } },
};

// Pictures that the page has opened, by number

const opened = new Map();

const findOpened = (pictures) => pictures.map((picture) => Object.assign(opened.get(picture.number), picture));

// Keeps a picture, whose light is computed on first use; returns a small copy for the page.
function openPicture(number, source) {
  const context = drawLimited(source, source.width, source.height), { width, height } = context.canvas, lights = {};
  const visibleSide = Math.min(Math.max(width, height), 2 * Math.min(width, height));
  const factor = Math.max(1, Math.floor(visibleSide / MAX_KEPT_SIDE));
  const light = (rgb) => (lights[rgb] ??= computeLight(context.getImageData(0, 0, width, height), { rgb, factor }));
  const small = drawResized(source, Math.floor(width / factor), Math.floor(height / factor)), { canvas } = small;
  const pixels = small.getImageData(0, 0, canvas.width, canvas.height);
  opened.set(number, { light, get isFlat() { return (lights.isFlat ??= hasFewColours(pixels)); } });
  return canvas.transferToImageBitmap();
}

function drawLimited(source, width, height) {
  const scale = Math.min(1, Math.sqrt(MAX_PIXELS / (width * height)), MAX_SIDE / Math.max(width, height));
  return drawResized(source, ...[width, height].map((side) => Math.max(1, Math.round(side * scale))));
}

function drawResized(source, width, height) {
  const context = createContext(width, height);
  context.imageSmoothingQuality = "high";
  context.drawImage(source, 0, 0, width, height);
  return context;
}

// Targets

function chooseBoard([{ image: { width, height } }], { size, look, transition }) {
  const shape = Math.min(2, Math.max(0.5, width / height)), longer = Number(size);
  const columns = Math.round(longer * Math.min(1, shape)), rows = Math.round(longer / Math.max(1, shape));
  return perfectBoard({ rows, columns, levels: LOOK_NEEDS[look].levels }, TRANSITION_NEEDS[transition].rules);
}

// The crop of a picture in pixels, with the aspect ratio of the board.
function cropBox(picture, { rows, columns }) {
  const { width, height } = picture.image;
  const [left, top, right, bottom] = centreBox([0, 0, width, height], columns / rows);
  const wide = (right - left) / picture.zoom, high = (bottom - top) / picture.zoom;
  const x = Math.min(Math.max(picture.x * width - wide / 2, 0), width - wide);
  const y = Math.min(Math.max(picture.y * height - high / 2, 0), height - high);
  return [x, y, x + wide, y + high];
}

// The filter reads only the whole pixels that the box touches.  The last result is kept for crops of the other picture.
function computeGreys(picture, { rows, columns }, options) {
  const part = cropBox(picture, { rows, columns }), key = JSON.stringify([part, rows, columns, options]);
  if (picture.key === key) return picture.greys;
  const outer = part.map((side, i) => (i < 2 ? Math.floor(side) : Math.ceil(side)));
  picture.key = key;
  return (picture.greys = computeGrey(picture.light(options.rgb), outer, rows, columns, { ...options, part }));
}

// Returns the picture options.  Dissolves need a threshold for each cell.
function chooseOptions(picture, { look, transition }) {
  const needs = LOOK_NEEDS[look], options = { ...needs, ...(needs.spot && picture.isFlat && FLAT) };
  if (transition === "dissolve" && !(needs.dither in ORDERED)) options.dither = "blue-noise";
  return options;
}

// Returns the target of each picture, and the spot colours if the look has them.
function computeTargets(pictures, board, choices) {
  const options = pictures.map((picture) => chooseOptions(picture, choices)), [{ spot, levels }] = options;
  const greys = pictures.map((picture, i) => computeGreys(picture, board, options[i]));
  if (spot) return ditherToSpot(greys, board, levels, options.map(({ dither }) => dither));
  return { targets: greys.map((planes, i) => ditherPlanes(planes, board.rows, board.columns, options[i])) };
}

// Returns all that making a film needs of its pictures.
function prepareGreys(pictures, choices) {
  const board = chooseBoard(pictures, choices);
  return findOpened(pictures).map((picture) => {
    const options = chooseOptions(picture, choices), greys = computeGreys(picture, board, options);
    return { key: picture.key, greys, isFlat: options.spot && picture.isFlat };
  });
}

const combineShades = (boards, levels) =>
  boards[0].map((_, cell) => boards.reduce((sum, lights, i) => sum + lights[cell] * levels ** i, 0));

function buildPalette({ background, colours }, { rgb, levels }, spot) {
  return [background, ...(spot ?? buildShades(colours.map(parseChannels), rgb ? 3 : 1, levels).map(formatHex))];
}


let searched = {}; // the last search: films that differ in order or palette need no other

// Returns two configurations and the clicks between them, as targets, that look like three pictures.
function searchTargets(pictures, board, choices, report) {
  const greys = pictures.map((picture) => computeGreys(picture, board, chooseOptions(picture, choices))[0]);
  const key = [board.columns, ...greys].join();
  if (searched.key !== key) searched = { key, found: searchHalftones(board, greys, report) };
  const [from, to, clicks] = searched.found;
  if (String(clicksFor(board, to.map((level, cell) => level ^ from[cell]))) !== String(clicks))
    throw Error("the clicks do not draw their picture; please report this");
  return { targets: [from, to, clicks].map((configuration) => [{ configuration }]) };
}

// Makes the film of pictures, with all that the page needs to show and save it; `report` is called with the share done.
function makeFilm({ pictures, choices, palette, accents, program }, report) {
  const board = chooseBoard(pictures, choices), drawsClicks = pictures.length > 2;
  const { targets, spot } = (drawsClicks ? searchTargets : computeTargets)(pictures, board, choices, report);
  if (spot?.length < 5)
    throw Error(`the pictures have only ${spot.length} colour${spot.length > 1 ? "s" : ""} that differ enough, and 5 are needed; choose another look`);
  const { transition, order } = choices, { dither } = chooseOptions(pictures[0], choices);
  const origin = spot || drawsClicks ? describeOrigin(pictures, board, spot, choices, program) : null;
  const options = { transition, order, dither, origin, report, ...TRANSITION_NEEDS[transition].options };
  const names = pictures.slice(0, 2).map(({ name }) => name);
  const animation = buildAnimation(board, targets.slice(0, 2), names, options);
  const background = spot && formatHex(buildShades([spot[0], spot[4]].map(parseChannels), 1, 9)[1]);
  const panel = drawsClicks ? PANEL : null;
  const look = { ...(spot ? { spot, colours: spot, background } : palette), accents, panel };
  const written = buildFilm(animation, program, look);
  return { board, targets, spot, animation, look, written, film: readFilm(written) };
}

// Returns how a film in spot colours, or one whose clicks draw a picture, was made, as Python records it.
function describeOrigin(pictures, board, spot, choices, program) {
  const own = pictures.map((picture) => {
    const { width, height } = picture.image, { dither, autocontrast, detail } = chooseOptions(picture, choices);
    const crop = cropBox(picture, board).map((side, i) => `${((100 * side) / (i % 2 ? height : width)).toFixed(4)}%`);
    return { crop: `${crop}`, dither, autocontrast, detail: toReal(detail) };
  });
  const special = spot ? { spot: `${spot}` } : { clicks_picture: `${pictures[2].name}@crop=${own[2].crop}` };
  const { levels } = board, { transition } = choices;
  const settings = { levels, fit: "cover", ...special, transition, ...own[0], crop: null };
  const sha256 = pictures.map((picture) => picture.sha256 ?? null);
  return { program, settings, sha256: sha256.slice(0, 2), cut_short: false, own: own.slice(0, 2) };
}

// Tiles: each previews its option with the pictures

function buildStills(pictures, look, count) {
  const { levels, rgb } = LOOK_NEEDS[look], side = { rows: count, columns: count };
  const { targets, spot } = computeTargets(pictures, side, { look });
  return { ...side, shades: targets.map((target) => combineShades(lightsOf(target), levels)), rgb, levels, spot };
}

// Mixes two pictures: cells in the first half of the order show the second one.
function mixHalfway(order, [one, other]) {
  const times = ORDERS[order]({ rows: TILE, columns: TILE }, seeded(1)), draw = seeded(2);
  const ties = times.map((time) => time + draw() * (order === "random" ? 1 : 1e-6));
  const middle = Float64Array.from(ties).sort()[Math.floor(ties.length / 2)];
  return one.map((shade, cell) => (ties[cell] < middle ? other[cell] : shade));
}

const TRANSITION_TILES = {
  wipe: (stills) => mixHalfway("radial", stills),
  dissolve: (stills) => mixHalfway("random", stills),
  automaton: ([one]) => runAutomaton({ rows: TILE, columns: TILE, levels: 2 }, [one], 4).at(-1)[0],
};

// Each option's look, side in cells, and how its stills are mixed, if they are.
const TILES = {
  look: (look) => ({ look }),
  size: (size, { look }) => ({ look, side: Math.round(size / 3) }),
  transition: (name) => ({ mix: TRANSITION_TILES[name] }),
  order: (name) => ({ mix: (stills) => mixHalfway(name, stills) }),
  palette: () => ({}),
};

function drawTile(pictures, choices, name, value) {
  const { look = "classic", side = TILE, mix = ([one]) => one } = TILES[name](value, choices);
  const still = buildStills(findOpened(pictures), look, side);
  return { ...still, shades: mix(still.shades) };
}

// What the page can ask for, by name; the last argument of each is called with the share done.
const JOBS = {
  open: openPicture,
  close: (number) => opened.delete(number),
  greys: prepareGreys,
  targets: (pictures, ...rest) => computeTargets(findOpened(pictures), ...rest),
  tile: drawTile,
  film: makeFilm,
  gif: encodeGif,
};

// In a worker: answers with the share done, and at last the result, or what prevents it.
function listenToPage() {
  onmessage = ({ data: [name, ...values] }) => {
    let last = 0;
    const report = (share) => share - last > 0.02 && postMessage({ share: (last = share) });
    try {
      const result = JOBS[name](...values, report);
      postMessage({ result }, result instanceof ImageBitmap ? [result] : []);
    } catch ({ message }) {
      postMessage({ problem: message });
    }
  };
}
