"""The commands `batch` and `gallery`."""

from pathlib import Path
from typing import Any

from click.exceptions import Exit

from lightsanim.errors import OptionError
from lightsanim.options.outputs import MessageOptions
from lightsanim.output.reports.in_words import to_printable_line
from .messages import print_json, print_log_lines, print_message, show_counting_bar
from .parameters import argument, command, option, options


@command(
    argument(
        "manifest",
        "MANIFEST.toml",
        "TOML file that lists the animations.",
        kind=Path,
        required=False,
    ),
    option("-o --output", "Output", "Folder for the animations.", "DIR", kind=Path),
    option(
        "--from-folder",
        "Manifest",
        "Write a manifest (default: DIR/manifest.toml) of the pictures and clips in a folder.",
        "DIR",
        kind=Path,
    ),
    option(
        "--update",
        "Manifest",
        "Add the new pictures and clips of a folder to its manifest.",
        "DIR",
        kind=Path,
    ),
    option("--chain", "Manifest", "Animate each picture to the next: 1-2, 2-3."),
    option("--pairs", "Manifest", "Animate pairs of pictures: 1-2, 3-4."),
    option("--prune", "Output", "Delete files that the manifest no longer lists."),
    option("--check", "Output", "Compare the contents of finished files."),
    option(
        "--workers", "Work", "Number of parallel processes.", "N", kind=int, unset="one per core"
    ),
    option("--dask", "Work", "Use a Dask scheduler, such as tcp://10.0.0.1:8786.", "ADDRESS"),
    messages=options(MessageOptions),
)
def batch(
    *,
    manifest: Path | None,
    output: Path | None,
    messages: MessageOptions,
    from_folder: Path | None,
    update: Path | None,
    chain: bool,
    pairs: bool,
    prune: bool,
    check: bool,
    workers: int | None,
    dask: str | None,
) -> None:
    """Make all animations of a manifest in parallel.

    Finished animations are skipped, so the same command resumes an interrupted batch.

    A manifest is a TOML file with a table [[animation]] for each animation.

    Example: lightsanim batch --from-folder photographs --chain -o animations
    """
    from lightsanim.apps.batch.manifest import load_manifest
    from lightsanim.apps.batch.runner import run_batch
    from .batch_messages import batch_listener, batch_summary, print_failures

    folder = _choose_picture_folder(from_folder, update, chain=chain, pairs=pairs)
    if folder is not None:
        manifest = manifest or folder / "manifest.toml"
        if update and not manifest.exists():
            remedy = f"name it, as in batch album.toml --update {update}, or use --from-folder"
            raise OptionError(f"--update needs a manifest, and {manifest} does not exist; {remedy}")
        pairing = None if chain == pairs else chain
        _write_manifest(folder, manifest, pairing, update is not None, output, messages)
    elif manifest is None:
        raise OptionError("batch needs a manifest, or a folder of pictures with --from-folder")
    if output is None:
        if folder is None or prune:
            raise OptionError("batch needs a folder for the animations: -o DIR")
        return
    jobs = load_manifest(manifest)
    with batch_listener(hidden=messages.quiet) as listener:
        report = run_batch(
            jobs, output, workers=workers, dask=dask, prune=prune, check=check, listener=listener
        )
    if messages.json:
        print_json(report.as_dict())
    if report.failed:
        print_failures(report.failed)
    print_log_lines(messages, batch_summary(report))
    if report.failed:
        raise Exit(1)


def _choose_picture_folder(
    from_folder: Path | None, update: Path | None, *, chain: bool, pairs: bool
) -> Path | None:
    # Return the folder whose pictures a manifest gets, if one is named.
    if from_folder and update:
        raise OptionError("--from-folder and --update exclude each other; leave one out")
    if not from_folder and not update and (chain or pairs):
        raise OptionError(f"--{'chain' if chain else 'pairs'} needs --from-folder or --update")
    if chain == pairs and (chain or from_folder):
        needing = "--from-folder" if from_folder else "--update"
        raise OptionError(f"{needing} needs either --chain or --pairs")
    return from_folder or update


def _write_manifest(
    folder: Path,
    manifest: Path,
    chain: bool | None,
    grows: bool,
    output: Path | None,
    messages: MessageOptions,
) -> None:
    from lightsanim.apps.batch.from_folder import manifest_of_folder, write_manifest
    from lightsanim.apps.batch.update_manifest import first_outputs, update_manifest

    left_out: list[str] = []
    before = None
    with show_counting_bar("pictures", hidden=messages.quiet) as progress:
        reporting: Any = {"on_left_out": left_out.append, "progress": progress}
        if grows:
            before, text = update_manifest(folder, manifest, chain, output, **reporting)
        else:
            text = manifest_of_folder(folder, manifest, chain=bool(chain), **reporting)
    for reason in left_out:
        print_message(to_printable_line(reason))
    if write_manifest(manifest, text, before):
        names = [first_outputs(version) for version in (text, before or "")]
        added = ", ".join(name for name in names[0] if grows and name not in names[1])
        done = "updated" if grows else "written"
        line = f"{manifest} {done}{f'; added: {added}' if added else ''}"
        print_log_lines(messages, to_printable_line(line))
    elif grows:
        print_log_lines(messages, f"{to_printable_line(str(manifest))} unchanged: no new pictures")


@command(
    argument("folder", "DIR", "Output folder of a batch.", kind=Path),
    option("-o --output", "Output", "Folder for the site.", "SITE", kind=Path, required=True),
    option("--title", "Look", "Site heading.", "TEXT", unset="the manifest's, or Animations"),
    option("--css", "Look", "CSS file to add to the site.", "FILE", kind=Path),
    option("--no-originals", "Look", "Leave out the original pictures."),
    option(
        "--base-url",
        "Publishing",
        "Site address, for link previews, canonical links and feed.",
        "URL",
    ),
    option(
        "--feed/--no-feed",
        "Publishing",
        "Write an Atom feed of the newest animations.",
        unset="if --base-url is given",
        default=None,
    ),
    messages=options(MessageOptions, "quiet"),
)
def gallery(
    *,
    folder: Path,
    output: Path,
    messages: MessageOptions,
    title: str | None,
    css: Path | None,
    no_originals: bool,
    base_url: str | None,
    feed: bool | None,
) -> None:
    """Make a web site of the animations of a batch, with an index and a page for each animation.

    The site works in a local folder and in any folder of a web server.

    Example: lightsanim gallery animations -o site
    """
    from lightsanim.apps.gallery.build import build_gallery
    from .batch_messages import gallery_summary

    with show_counting_bar("pages", hidden=messages.quiet) as progress:
        built = build_gallery(
            folder,
            output,
            title=title,
            base_url=base_url,
            feed=feed,
            css=css,
            originals=not no_originals,
            progress=progress,
        )
    print_log_lines(messages, gallery_summary(built, output))
