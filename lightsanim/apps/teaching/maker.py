"""Build a web page that animates two pictures in the browser: one file, no network, no Python."""

import zlib
from base64 import b64encode
from collections.abc import Iterable
from io import BytesIO
from typing import Any

import numpy as np
from PIL import Image

from lightsanim.options.outputs import OutputLike, Outputs
from lightsanim.options.stages import PictureOptions
from lightsanim.output.formats.page import player_template
from lightsanim.output.look.theme import PALETTE_COLOURS
from lightsanim.output.look.tiles import ACCENTS
from lightsanim.output.saving.atomic import write_files_together
from lightsanim.output.saving.output_files import PAGE, OutputFiles, check_outputs
from lightsanim.pictures.grey import grey_for_board
from lightsanim.pictures.load import load_picture
from lightsanim.version import __version__
from lightsanim.web.templating import load_templates

# Sample pictures: the two that the page opens with, and one for the clicks.  Their side in pixels,
# and their number of grey tones.
SAMPLES = ("face", "cat", "skull")
SAMPLE_SIDE = 80
SAMPLE_TONES = 64


def write_maker(output: OutputLike | Iterable[OutputLike], *, overwrite: bool = True) -> None:
    """Write a page on which visitors turn two pictures into a film.

    The page plays films and saves them as pages, GIFs and saved animations, as this program does,
    and as MP4 where the browser has an encoder.

    Args:
        output: the path of an ``.html`` file, or several paths.
        overwrite: whether existing files may be replaced.

    Raises:
        OptionError: for a suffix other than ``.html``.
        OutputError: if a file cannot be written.
    """
    files = OutputFiles.by_suffix(Outputs(output=output, overwrite=overwrite), {PAGE: ()})
    check_outputs(files)
    write_files_together(dict.fromkeys(files.all_paths, maker_page().encode()), overwrite=overwrite)


def maker_page(studio: str = "") -> str:
    """Return the HTML of the maker page, with a link to ``studio`` if this address is given."""
    palettes = {
        name: {"background": background, "colours": [c for c in (unlit, middle, lit) if c]}
        for name, (lit, unlit, background, middle) in PALETTE_COLOURS.items()
    }
    data = {
        "program": __version__,
        "samples": [_pack_sample_picture(name) for name in SAMPLES],
        "palettes": palettes,
        "accents": ACCENTS,
    }
    # The page of a film is compressed: it is a quarter of this page.
    packed = b64encode(zlib.compress(player_template().encode(), 9)).decode()
    template = load_templates("lightsanim.web").get_template("maker.html.j2")
    return template.render(data=data, template=packed, studio=studio)


def _pack_sample_picture(name: str) -> dict[str, Any]:
    options = PictureOptions(autocontrast=False, detail=0.0, fit="cover")
    grey = grey_for_board(load_picture(f"sample:{name}"), SAMPLE_SIDE, SAMPLE_SIDE, options)
    tones = np.rint(grey * (SAMPLE_TONES - 1)) / (SAMPLE_TONES - 1)
    file = BytesIO()
    Image.fromarray(np.rint(255 * tones).astype(np.uint8)).save(file, "PNG", optimize=True)
    return {"name": name, "png": b64encode(file.getvalue()).decode()}
