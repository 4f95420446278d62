/** Sentences and numbers as the studio writes them. */

/**
 * Capitalizes the first letter, unless the text begins with the name of an option or a file.
 *
 * @param {string} text
 */
export function toSentence(text) {
  const line = text.trim().replace(/^[a-z](?!\S*[_.:])/, (letter) => letter.toUpperCase());
  return /[.?!]$/.test(line) ? line : `${line}.`;
}

/** @param {number} milliseconds */
export function formatTime(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** @param {number} bytes */
export const formatBytes = (bytes) =>
  bytes < 1e3
    ? `${bytes} bytes`
    : bytes < 1e6
      ? `${(bytes / 1e3).toFixed(bytes < 1e4 ? 1 : 0)} kB`
      : `${(bytes / 1e6).toFixed(1)} MB`;

/**
 * Writes seconds with at most two decimals.
 *
 * @param {number} seconds
 */
export const formatSeconds = (seconds) => String(Number(seconds.toFixed(2)));
