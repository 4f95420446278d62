"""What a manifest says of its works and of their site, kept for the gallery in a batch's folder.

It changes no result: who changes a title need not make anything again.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from lightsanim.animation.origin import NO_LABEL, Label, Origin
from lightsanim.batch.batch_folder import (
    STATE_FOLDER,
    describe_output,
    kept_animation_path,
    load_kept_animation,
)
from lightsanim.batch.results import Result
from lightsanim.errors import OutputError
from lightsanim.formats.metadata import parse_metadata
from lightsanim.formats.registry import find_format_by_suffix, open_frames
from lightsanim.pipeline import add_label
from lightsanim.saving.atomic import Content, write_files_together

LABELS_FILE = "labels"


@dataclass(frozen=True, kw_only=True)
class Labels:
    """What is said of works, and of the site that shows them."""

    site: Label = NO_LABEL  # of the site
    # Of each work, by its first output, in the order of the manifest and of the wall.
    works: Mapping[str, Label] = field(default_factory=dict)
    # Of each work, the manifest that names it, as a path from the batch's folder.
    manifests: Mapping[str, str] = field(default_factory=dict)
    removed: frozenset[str] = frozenset()  # works that their manifest names no more


def read_labels(folder: Path) -> Labels:
    """The labels that a batch's folder keeps; none where there is no file."""
    path = folder / STATE_FOLDER / LABELS_FILE
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        return Labels(
            site=Label.from_dict(document["site"]),
            works={output: Label.from_dict(label) for output, label in document["works"].items()},
            manifests=dict(document.get("manifests", {})),
            removed=frozenset(document.get("down", ())),
        )
    except FileNotFoundError:
        return Labels()
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise OutputError(f"{path} is damaged; run the batch again") from error


def merge_labels(before: Labels, labels: Labels, manifest: str) -> Labels:
    """The labels of a manifest in place of those that it had before.

    Works that the manifest names no more are down.  Those of other manifests that share the folder
    stay, after those of this one.
    """
    foreign = {output: path for output, path in before.manifests.items() if path != manifest}
    own = dict.fromkeys(labels.works, manifest)
    manifests = {**own, **foreign, **own}  # its own first
    all_labels = {**before.works, **labels.works}
    return Labels(
        site=labels.site,
        works={output: all_labels[output] for output in manifests},
        manifests=manifests,
        removed=(before.removed | before.works.keys()) - manifests.keys(),
    )


def write_labels(folder: Path, labels: Labels) -> None:
    """The inverse of `read_labels`."""
    document = {
        "site": labels.site.as_dict,
        "works": {output: label.as_dict for output, label in labels.works.items()},
        "manifests": labels.manifests,
        "down": sorted(labels.removed),
    }
    write_files_together(
        {folder / STATE_FOLDER / LABELS_FILE: json.dumps(document, indent=1).encode()}
    )


def relabel_result(folder: Path, result: Result, label: Label) -> Result:
    """A result whose files say this of the work from now on: all of them, or none.

    Nothing is solved, and frames stay as they are.
    """
    original = load_kept_animation(folder, result)
    if (animation := add_label(original, label)) is original:
        return result
    kept_file = kept_animation_path(folder, result.id)
    films = [kept_file, *(folder / file for file in result.files if file != result.sheet)]
    write_files_together(
        dict(entry for film in films for entry in _relabelled_content(film, animation.origin))
    )
    outputs = [{"path": file, **describe_output(folder / file)} for file in result.files]
    return replace(result, outputs=outputs, kept=describe_output(kept_file)["sha256"])


def _relabelled_content(path: Path, origin: Origin | None) -> Iterator[tuple[Path, Content]]:
    # Of a film, or of each file of a folder of frames.
    format = find_format_by_suffix(path)
    if format.load is not None:
        saved = format.load(path)
        animation = replace(saved.animation, origin=origin)
        yield path, lambda new: format.write(animation, new, saved.theme, lambda: None)
    elif format.rewrite is not None:
        with open_frames(path) as film:
            old = next(filter(None, map(parse_metadata, film.comments)))
        for file in sorted(path.iterdir()) if path.is_dir() else [path]:
            yield file, partial(format.rewrite, file, old=old, new=replace(old, origin=origin))
