"""The sound of clips, carried into a video beside its pictures.

Where there is one clip whose codec the file format takes, its packets are copied: nothing is lost.
Otherwise all sounds are decoded, and encoded again as one track with silence between them.  Either
way it is the sound's own times that say when it is heard, so that it stays together with the
pictures however long the film.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import chain
from math import inf
from typing import Any, TypeAlias, cast

import av
import numpy as np
from av.container import InputContainer, OutputContainer
from numpy.typing import NDArray

from lightsanim.errors import PictureError
from lightsanim.inputs.video_clips import opened_film, reason_of, seconds_of
from lightsanim.pictures.clip import Sound
from lightsanim.pictures.picture import PictureFile

Packets: TypeAlias = "Iterator[av.Packet[Any]]"
Piece: TypeAlias = tuple[int, NDArray[np.float32]]
"""The number of the first sample, counted from the film's start; float32 (channels, samples)."""


# By FFmpeg's names of the file formats: the codecs that they take as they are, and the encoder for
# all others.
ENCODERS = {"mp4": (("aac", "mp3"), "aac"), "webm": (("opus", "vorbis"), "libopus")}

# What is encoded: samples a second (Opus has no 44,100), channels, and bits a second.
RATE, LAYOUT, CHANNELS = 48_000, "stereo", 2
BITS = 160_000

# Samples by which times may stray from the end of the samples before them: many files count in
# milliseconds, and some of these are wrong by a few.
SLACK = RATE // 100

# Seconds by which the times of packets are rounded.
CLOSE = 0.001


class SoundTrack:
    """The track of sound in a video that is being written."""

    def __init__(self, file: OutputContainer, container: str, sounds: Sequence[Sound]) -> None:
        self._file = file
        self._packets = _packets(file, container, sounds)
        self._next = next(self._packets, None)

    def write_until(self, seconds: float) -> None:
        """Write what is heard up to a time of the film: in a file, tracks lie side by side."""
        while self._next is not None and _time(self._next) <= seconds:
            self._file.mux(self._next)
            self._next = next(self._packets, None)


def _packets(file: OutputContainer, container: str, sounds: Sequence[Sound]) -> Packets:
    copied, codec = ENCODERS[container]
    if len(sounds) == 1:
        with _reading(sounds[0]) as clip:
            track: Any = clip.streams.best("audio")
            known = track.codec_context  # None where FFmpeg does not know the codec
            if known and known.codec.canonical_name in copied:
                yield from _copied(sounds[0], clip, file.add_stream_from_template(track))
                return
    if sounds:
        track = cast(Any, file.add_stream(codec, rate=RATE))
        track.codec_context.layout, track.bit_rate = LAYOUT, BITS
        time = 0
        for samples in _gapless(piece for sound in sounds for piece in _heard(sound)):
            yield from track.encode(_frame(samples, time))
            time += samples.shape[1]
        yield from track.encode(None)


def _time(part: Any) -> float:
    # Of a packet or a frame.
    return float(part.pts * part.time_base)


@contextmanager
def _reading(sound: Sound) -> Iterator[InputContainer]:
    file = sound.source.file
    try:
        with opened_film(file) as clip:
            yield clip
    except Exception as error:  # PyAV lets through whatever its parsing runs into
        path = file.path if isinstance(file, PictureFile) else file
        reason = f"{reason_of(error)}; leave it out with mute"
        raise PictureError(f"cannot read the sound of {path}: {reason}") from error


def _copied(sound: Sound, clip: InputContainer, track: Any) -> Packets:
    start, last = sound.source.start, -inf
    packets: Any = clip.demux(clip.streams.best("audio"))
    for packet in packets:
        if packet.pts is None or packet.pts <= last:
            continue  # the end, or what no player could follow
        last, begins = packet.pts, _time(packet) - start
        # Codecs have something to begin with before the first sample, which players leave out.
        primes = _time(packet) < 0 and begins + seconds_of(packet) > -CLOSE
        if begins >= sound.seconds:
            return
        if begins > -CLOSE or primes:
            packet.pts += round((sound.at - start) / packet.time_base)
            packet.dts, packet.stream = packet.pts, track
            yield packet


def _heard(sound: Sound) -> Iterator[Piece]:
    first, last = (round(time * RATE) for time in (sound.at, sound.at + sound.seconds))
    resampler = av.AudioResampler(format="fltp", layout=LAYOUT, rate=RATE)
    with _reading(sound) as clip:
        source: Any = clip.streams.best("audio")
        clip.seek(max(0, int((sound.source.start - 1) / source.time_base)), stream=source)
        for frame in chain(clip.decode(source), [None]):
            for part in resampler.resample(frame):
                if part.pts is None:
                    continue
                begins = round((_time(part) - sound.source.start + sound.at) * RATE)
                if begins >= last:
                    return
                samples, skipped = part.to_ndarray(), max(0, first - begins)
                yield begins + skipped, samples[:, skipped : last - begins].astype(np.float32)


def _gapless(pieces: Iterator[Piece]) -> Iterator[NDArray[np.float32]]:
    # What is heard from the start on, with silence where there is nothing.
    time = 0
    for begins, samples in pieces:
        if abs(begins - time) > SLACK:
            for silent in range(time, begins, RATE):
                yield np.zeros((CHANNELS, min(RATE, begins - silent)), np.float32)
            samples, time = samples[:, max(0, time - begins) :], max(time, begins)
        if samples.size:
            yield samples
            time += samples.shape[1]


def _frame(samples: NDArray[np.float32], time: int) -> av.AudioFrame:
    frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(samples), "fltp", LAYOUT)
    frame.sample_rate, frame.time_base, frame.pts = RATE, Fraction(1, RATE), time
    return frame
