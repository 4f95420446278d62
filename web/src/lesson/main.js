/** The page of a lesson. */

import { setUpAutomaton } from "./automaton.js";
import { setUpChaseBoard, setUpMending } from "./chasing.js";
import { setUpCounting } from "./counting.js";
import { setUpPatterns } from "./patterns.js";
import { setUpPressing } from "./pressing.js";
import { setUpRules } from "./rules.js";

const PARTS = {
  press: setUpPressing,
  chase: setUpChaseBoard,
  mend: setUpMending,
  quiet: setUpPatterns,
  count: setUpCounting,
  other: setUpRules,
  itself: setUpAutomaton,
};

// The game decides which parts a lesson has.
const present = Object.entries(PARTS).filter(([name]) => document.getElementById(name));
const boards = Object.fromEntries(present.map(([name, setUp]) => [name, setUp()]));

window.lightsanim = Object.freeze({
  configuration: (name) => [...boards[name].shades],
  dots: (name) => [...boards[name].dots],
  rings: (name) => [...boards[name].rings],
  running: (name) => boards[name].run > 0,
});
