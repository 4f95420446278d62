/** From pictures and choices to a film. */

/** @import { Size } from "../types.js" */
/** @import { Board, Choices, CroppedPicture, FilmLook, GreyPicture, MadeFilm, OriginRecord, Palette, Report, Target } from "./types.js" */

import { boxOf } from "../crop/view.js";
import { readFilm } from "../film/read.js";
import { clamp } from "../numbers.js";
import { toReal } from "../saved/json.js";
import { buildFilm } from "../saved/page_film.js";
import { chooseOptions, LOOKS, TRANSITIONS } from "./choices.js";
import { buildAnimation, FILM_OPTIONS } from "./clicks/animation.js";
import { clicksFor, perfectBoard } from "./clicks/chase.js";
import { searchHalftones } from "./clicks/halftone.js";
import { automaton, dissolve, wipe } from "./clicks/transitions.js";
import { computeGreys, findOpened } from "./opened.js";
import { buildShades, formatHex, parseChannels } from "./palette.js";
import { ditherPlanes } from "./targets/dither.js";
import { ditherToSpot } from "./targets/spot.js";

const TRANSITION_FUNCTIONS = { wipe, dissolve, automaton };

/** The most by which a board's sides differ. */
const MAX_SHAPE = 2;

/**
 * Returns the board for the first picture.
 *
 * @param {CroppedPicture[]} pictures
 * @param {Choices} choices
 */
export function chooseBoard([{ width, height }], { size, look, transition }) {
  const shape = clamp(width / height, 1 / MAX_SHAPE, MAX_SHAPE);
  const longer = Number(size);
  const columns = Math.round(longer * Math.min(1, shape));
  const rows = Math.round(longer / Math.max(1, shape));
  const { levels } = LOOKS[look];
  return perfectBoard({ rows, columns, levels }, TRANSITIONS[transition].rules);
}

/**
 * Returns pictures with their greys on a board.
 *
 * @param {CroppedPicture[]} pictures
 * @param {Size} board
 * @param {Pick<Choices, "look" | "transition">} choices
 * @returns {GreyPicture[]}
 */
export const prepareGreys = (pictures, board, choices) =>
  pictures.map((picture) => {
    const isFlat = "spot" in LOOKS[choices.look] && findOpened(picture).isFlat;
    const greys = computeGreys(picture, board, chooseOptions(isFlat, choices));
    return { ...picture, greys, isFlat };
  });

/**
 * Returns the target of each picture, and the spot colours if the look has them.
 *
 * @param {GreyPicture[]} pictures
 * @param {Board} board
 * @param {Pick<Choices, "look" | "transition">} choices
 * @returns {{ targets: Target[][], spot?: string[] }}
 */
export function computeTargets(pictures, board, choices) {
  const dithers = pictures.map(({ isFlat }) => chooseOptions(isFlat, choices).dither);
  const greys = pictures.map((picture) => picture.greys);
  if ("spot" in LOOKS[choices.look]) return ditherToSpot(greys, board, board.levels, dithers);
  return { targets: greys.map((planes, i) => ditherPlanes(planes, board, dithers[i])) };
}

/**
 * The last search: films that differ in order or palette need no other.
 *
 * @type {{ key: string, found: Uint8Array[] }}
 */
let searched = { key: "", found: [] };

/**
 * Returns two configurations and the clicks between them, as targets, that look like three pictures.
 *
 * @param {GreyPicture[]} pictures
 * @param {Board} board
 * @param {Report} report
 * @returns {{ targets: Target[][], spot?: undefined }}
 */
function searchTargets(pictures, board, report) {
  const greys = pictures.map((picture) => picture.greys[0]);
  const key = [board.columns, ...greys].join();
  if (searched.key !== key) searched = { key, found: searchHalftones(board, greys, report) };
  const [from, to, clicks] = searched.found;
  const flipped = to.map((level, cell) => level ^ from[cell]);
  if (`${clicksFor(board, flipped)}` !== `${clicks}`)
    throw Error("the clicks do not draw their picture; please report this");
  return { targets: searched.found.map((configuration) => [{ configuration }]) };
}

