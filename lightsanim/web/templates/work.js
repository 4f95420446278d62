// From pictures and choices to a film, in a worker; on the page, for previews.

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
  const needs = LOOK_NEEDS[look], options = { ...needs, ...(needs.spot && picture.isFlat() && FLAT) };
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
  const written = buildFilm(animation, look);
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
