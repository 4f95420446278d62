"""Clips that tests make: a curtain that opens, and beeps."""

from dataclasses import replace
from fractions import Fraction

import av
import numpy as np
from PIL import Image

import lightsanim as la
from lightsanim.pictures.light import decode_srgb
from lightsanim.pictures.load import load_source
from tools import refusals
from tools.program import ask

RATE = 48_000


def curtain(count=6, height=24, width=32):
    """Frames whose left columns are white, two more in each."""
    frames = np.zeros((count, height, width), np.uint8)
    for number, frame in enumerate(frames):
        frame[:, : 2 * number + 3] = 255
    return frames


def beeps(seconds):
    """Samples with a beep of 20 ms at each whole second."""
    time = np.arange(round(seconds * RATE)) / RATE
    return np.where(time % 1 < 0.02, np.sin(2000 * np.pi * time), 0).astype(np.float32)


def greys(count, height=24, width=32):
    """Frames that tell their number: each of one grey, in even steps."""
    return [np.full((height, width, 3), 40 + 5 * k, np.uint8) for k in range(count)]


# Of frames by their axes beyond height and width: as an array, and as codecs take it.
KINDS = {(): ("gray", "yuv420p"), (3,): ("rgb24", "yuv444p"), (4,): ("rgba", "yuva420p")}
LOSSLESS = {
    "libx264": {"qp": "0", "preset": "ultrafast"},
    "libvpx-vp9": {"lossless": "1", "cpu-used": "8"},
}


def clip(path, frames, fps=10, *, codec="libx264", times=None, sound=None, comment="", **options):
    """A film of frames, without loss unless options say otherwise; with samples beside it.

    Its frames come at an even rate, or at the times given in milliseconds.
    """
    pix_fmt, aspect = options.pop("pix_fmt", None), options.pop("aspect", 1)
    base = Fraction(1, fps) if times is None else Fraction(1, 1000)
    with av.open(str(path), "w") as file:
        file.metadata["comment"] = comment
        stream = file.add_stream(codec, rate=fps, options=options or LOSSLESS.get(codec, {}))
        stream.codec_context.time_base = stream.time_base = base
        heard = None if sound is None else file.add_stream("aac", rate=RATE, layout="mono")
        for number, pixels in enumerate(frames):
            kind, usual_format = KINDS[pixels.shape[2:]]
            if not number:
                stream.height, stream.width = pixels.shape[:2]
                stream.pix_fmt = pix_fmt or usual_format
                stream.codec_context.sample_aspect_ratio = aspect
            frame = av.VideoFrame.from_ndarray(pixels, format=kind)
            frame.pts, frame.time_base = number if times is None else times[number], base
            file.mux(stream.encode(frame))
        file.mux(stream.encode(None))
        if heard is not None:
            samples = av.AudioFrame.from_ndarray(sound[None], "fltp", "mono")
            samples.sample_rate, samples.pts, samples.time_base = RATE, 0, Fraction(1, RATE)
            file.mux(heard.encode(samples))
            file.mux(heard.encode(None))
    return path


def animated(path, frames, duration, **options):
    still, *stills = (f if isinstance(f, Image.Image) else Image.fromarray(f) for f in frames)
    options |= {"lossless": True} if path.suffix == ".webp" else {}
    still.save(path, save_all=True, append_images=stills, duration=duration, **options)
    return path


def pictures_of(clip, fps):
    """Yield the frames of a clip at a rate as pictures."""
    return (replace(clip.first_frame, light=light(1)) for light in clip.frame_lights(fps))


def numbers(clip, fps):
    return [number_of(frame) for frame in pictures_of(clip, fps)]


def number_of(picture):
    encoded = np.interp(picture.light.mean(), decode_srgb(np.arange(256) / 255), range(256))
    return round((encoded - 40) / 5)


def ffmpeg(*words):
    return ask("ffmpeg", "-y", "-v", "error", *words)


def refusal(source, kind=la.LightsAnimError):
    """The line of the error for a picture or clip that cannot be read to its end."""

    def read():
        opened = load_source(source)
        return [None for _ in pictures_of(opened, opened.fps)]

    return refusals.refusal(read, kind)
