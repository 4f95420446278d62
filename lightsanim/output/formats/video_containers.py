"""Check that MP4 and WebM files have only parts that FFmpeg and browsers interpret alike.

No frames are decoded.  Sources: ISO/IEC 14496-12 (boxes), RFC 8794 (EBML), RFC 9559 (Matroska).
"""

import io
import struct
from collections.abc import Callable
from itertools import pairwise
from typing import Any, BinaryIO

from lightsanim.errors import AnimationError
from .frames import check_signature, read_exactly, refuse_if

PartName = bytes | int
Part = tuple[PartName, int, int]  # Name of a part, start and end of its content.
# Allowed parts by name.  A value is either the schema of the parts inside, a check of the content,
# the key under which `check_container` returns the number in the content, or UNCHECKED.
Schema = dict[PartName, Any]
ReadPart = Callable[[BinaryIO, int], Part]

UNCHECKED = None  # The content is not checked, only read by FFmpeg.
MAX_CHECKED_BYTES = 1 << 26  # Bytes; larger parts are refused instead of checked.


def check_container(file: BinaryIO, container: str) -> dict[str, int]:
    """Check that a file has only supported parts, and return the numbers that the schema names."""
    values: dict[str, int] = {}
    read_part, tree, offset, signature = CONTAINERS[container]
    file.seek(offset)
    check_signature(file, signature)
    end = file.seek(0, io.SEEK_END)
    _check_boxes(file, 0, end, tree, read_part, values)
    file.seek(0)
    return values


def _check_boxes(
    file: BinaryIO, start: int, end: int, tree: Schema, read_part: ReadPart, values: dict[str, int]
) -> None:
    # Check the parts from ``start`` to ``end`` against the schema ``tree``.
    names, rules = set(), tree | FILLER_PARTS
    while start < end:
        file.seek(start)
        name, first, last = read_part(file, start)
        if not first <= last <= end:
            raise AnimationError("the file ends too early, or a part is larger than its container")
        label = repr(name.decode("latin-1")) if isinstance(name, bytes) else f"{name:x}"
        refuse_if(
            name not in rules or (name in names and name not in REPEATABLE_PARTS),
            f"an unknown, misplaced or repeated part {label}",
        )
        names.add(name)
        rule = rules[name]
        if isinstance(rule, dict):
            _check_boxes(file, first + HEAD_BYTES.get(name, 0), last, rule, read_part, values)
        elif isinstance(rule, str):
            file.seek(first)
            values[rule] = int.from_bytes(read_exactly(file, min(last - first, 8)), "big")
        elif rule is not UNCHECKED:
            file.seek(first)
            refuse_if(
                last - first > MAX_CHECKED_BYTES or not rule(read_exactly(file, last - first)),
                f"a part {label} that changes the picture",
            )
        start = last


def _read_box(file: BinaryIO, start: int) -> Part:
    size, name = struct.unpack(">I4s", read_exactly(file, 8))
    if size == 1:
        (size,) = struct.unpack(">Q", read_exactly(file, 8))
    return name, file.tell(), start + size


def _read_webm_element(file: BinaryIO, start: int) -> Part:
    name = _read_webm_number(file, 4, keep_marker=True)
    size = _read_webm_number(file, 8, keep_marker=False)
    return name, file.tell(), file.tell() + size


def _read_webm_number(file: BinaryIO, max_bytes: int, *, keep_marker: bool) -> int:
    # As many bytes follow as there are zero bits before the first 1 bit; only names keep this bit.
    first = read_exactly(file, 1)
    length = 9 - first[0].bit_length()
    if length > max_bytes:
        raise AnimationError(f"the file is damaged: a number has more than {max_bytes} bytes")
    value = int.from_bytes(first + read_exactly(file, length - 1), "big")
    return value if keep_marker else value & ((1 << 7 * length) - 1)


