/** Files that pages save and share. */

/** Time for which a file can be downloaded, in milliseconds. */
const DOWNLOAD_TIME = 60_000;

/**
 * Creates a file.  Its name has no letters that systems refuse.
 *
 * @param {string} name without its suffix
 * @param {string} suffix
 * @param {string} type
 * @param {BlobPart[]} pieces
 */
export const createFile = (name, suffix, type, pieces) =>
  new File(pieces, `${name.replace(/[/\\:*?"<>|]/g, "-")}.${suffix}`, { type });

/** @param {File} file */
export function downloadFile(file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), DOWNLOAD_TIME);
}

/**
 * Returns whether this device shares files of a kind.
 *
 * @param {string} suffix
 * @param {string} type
 */
export const canShare = (suffix, type) =>
  navigator.canShare?.({ files: [createFile("film", suffix, type, ["."])] }) ?? false;

/**
 * Opens the share sheet of the device.  A browser refuses if the user's tap is long ago.
 *
 * @param {File} file
 * @returns {Promise<"shared" | "cancelled" | "too late" | "refused">}
 */
export async function shareFile(file) {
  try {
    await navigator.share({ files: [file] });
    return "shared";
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    if (name === "AbortError") return "cancelled";
    return name === "NotAllowedError" && !navigator.userActivation?.isActive
      ? "too late"
      : "refused";
  }
}
