"""What a manifest says of its works and of their site, kept for the gallery in a batch's folder.

    {"site": {"title": "...", "credit": "..."},
     "works": {"sun.gif": {"title": "..."}, ...}}    by their first output, in the manifest's order

It changes no result: who changes a title need not make anything again.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lightsanim.animation.label import UNSAID, Label
from lightsanim.errors import OutputError
from lightsanim.formats.replacing import replacing


@dataclass(frozen=True, kw_only=True)
class Labels:
    """What is said of works, and of the site that shows them.

    Attributes:
        site: of the site.
        works: of each work, by its first output, in the order of the wall.
    """

    site: Label = UNSAID
    works: Mapping[str, Label] = field(default_factory=dict)


def read_labels(path: Path) -> Labels:
    """The labels in a file; none where there is no file.

    Raises:
        OutputError: if it cannot be read.
    """
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        works = {output: Label.of(label) for output, label in known["works"].items()}
        return Labels(site=Label.of(known["site"]), works=works)
    except FileNotFoundError:
        return Labels()
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise OutputError(f"{path} is damaged; run the batch again") from error


def write_labels(path: Path, labels: Labels) -> Mapping[str, Label]:
    """Write labels, in place of those that are there.

    Works of other manifests that share the folder stay, after those of this one.

    Returns:
        What was said of the works before; nothing where that cannot be read.

    Raises:
        OutputError: if they cannot be written.
    """
    try:
        before = read_labels(path).works
    except OutputError:
        before = {}
    others = {output: label for output, label in before.items() if output not in labels.works}
    works = {output: label.as_dict for output, label in {**labels.works, **others}.items()}
    with replacing(path) as new:
        new.write_text(json.dumps({"site": labels.site.as_dict, "works": works}, indent=1))
    return before
