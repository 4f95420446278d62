"""Changes to valid bytes that come past a reader's first checks: JSON stays JSON, a PNG a PNG."""

import copy
import hashlib
import json
import re
import struct
import zlib
from contextlib import suppress
from functools import partial
from html import escape, unescape

# Where something shows this as markup, it is found; see `targets`.
CANARY = '"><xss onerror=x>]]></script>'

# What readers stumble over.
ODD = [
    *(None, True, False, 0, -1, 1, 2, 3, 7, 255, 2**31, 2**32, 2**63, 2**64, 10**9, 10**30),
    *(10**320, -(10**320), int("9" * 4300), 0.5, -0.5, 1e-320, 1e308, -1e308),
    *(float("inf"), float("-inf"), float("nan")),
    *("", " ", "0", "1", "-1", "9" * 5000, "x" * 3000, "\0", "\n", "\r\n", "\x1b[31m", "\x9b"),
    *("\u202e", "\ud800", "\udcff", "\u0661", "\u00b2", "..", "../x", "/etc/x", "a/../../x"),
    *("con", ".x", "a\\b", "[/bold]", "javascript:x", CANARY, "puzzle:queens:5", "cross", "king"),
    *("000/110/000", "1" * 99, "/".join(["1" * 99] * 99), "legal", "ffffffff", "#00000", "AAAA"),
    *([], {}, [[]], [None], [0, 0, 0], [3, 1, "oA=="], [10**9, 8, "AAAA"], {"x": 1}),
]


def changed_json(document, rng, times=3):
    """A JSON document with a few of its values changed, moved, left out or doubled."""
    document = copy.deepcopy(document)
    for _ in range(rng.randint(1, times)):
        positions = list(_positions(document))
        if not positions:
            return rng.choice(ODD)
        holder, key = rng.choice(positions)
        _change(holder, key, rng, positions)
    return document


def _positions(value):
    # Of every value within, what holds it and where.
    keys = value if isinstance(value, dict) else range(len(value) if isinstance(value, list) else 0)
    for key in list(keys):
        yield value, key
        yield from _positions(value[key])


def _change(holder, key, rng, positions):
    value, choice = holder[key], rng.randrange(8)
    if choice == 0:
        del holder[key]
    elif choice == 1 and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(value))
    elif choice == 2:
        source, position = rng.choice(positions)
        if position in (source if isinstance(source, dict) else range(len(source))):
            holder[key] = copy.deepcopy(source[position])
    elif choice == 3 and isinstance(holder, dict):
        holder[rng.choice(["x", "", "rows", CANARY, "\ud800"])] = value
    elif choice in (4, 5) and isinstance(value, int | float) and not isinstance(value, bool):
        holder[key] = value + rng.choice([-2, -1, 1, 2, 0.5]) if abs(value) < 1e15 else 0
    elif choice in (4, 5) and isinstance(value, str) and value:
        position = rng.randrange(len(value))
        insert = rng.choice(["", "0", "7", "/", "=", chr(rng.randrange(0x3000)), value[:9]])
        holder[key] = value[:position] + insert + value[position + rng.randrange(3) :]
    elif choice == 6:
        deep = rng.choice([2, 20, 150])
        holder[key] = json.loads("[" * deep + "]" * deep)
    else:
        holder[key] = copy.deepcopy(rng.choice(ODD))


def as_json(document):
    """Its bytes; what no text can say comes as JSON's escapes."""
    return json.dumps(document).encode()


