"""Copy the sound of clips into a video.

The packets of a single clip are copied without loss if the video's format takes their codec.
Otherwise all sounds are decoded and encoded again as one track with silence between them.  Either
way the sound keeps its own time stamps, so that it stays in step with the pictures.
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
from lightsanim.pictures.clip import FilmSound
from lightsanim.pictures.reel import TIME_TOLERANCE
from lightsanim.pictures.video_clips import (
    JUMPING_FORMATS,
    demux_without_jumps,
    ffmpeg_error_reason,
    open_video,
    packet_or_frame_duration,
)

Packets: TypeAlias = "Iterator[av.Packet[Any]]"
SamplePiece: TypeAlias = tuple[int, NDArray[np.float32]]
"""Number of the first sample in the film, and a piece of sound, float32 (channels, samples)."""

# For each video format, by FFmpeg's name: codecs that are copied, and the encoder for all others.
ENCODERS = {"mp4": (("aac", "mp3"), "aac"), "webm": (("opus", "vorbis"), "libopus")}
# Samples per second; Opus does not support 44,100.
SAMPLE_RATE = 48_000
LAYOUT, CHANNELS = "stereo", 2
# Bits per second of encoded sound.
BIT_RATE = 160_000
# Allowed error of a piece's position, in samples: files round times, even by several milliseconds.
SAMPLE_SLACK = SAMPLE_RATE // 100


class SoundTrack:
    """The sound track of a video that is being written."""

    def __init__(self, file: OutputContainer, container: str, sounds: Sequence[FilmSound]) -> None:
        self._file = file
        self._packets = _make_sound_packets(file, container, sounds)
        self._next = next(self._packets, None)

    def write_packets_until(self, seconds: float) -> None:
        """Write the sound packets up to a time of the film, between the packets of pictures."""
        while self._next is not None and _packet_time(self._next) <= seconds:
            self._file.mux(self._next)
            self._next = next(self._packets, None)


def _make_sound_packets(
    file: OutputContainer, container: str, sounds: Sequence[FilmSound]
) -> Packets:
    copied, codec = ENCODERS[container]
    if len(sounds) == 1:
        with _open_sound(sounds[0]) as clip:
            track: Any = clip.streams.best("audio")
            codec_context = track.codec_context  # None if FFmpeg does not know the codec
            if codec_context and codec_context.codec.canonical_name in copied:
                yield from _copy_packets(sounds[0], clip, file.add_stream_from_template(track))
                return
    if sounds:
        track = cast(Any, file.add_stream(codec, rate=SAMPLE_RATE))
        track.codec_context.layout, track.bit_rate = LAYOUT, BIT_RATE
        time = 0
        for samples in _fill_gaps_with_silence(chain.from_iterable(map(_decode_samples, sounds))):
            yield from track.encode(_build_audio_frame(samples, time))
            time += samples.shape[1]
        yield from track.encode(None)


def _packet_time(part: Any) -> float:
    return float(part.pts * part.time_base)


@contextmanager
def _open_sound(sound: FilmSound) -> Iterator[InputContainer]:
    file = sound.source.file
    try:
        with open_video(file) as clip:
            yield clip
    except Exception as error:  # PyAV raises many kinds of exceptions on damaged files
        raise PictureError(
            f"cannot read the sound of {file}: {ffmpeg_error_reason(error)}; @mute after the "
            "output leaves it out"
        ) from error


def _demux_sound(clip: InputContainer) -> Iterator[Any]:
    track: Any = clip.streams.best("audio")
    return (packet for packet, _ in demux_without_jumps(clip) if packet.stream.index == track.index)


def _copy_packets(sound: FilmSound, clip: InputContainer, track: Any) -> Packets:
    start, last = sound.source.start, -inf
    for packet in _demux_sound(clip):
        if packet.pts is None or packet.pts <= last:
            continue  # skip the end marker, and packets out of order, which players reject
        last, begin = packet.pts, _packet_time(packet) - start
        # Codecs need priming packets before the first sample, which players do not play.
        end = begin + packet_or_frame_duration(packet)
        is_priming = _packet_time(packet) < 0 and end > -TIME_TOLERANCE
        if begin >= sound.seconds:
            return
        if begin > -TIME_TOLERANCE or is_priming:
            packet.pts += round((sound.at - start) / packet.time_base)
            packet.dts, packet.stream = packet.pts, track
            yield packet


def _decode_samples(sound: FilmSound) -> Iterator[SamplePiece]:
    first, last = (round(time * SAMPLE_RATE) for time in (sound.at, sound.at + sound.seconds))
    resampler = av.AudioResampler(format="fltp", layout=LAYOUT, rate=SAMPLE_RATE)
    with _open_sound(sound) as clip:
        source: Any = clip.streams.best("audio")
        if clip.format.name not in JUMPING_FORMATS:
            clip.seek(max(0, int((sound.source.start - 1) / source.time_base)), stream=source)
        frames = chain.from_iterable(packet.decode() for packet in _demux_sound(clip))
        for frame in chain(frames, [None]):
            for part in resampler.resample(frame):
                if part.pts is None:
                    continue
                begin = round((_packet_time(part) - sound.source.start + sound.at) * SAMPLE_RATE)
                if begin >= last:
                    return
                samples, skipped = part.to_ndarray(), max(0, first - begin)
                yield begin + skipped, samples[:, skipped : last - begin].astype(np.float32)


def _fill_gaps_with_silence(pieces: Iterator[SamplePiece]) -> Iterator[NDArray[np.float32]]:
    time = 0
    for begin, samples in pieces:
        if abs(begin - time) > SAMPLE_SLACK:
            for silence_start in range(time, begin, SAMPLE_RATE):
                yield np.zeros((CHANNELS, min(SAMPLE_RATE, begin - silence_start)), np.float32)
            samples, time = samples[:, max(0, time - begin) :], max(time, begin)
        if samples.size:
            yield samples
            time += samples.shape[1]


def _build_audio_frame(samples: NDArray[np.float32], time: int) -> av.AudioFrame:
    frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(samples), "fltp", LAYOUT)
    frame.sample_rate, frame.time_base, frame.pts = SAMPLE_RATE, Fraction(1, SAMPLE_RATE), time
    return frame
