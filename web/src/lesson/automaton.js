/** Part "itself": a board that plays by itself. */

import { drawBoardImage } from "../board/paint.js";
import { findFirst, listenToButtons, reducedMotion, requireElement } from "../page/elements.js";
import { total } from "../numbers.js";
import { FIRST_LIGHTS, LAST_STEP, pressLitCells, SIDE, WHOLE_PICTURES } from "./cats.js";
import { film, say, sayCount } from "./page.js";

const PICTURE_TIME = 1600; // milliseconds for which whole pictures are shown,
const STEP_TIME = 140; // and other steps

/** Sets up the part, and returns what its board shows. */
export function setUpAutomaton() {
  const board = findFirst("#itself canvas", HTMLCanvasElement);
  const said = findFirst("#itself .said", HTMLElement);
  const runButton = requireElement("itself-run", HTMLButtonElement);
  const state = {
    shades: new Uint8Array(),
    dots: new Uint8Array(),
    rings: [],
    run: 0, // id of the timer, or 0 while the board rests
  };
  let lights = FIRST_LIGHTS;
  let step = 0;

  /** @param {number[][]} newLights @param {number} newStep */
  function show(newLights, newStep) {
    lights = newLights;
    step = newStep;
    state.shades = Uint8Array.from(lights.flat());
    drawBoardImage({ ...film, rows: SIDE, columns: SIDE }, board, state.shades);
    const picture = WHOLE_PICTURES.get(step);
    board.ariaLabel = say(picture ?? "noise");
    said.textContent = [
      ...(step ? [sayCount("after_steps", step)] : []),
      ...(picture ? [say(picture)] : []),
      sayCount("to_press", total(state.shades)),
    ].join(" ");
  }

  const begin = () => show(FIRST_LIGHTS, 0);
  const next = () => show(pressLitCells(lights), step + 1);

  function stop() {
    clearTimeout(state.run);
    state.run = 0;
    runButton.ariaPressed = "false";
  }

  function play() {
    do next();
    while (reducedMotion && !WHOLE_PICTURES.has(step) && step < LAST_STEP);
    if (step === LAST_STEP) return stop();
    state.run = setTimeout(play, WHOLE_PICTURES.has(step) ? PICTURE_TIME : STEP_TIME);
  }

  function toggle() {
    if (state.run) return stop();
    if (step >= LAST_STEP) begin();
    runButton.ariaPressed = "true";
    state.run = setTimeout(play, STEP_TIME);
  }

  listenToButtons({
    "itself-next": () => {
      stop();
      next();
    },
    "itself-again": () => {
      stop();
      begin();
    },
    "itself-run": toggle,
  });
  begin();
  return state;
}
