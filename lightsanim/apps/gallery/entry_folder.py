"""Write the folder of one animation: its page with a chart, player, stills and downloads."""

import shutil
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePosixPath

import numpy as np
import segno
from numpy.typing import NDArray
from PIL import Image

from lightsanim.apps.batch.batch_folder import FRAME_FILE, kept_file_path, unused_file_name
from lightsanim.apps.batch.results import Result
from lightsanim.film.animation import Animation
from lightsanim.game.levels import Shades, unpack_levels
from lightsanim.output.drawings.stills import StillContent, write_stills
from lightsanim.output.formats.json_text import COMPACT
from lightsanim.output.formats.page import iter_page_text, neighbourhood_diagram
from lightsanim.output.formats.registry import FORMATS
from lightsanim.output.look.paint_film import theme_for
from lightsanim.output.look.theme import Theme
from lightsanim.pictures.pillow import build_indexed_image
from lightsanim.system.deadline import CUT_SHORT_NOTE
from lightsanim.web.templating import valid_utf8
from .entry import VIDEO_SUFFIXES, Card, Entry
from .pages import PREVIEW, Site, render_template
from .site_folder import slugify

FILES = "files"  # Name of the folder with downloads.
MAX_STILL_SIDE = 1000  # Pixels; larger stills are reduced, as the wall shows no more pixels.
BOARD_WIDTH = 500  # Width of each of the two boards in a preview, in pixels.
# Options of the theme that a preview uses.
LOOK = ("shape", "palette", "colours", "lit", "unlit", "background")
QR_BORDER = 4  # Width of the empty border around a QR code, in modules.
QR_MASK = 2  # Mask pattern, fixed: choosing the best of eight takes longer than writing the page.
CHART_WIDTH, CHART_HEIGHT = 1000, 1000  # Range of a chart's coordinates, which are stretched.
# Possible distances between labels on the time axis, in seconds.
LABEL_STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600)
MAX_LABELS = 7
INK_ON_PAPER = np.array([[255, 255, 255, 255], [0, 0, 0, 255]], np.uint8)


@dataclass(frozen=True, kw_only=True)
class Download:
    """A file that a page offers for download."""

    name: str  # File name on the visitor's computer.
    path: str  # Path relative to the page.
    kind: str
    bytes: int

    @property
    def formatted_size(self) -> str:
        """The file's size, with the unit kB or MB."""
        kilobytes = f"{self.bytes / 1000:,.0f} kB"
        return kilobytes if self.bytes < 1_000_000 else f"{self.bytes / 1e6:,.1f} MB"


def write_entry(entry: Entry, card: Card, folder: Path, site_folder: Path, site: Site) -> None:
    """Write an animation's folder in ``site_folder``; ``folder`` is the batch's folder."""
    animation, slug = entry.animation, card.slug
    out = site_folder / slug
    out.mkdir()
    downloads = _write_downloads(entry.result, folder, out)
    player = "".join(iter_page_text(entry.film, entry.theme.page_words)).encode()
    (out / "player.html").write_bytes(player)
    kind = "web page with the player"
    kind += f" ({len(animation)} frames)" if entry.is_shortened else ""
    extra = Download(name=f"{slug}.html", path="player.html", kind=kind, bytes=len(player))
    originals: list[str | None] = []
    theme = theme_for(animation, entry.theme)
    palette = theme.shades_with_alpha(animation.boards, animation.board.levels)
    for number, picture in enumerate(entry.pictures, start=1):
        write_still(picture.target, palette, out / f"target-{number}.png")
        write_still(picture.frame, palette, out / f"frame-{number}.png")
        small = kept_file_path(folder, entry.result.id, f"{number}.jpg")
        is_shown = site.originals and small.is_file()
        originals.append(
            shutil.copyfile(small, out / f"original-{number}.jpg").name if is_shown else None
        )
    if entry.is_clip:
        write_still(entry.end_frames[1], palette, out / card.stills[1])
    preview = site.base and _write_preview(animation, entry.end_frames, theme, out / PREVIEW)
    if site.base:
        code = segno.make(f"{site.base}{slug}/index.html", micro=False, mask=QR_MASK).matrix
        write_still(np.pad(np.array(code, np.uint8), QR_BORDER), INK_ON_PAPER, out / "code.png")
    html = render_template(
        "page.html.j2",
        site=site,
        entry=entry,
        card=card,
        animation=animation,
        diagram=neighbourhood_diagram(animation.board.offsets()),
        seconds=f"{round(entry.report['duration'], 1):,g}",
        chart=draw_agreement_chart(animation, entry.match_counts),
        originals=originals,
        downloads=[*downloads, extra],
        video=next((file for file in downloads if file.path.endswith(VIDEO_SUFFIXES)), None),
        preview=preview,
        cut_short=CUT_SHORT_NOTE,
    )
    (out / "index.html").write_bytes(html)
    film = f"films[{COMPACT.encode(slug)}]={COMPACT.encode(entry.film)}\n"
    (out / "film.js").write_text(film, encoding="ascii")


