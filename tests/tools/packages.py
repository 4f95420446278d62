"""The wheel and the sdist in dist/, checked and tried as users get them: `make dist`.

Nothing is taken from the clone.
"""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
PICTURES = "sample:sun", "sample:moon"
UV = Path(sys.executable).with_name("uv")

# Of the sdist's own tests, those that notice files that it lacks.
SUBSET = [
    f"tests/{name}.py"
    for name in (
        "output/formats/test_goldens",
        "test_house",
        "test_readme",
        "pictures/test_samples",
    )
]

# Code and texts with room to grow, but for nothing large that slips in.
MAX_BYTES = {".whl": 1_100_000, ".gz": 6_000_000}

# Empty environments, by the name of the resolution, which uv has for it.
RESOLUTIONS = {"lowest": "lowest-direct", "newest": "highest"}


def main() -> None:
    """Check and try both packages; the first thing that is wrong ends it."""
    (wheel,), (sdist,) = (ROOT / "dist").glob("*.whl"), (ROOT / "dist").glob("*.tar.gz")
    version = wheel.name.split("-")[1]
    heading = "Unreleased" if ".dev" in version else f"{version} - "
    for name, line in (("CHANGELOG.md", f"## {heading}"), ("CITATION.cff", f"version: {version}")):
        if f"\n{line}" not in (ROOT / name).read_text():
            sys.exit(f"{name} must have a line {line!r}")
    with zipfile.ZipFile(wheel) as zipped, tarfile.open(sdist) as tarred:
        of_wheel, of_sdist = zipped.namelist(), tarred.getnames()
    metadata = {name for name in of_wheel if ".dist-info/" in name}
    if not any(name.endswith("/licenses/LICENSE") for name in metadata):
        sys.exit(f"{wheel.name} has no licence")
    check_names(wheel, set(of_wheel) - metadata, "lightsanim")
    check_names(sdist, {name.partition("/")[2] for name in of_sdist} - {"PKG-INFO"}, ".")
    with TemporaryDirectory() as folder:
        for name, resolution in RESOLUTIONS.items():
            print(f"{name} dependencies: {try_wheel(wheel, resolution, Path(folder) / name)}")
        uvx = [UV, "tool", "run", "--isolated", "--from", wheel]
        print(f"uvx: {output_of(*uvx, 'lightsanim', '--version')}")
        print(f"tests of the sdist: {try_sdist(sdist, Path(folder))}")


def check_names(package: Path, names: set[str], folder: str) -> None:
    """Say a package's size; refuse one that is too large or has other files than git knows."""
    size, expected = package.stat().st_size, set(output_of("git", "ls-files", folder).splitlines())
    print(f"{package.name}: {size / 1000:.0f} kB, {len(names)} files")
    if names != expected:
        lacks, surplus = sorted(expected - names), sorted(names - expected)
        sys.exit(f"{package.name} must have what git has; it lacks {lacks}, and has also {surplus}")
    if size > MAX_BYTES[package.suffix]:
        sys.exit(f"{package.name} must have at most {MAX_BYTES[package.suffix] // 1000} kB")


def try_wheel(wheel: Path, resolution: str, folder: Path) -> str:
    """What the main job says, done in an empty environment in a new folder."""
    environment = folder / "environment"
    output_of(UV, "venv", "--python", sys.executable, environment)
    # The wheel's own dependencies are direct ones only where they are named.
    named = ["-r", ROOT / "pyproject.toml", "--resolution", resolution]
    output_of(UV, "pip", "install", "--python", environment, *named, wheel)
    program = environment / "bin" / "lightsanim"
    output_of(program, "make", *PICTURES, "-o", "demo.gif", cwd=folder)
    output_of(environment / "bin" / "python", "-m", "lightsanim", "--version", cwd=folder)
    return output_of(program, "verify", "demo.gif", cwd=folder)


def try_sdist(sdist: Path, folder: Path) -> str:
    """What some of an sdist's own tests say, run on the code beside them."""
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    source = folder / sdist.name.removesuffix(".tar.gz")
    words = [sys.executable, "-m", "pytest", "--quiet", *SUBSET]
    return output_of(*words, cwd=source, path=source).splitlines()[-1]


def output_of(*words: str | Path, cwd: Path = ROOT, path: Path | str = "") -> str:
    """What a command that must succeed says, where Python looks for modules at a path first."""
    environ = {**os.environ, "PYTHONPATH": str(path)}
    run = subprocess.run(words, cwd=cwd, env=environ, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{' '.join(map(str, words))}\n{run.stdout}{run.stderr}")
    return run.stdout.rstrip()


if __name__ == "__main__":
    main()
