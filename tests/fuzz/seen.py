"""Films that were changed, as `verify` judges them and as a browser shows them, frame by frame.

    python -m fuzz seen [--count N] [--seed S] [SUFFIX ...]

A file may be called legal only if Chromium shows the very frames that were proven.
"""

import re
import shutil
import struct
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from random import Random

from tools import browsers
from tools.films import random_film

import lightsanim as la
from fuzz.mutation import changed_parts, png_of, png_parts, with_right_sums

SIZE = "5x4"
# What is shown differently is kept here.
FOUND_FOLDER = Path(__file__).parents[2] / ".fuzz" / "found"

VIDEOS = (".mp4", ".webm")
SUFFIXES = (".gif", ".apng", ".webp", ".svg", *VIDEOS)


def main(suffixes: Iterable[str], total: int, seed: int) -> int:
    with tempfile.TemporaryDirectory() as folder, browsers.chromium() as browser:
        for suffix in suffixes:
            count = total // (10 if suffix in VIDEOS else 1)
            with browsers.viewer(browser) as difference:
                counts = compare(difference, suffix, count, seed, Path(folder))
            print(f"{suffix}: {dict(counts)}", flush=True)
            if counts["shown differently"]:
                return 1
    return 0


def compare(difference, suffix: str, count: int, seed: int, folder: Path) -> Counter:
    """How many changed files are legal, and how many of these a browser shows differently."""
    rng, counts = Random(seed), Counter()
    originals = list(films(suffix, folder))
    for number in range(count):
        path = folder / f"{seed}-{number}{suffix}"
        path.write_bytes(changed(rng.choice(originals), suffix, rng, originals))
        legal = is_legal(path)
        counts["files"] += 1
        counts["legal"] += legal
        if legal and (problem := difference(path)):
            counts["shown differently"] += 1
            FOUND_FOLDER.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, FOUND_FOLDER)
            print(f"{FOUND_FOLDER / path.name}: {problem}")
        path.unlink()
    return counts


def films(suffix: str, folder: Path) -> Iterator[bytes]:
    """A few, with and without what they say of themselves."""
    kinds = [(1, 2, {}), (1, 2, {"mark": "tomato"}), (3, 2, {"gap": 0}), (1, 7, {"mark": "tomato"})]
    if suffix == ".svg":
        kinds += [(1, 2, {"background": "none", "canvas": "80x70", "shape": "circle"})]
        kinds += [(1, 2, {"mark": "tomato", "cell": 3})]
    elif suffix not in VIDEOS:
        # Nothing half transparent, as browsers weigh colours by how opaque they are, and round.
        kinds += [(1, 2, {"background": "none", "canvas": "40x30"}), (1, 2, {"unlit": "none"})]
    for number, (boards, levels, look) in enumerate(kinds):
        film = random_film(4, 5, 8, number, boards, levels, hold_first=0.2, hold_last=0.2)
        path, cell = folder / f"film{suffix}", 12 if suffix in (*VIDEOS, ".svg") else 4
        film.save(path, **{"cell": cell, "gap": 1, **look})
        yield path.read_bytes()


def is_legal(path: Path) -> bool:
    """Whether `verify` calls it legal, perhaps as a file of someone else."""
    for size, levels in [(None, None), (SIZE, None), (SIZE, 7)]:
        with suppress(la.LightsAnimError):
            if la.verify(path, size=size, levels=levels).legal:
                return True
    return False


def changed(content: bytes, suffix: str, rng: Random, films: list[bytes]) -> bytes:
    """A film with some bits flipped, or its parts changed, moved, left out, doubled or added."""
    if rng.random() < 0.4 or suffix not in PARTS:
        if suffix == ".svg":
            return tampered(content, rng.choice([*TAMPERINGS]))
        return flipped(content, rng)
    split, join = PARTS[suffix]
    foreign = [*split(rng.choice(films)), *FOREIGN.get(suffix, [])]
    if rng.random() < 0.5:
        return join(changed_parts(split(content), rng, foreign))
    parts = split(content)
    number = rng.randrange(len(parts))
    return join([*parts[:number], flipped(parts[number], rng), *parts[number + 1 :]])


