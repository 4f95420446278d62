"""Clips that tests make: a curtain that opens, and beeps."""

from fractions import Fraction

import av
import numpy as np

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


def clip(path, frames, fps=10, sound=None, **options):
    """A film of grey frames, without loss unless options say otherwise; with samples beside it."""
    options = options or {"qp": "0", "preset": "ultrafast"}
    with av.open(str(path), "w") as file:
        stream = file.add_stream("libx264", rate=fps, options=options)
        heard = None if sound is None else file.add_stream("aac", rate=RATE, layout="mono")
        for number, pixels in enumerate(frames):
            if not number:
                stream.height, stream.width = pixels.shape
                stream.pix_fmt = "yuv420p"
            frame = av.VideoFrame.from_ndarray(pixels, format="gray")
            frame.pts, frame.time_base = number, Fraction(1, fps)
            file.mux(stream.encode(frame))
        file.mux(stream.encode(None))
        if heard is not None:
            samples = av.AudioFrame.from_ndarray(sound[None], "fltp", "mono")
            samples.sample_rate, samples.pts, samples.time_base = RATE, 0, Fraction(1, RATE)
            file.mux(heard.encode(samples))
            file.mux(heard.encode(None))
    return path
