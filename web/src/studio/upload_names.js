/** Names of pasted pictures, whose files have none. */

/** @type {Record<string, string>} */
const SUFFIXES = { "image/jpeg": "jpg", "image/webp": "webp", "image/gif": "gif" };

let pastedCount = 0;

/**
 * Returns the name of a file; browsers call pasted pictures image.png.
 *
 * @param {{ name: string, type: string }} file
 * @param {boolean} isPasted
 */
export function nameUpload({ name, type }, isPasted) {
  if (!isPasted || (name && !/^image\.\w+$/.test(name))) return name;
  pastedCount++;
  return `pasted${pastedCount > 1 ? `-${pastedCount}` : ""}.${SUFFIXES[type] ?? "png"}`;
}
