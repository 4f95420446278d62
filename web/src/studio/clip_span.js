/** The part of a clip between its start and its end. */

const MIN_CLIP_SECONDS = 0.1; // shortest part of a clip

/**
 * Returns the time to which a handle moves: it stays in the clip, and apart from the other handle.
 *
 * @param {"start" | "end"} handle
 * @param {number} wanted seconds
 * @param {{ start: number | null, end: number | null, seconds: number }} span
 */
export const moveHandle = (handle, wanted, { start, end, seconds }) =>
  handle === "start"
    ? Math.min(wanted, Math.max((end ?? seconds) - MIN_CLIP_SECONDS, 0))
    : Math.max(wanted, (start ?? 0) + MIN_CLIP_SECONDS);
