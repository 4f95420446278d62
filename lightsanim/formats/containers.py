"""What an MP4 or a WebM is made of: only what FFmpeg and browsers take for the same film.

Nothing is decoded here.  Sources: ISO/IEC 14496-12 (boxes), RFC 8794 (EBML), RFC 9559 (Matroska).
"""

import io
import struct
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, BinaryIO

from lightsanim.errors import AnimationError
from lightsanim.formats.frames import check_signature, exactly, not_taken

Name = bytes | int
Part = tuple[Name, int, int]  # its name, and where its content begins and ends
# The parts that may be there, and of each its own, or a check of it, or what its number says.
Tree = Mapping[Name, Any]
NextPart = Callable[[BinaryIO, int], Part]

ANYTHING = None  # of parts whose content is left to FFmpeg

# Bytes of a part whose content is checked.
MAX_CONTENT = 1 << 26


def check_container(file: BinaryIO, container: str) -> dict[str, int]:
    """Does a file hold the parts of a plain film, and no others?"""
    said: dict[str, int] = {}
    next_part, tree, place, signature = CONTAINERS[container]
    file.seek(place)
    check_signature(file, signature)
    end = file.seek(0, io.SEEK_END)
    _check(file, 0, end, tree, next_part, said)
    file.seek(0)
    return said


def _check(
    file: BinaryIO, start: int, end: int, tree: Tree, next_part: NextPart, said: dict[str, int]
) -> None:
    # The parts between two places: those of a tree, which says of each what it may hold.
    seen = set()
    while start < end:
        file.seek(start)
        name, first, last = next_part(file, start)
        if not first <= last <= end:
            raise AnimationError("it ends too early, or a part of it is larger than its whole")
        called = repr(name.decode("latin-1")) if isinstance(name, bytes) else f"{name:x}"
        if name not in tree or (name in seen and name not in REPEATED):
            raise not_taken(f"a part {called} of a kind not known, or at a place not known")
        seen.add(name)
        held = tree[name]
        if isinstance(held, dict):
            _check(file, first + HEADS.get(name, 0), last, held, next_part, said)
        elif isinstance(held, str):
            file.seek(first)
            said[held] = int.from_bytes(exactly(file, min(last - first, 8)), "big")
        elif held is not ANYTHING:
            file.seek(first)
            if last - first > MAX_CONTENT or not held(exactly(file, last - first)):
                raise not_taken(f"a part {called} that changes what is shown")
        start = last


def _box(file: BinaryIO, start: int) -> Part:
    size, name = struct.unpack(">I4s", exactly(file, 8))
    if size == 1:
        (size,) = struct.unpack(">Q", exactly(file, 8))
    return name, file.tell(), start + size


def _element(file: BinaryIO, start: int) -> Part:
    name, size = _number(file, 4, marked=True), _number(file, 8, marked=False)
    return name, file.tell(), file.tell() + size


def _number(file: BinaryIO, longest: int, *, marked: bool) -> int:
    # The zeros in front of a mark say how many bytes there are; names keep the mark.
    first = exactly(file, 1)
    length = 9 - first[0].bit_length()
    if length > longest:
        raise AnimationError("it is damaged: a number in it has no end")
    value = int.from_bytes(first + exactly(file, length - 1), "big")
    return value if marked else value & ((1 << 7 * length) - 1)


def _upright(place: int) -> Callable[[bytes], bool]:
    # A film or a track whose matrix, at a place, turns nothing; 12 bytes more for long times.
    matrix = struct.pack(">9i", 1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30)

    def check(content: bytes) -> bool:
        at = place + (12 if content[:1] == b"\1" else 0)
        return content[at : at + 36] == matrix

    return check


def _one_edit(content: bytes) -> bool:
    # It says which time is the first; whether it hides frames is seen when they are counted.  There
    # may be nothing for a while before it: sound may begin later, and pictures may not.
    form = ">Qqhh" if content[:1] == b"\1" else ">Iihh"
    if len(content[8:]) != int.from_bytes(content[4:8], "big") * struct.calcsize(form):
        return False
    *waits, (_, first, *rate) = [*struct.iter_unpack(form, content[8:])] or [(0, -1)]
    nothing = all(edit[1:] == (-1, 1, 0) for edit in waits) and len(waits) <= 1
    return nothing and first >= 0 and rate == [1, 0]


def _one_description(content: bytes) -> bool:
    # Runs of chunks, each by the first description of samples.
    runs = [content[place : place + 4] for place in range(16, len(content), 12)]
    return {*runs} <= {b"\0\0\0\1"}


def _long(length: int) -> Callable[[bytes], bool]:
    # Of this length, and 12 bytes more with long times.
    return lambda content: (
        content[:1] in (b"\0", b"\1") and len(content) == length + 12 * content[0]
    )


def _all(*checks: Callable[[bytes], bool]) -> Callable[[bytes], bool]:
    return lambda content: all(check(content) for check in checks)


