/** How videos are encoded. */

/** Most bits of a pixel of a frame, of which noise needs most, and of a second. */
const PIXEL_BITS = 2.4;
const MAX_BITRATE = 50_000_000;

/** Profile High, level 4.1 of H.264, which all devices play. */
const CODEC = "avc1.640029";

/** Codecs need even sides. @param {number} side */
export const evenSide = (side) => 2 * Math.ceil(side / 2);

/**
 * Returns the configuration of the encoder.
 *
 * @param {number} width
 * @param {number} height
 * @param {number} framerate
 * @returns {VideoEncoderConfig}
 */
export const encoderConfig = (width, height, framerate) => ({
  codec: CODEC,
  ...{ width, height, framerate },
  bitrate: Math.min(MAX_BITRATE, Math.ceil(PIXEL_BITS * width * height * framerate)),
  contentHint: "detail", // halves the size of files
  avc: { format: "avc" },
});

/** WebKitGTK 2.50 on Linux, which crashes when it is asked whether it encodes H.264. */
const crashes = () => navigator.vendor.startsWith("Apple") && navigator.userAgent.includes("Linux");

/** Resolves to whether this browser encodes such videos; some have no encoder. */
export async function canEncodeVideo() {
  if (!("VideoEncoder" in globalThis) || crashes()) return false;
  const { supported } = await VideoEncoder.isConfigSupported(encoderConfig(720, 1440, 25));
  return Boolean(supported);
}
