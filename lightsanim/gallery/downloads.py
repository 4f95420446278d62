"""The files of an animation that a visitor can take away."""

import shutil
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from lightsanim.batch.folder import FRAME, free_name
from lightsanim.batch.results import Result
from lightsanim.formats.registry import FORMATS
from lightsanim.gallery.site import slug_of
from lightsanim.web.pages import sayable

# Their folder, beside an animation's page.
FILES = "files"


@dataclass(frozen=True, kw_only=True)
class Download:
    """A file to take away."""

    name: str  # what it is called when it is saved
    path: str  # where it lies beside the page
    kind: str  # what it is
    bytes: int  # its size

    @property
    def size(self) -> str:
        """Its size, for people."""
        kilobytes = f"{self.bytes / 1000:,.0f} kB"
        return kilobytes if self.bytes < 1_000_000 else f"{self.bytes / 1e6:,.1f} MB"


def write_downloads(result: Result, folder: Path, here: Path) -> list[Download]:
    """Copy a result's outputs to an animation's folder, under names that every address can hold."""
    (here / FILES).mkdir()
    downloads: list[Download] = []
    for output in result.files:
        source, name = folder / output, PurePosixPath(output)
        suffix = ".zip" if source.is_dir() else name.suffix.lower()
        taken = {download.path.removeprefix(f"{FILES}/") for download in downloads}
        place = here / FILES / free_name(slug_of(name.stem) or "film", taken, suffix)
        if source.is_dir():
            kind = f"{zip_frames(source, place)} PNGs"
        else:
            shutil.copyfile(source, place)
            still = f"{suffix[1:].upper()} of several frames"
            is_film = suffix in FORMATS and output != result.sheet
            kind = FORMATS[suffix].name if is_film else still
        downloads.append(
            Download(
                name=f"{sayable(name.stem)}{suffix}",
                path=f"{FILES}/{place.name}",
                kind=kind,
                bytes=place.stat().st_size,
            )
        )
    return downloads


def zip_frames(frames: Path, path: Path) -> int:
    """Write a folder of numbered PNGs as one file; what else lies in the folder is left out."""
    pngs = sorted(png for png in frames.iterdir() if FRAME.fullmatch(png.name))
    with zipfile.ZipFile(path, "w") as archive:
        for png in pngs:
            # Without a date, so that the same pictures make the same file.
            name = sayable(f"{frames.name}/{png.name}")
            archive.writestr(zipfile.ZipInfo(name), png.read_bytes())
    return len(pngs)