/**
 * The panel of a film whose clicks draw a picture, on the right of the board.
 *
 * @type {FilmLook["panel"]}
 */
const PANEL = { show_clicks: "right", clicks_panel: "total" };

/**
 * @typedef {object} FilmJob
 * @property {GreyPicture[]} pictures two, or three if the clicks draw one
 * @property {Choices} choices
 * @property {Palette} palette
 * @property {string[]} accents
 * @property {string} program
 */

/**
 * Makes the film of pictures.
 *
 * @param {FilmJob} job
 * @param {Report} report
 * @returns {MadeFilm}
 */
export function makeFilm({ pictures, choices, palette, accents, program }, report) {
  const board = chooseBoard(pictures, choices);
  const drawsClicks = pictures.length > 2;
  const { targets, spot } = drawsClicks
    ? searchTargets(pictures, board, report)
    : computeTargets(pictures, board, choices);
  if (spot && spot.length < board.levels) throw Error(describeLackOfColours(spot, board));
  const { transition, order } = choices;
  const { dither } = chooseOptions(pictures[0].isFlat, choices);
  const { fps } = TRANSITIONS[transition];
  const origin =
    spot || drawsClicks ? describeOrigin(pictures, board, spot, choices, program) : null;
  const animation = buildAnimation(
    board,
    targets.slice(0, 2),
    pictures.slice(0, 2).map(({ name }) => name),
    TRANSITION_FUNCTIONS[transition],
    { ...FILM_OPTIONS, fps, order, dither, report },
    origin,
  );
  const panel = drawsClicks ? PANEL : null;
  const look = { ...(spot ? spotLook(spot) : palette), accents, panel };
  const written = buildFilm(animation, program, look);
  return { board, targets, spot, animation, look, written, film: readFilm(written) };
}

/** @param {string[]} spot @param {Board} board */
function describeLackOfColours({ length }, { levels }) {
  const found = `${length} colour${length > 1 ? "s" : ""} that differ enough`;
  return `the pictures have only ${found}, and ${levels} are needed; choose another look`;
}

/** @param {string[]} spot */
function spotLook(spot) {
  const ends = [spot[0], spot[spot.length - 1]].map(parseChannels);
  return { spot, colours: spot, background: formatHex(buildShades(ends, 1, 9)[1]) };
}

/**
 * Returns how a film in spot colours, or one whose clicks draw a picture, was made.
 *
 * @param {GreyPicture[]} pictures
 * @param {Board} board
 * @param {string[] | undefined} spot
 * @param {Choices} choices
 * @param {string} program
 * @returns {OriginRecord}
 */
function describeOrigin(pictures, board, spot, choices, program) {
  const own = pictures.map((picture) => {
    const { dither, autocontrast, detail } = chooseOptions(picture.isFlat, choices);
    const crop = cropText(picture, board.columns / board.rows);
    return { crop, dither, autocontrast, detail: toReal(detail) };
  });
  const special = spot
    ? { spot: `${spot}` }
    : { clicks_picture: `${pictures[2].name}@crop=${own[2].crop}` };
  const { levels } = board;
  const { transition } = choices;
  return {
    program,
    settings: { levels, fit: "cover", ...special, transition, ...own[0], crop: null },
    sha256: pictures.slice(0, 2).map(({ sha256 }) => sha256),
    cut_short: false,
    own: own.slice(0, 2),
  };
}

/**
 * Returns the crop of a picture as a value of `--crop`.
 *
 * @param {CroppedPicture} picture
 * @param {number} shape
 */
function cropText(picture, shape) {
  const { width, height, view } = picture;
  const edges = boxOf({ width, height }, shape, view);
  return `${edges.map((edge, i) => `${((100 * edge) / (i % 2 ? height : width)).toFixed(4)}%`)}`;
}
