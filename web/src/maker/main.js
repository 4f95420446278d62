/** The maker's page: two pictures become a film. */

/** @import { Choices } from "./types.js" */

import { decodeBase64 } from "../bytes.js";
import { listenToButtons } from "../page/elements.js";
import { listenToFiles, listenToSlot, pickFiles } from "./crops.js";
import { cancelFilm, drawByClicks, startFilm } from "./making.js";
import { data, slots, ui } from "./page.js";
import { loadPicture } from "./pictures.js";
import { fit, playback, playOrPause, seek } from "./playback.js";
import { listenToSaving, savedTexts } from "./saving.js";
import { playSmallGame } from "./small_game.js";
import { choose, shuffleChoices, writeTiles } from "./tile_choices.js";

function swapPictures() {
  const [first, second] = slots;
  [first.picture, second.picture] = [second.picture, first.picture];
  playback.isNew = true;
  startFilm();
}

function shuffle() {
  shuffleChoices();
  startFilm();
}

async function loadSamples() {
  const files = data.samples.map(
    ({ name, png }) => new File([decodeBase64(png)], name, { type: "image/png" }),
  );
  const samples = await Promise.all(files.map((file) => loadPicture(file, true)));
  slots.slice(0, 2).forEach((slot, i) => (slot.picture ??= samples[i]));
  ui.sample.onclick = () => drawByClicks(samples[2]);
  startFilm();
}

listenToButtons({
  choose: pickFiles,
  play: playOrPause,
  shuffle,
  swap: swapPictures,
  cancel: cancelFilm,
  remove: () => drawByClicks(null),
});
ui.board.onclick = playOrPause;
ui.scrub.oninput = seek;
ui.choices.onchange = ({ target }) => {
  const { name, value } = /** @type {HTMLInputElement} */ (target);
  choose(/** @type {Partial<Choices>} */ ({ [name]: value }));
  startFilm();
};
slots.forEach(listenToSlot);
listenToFiles();
listenToSaving();
writeTiles();
playSmallGame();
loadSamples();
new ResizeObserver(fit).observe(ui.stage);
addEventListener("resize", fit); // a zoom changes the pixels, but not always the stage

window.lightsanim = Object.freeze({
  ...savedTexts,
  configuration: () => playback.shown && [...playback.shown.state.shades],
  clicksDone: () => playback.shown?.state.done,
  targets: () =>
    playback.shown?.targets.map((planes) => planes.map(({ configuration }) => [...configuration])),
});