def _write_downloads(result: Result, folder: Path, out: Path) -> list[Download]:
    # Copies the outputs under names that are safe in URLs.
    (out / FILES).mkdir()
    downloads, names = list[Download](), list[str]()
    for output in result.files:
        source, stem = folder / output, PurePosixPath(output).stem
        suffix = ".zip" if source.is_dir() else source.suffix.lower()
        names.append(unused_file_name(slugify(stem) or "film", names, suffix))
        target = out / FILES / names[-1]
        if source.is_dir():
            kind = f"{_zip_frames(source, target)} PNGs"
        else:
            shutil.copyfile(source, target)
            is_film = suffix in FORMATS and output != result.sheet
            kind = FORMATS[suffix].name if is_film else f"{suffix[1:].upper()} contact sheet"
        name, path = f"{valid_utf8(stem)}{suffix}", f"{FILES}/{names[-1]}"
        downloads.append(Download(name=name, path=path, kind=kind, bytes=target.stat().st_size))
    return downloads


def _zip_frames(frames: Path, path: Path) -> int:
    # Adds only frames to the archive, and returns their number.
    pngs = sorted(png for png in frames.iterdir() if FRAME_FILE.fullmatch(png.name))
    with zipfile.ZipFile(path, "w") as archive:
        for png in pngs:
            # A ZipInfo has a constant date by default, so archives of equal frames are equal.
            name = valid_utf8(f"{frames.name}/{png.name}")
            archive.writestr(zipfile.ZipInfo(name), png.read_bytes())
    return len(pngs)


def draw_agreement_chart(animation: Animation, counts: NDArray[np.int64]) -> str:
    """Draw the shares of cells, ``counts`` (pictures, frames), that agree with each picture."""
    stops = np.cumsum(animation.durations())
    starts, total = stops - animation.durations(), float(stops[-1])
    shares = counts / animation.board.cells
    step = next((step for step in LABEL_STEPS if total / step < MAX_LABELS), total)
    labels = [float(f"{n * step:g}") for n in range(int(total / step + 1e-9) + 1)]
    return render_template(
        "chart.svg.j2",
        width=CHART_WIDTH,
        height=CHART_HEIGHT,
        first=f"{shares[-1, 0]:.0%}",
        last=f"{shares[-1, -1]:.0%}",
        holds=[
            (f"{starts[frame] / total:.2%}", f"{(stops[frame] - starts[frame]) / total:.2%}")
            for frame, _ in animation.holds
        ],
        seconds=[(f"{t / total:.2%}", f"{t:g}{' s' if t else ''}") for t in labels],
        curves=[_build_curve_path(share, stops) for share in shares],
    ).decode()


def _build_curve_path(shares: NDArray[np.float64], stops: NDArray[np.float64]) -> str:
    # The path samples the curve at CHART_WIDTH moments, and draws each change as a step.
    moments = (np.arange(CHART_WIDTH) + 0.5) * stops[-1] / CHART_WIDTH
    frames = np.minimum(np.searchsorted(stops, moments, side="right"), len(stops) - 1)
    heights = np.rint((1 - shares[frames]) * CHART_HEIGHT).astype(int)
    steps = np.diff(heights)
    columns = [0, *(np.flatnonzero(steps) + 1).tolist()]
    level = "".join(f"h{column - last}v{steps[column - 1]}" for last, column in pairwise(columns))
    return f"M0 {heights[0]}{level}H{CHART_WIDTH}"


def write_still(shades: Shades, palette: NDArray[np.uint8], path: Path) -> None:
    """Write a PNG with one pixel for each cell; reduce it if it exceeds `MAX_STILL_SIDE`."""
    image = build_indexed_image(shades, palette)
    if max(image.size) > MAX_STILL_SIDE:
        image = image.convert("RGBA" if "transparency" in image.info else "RGB")
        image.thumbnail((MAX_STILL_SIDE, MAX_STILL_SIDE), Image.Resampling.BOX)
    image.save(path, "PNG")


def _write_preview(
    animation: Animation, end_frames: Sequence[Shades], theme: Theme, path: Path
) -> tuple[int, int]:
    # Draws the first and the last frame side by side; returns width and height of the image.
    levels, shape = animation.board.levels, animation.first.shape
    lights = [unpack_levels(end, animation.boards, levels).reshape(shape) for end in end_frames]
    look = Theme(width=BOARD_WIDTH, **{name: getattr(theme, name) for name in LOOK})
    write_stills(StillContent(configurations=lights, levels=levels), path, look)
    with Image.open(path) as preview:
        return preview.size
