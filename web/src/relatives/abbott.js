/** The page that plays Abbott's Window. */

/** @import { Cell } from "../types.js" */
/** @import { Line } from "./lines.js" */
/** @import { GameMembers } from "./panes.js" */

import { columnOf, rowOf } from "../board/cells.js";
import { findElements, readData, setText } from "../page/elements.js";
import { describeCell, localize, localizeCount } from "../page/texts.js";
import { linesOf, oddLines } from "./lines.js";
import { cellOf, changeCells, chooseGame, praiseText, showValues, startPanes } from "./panes.js";

/**
 * @typedef {object} AbbottWindow
 * @property {number} rows
 * @property {number} columns
 * @property {boolean[]} values whether each pane lets light in
 * @property {Line[]} lines
 * @property {number} most number of lit panes of the best window
 */

const ui = findElements({
  window: HTMLElement,
  lit: HTMLElement,
  most: HTMLElement,
  odd: HTMLElement,
  status: HTMLElement,
});
const rays = /** @type {SVGElement} */ (document.querySelector("#rays"));

/**
 * A window with the most lit panes for each size: rows of 0 and 1, 1 = lit.
 *
 * @type {Record<number, string[]>}
 */
const windows = readData("puzzles");

// Width of the frame around the window, in panes.
const RIM_WIDTH = 0.4;
// Colours of panes, from the middle of the window outwards.
const GLASS_COLOURS = ["#fff3cf", "#ffe3a0", "#ffd27a", "#f9bd68", "#bcd6d8", "#f1c8b6"];

/**
 * The pane whose lines are shown.
 *
 * @type {Cell | null}
 */
let pointedPane = null;

// The window

/** @param {number} n */
const bestPanes = (n) => Array.from(windows[n].join(""), (light) => light === "1");

/** @param {boolean[]} values */
const countLit = (values) => values.filter(Boolean).length;

/** @param {string} choice @returns {AbbottWindow} */
function newGame(choice) {
  const n = Number(choice);
  const best = bestPanes(n);
  const values = best.map(() => true);
  return { rows: n, columns: n, lines: linesOf(n), values, most: countLit(best) };
}

/** @param {AbbottWindow} game */
const showBest = ({ columns }) => showValues(bestPanes(columns));

// Drawing

/** @param {HTMLButtonElement} button @param {Cell} pane @param {AbbottWindow} game */
function dressButton(button, pane, game) {
  const { columns } = game;
  const middle = (columns - 1) / 2;
  const away = Math.abs(rowOf(game, pane) - middle) + Math.abs(columnOf(game, pane) - middle);
  const ring = Math.floor((away / (columns - 1)) * GLASS_COLOURS.length * 0.999);
  button.style.setProperty("--glass", GLASS_COLOURS[ring]);
  button.ariaLabel = localize("abbott_messages.light_in", { place: describeCell(game, pane) });
}

/**
 * Returns the paths of the marks at the ends of lines, just outside the window; long if they are odd.
 *
 * @param {Line[]} lines
 * @param {boolean} odd
 */
const markPaths = (lines, odd) =>
  lines.flatMap(({ ends }) =>
    ends.map(([x, y, right, down]) => {
      /** @param {number} far */
      const at = (far) => {
        const share = far / Math.hypot(right, down);
        return `${(x + right * share).toFixed(3)} ${(y + down * share).toFixed(3)}`;
      };
      return `M${at(0.16)}L${at(odd ? 0.36 : 0.2)}`;
    }),
  );

/** @param {AbbottWindow} game */
function drawRays({ lines, columns, values }) {
  const side = columns + 2 * RIM_WIDTH;
  rays.setAttribute("viewBox", `${-RIM_WIDTH} ${-RIM_WIDTH} ${side} ${side}`);
  const odd = oddLines(lines, values);
  const even = lines.filter((line) => !odd.includes(line));
  const through = lines.filter(({ panes }) => pointedPane !== null && panes.includes(pointedPane));
  const paths = {
    even: markPaths(even, false),
    odd: markPaths(odd, true),
    through: through.map(({ ends: [a, b] }) => `M${a[0]} ${a[1]}L${b[0]} ${b[1]}`),
  };
  rays.innerHTML = Object.entries(paths)
    .map(([kind, parts]) => `<path class="${kind}" d="${parts.join("")}"/>`)
    .join("");
}

/** @param {AbbottWindow & GameMembers} game @param {HTMLButtonElement[]} panes */
function showGame(game, panes) {
  const { lines, values, most } = game;
  const odd = oddLines(lines, values);
  const lit = countLit(values);
  panes.forEach((button, pane) => (button.ariaPressed = String(values[pane])));
  ui.lit.textContent = String(lit);
  ui.most.textContent = String(most);
  ui.odd.textContent = String(odd.length);
  ui.odd.className = odd.length ? "some" : "";
  ui.window.className = !odd.length && lit === most ? "solved" : "";
  if (odd.length) setText(ui.status, oddText(odd));
  else if (lit < most) setText(ui.status, localizeCount("abbott_messages.more_possible", most));
  else setText(ui.status, localize("abbott_messages.solved") + praiseText(game));
  drawRays(game);
}

/** @param {Line[]} odd */
function oddText(odd) {
  const counts = ["row", "column", "diagonal"].map((kind) => {
    const count = odd.filter((line) => line.kind === kind).length;
    return count ? [localizeCount(`abbott_messages.odd_${kind}s`, count)] : [];
  });
  return localize("abbott_messages.odd_lines", { lines: counts.flat().join(", ") });
}

const currentGame = startPanes({
  newGame,
  dressButton,
  pressCell: (pane, { values }) => changeCells([[pane, !values[pane]]]),
  showGame,
  buttons: { best: showBest },
  keys: { b: showBest, "-": () => chooseGame(-1), "+": () => chooseGame(1) },
});

// The lines through the pane under the mouse, or the cursor

/** @param {Cell | null} pane */
function pointAt(pane) {
  if (pane === pointedPane) return;
  pointedPane = pane;
  drawRays(currentGame());
}

ui.window.onpointerover = (event) => event.pointerType === "mouse" && pointAt(cellOf(event));
ui.window.onpointerleave = () => pointAt(null);
ui.window.addEventListener("focusin", (event) => {
  if (ui.window.querySelector(":focus-visible")) pointAt(cellOf(event));
});
ui.window.addEventListener("focusout", () => pointAt(null));

window.lightsanim = Object.freeze({
  lit: () => [...currentGame().values],
  odd: () =>
    oddLines(currentGame().lines, currentGame().values).map(({ kind, panes }) => [kind, ...panes]),
  cursor: () => currentGame().cursor,
  pointed: () => pointedPane,
});
