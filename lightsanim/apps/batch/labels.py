"""Labels (titles, credits and so on) of a batch's animations and their gallery.

The batch's folder keeps them apart from the results: a changed label never triggers a rebuild.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path

from lightsanim.errors import OutputError
from lightsanim.film.origin import NO_LABEL, Label, Origin
from lightsanim.output.formats.metadata import parse_metadata
from lightsanim.output.formats.registry import find_format_by_suffix, open_frames
from lightsanim.output.saving.atomic import Content, write_files_together
from .batch_folder import (
    STATE_FOLDER,
    describe_output,
    kept_file_path,
    load_kept_animation,
    sha256_of_output,
    stat_output,
)
from .results import Result

LABELS_FILE = "labels"


@dataclass(frozen=True, kw_only=True)
class Labels:
    """The labels of a gallery, and of its animations by first output, in the gallery's order."""

    site: Label = NO_LABEL
    works: Mapping[str, Label] = field(default_factory=dict)
    # Path of each animation's manifest, relative to the batch's folder.
    manifests: Mapping[str, str] = field(default_factory=dict)
    removed: frozenset[str] = frozenset()  # outputs of animations that no manifest names any more


def read_labels(folder: Path) -> Labels:
    """Read the labels of a batch's folder; return empty labels if there is no file."""
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
    except OSError as error:
        raise OutputError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise OutputError(f"{path} is damaged; run the batch again") from error


def merge_labels(before: Labels, labels: Labels, manifest: str) -> Labels:
    """Replace the labels of one manifest; animations that it no longer names become removed."""
    foreign = {output: path for output, path in before.manifests.items() if path != manifest}
    own = dict.fromkeys(labels.works, manifest)
    # This manifest's outputs come first, and no longer belong to other manifests.
    manifests = {**own, **foreign, **own}
    all_labels = {**before.works, **labels.works}
    return Labels(
        site=labels.site,
        works={output: all_labels[output] for output in manifests},
        manifests=manifests,
        removed=(before.removed | before.works.keys()) - manifests.keys(),
    )


def write_labels(folder: Path, labels: Labels) -> None:
    """Write the labels of a batch's folder; the inverse of `read_labels`."""
    document = {
        "site": labels.site.as_dict,
        "works": {output: label.as_dict for output, label in labels.works.items()},
        "manifests": labels.manifests,
        "down": sorted(labels.removed),
    }
    path, content = folder / STATE_FOLDER / LABELS_FILE, json.dumps(document, indent=1)
    write_files_together({path: content.encode()})


def relabel_result(folder: Path, result: Result, label: Label) -> Result:
    """Write a new label into all files of a result, or into none; return the new result."""
    original = load_kept_animation(folder, result)
    if (animation := original.with_label(label)) is original:
        return result
    kept_file = kept_file_path(folder, result.id)
    films = [kept_file, *(folder / file for file in result.files if file != result.sheet)]
    contents = (_relabelled_content(film, animation.origin) for film in films)
    write_files_together(dict(chain.from_iterable(contents)))
    return replace(
        result,
        outputs=[{**o, **describe_output(folder / o["path"])} for o in result.outputs],
        kept=sha256_of_output(kept_file),
        kept_stat=stat_output(kept_file),
    )


def _relabelled_content(path: Path, origin: Origin | None) -> Iterator[tuple[Path, Content]]:
    # Yields each file of an output (a film, or a folder of frames) with its new content.
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
