/** The page of a film. */

import { clicksText } from "../page/texts.js";
import { findElements } from "../page/elements.js";
import { describeFilm, listenToPlayer, startPlayer } from "./controls.js";
import { film } from "./stage.js";

describeFilm();
findElements({ length: HTMLElement }).length.textContent = clicksText(film.count);
listenToPlayer();
startPlayer();
