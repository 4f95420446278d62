"""What FFmpeg leaves to be done on a WebP: the last frame's time, and the label.

Source: the WebP container specification (https://developers.google.com/speed/webp/docs/riff_container).
A file is "RIFF", the size of the rest, "WEBP", and chunks: a name of four letters, a size, and as
many octets, filled up to an even number.
"""

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import IO

HEAD = 12

# Of the flags in the first octet of the chunk VP8X.
HAS_XMP = 0b0000_0100

# Adobe's XMP is XML; dc:description is what programs show as the description of a file.
XMP = """<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:description><rdf:Alt><rdf:li \
xml:lang="x-default">{}</rdf:li></rdf:Alt></dc:description></rdf:Description></rdf:RDF>\
</x:xmpmeta>"""


def end_webp(path: Path, total: int, label: str) -> None:
    """Make an animated WebP last ``total`` milliseconds, and put a label on it.

    The encoder cannot know how long the last frame is shown, and takes the average of the others.
    """
    with path.open("r+b") as file:
        _extend(file)
        chunks = list(_chunks(file))
        _set_last_duration(file, [place for kind, place, _ in chunks if kind == b"ANMF"], total)
        file.seek(HEAD + 8)
        flags = file.read(1)[0]
        file.seek(HEAD + 8)
        file.write(bytes([flags | HAS_XMP]))
        octets = XMP.format(escape(label, quote=False)).encode("ascii")
        file.seek(0, 2)
        file.write(_chunk(b"XMP ", octets))
        size = file.tell()
        file.seek(4)
        file.write((size - 8).to_bytes(4, "little"))


def _set_last_duration(file: IO[bytes], places: list[int], total: int) -> None:
    # A frame's duration is in octets 12 to 14 of its chunk.
    durations = []
    for place in places:
        file.seek(place + 12)
        durations.append(int.from_bytes(file.read(3), "little"))
    if durations:
        file.seek(places[-1] + 12)
        file.write((total - sum(durations[:-1])).to_bytes(3, "little"))


def _extend(file: IO[bytes]) -> None:
    # A single frame comes as a simple file; only those that begin with VP8X can hold more.
    file.seek(HEAD)
    if file.read(4) == b"VP8X":
        return
    file.seek(HEAD)
    rest = file.read()
    # Lossless data: after a signature of one octet, 14 bits of width and 14 of height, each less 1.
    size = int.from_bytes(rest[9:13], "little")
    width, height, alpha = size & 0x3FFF, size >> 14 & 0x3FFF, size >> 28 & 1
    sides = width.to_bytes(3, "little") + height.to_bytes(3, "little")
    file.seek(HEAD)
    file.write(_chunk(b"VP8X", bytes([alpha << 4, 0, 0, 0]) + sides) + rest)


def _chunks(file: IO[bytes]) -> Iterator[tuple[bytes, int, int]]:
    # The name of each chunk, where its octets begin, and how many they are.
    place = HEAD
    file.seek(place)
    while len(head := file.read(8)) == 8:
        size = int.from_bytes(head[4:], "little")
        yield head[:4], place + 8, size
        place += 8 + size + size % 2
        file.seek(place)


def _chunk(kind: bytes, octets: bytes) -> bytes:
    return kind + len(octets).to_bytes(4, "little") + octets + b"\0" * (len(octets) % 2)
