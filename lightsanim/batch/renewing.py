"""New titles and credits in files that are there: nothing is solved, frames stay as they are."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from lightsanim.animation.label import Label
from lightsanim.batch.folder import kept_animation, kept_path, written_at
from lightsanim.batch.results import Result
from lightsanim.errors import AnimationError
from lightsanim.formats.metadata import read_metadata
from lightsanim.formats.replacing import Content, write_all
from lightsanim.formats.table import format_of, open_frames
from lightsanim.pipeline import labelled


def with_label(folder: Path, result: Result, label: Label) -> Result:
    """A result whose files say this of the work from now on: all of them, or none."""
    animation = kept_animation(folder, result)
    if animation is labelled(animation, label):
        return result
    contents: dict[Path, Content] = {}
    for file in result.files:
        if file != result.sheet:
            contents |= _contents(folder / file, label)
    kept = kept_path(folder, result.id)
    write_all({**contents, **_contents(kept, label)})
    outputs = [{"path": file, **written_at(folder / file)} for file in result.files]
    return replace(result, outputs=outputs, kept=written_at(kept)["sha256"])


def _contents(path: Path, label: Label) -> dict[Path, Content]:
    # Of a film, or of each file of a folder of frames.
    format = format_of(path)
    if format.load is not None:
        saved = format.load(path)
        if saved.flaw:
            raise AnimationError(saved.flaw)
        animation = labelled(saved.animation, label)
        return {path: lambda new: format.write(animation, new, saved.theme, lambda: None)}
    if format.renew is None:
        return {}
    with open_frames(path) as film:
        old = next(filter(None, map(read_metadata, film.texts)), None)
    if old is None or old.origin is None:
        raise AnimationError("it does not say how it was made")
    new = replace(old, origin=replace(old.origin, label=label))
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return {file: partial(format.renew, file, old=old, new=new) for file in files}