def _starts_whole(content: bytes) -> bool:
    # Which samples can be shown without those before them: the first, and others after it.
    places = struct.unpack(f">{(len(content) - 8) // 4}I", content[8 : len(content) // 4 * 4])
    return places[:1] == (1,) and all(one < other for one, other in pairwise(places))


def _is(*values: bytes) -> Callable[[bytes], bool]:
    return lambda content: content.lstrip(b"\0") in values


CODED: Tree = {
    **dict.fromkeys([b"avcC", b"hvcC", b"av1C", b"vpcC", b"esds", b"dOps"], ANYTHING),
    **dict.fromkeys([b"btrt", b"fiel", b"colr"], ANYTHING),
    b"pasp": lambda content: content[:4] == content[4:],
}

MP4: Tree = {
    b"ftyp": ANYTHING,
    b"free": ANYTHING,
    b"mdat": ANYTHING,
    b"moov": {
        b"mvhd": _all(_long(100), _upright(36)),
        b"udta": ANYTHING,
        b"trak": {
            b"tkhd": _all(_long(84), _upright(40), lambda content: content[3] & 1 == 1),
            b"edts": {b"elst": _one_edit},
            b"mdia": {
                b"mdhd": _long(24),
                b"hdlr": lambda content: content[8:12] in (b"vide", b"soun"),
                b"minf": {
                    b"vmhd": ANYTHING,
                    b"smhd": ANYTHING,
                    b"dinf": {b"dref": lambda content: content.endswith(b"\0\0\0\x0curl \0\0\0\1")},
                    b"stbl": {
                        b"stsd": dict.fromkeys(
                            [b"avc1", b"hev1", b"hvc1", b"vp09", b"av01", b"mp4a", b"Opus"], CODED
                        ),
                        b"stsc": _one_description,
                        b"stss": _starts_whole,
                        **dict.fromkeys([b"stts", b"stsz", b"stco", b"co64"], ANYTHING),
                        **dict.fromkeys([b"ctts", b"sdtp", b"sgpd", b"sbgp"], ANYTHING),
                    },
                },
            },
        },
    },
}

# Bytes before the parts within.
HEADS: Mapping[Name, int] = {
    b"stsd": 8,
    **dict.fromkeys([b"avc1", b"hev1", b"hvc1", b"vp09", b"av01"], 78),
    **dict.fromkeys([b"mp4a", b"Opus"], 28),
}

# Void, a checksum.
FILLING: Tree = {0xEC: ANYTHING, 0xBF: ANYTHING}

WEBM: Tree = {
    0x1A45DFA3: {  # EBML
        0x4286: _is(b"\1"),  # its version
        0x42F7: _is(b"\1"),  # its version for readers
        0x42F2: _is(b"\4"),  # bytes of the longest name
        0x42F3: _is(b"\x08"),  # bytes of the longest size
        0x4282: _is(b"webm"),
        0x4287: _is(b"\1", b"\2", b"\3", b"\4"),  # the version of WebM
        0x4285: _is(b"\1", b"\2"),  # its version for readers
        **FILLING,
    },
    0x18538067: {  # Segment
        0x114D9B74: ANYTHING,  # SeekHead
        0x1549A966: {  # Info: scale of times, duration, what wrote it, title, unique number, date
            **dict.fromkeys([0x2AD7B1, 0x4489, 0x4D80, 0x5741, 0x7BA9, 0x73A4, 0x4461], ANYTHING),
            **FILLING,
        },
        0x1654AE6B: {  # Tracks
            0xAE: {
                # Numbers, type, default, forced, lacing, languages, name, codec and its head,
                # delays, and the duration of a frame.
                **dict.fromkeys([0xD7, 0x73C5, 0x83, 0x88, 0x55AA, 0x9C, 0x22B59C], ANYTHING),
                **dict.fromkeys([0x22B59D, 0x536E, 0x86, 0x63A2, 0x56AA, 0x56BB], ANYTHING),
                **dict.fromkeys([0x23E383, 0x258688, 0x6DE7], ANYTHING),
                0xB9: _is(b"\1"),  # enabled
                0xE0: {  # Video: sizes, how it is interlaced, colours
                    0xB0: "width",
                    0xBA: "height",
                    **dict.fromkeys([0x54B0, 0x54BA, 0x54B2, 0x9A, 0x9D, 0x55B0], ANYTHING),
                    0x53C0: _is(b""),  # transparency
                    0x53B8: _is(b""),  # two eyes
                    **FILLING,
                },
                0xE1: ANYTHING,  # Audio
                **FILLING,
            },
            **FILLING,
        },
        0x1F43B675: {  # Cluster: time, place, size of the one before, blocks
            **dict.fromkeys([0xE7, 0xA7, 0xAB, 0xA3], ANYTHING),
            0xA0: {  # BlockGroup: block, duration, what it refers to, what is not played
                **dict.fromkeys([0xA1, 0x9B, 0xFB, 0x75A2], ANYTHING),
                **FILLING,
            },
            **FILLING,
        },
        0x1C53BB6B: ANYTHING,  # Cues
        0x1254C367: ANYTHING,  # Tags
        **FILLING,
    },
}

# Parts that may be there more than once.
REPEATED = {b"trak", b"mdat", b"free", 0xAE, 0x1F43B675, 0xA3, 0xA0, 0xFB, *FILLING}

# How parts are told apart, those that are taken, and the bytes that every such file has at a place.
CONTAINERS = {
    "mp4": (_box, MP4, 4, b"ftyp"),
    "webm": (_element, WEBM, 0, b"\x1aE\xdf\xa3"),
}
