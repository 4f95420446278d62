/**
 * Writes a film as MP4 with the same frames, times and metadata as the Python program (see video.py in
 * lightsanim/output/formats).  The browser encodes the frames; Mediabunny writes the file.
 */

/** @import { Film } from "../../types.js" */
/** @import { FilmLook, Report } from "../types.js" */
/** @import { Geometry } from "./frames.js" */

import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
} from "mediabunny";
import { range } from "../../numbers.js";
import { parseChannels } from "../palette.js";
import { buildMetadata, chooseGeometry, countFrames, drawCells, playFrames } from "./frames.js";
import { encoderConfig, evenSide } from "./video_config.js";

/** Approximate width of a frame in pixels. */
const FRAME_WIDTH = 1080;

/** Videos have a colour for each square of four pixels: cells that consist of these are sharper. */
const PITCH_STEP = 2;

/** Frames that wait for the encoder, at most. */
const MAX_WAITING = 8;

/** Milliseconds. */
const LONGEST_WAIT = 200;

/** Seconds from one key frame to the next, between which players seek slowly. */
const KEY_SECONDS = 2;

/** BT.709 with luma from 16 to 235, as Python writes it. */
const COLOUR_SPACE = Object.freeze({
  primaries: "bt709",
  transfer: "bt709",
  matrix: "bt709",
  fullRange: false,
});

/**
 * Resolves to the pieces of the MP4 file.
 *
 * @param {Film} film
 * @param {FilmLook} look
 * @param {string} program
 * @param {Report} report
 */
export async function encodeVideo(film, look, program, report) {
  const geometry = chooseGeometry(film, FRAME_WIDTH, PITCH_STEP);
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: "in-memory" }), target });
  const source = new EncodedVideoPacketSource("avc");
  output.addVideoTrack(source, { frameRate: Number(film.fps) });
  output.setMetadataTags({ comment: buildMetadata(film, look, program, geometry) });
  await output.start();
  await encodeFrames(film, geometry, (packet, metadata) => source.add(packet, metadata), report);
  await output.finalize();
  if (!target.buffer) throw Error("the video is empty; please report this");
  return [target.buffer];
}

/**
 * Encodes frames at a constant rate, in which held frames are repeated.
 *
 * @param {Film} film
 * @param {Geometry} geometry
 * @param {(packet: EncodedPacket, metadata?: EncodedVideoChunkMetadata) => Promise<void>} add
 * @param {Report} report
 */
async function encodeFrames(film, geometry, add, report) {
  const painter = createPainter(film.palette, geometry);
  const { width, height } = painter;
  const rate = Number(film.fps);
  /** @type {Promise<unknown>[]} */
  const added = [];
  /** @type {Error[]} */
  const failures = [];
  const encoder = new VideoEncoder({
    output: (chunk, metadata) => added.push(add(EncodedPacket.fromEncodedChunk(chunk), metadata)),
    error: (error) => failures.push(error),
  });
  encoder.configure(encoderConfig(width, height, rate));
  const count = countFrames(film);
  let number = 0;
  let time = 0;
  for (const { end, shades } of playFrames(film)) {
    const pixels = painter.paint(shades);
    for (const endTime = toTicks(end, rate); time < endTime; time++) {
      const frame = new VideoFrame(pixels, {
        format: "I420",
        codedWidth: width,
        codedHeight: height,
        timestamp: toMicroseconds(time / rate),
        duration: toMicroseconds(1 / rate),
        colorSpace: COLOUR_SPACE,
      });
      encoder.encode(frame, { keyFrame: time % Math.round(KEY_SECONDS * rate) === 0 });
      frame.close();
      while (encoder.encodeQueueSize > MAX_WAITING && !failures.length) await nextDequeue(encoder);
      if (failures.length) throw failures[0];
    }
    report(++number / count);
  }
  await encoder.flush();
  encoder.close();
  await Promise.all(added);
}

/** @param {number} seconds @param {number} rate */
const toTicks = (seconds, rate) => Math.floor(seconds * rate + 0.5 + 1e-6);

/** @param {number} seconds */
const toMicroseconds = (seconds) => Math.round(seconds * 1e6);

/**
 * Resolves when the encoder has taken a frame, or soon: one that failed takes no more.
 *
 * @param {VideoEncoder} encoder
 */
const nextDequeue = (encoder) =>
  new Promise((resolve) => {
    encoder.addEventListener("dequeue", resolve, { once: true });
    setTimeout(resolve, LONGEST_WAIT);
  });

/**
 * Returns a painter of frames as luma, followed by both colour planes at half the size.
 *
 * @param {string[]} palette
 * @param {Geometry} geometry
 */
function createPainter(palette, geometry) {
  const width = evenSide(geometry.width);
  const height = evenSide(geometry.height);
  const [luma, ...colours] = encodeColours(palette);
  /** @param {Int8Array} shades */
  const paint = (shades) => {
    const pixels = new Uint8Array((width * height * 3) / 2);
    pixels.set(paintPlane(luma, shades, geometry, width, height));
    colours.forEach((values, i) => {
      const half = halve(paintPlane(values, shades, geometry, width, height), width);
      pixels.set(half, width * height + i * half.length);
    });
    return pixels;
  };
  return { width, height, paint };
}

/**
 * Returns luma and both colour differences of each colour.
 *
 * @param {string[]} palette
 */
function encodeColours(palette) {
  const colours = palette.map((hex) => {
    const [red, green, blue] = parseChannels(hex).map((value) => value / 255);
    const y = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    return [16 + 219 * y, 128 + (224 * (blue - y)) / 1.8556, 128 + (224 * (red - y)) / 1.5748];
  });
  return range(3).map((plane) => Uint8Array.from(colours, (values) => Math.round(values[plane])));
}

/**
 * @param {Uint8Array} values of the background and of each shade
 * @param {Int8Array} shades
 * @param {Geometry} geometry
 * @param {number} width
 * @param {number} height
 */
function paintPlane(values, shades, geometry, width, height) {
  const pixels = new Uint8Array(width * height).fill(values[0]);
  drawCells(pixels, width, geometry, shades, { left: 0, top: 0, values });
  return pixels;
}

/**
 * Averages squares of four pixels.
 *
 * @param {Uint8Array} plane
 * @param {number} width
 */
function halve(plane, width) {
  const half = width / 2;
  return Uint8Array.from({ length: plane.length / 4 }, (_, i) => {
    const place = 2 * Math.floor(i / half) * width + 2 * (i % half);
    const below = place + width;
    return (plane[place] + plane[place + 1] + plane[below] + plane[below + 1] + 2) >> 2;
  });
}
