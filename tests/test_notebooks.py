"""The notebooks of the documentation run, and become pages."""

import json
import re
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from PIL import Image
from tools.program import built_page

FOLDER = Path(__file__).parent.parent / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

if not NOTEBOOKS:
    pytest.skip("a source package has no docs", allow_module_level=True)

render = SimpleNamespace(**runpy.run_path(str(FOLDER / "render.py")))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_kept_without_what_they_print(path):
    cells = [c for c in json.loads(path.read_text())["cells"] if c["cell_type"] == "code"]
    assert len(cells) >= 10
    assert all(c["outputs"] == [] and c["execution_count"] is None for c in cells)


@pytest.mark.long
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_become_pages_with_their_output(path):
    page = built_page(path.with_suffix(".md")).read_text()
    cells = json.loads(path.read_text())["cells"]
    for cell in cells:
        assert "".join(cell["source"]) in page
    pictures = re.findall(r"^!\[(.*)\]\((.+)\)$", page, re.M)
    assert len(pictures) == sum("alt" in cell["metadata"] for cell in cells) >= 5
    for alt, picture in pictures:
        assert alt
        with Image.open(FOLDER / picture) as opened:
            assert opened.width <= 688  # the column that pages of the site have
    assert page.count("<iframe ") == (2 if path.stem == "artists" else 0)  # players


def test_without_a_kernel_a_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ipykernel", None)
    with pytest.raises(SystemExit, match=r"ipykernel.*lightsanim\[docs\]"):
        render.executed(NOTEBOOKS[0])
