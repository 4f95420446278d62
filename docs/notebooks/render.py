"""Run the notebooks of this folder, and write them with their outputs as pages of the site.

``python docs/notebooks/render.py`` writes NAME.md beside each notebook, and its pictures into
``pictures``.  It stops at the first assertion that fails.
"""

from base64 import b64decode
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import Any

HERE = Path(__file__).parent
SAMPLES = HERE.parent.parent / "samples"

NEEDED = ("nbclient", "ipykernel")

# Attributes that distinguish printed output from code.
PRINTED = "{.text .output .no-copy}"

# Without encryption, the kernel warns that other users of the machine can read its connection.
ENCRYPTED = {"KernelManager": {"transport_encryption": "auto"}}


def executed(path: Path) -> Any:
    """Run a notebook in a temporary folder, and return it with its outputs.

    Args:
        path: the path of the notebook.

    Raises:
        SystemExit: with a message of one line, if a package is not installed.
        CellExecutionError: if a cell fails.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise SystemExit(f"notebooks need {' and '.join(missing)}: pip install 'lightsanim[docs]'")
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError
    from traitlets.config import Config

    notebook = nbformat.read(path, as_version=4)
    with TemporaryDirectory(prefix="lightsanim-") as clone:
        copytree(SAMPLES, Path(clone, "samples"))
        folder = Path(clone, "docs", "notebooks")
        folder.mkdir(parents=True)
        place = {"metadata": {"path": str(folder)}}
        try:
            NotebookClient(notebook, resources=place, config=Config(ENCRYPTED)).execute()
        except CellExecutionError as error:
            if error.ename == "SystemExit":
                raise SystemExit(f"{path.name}: {error.evalue}") from None
            raise
    return notebook


def write_page(notebook: Any, name: str, folder: Path) -> Path:
    """Write a notebook as Markdown, with its pictures in the folder ``pictures`` beside it.

    Args:
        notebook: the notebook with outputs; the metadata ``alt`` of a cell describes its picture.
        name: the name of the page.
        folder: the folder of the page.
    """
    parts: list[str] = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
        else:
            parts += [_fenced(cell.source, "python"), *_outputs(cell, name, folder)]
    page = folder / f"{name}.md"
    page.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return page


def _outputs(cell: Any, name: str, folder: Path) -> Iterator[str]:
    # Yield each output in the richest form available: HTML, a picture, or text.
    for number, output in enumerate(cell.outputs):
        data = output.get("data", {})
        if "text/html" in data:
            yield data["text/html"]
        elif "image/png" in data:
            place = f"pictures/{name}-{cell.id}{f'-{number}' if number else ''}.png"
            (folder / place).parent.mkdir(exist_ok=True)
            (folder / place).write_bytes(b64decode(data["image/png"]))
            yield f"![{cell.metadata.get('alt', '')}]({place})"
        else:
            yield _fenced(data.get("text/plain") or output.get("text", ""), PRINTED)


def _fenced(text: str, kind: str) -> str:
    return f"```{kind}\n{text.rstrip()}\n```"


def main() -> None:
    """Write the pages of all notebooks."""
    for path in sorted(HERE.glob("*.ipynb")):
        write_page(executed(path), path.stem, HERE)


if __name__ == "__main__":
    main()
