"""Words on a sheet of stills: what it shows, and a label under each."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from lightsanim.drawings.drawing import Words
from lightsanim.drawings.paper import Captions, Sheet
from lightsanim.look.theme import Theme
from lightsanim.options.colours import Colour

# A label's height, as a share of its still's width, and in pixels.
SHARE, SMALLEST, LARGEST = 1 / 16, 9, 28

# Likewise a heading's, at least.
HEADING = 18

# Where the background is transparent, nobody knows what is behind it.
ON_ANYTHING = Colour(128, 128, 128)


def captions_for(still: int, labels: Sequence[Sequence[str]], heading: str) -> Captions:
    """Labels for stills so wide, in the longest form that fits, and the heading of their sheet."""
    if not labels:
        return Captions()
    height = round(min(max(still * SHARE, SMALLEST), LARGEST))
    for form in labels:
        width = max(_width(label, height) for label in form)
        if width <= still:
            break
    head = max(height, HEADING)
    return Captions(
        labels=tuple(form),
        heading=heading,
        height=height,
        width=width,
        heading_size=(head, _width(heading, head)),
    )


def words_of(sheet: Sheet) -> Iterator[Words]:
    """The words of a sheet, to be drawn on it."""
    captions, colour = sheet.captions, _colour(sheet.theme)
    if not captions.labels:
        return
    places = np.array(sheet.captioned, float)
    yield Words(colour=colour, words=captions.labels, places=places, height=captions.height)
    height, heading = captions.heading_size[0], (captions.heading,)
    middle = np.array([[sheet.size[1] / 2, sheet.margin + height / 2]])
    yield Words(colour=colour, words=heading, places=middle, height=height)


def write_on(image: Image.Image, layers: Iterable[Words]) -> None:
    """Write words on a picture, each centred on its place."""
    pen = ImageDraw.Draw(image)
    for layer in layers:
        font = ImageFont.load_default(layer.height)
        for word, place in zip(layer.words, layer.places.tolist(), strict=True):
            pen.text(place, word, tuple(layer.colour), font, anchor="mm")


def _width(words: str, height: float) -> int:
    # Of other programs' letters, too: theirs are about as wide.
    return int(np.ceil(1.1 * ImageFont.load_default(height).getlength(words)))


def _colour(theme: Theme) -> Colour:
    # That of lit or of unlit cells, whichever stands out from the background.
    background = theme.colour_of("background")
    if not background.is_opaque:
        return ON_ANYTHING
    ways = [theme.colour_of(part) for part in ("lit", "unlit")]
    return max(ways, key=lambda way: abs(sum(way.rgb) - sum(background.rgb)) * way.is_opaque)