def signed(document):
    """A JSON object with the sum that it should have, were a NaN allowed."""
    unsigned = {name: value for name, value in document.items() if name != "sha256"}
    text = json.dumps(unsigned, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return {**unsigned, "sha256": hashlib.sha256(text.encode()).hexdigest()}


def json_changes(content, rng, sign=False):
    """Change what a JSON text says; a saved animation is mostly signed again."""
    try:
        document = changed_json(json.loads(content), rng)
        if sign and isinstance(document, dict) and rng.random() < 0.95:
            document = signed(document)
        return as_json(document)
    except (ValueError, RecursionError):
        return content


signed_changes = partial(json_changes, sign=True)


# Pages: their bytes, their parts, or what their film says.

FILM = re.compile(rb'(?<=<script type="application/json" id="film">).*?(?=</script>)', re.S)

# Other players show something else where one of these is put into a page.
PARTS = (
    *(b"<!-- ", b"-->", b" ", b"\n", b"\xef\xbb\xbf", b"\0", b"<base href=x>", b"</html>"),
    b"<style>#board { transform: scaleX(-1) }</style>",
    b"<script>onload = () => board.remove()</script>",
    b'<script type="application/json" id="film">{}</script>',
)  # fmt: skip


def film_in(page):
    return json.loads(FILM.search(page)[0])


def with_film(page, film):
    """A page with another film, a JSON object that is signed again, written as we write it."""
    return with_text(page, signed(film))


def with_text(page, film):
    text = json.dumps(film, separators=(",", ":"))
    for letter in "<>&'":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return FILM.sub(lambda _: text.encode(), page, count=1)


def page_changes(content, rng):
    """Change some bytes of a page, its parts, or what its film says, and sign that again."""
    choice = rng.randrange(3)
    if choice == 0:
        return byte_changes(content, rng)
    if choice == 1:
        return b"".join(changed_parts(re.split(rb"(?=<)", content), rng, PARTS))
    try:
        film = changed_json(film_in(content), rng)
        return with_film(content, film) if rng.random() < 0.95 else with_text(content, film)
    except (AttributeError, TypeError, ValueError, RecursionError):
        return content


def changed_parts(parts, rng, foreign):
    """A few parts of a file are left out, moved or doubled, or there are others."""
    for _ in range(rng.randint(1, 3)):
        index, choice = rng.randrange(len(parts) + 1), rng.randrange(4)
        if choice == 0 and len(parts) > 1:
            del parts[min(index, len(parts) - 1)]
        elif choice == 1:
            parts.insert(index, parts.pop(rng.randrange(len(parts))))
        else:
            parts.insert(index, rng.choice(parts if choice == 2 else foreign))
    return parts


# What the bytes of files may say.
WORDS = [
    *(b"\0", b"\xff", b"\xff\xff", b"\x7f\xff\xff\xff", b"\xff\xff\xff\xff", b"\0\0\0\0", b"\n"),
    *(b"9" * 30, b"[", b"{", b'"', b"'", b".", b"/", b"#", b"%", b"-1", b"1e999"),
    b"0x" + b"f" * 99,
]  # fmt: skip


def byte_changes(content, rng, words=()):
    """Change, leave out, double or put in some bytes."""
    content = bytearray(content)
    for _ in range(rng.randint(1, 6)):
        index = rng.randrange(len(content) + 1)
        choice = rng.randrange(6)
        if choice <= 1 and index < len(content):
            content[index] = rng.choice([0, 1, 2, 127, 128, 255, rng.randrange(256)])
        elif choice == 2:
            del content[index : index + rng.choice([1, 2, 4, 30])]
        elif choice == 3:
            content[index:index] = rng.choice([*WORDS, *words])
        elif choice == 4:
            start = rng.randrange(len(content) + 1)
            content[index:index] = content[start : start + rng.choice([1, 4, 30, 200])]
        elif rng.random() < 0.2:
            del content[index:]
    return bytes(content)


# Films: their bytes but for the metadata, or what the metadata says.

PNG, SVG = b"\x89PNG\r\n\x1a\n", b"<svg"


def film_changes(content, rng):
    """Change a file of frames, or what its metadata says."""
    positions = metadata_places(content)
    if positions and rng.random() < 0.5:
        with suppress(ValueError, RecursionError):  # it is no JSON, or becomes too long
            metadata = changed_json(metadata_in(content), rng)
            content = with_metadata(content, metadata)
        return with_right_sums(content)
    changed = bytearray(byte_changes(content, rng))
    if len(changed) == len(content):  # the metadata stays as it was, most of the time
        for index in positions:
            changed[index] = content[index]
    return with_right_sums(bytes(changed)) if rng.random() < 0.9 else bytes(changed)


def metadata_places(content):
    """Where the bytes of a metadata are: one after the other, or in a GIF's blocks of 255."""
    if content.startswith(b"GIF8") and (start := content.find(b"!\xfe")) >= 0:
        positions, start = [], start + 2
        while start < len(content) and content[start]:
            positions += range(start + 1, min(start + 1 + content[start], len(content)))
            start += 1 + content[start]
        return positions
    origin = rb'"origin":(null|\{[^{}]*\{[^{}]*\}[^{}]*\})\}'
    match = re.search(rb'\{"format".*' + origin, content, re.S)
    return list(range(*match.span())) if match else []


def metadata_in(content):
    text = bytes(content[position] for position in metadata_places(content)).decode()
    return json.loads(unescape(text) if content.startswith(SVG) else text)


def with_metadata(content, metadata):
    """A file of frames with other metadata; a ValueError if its format has no place for as much."""
    positions, new_content = metadata_places(content), bytearray(content)
    text = json.dumps(metadata, separators=(",", ":"))
    if content.startswith(SVG):
        new_content[positions[0] : positions[-1] + 1] = escape(text, quote=False).encode()
        return bytes(new_content)
    text = text.encode().ljust(len(positions))
    for position, byte in zip(positions, text, strict=True):
        new_content[position] = byte
    return bytes(new_content)


def with_right_sums(content):
    """A PNG whose chunks have the sums that they name, or such an SVG; anything else as it is."""
    if (start := content.rfind(b"<!-- sha256 ")) >= 0:
        sum = hashlib.sha256(content[:start]).hexdigest()
        return content[:start] + f"<!-- sha256 {sum} -->\n".encode()
    return png_of(png_parts(content)) if content.startswith(PNG) else content


def png_parts(content):
    """The chunks of a PNG: the kind and the content of each."""
    parts, start = [], 8
    while start + 12 <= len(content):
        (length,) = struct.unpack(">I", content[start : start + 4])
        parts.append(content[start + 4 : start + 8 + length])
        start += 12 + length
    return parts


def png_of(parts):
    chunks = [PNG]
    for part in parts:
        length, checksum = max(0, len(part) - 4), zlib.crc32(part)
        chunks += [struct.pack(">I", length), part, struct.pack(">I", checksum)]
    return b"".join(chunks)
