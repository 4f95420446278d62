/** The pages of a gallery: its walls, the page of each animation, and the exhibition. */

import { showAnimation } from "./animation.js";
import { showExhibition } from "./exhibition.js";
import { describePlaying } from "./items.js";
import { ownSlug } from "./site.js";
import { showWall } from "./wall.js";

window.gallery = Object.freeze({ playing: describePlaying });

if (ownSlug) showAnimation(ownSlug);
else if (document.body.matches(".exhibition")) showExhibition();
else showWall();