def _build_matrix_check(offset: int) -> Callable[[bytes], bool]:
    # Build a check for an identity matrix at ``offset``, or 12 bytes later in version 1 of a part.
    matrix = struct.pack(">9i", 1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30)
    return lambda content: content.startswith(matrix, offset + 12 * (content[:1] == b"\1"))


def _has_single_edit(content: bytes) -> bool:
    # Accept an edit list with one edit at normal speed, after at most one empty edit, which delays
    # the sound.  The video reader itself refuses hidden frames and a late first frame.
    layout = ">Qqhh" if content[:1] == b"\1" else ">Iihh"
    if len(content[8:]) != int.from_bytes(content[4:8], "big") * struct.calcsize(layout):
        return False
    *waits, (_, first, *rate) = [*struct.iter_unpack(layout, content[8:])] or [(0, -1)]
    only_waits = all(edit[1:] == (-1, 1, 0) for edit in waits) and len(waits) <= 1
    return only_waits and first >= 0 and rate == [1, 0]


def _has_one_sample_description(content: bytes) -> bool:
    # Accept a table of chunks if all chunks use the first sample description.
    runs = [content[offset : offset + 4] for offset in range(16, len(content), 12)]
    return {*runs} <= {b"\0\0\0\1"}


def _build_length_check(length: int) -> Callable[[bytes], bool]:
    # Build a check for a box of ``length`` bytes; 64-bit times (version 1) add 12 bytes.
    return lambda content: (
        content[:1] in (b"\0", b"\1") and len(content) == length + 12 * content[0]
    )


def _combine_checks(*checks: Callable[[bytes], bool]) -> Callable[[bytes], bool]:
    return lambda content: all(check(content) for check in checks)


def _starts_with_key_frame(content: bytes) -> bool:
    # Accept an ascending list of key frames that begins with the first frame.
    count = max(0, len(content) - 8) // 4
    numbers = struct.unpack_from(f">{count}I", content, 8) if count else ()
    return numbers[:1] == (1,) and all(first < second for first, second in pairwise(numbers))


def _build_value_check(*values: bytes) -> Callable[[bytes], bool]:
    return lambda content: content.lstrip(b"\0") in values


CODECS: Schema = {
    **dict.fromkeys([b"avcC", b"hvcC", b"av1C", b"vpcC", b"esds", b"dOps"], UNCHECKED),
    **dict.fromkeys([b"btrt", b"fiel", b"colr"], UNCHECKED),
    b"pasp": lambda content: content[:4] == content[4:],
}

MP4_PARTS: Schema = {
    b"ftyp": UNCHECKED,
    b"free": UNCHECKED,
    b"mdat": UNCHECKED,
    b"moov": {
        b"mvhd": _combine_checks(_build_length_check(100), _build_matrix_check(36)),
        b"udta": UNCHECKED,
        b"trak": {
            b"tkhd": _combine_checks(
                _build_length_check(84),
                _build_matrix_check(40),
                lambda content: content[3] & 1 == 1,
            ),
            b"edts": {b"elst": _has_single_edit},
            b"mdia": {
                b"mdhd": _build_length_check(24),
                b"hdlr": lambda content: content[8:12] in (b"vide", b"soun"),
                b"minf": {
                    b"vmhd": UNCHECKED,
                    b"smhd": UNCHECKED,
                    b"dinf": {b"dref": lambda content: content.endswith(b"\0\0\0\x0curl \0\0\0\1")},
                    b"stbl": {
                        b"stsd": dict.fromkeys(
                            [b"avc1", b"hev1", b"hvc1", b"vp09", b"av01", b"mp4a", b"Opus"], CODECS
                        ),
                        b"stsc": _has_one_sample_description,
                        b"stss": _starts_with_key_frame,
                        **dict.fromkeys([b"stts", b"stsz", b"stco", b"co64"], UNCHECKED),
                        **dict.fromkeys([b"ctts", b"sdtp", b"sgpd", b"sbgp"], UNCHECKED),
                    },
                },
            },
        },
    },
}

