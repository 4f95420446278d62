"""Colour profiles by hand, from the ICC's specification (ICC.1:2001-04, the version of most files).

Light is then known from outside: from the curve and the colorants that were written.
"""

import struct

# Of Adobe RGB (1998), section 4: red, green and blue in CIE XYZ under D50, and the curve.
ADOBE_RGB = ((0.60974, 0.31111, 0.01947), (0.20528, 0.62567, 0.06087), (0.14919, 0.06322, 0.74457))
ADOBE_GAMMA = 563 / 256

D50 = (0.9642, 1.0, 0.8249)


def fixed(*values):
    return b"".join(struct.pack(">i", round(value * 65536)) for value in values)


def xyz(*values):
    return b"XYZ \0\0\0\0" + fixed(*values)


def curve(gamma):
    return b"curv\0\0\0\0" + struct.pack(">IH", 1, round(gamma * 256)) + b"\0\0"


def profile(space, kind, tags, connection=b"XYZ "):
    offset, table, content = 128 + 4 + 12 * len(tags), b"", b""
    for name, body in tags.items():
        body += bytes(-len(body) % 4)
        table += name + struct.pack(">II", offset + len(content), len(body))
        content += body
    head = struct.pack(">I4xI", offset + len(content), 0x02400000) + kind + space + connection
    head = (head.ljust(36, b"\0") + b"acsp").ljust(68, b"\0") + fixed(*D50)
    return head.ljust(128, b"\0") + struct.pack(">I", len(tags)) + table + content


def rgb_profile(colorants=ADOBE_RGB, gamma=ADOBE_GAMMA):
    """Three primaries and a curve, as of a screen."""
    tags = {b"wtpt": xyz(*D50)}
    tags |= {
        name + b"XYZ": xyz(*xyz_) for name, xyz_ in zip((b"r", b"g", b"b"), colorants, strict=True)
    }
    tags |= {name + b"TRC": curve(gamma) for name in (b"r", b"g", b"b")}
    return profile(b"RGB ", b"mntr", tags)


def grey_profile(gamma):
    return profile(b"GRAY", b"mntr", {b"wtpt": xyz(*D50), b"kTRC": curve(gamma)})


def press_profile():
    """Of a press whose inks only darken: CIE L* falls in even steps to 0 with each ink."""
    ramp = bytes(range(256))
    corners = [255 if ink == 0 else 0 for ink in range(16)]
    clut = b"".join(bytes([lightness, 128, 128]) for lightness in corners)
    head = b"mft1\0\0\0\0" + bytes([4, 3, 2, 0]) + fixed(1, 0, 0, 0, 1, 0, 0, 0, 1)
    table = head + ramp * 4 + clut + ramp * 3
    tags = {b"wtpt": xyz(*D50), b"A2B0": table, b"A2B1": table}
    return profile(b"CMYK", b"prtr", tags, connection=b"Lab ")
