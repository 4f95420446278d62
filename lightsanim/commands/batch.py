"""`lightsanim batch` and `lightsanim gallery`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from lightsanim.console import counting_bar, printable, say
from lightsanim.errors import OptionError
from lightsanim.options import Quiet, Verbose, option

# What only these commands need is loaded when they run.


def batch(
    manifest: Annotated[
        Path | None,
        typer.Argument(metavar="MANIFEST.toml", help="Which pictures become which files."),
    ] = None,
    output: Annotated[
        Path | None,
        option("Output", "Folder for the animations.", "-o", "--output", metavar="DIR"),
    ] = None,
    from_folder: Annotated[
        Path | None,
        option(
            "Manifest",
            "Write a manifest for the pictures in a folder: MANIFEST, or DIR/manifest.toml.",
            "--from-folder",
            metavar="DIR",
        ),
    ] = None,
    chain: Annotated[
        bool, option("Manifest", "Each picture turns into the next.", "--chain")
    ] = False,
    pairs: Annotated[bool, option("Manifest", "They are taken two by two.", "--pairs")] = False,
    workers: Annotated[
        int | None,
        option(
            "Work",
            "Processes on this machine. [dim]\\[default: one for each core][/]",
            "--workers",
            metavar="N",
        ),
    ] = None,
    dask: Annotated[
        str | None,
        option(
            "Work",
            "Leave the work to a Dask scheduler, such as tcp://10.0.0.1:8786.",
            "--dask",
            metavar="ADDRESS",
        ),
    ] = None,
    as_json: Annotated[bool, option("Output", "Print the report as JSON.", "--json")] = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Make many animations: in parallel, and resumable.

    What is there already is left alone, so a batch that was stopped goes on where it was.

    A manifest is TOML, with a table \\[\\[animation]] for each of them.

    [bold]Example[/]   lightsanim batch --from-folder photographs --chain -o animations
    """
    from lightsanim.batch.from_folder import manifest_of_folder, write_manifest
    from lightsanim.batch.manifest import load_manifest
    from lightsanim.batch.runner import run_batch
    from lightsanim.commands.batch_messages import batch_bar, batch_summary, say_failures

    if from_folder is None:
        if manifest is None:
            raise OptionError("name a manifest, or a folder of pictures with --from-folder")
        if chain or pairs:
            raise OptionError("--chain and --pairs say how to write a manifest --from-folder")
    else:
        if chain == pairs:
            raise OptionError("--from-folder needs either --chain or --pairs")
        manifest = manifest or from_folder / "manifest.toml"
        written = write_manifest(manifest, manifest_of_folder(from_folder, manifest, chain=chain))
        if not quiet and written:
            say(f"{printable(str(manifest))} written")
    if output is None:
        if from_folder is None:
            raise OptionError("name a folder for the animations with -o")
        return
    jobs = load_manifest(manifest)
    with batch_bar(hidden=quiet, verbose=verbose) as listener:
        report = run_batch(jobs, output, workers=workers, dask=dask, listener=listener)
    if as_json:
        print(json.dumps(report.as_dict()), flush=True)
    if report.failed:
        say_failures(report.failed)
    if not quiet:
        say(batch_summary(report))
    if report.failed:
        raise typer.Exit(1)


def gallery(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a batch.")],
    output: Annotated[
        Path, option("Output", "Folder for the site.", "-o", "--output", metavar="SITE")
    ],
    title: Annotated[
        str | None, option("Look", "The site's heading.", "--title", metavar="TEXT")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Make a web site of a batch: an index, and a page for each animation.

    It needs no network, and works from any folder of any server, or from none.

    [bold]Example[/]   lightsanim gallery animations -o site
    """
    from lightsanim.commands.batch_messages import gallery_summary
    from lightsanim.gallery.build import build_gallery

    with counting_bar("pages", hidden=quiet) as progress:
        built = build_gallery(folder, output, title=title, progress=progress)
    if not quiet:
        say(gallery_summary(built, output))