# Number of bytes at the start of a part, before the parts inside it.
HEAD_BYTES: dict[PartName, int] = {
    b"stsd": 8,
    **dict.fromkeys([b"avc1", b"hev1", b"hvc1", b"vp09", b"av01"], 78),
    **dict.fromkeys([b"mp4a", b"Opus"], 28),
}

WEBM_PARTS: Schema = {
    0x1A45DFA3: {  # Element EBML, the file header; its parts by their names in RFC 8794:
        0x4286: _build_value_check(b"\1"),  # EBMLVersion,
        0x42F7: _build_value_check(b"\1"),  # EBMLReadVersion,
        0x42F2: _build_value_check(b"\4"),  # EBMLMaxIDLength,
        0x42F3: _build_value_check(b"\x08"),  # EBMLMaxSizeLength,
        0x4282: _build_value_check(b"webm"),  # DocType,
        0x4287: _build_value_check(b"\1", b"\2", b"\3", b"\4"),  # DocTypeVersion,
        0x4285: _build_value_check(b"\1", b"\2"),  # DocTypeReadVersion.
    },
    0x18538067: {  # Segment: all further content of the file.
        0x114D9B74: UNCHECKED,  # SeekHead: positions of the other elements.
        # Info: time scale, duration, programs, title, identifier, date.
        0x1549A966: dict.fromkeys([0x2AD7B1, 0x4489, 0x4D80, 0x5741, 0x7BA9, 0x73A4, 0x4461]),
        0x1654AE6B: {  # Tracks: the description of each track.
            0xAE: {
                # Parts of a track: numbers, type, flags (default, forced, lacing), languages,
                # name, codec, delays, and the duration of a frame.
                **dict.fromkeys([0xD7, 0x73C5, 0x83, 0x88, 0x55AA, 0x9C, 0x22B59C], UNCHECKED),
                **dict.fromkeys([0x22B59D, 0x536E, 0x86, 0x63A2, 0x56AA, 0x56BB], UNCHECKED),
                **dict.fromkeys([0x23E383, 0x258688, 0x6DE7], UNCHECKED),
                0xB9: _build_value_check(b"\1"),  # FlagEnabled: the track is used.
                # Video: sizes, interlacing, colours; flags for transparency and stereo must be 0.
                0xE0: {
                    0xB0: "width",
                    0xBA: "height",
                    **dict.fromkeys([0x54B0, 0x54BA, 0x54B2, 0x9A, 0x9D, 0x55B0], UNCHECKED),
                    **dict.fromkeys([0x53C0, 0x53B8], _build_value_check(b"")),
                },
                0xE1: UNCHECKED,  # Audio: settings of an audio track.
            },
        },
        0x1F43B675: {  # Cluster: time, position, size of the previous cluster, blocks.
            **dict.fromkeys([0xE7, 0xA7, 0xAB, 0xA3], UNCHECKED),
            # BlockGroup: a block, its duration, references and padding.
            0xA0: dict.fromkeys([0xA1, 0x9B, 0xFB, 0x75A2], UNCHECKED),
        },
        0x1C53BB6B: UNCHECKED,  # Cues: an index for seeking.
        0x1254C367: UNCHECKED,  # Tags: metadata.
    },
}

# Void and CRC-32 elements of WebM, which may occur anywhere.
FILLER_PARTS: Schema = {0xEC: UNCHECKED, 0xBF: UNCHECKED}
REPEATABLE_PARTS = {b"trak", b"mdat", b"free", 0xAE, 0x1F43B675, 0xA3, 0xA0, 0xFB, *FILLER_PARTS}

# For each container: function that reads a part, schema, offset of the signature, and signature.
CONTAINERS = {
    "mp4": (_read_box, MP4_PARTS, 4, b"ftyp"),
    "webm": (_read_webm_element, WEBM_PARTS, 0, b"\x1aE\xdf\xa3"),
}
