/** Pictures that users choose. */

/** @import { OwnPicture, Slot } from "./page.js" */

import { formatDigits } from "../bytes.js";
import { setText } from "../page/elements.js";
import { askDesk } from "./desk.js";
import { drawLimited } from "./opened.js";
import { slots } from "./page.js";

/** Pixels of the shorter side. */
const MIN_SIDE = 16;

let pictureCount = 0;
const unused = new FinalizationRegistry((/** @type {number} */ number) => askDesk("close", number));

/** What is wrong with a file, as a sentence. */
class FileProblem extends Error {}

/**
 * Loads the picture of a file.
 *
 * @param {File} file
 * @param {boolean} isSample
 * @returns {Promise<OwnPicture>}
 * @throws {FileProblem}
 */
export async function loadPicture(file, isSample = false) {
  const bitmap = await decode(file).catch((error) => {
    throw error instanceof FileProblem ? error : describeProblem(file);
  });
  const number = pictureCount++;
  const image = await askDesk("open", number, bitmap);
  const { width, height } = image;
  const sha256 = isSample ? null : await digestFile(file);
  const name = file.name.replace(/(?!^)\.[^.]*$/, "") || "picture";
  const picture = { number, name, image, width, height, view: null, sha256, isSample };
  unused.register(picture, number);
  return picture;
}

/** @param {File} file */
async function decode(file) {
  const source = await createImageBitmap(file).catch(() => decodeDrawing(file));
  const isDrawing = source instanceof HTMLImageElement;
  const width = isDrawing ? source.naturalWidth : source.width;
  const height = isDrawing ? source.naturalHeight : source.height;
  if (Math.min(width, height) < MIN_SIDE) {
    const least = `${MIN_SIDE} × ${MIN_SIDE}`;
    throw new FileProblem(`${file.name} has ${width} × ${height} pixels; the minimum is ${least}.`);
  }
  if (!isDrawing) return source;
  const context = drawLimited(source, width, height);
  context.getImageData(0, 0, 1, 1); // throws if the drawing's pixels are not for pages
  return context.canvas.transferToImageBitmap();
}

/**
 * Returns the picture of a file that only pages can decode, such as an SVG.
 *
 * @param {File} file
 */
async function decodeDrawing(file) {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  await image.decode().finally(() => URL.revokeObjectURL(image.src));
  return image;
}

/**
 * Returns the SHA-256 of a file, which browsers compute only for pages from secure addresses.
 *
 * @param {File} file
 */
async function digestFile(file) {
  const digest = await crypto.subtle?.digest("SHA-256", await file.arrayBuffer());
  return digest ? formatDigits(new Uint8Array(digest)) : null;
}

/** @param {File} file */
function describeProblem({ name, type, size }) {
  if (!size) return new FileProblem(`${name} is empty; choose a picture.`);
  if (/\.hei[cf]$/i.test(name) || /hei[cf]/.test(type))
    return new FileProblem(
      `This browser cannot read HEIC pictures such as ${name}; save it as JPEG first.`,
    );
  const advice = "a JPEG, PNG or WebP.";
  if (type && !type.startsWith("image/"))
    return new FileProblem(`${name} is not a picture; choose ${advice}`);
  return new FileProblem(
    `${name} cannot be read: it is damaged, or this browser does not support it. Choose ${advice}`,
  );
}

/**
 * Returns the slots for some files, of which the first was chosen for `slot`.  Without a slot, several
 * files fill the slots in turn, and a single file replaces a sample, read or yet to be read (in whose
 * place no file is being read), else the second picture.
 *
 * @param {number} count
 * @param {Slot} [slot]
 */
function chooseSlots(count, slot) {
  const free = slots.find(
    ({ picture, isReading }, i) => !isReading && (picture ? picture.isSample : i < 2),
  );
  const first = slot ?? (count > 1 ? slots[0] : (free ?? slots[1]));
  return [first, ...slots.filter((other) => other !== first)].slice(0, count);
}

/**
 * Reads up to three files.
 *
 * @param {File[]} files
 * @param {Slot} [slot]
 */
export const readFiles = (files, slot) =>
  Promise.all(chooseSlots(files.length, slot).map((target, i) => readFile(files[i], target)));

/**
 * Reads a file, unless a later one replaces it meanwhile.
 *
 * @param {File} file
 * @param {Slot} slot
 */
async function readFile(file, slot) {
  const turn = ++slot.turn;
  slot.isReading = true;
  setText(slot.problem, "");
  setText(slot.name, `Reading ${file.name} …`);
  /** @type {OwnPicture | null} */
  let picture = null;
  let problem = "";
  try {
    picture = await loadPicture(file);
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  if (slot.turn !== turn) return;
  slot.isReading = false;
  slot.picture = picture ?? slot.picture;
  setText(slot.name, slot.picture?.name ?? "");
  setText(slot.problem, problem);
}