def flipped(content: bytes, rng: Random) -> bytes:
    """Bytes of which a few have another bit or another value, mostly near each other."""
    content = bytearray(content)
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        if content:
            index = rng.randrange(len(content))
            flip = rng.randrange(256) if rng.random() < 0.3 else 1 << rng.randrange(8)
            content[index] ^= flip
    return bytes(content)


# Parts of files: each a chunk or a block, so that a change of some is still a file.


def apng_of(parts: list[bytes]) -> bytes:
    """A PNG of chunks, whose frames are numbered one after the other."""
    numbers, kinds = count(), (b"fcTL", b"fdAT")
    return png_of(
        part[:4] + struct.pack(">I", next(numbers)) + part[8:] if part[:4] in kinds else part
        for part in parts
    )


def gif_parts(content: bytes) -> list[bytes]:
    head = 13 + (3 * (2 << (content[10] & 7)) if content[10] & 0x80 else 0)
    parts, position = [content[:head]], head
    while position < len(content):
        start = position
        if content[position] == 0x21:
            position += 2
        elif content[position] == 0x2C:
            flags = content[position + 9]
            position += 11 + (3 * (2 << (flags & 7)) if flags & 0x80 else 0)
        while content[start] in b"!," and content[position]:
            position += 1 + content[position]
        position += 1
        parts.append(content[start:position])
    return parts


def webp_parts(content: bytes) -> list[bytes]:
    parts, position = [], 12
    while position < len(content):
        kind, (length,) = content[position:][:4], struct.unpack_from("<I", content, position + 4)
        parts.append(kind + content[position + 8 :][:length])
        position += 8 + length + length % 2
    return parts


def webp_of(parts: list[bytes]) -> bytes:
    chunks = b"".join(
        part[:4] + struct.pack("<I", max(0, len(part) - 4)) + part[4:] + b"\0" * (len(part) % 2)
        for part in parts
    )
    return b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WEBP" + chunks


def svg_parts(content: bytes) -> list[bytes]:
    return re.split(rb"(?<=[>}\n])", content[: content.rindex(b"<!--")])


def svg_of(parts: list[bytes]) -> bytes:
    return with_right_sums(b"".join(parts) + b"<!-- sha256 -->\n")


PARTS = {
    ".gif": (gif_parts, b"".join),
    ".apng": (png_parts, apng_of),
    ".webp": (webp_parts, webp_of),
    ".svg": (svg_parts, svg_of),
}

# What other programs put into files, and what turns, colours or hides a picture.
FOREIGN = {
    ".gif": [
        b"!\x01\x0c\0\0\0\0\x10\0\x10\0\x04\x04\x01\x02\x02hi\0",
        b"!\xff\x0bICCRGBG1012\x03abc\0",
        b"!\xff\x0bNETSCAPE2.0\x03\x01\x02\x00\0",
        *(b"!\xf9\x04" + bytes([how, 5, 0, 0, 0]) for how in (4, 5, 8, 9, 12, 13, 16, 6)),
    ],
    ".apng": [
        *(b"gAMA" + struct.pack(">I", 20_000), b"sRGB\x01", b"tRNS\0\x80", b"bKGD\0", b"IDAT"),
        *(b"sBIT\x01\x01\x01", b"PLTE" + bytes(range(9)), b"acTL" + struct.pack(">II", 3, 0)),
        b"eXIfMM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x03\0\0\0\0\0\0",
        b"cHRM" + struct.pack(">8I", 31270, 32900, 34000, 33000, 30000, 60000, 15000, 6000),
    ],
    ".webp": [
        b"ICCP" + bytes(140),
        b"EXIFMM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x03\0\0\0\0\0\0",
        *(b"ALPH\0" + bytes(20), b"ANIM\0\0\0\0\0\0", b"what?"),
    ],
}


# An SVG film with the sum that it should have, in which something was changed.


def tampered(content: bytes, name: str) -> bytes:
    return svg_of([TAMPERINGS[name](b"".join(svg_parts(content)).decode()).encode()])


def swap(pattern: str, replacement: str) -> Callable[[str], str]:
    return partial(re.sub, pattern, replacement)


