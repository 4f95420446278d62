/** What requests to the server say of the film. */

/** @import { FilmBody, Look, TargetBody, Values, Work, WorkPicture } from "./types.js" */

import { cropOf } from "../crop/view.js";
import { shapeOf } from "./board_size.js";
import { unfitReason } from "./look.js";
import { table } from "./table.js";

/** @param {Work} work @param {WorkPicture} picture @param {Look} of @returns {Values} */
function ownOptions(work, picture, of) {
  const crop = cropOf(picture, shapeOf(work, of), picture.view);
  const own = Object.entries(of.own[picture.id] ?? {}).filter(([name]) => table.options.has(name));
  return { ...Object.fromEntries(own), ...(crop && { crop }) };
}

/** @param {Look} of @returns {Omit<FilmBody, "pictures">} */
function optionValues(of) {
  /** @type {Omit<FilmBody, "pictures">} */
  const body = { options: {}, look: {}, outputs: {} };
  for (const [name, value] of Object.entries(of.values)) {
    const option = table.options.get(name);
    if (!option || unfitReason(option, of)) continue;
    body[option.look ? "look" : option.output ? "outputs" : "options"][name] = value;
  }
  return body;
}

/**
 * Returns the body of the request for a film.
 *
 * @param {Work} work
 * @param {Look} of
 * @returns {FilmBody}
 */
export const filmBody = (work, of) => ({
  pictures: work.pictures.map((picture) => ({
    id: picture.id,
    own: ownOptions(work, picture, of),
  })),
  ...optionValues(of),
});

/**
 * Returns the body of the request for the target of a picture.
 *
 * @param {Work} work
 * @param {WorkPicture} picture
 * @param {Look} of
 * @param {boolean} [wrong] whether its wrong cells are marked
 * @returns {TargetBody}
 */
export const targetBody = (work, picture, of, wrong) => ({
  ...filmBody(work, of),
  index: work.pictures.indexOf(picture),
  wrong,
});
