"""What a manifest says of its works and of their site, kept for the gallery in a batch's folder.

    {"site": {"title": "...", "credit": "..."},
     "works": {"sun.gif": {"title": "..."}, ...},    by their first output, in the manifest's order
     "manifests": {"sun.gif": "../album.toml"},      which one names a work, from the batch's folder
     "down": ["moon.gif"]}                           works that their manifest names no more

It changes no result: who changes a title need not make anything again.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lightsanim.animation.origin import UNSAID, Label
from lightsanim.errors import OutputError
from lightsanim.saving.atomic import write_all


@dataclass(frozen=True, kw_only=True)
class Labels:
    """What is said of works, and of the site that shows them."""

    site: Label = UNSAID  # of the site
    # Of each work, by its first output, in the order of the wall.
    works: Mapping[str, Label] = field(default_factory=dict)
    # Of each work, the manifest that names it.
    manifests: Mapping[str, str] = field(default_factory=dict)
    down: frozenset[str] = frozenset()  # works that were taken off the wall


def read_labels(path: Path) -> Labels:
    """The labels in a file; none where there is no file."""
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        return Labels(
            site=Label.of(known["site"]),
            works={output: Label.of(label) for output, label in known["works"].items()},
            manifests=dict(known.get("manifests", {})),
            down=frozenset(known.get("down", ())),
        )
    except FileNotFoundError:
        return Labels()
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise OutputError(f"{path} is damaged; run the batch again") from error


def joined(before: Labels, labels: Labels, manifest: str) -> Labels:
    """The labels of a manifest in place of those that it had before.

    Works that the manifest names no more are down.  Those of other manifests that share the folder
    stay, after those of this one.
    """
    others = {output: other for output, other in before.manifests.items() if other != manifest}
    own = dict.fromkeys(labels.works, manifest)
    manifests = {**own, **others, **own}  # its own first
    known = {**before.works, **labels.works}
    return Labels(
        site=labels.site,
        works={output: known[output] for output in manifests},
        manifests=manifests,
        down=(before.down | before.works.keys()) - manifests.keys(),
    )


def write_labels(path: Path, labels: Labels) -> None:
    """The inverse of `read_labels`."""
    document = {
        "site": labels.site.as_dict,
        "works": {output: label.as_dict for output, label in labels.works.items()},
        "manifests": labels.manifests,
        "down": sorted(labels.down),
    }
    write_all({path: json.dumps(document, indent=1).encode()})