def retime(change: Callable[[list[int], int], list[int]]) -> Callable[[str], str]:
    """Other starts of all frames but the first, in milliseconds, told as exactly as ours."""

    def changed(text: str) -> str:
        total = int(re.search(r"animation:(\d+)ms", text)[1])
        rule = re.compile(r"(@keyframes f\d+{)([\d.]+)")
        starts = [round(float(share) * total / 100) for _, share in rule.findall(text)]
        shares = (f"{100 * time / total:.{len(str(total)) - 1}f}" for time in change(starts, total))
        return rule.sub(lambda found: found[1] + next(shares), text)

    return changed


ROW = '(<g style="animation-name:f3">.*\n)'

TAMPERINGS: dict[str, Callable[[str], str]] = {
    "starts reversed": retime(lambda starts, _: starts[::-1]),
    "two starts swapped": retime(lambda starts, _: [starts[1], starts[0], *starts[2:]]),
    "two starts equal": retime(lambda starts, _: [starts[0], *starts[:1], *starts[2:]]),
    "a start at 100 %": retime(lambda starts, total: [*starts[:-1], total]),
    "a start at 150 %": retime(lambda starts, total: [*starts[:-1], total * 3 // 2]),
    "a start too soon": retime(lambda starts, _: [starts[0], starts[0] + 1, *starts[2:]]),
    "starts later": retime(lambda starts, _: [start + 20 for start in starts]),
    "a share in other digits": swap(r"(f1{[\d.]+)", r"\g<1>0"),
    "a rule of time twice": swap(r"(@keyframes f2{)(.*\n)", r"\1\2\g<1>9\2"),
    "rules of time swapped": swap(r"(@keyframes f2{.*\n)(@keyframes f3{.*\n)", r"\2\1"),
    "the loops": swap("infinite}", "7}"),
    "a delay": swap(r"ms step-start", "ms -300ms step-start"),
    "unlit cells not there": swap("#191919", "none"),
    "unlit cells half there": swap("#191919", "#19191980"),
    "lit cells hardly there": swap("#f2f2f2", "#f2f2f240"),
    "marks half there": swap("#ff6347", "#ff634780"),
    "the background half there": swap("#333333", "#33333380"),
    "other colours": swap("#f2f2f2", "#ff0000"),
    "colours swapped": swap(r"s0({.*\n.)s1{", r"s1\1s0{"),
    "rules of colours swapped": swap(r"(\.s0.*\n)(\.s1.*\n)", r"\2\1"),
    "an opacity": swap('class="s1"', 'class="s1" opacity="0"'),
    "an attribute twice": swap('class="s1"', 'class="s1" class="s0"'),
    "a rule of style": swap("</style>", "g{display:none}</style>"),
    "a comment": swap("<style>", "<!-- --><style>"),
    "a path": swap(r'd="m(\d)', r'd="m1\1'),
    "a path not in order": swap(r"(<path[^/]*/>)(<path[^/]*/>)", r"\2\1"),
    "a cell twice": swap(r"(h1v1h-1)", r"\1m0-1\1"),
    "cells below their marks": swap(r's0("[^>]*><path class="m")', r"s1\1"),
    "a frame less": swap(ROW, ""),
    "frames swapped": swap(ROW + r"(<g.*\n)", r"\2\1"),
    "moved": swap(r"translate\(", "translate(1 0)translate("),
    "the size": swap(r'width="(\d+)', r'width="1\1'),
    "the mask": swap(r' mask="url\(#cells\)"', ""),
    "another SVG around": swap(r"(?s)\A(.*)\Z", r'<svg xmlns="http://www.w3.org/2000/svg">\1</svg>'),
    "an animation": swap("</g></g></g>", '<animate attributeName="x"/></g></g></g>'),
    "a script": swap("</svg>", "<script>alert(1)</script></svg>"),
    "an event": swap("<svg ", '<svg onload="alert(1)" '),
    "an image": swap("</svg>", '<image href="https://a.example/a.png"/></svg>'),
    "an entity": swap(r"\A", '<!DOCTYPE svg [<!ENTITY a "aaaa">]>'),
    "what is said in another way": swap('"frames"', r'"\\u0066rames"'),
    "other clicks": swap(r'"clicks":', '"clicks":1'),
    "more after the end": swap(r"\Z", " "),
}  # fmt: skip
