"""Generate figures, notebook pages and benchmark pages before the site is built (MkDocs hooks).

Each script can also be run alone, as in ``python docs/figures.py``.  It writes its files into this
folder; `.gitignore` excludes them.
"""

import runpy
from html import escape
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

DOCS = Path(__file__).parent
SCRIPTS = (DOCS / "figures.py", DOCS / "notebooks" / "render.py")

# Pictures outside this folder, by their names in the site.
PICTURES = {"plot.svg": DOCS.parent / "benchmarks" / "plot.svg"}


def on_pre_build(config: Any) -> None:
    """Run the scripts before MkDocs collects pages; an error in one of them stops the build."""
    for script in filter(Path.exists, SCRIPTS):
        runpy.run_path(str(script), run_name="__main__")


def on_post_page(output: str, page: Any, config: Any) -> str:
    """Tell sites that preview links what a page is; previews need the address of the site."""
    facts = {"title": page.title, "description": config.site_description}
    if config.site_url:
        facts["image"] = f"{config.site_url.rstrip('/')}/face-to-skull.gif"
    tags = [f'<meta property="og:{name}" content="{escape(text)}">' for name, text in facts.items()]
    return output.replace("</head>", "".join(tags) + "</head>", 1)


def on_files(files: Files, config: Any) -> Files:
    """Add the pictures to the files of the site."""
    for name, path in PICTURES.items():
        files.append(File.generated(config, name, abs_src_path=str(path)))
    return files
