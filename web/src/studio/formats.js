/** The formats in which a film is saved. */

/** @type {Record<string, [name: string, description: string]>} */
const FORMATS = {
  ".gif": ["GIF", "plays anywhere"],
  ".mp4": ["MP4", "video"],
  ".webm": ["WebM", "video"],
  ".webp": ["WebP", "small files"],
  ".apng": ["APNG", "lossless"],
  ".svg": ["SVG", "plays in a README"],
  ".html": ["Web page", "the player"],
  ".json": ["JSON", "the clicks as data"],
  ".png": ["PNG sheet", "stills"],
  "-sheet.svg": ["SVG sheet", "for plotters"],
  ".pdf": ["PDF sheet", "for print"],
  ".h": ["C header", "LEDs and displays"],
  ".ino": ["Arduino", "sketch for LEDs"],
  ".wled": ["WLED", "LED controllers"],
};

/** @param {string} suffix */
export const describeFormat = (suffix) => FORMATS[suffix] ?? [suffix.slice(1).toUpperCase(), ""];

/**
 * Selects or deselects a format; deselects other contact sheets, since only one is allowed.
 *
 * @param {string[]} formats
 * @param {string} suffix
 * @param {boolean} isChosen
 * @param {string[]} stills suffixes of contact sheets
 */
export function chooseFormat(formats, suffix, isChosen, stills) {
  const isSheet = isChosen && stills.includes(suffix);
  const others = formats.filter((each) => each !== suffix && !(isSheet && stills.includes(each)));
  return isChosen ? [...others, suffix] : others;
}
