"""Brings into the site what is not written in this folder: figures, notebooks, benchmarks.

Each script is a program of its own, which writes beside itself what `.gitignore` leaves out:
``python docs/figures.py`` does the same as the build.
"""

import runpy
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

DOCS = Path(__file__).parent
SCRIPTS = (DOCS / "figures.py", DOCS / "notebooks" / "render.py")

# Pictures of pages that are included from elsewhere.
PICTURES = {"plot.svg": DOCS.parent / "benchmarks" / "plot.svg"}


def on_pre_build(config: Any) -> None:
    """Run the scripts, before MkDocs looks for pages; the first that fails ends the build."""
    for script in filter(Path.exists, SCRIPTS):
        runpy.run_path(str(script), run_name="__main__")


def on_files(files: Files, config: Any) -> Files:
    """Add the pictures."""
    for name, path in PICTURES.items():
        files.append(File.generated(config, name, abs_src_path=str(path)))
    return files
