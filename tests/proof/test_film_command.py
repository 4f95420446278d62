"""The command that `verify --command` prints, and the plan, make the same file, byte by byte."""

import re
import shlex
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

# Pictures and options of `make`, and the name of the film.
FILMS = r"""
"it's a.b.png@crop=1,2,30,19@fit=contain" tall.png --title "It's \"-y\" $HOME" --focus auto a.gif
ramp.png puzzle:queens:5@invert --size 6 --ending cycle --mark red --wrap --rule king a.gif
ramp.png tall.png --credit "Ada's" --licence "CC BY" --date 2026 --alt - --caption "1 & 2" a.gif
'text:H\nI@@at=2@invert=' text:@@at=a text:a@b@ --size 36x19 --loop 2 --total 8.5 a.gif@cell=3
ramp.png ./-x.png --max-bytes 9kB --fps 50 --gap 3 --background none a.gif
clip.gif@start=.1@end=.5@invert tall.png --canvas 100 --size 7 --preset photograph a.gif
a@2x.png a@2x.png@invert --levels 3 --colours #191919,teal,#ffffff80 --order random a.webp@cell=5
ramp.png ramp.png@invert ramp.png@crop=0,0,9,9 ramp.png --ending boomerang --colours #012,#456 a.svg
ramp.png tall.png --palette paper --title -ramp- a.html@visitor-clicks=5@language=de
ramp.png tall.png@focus=auto --focus 40%,10%,2 --size 5x12 a.gif
ramp.png tall.png --beside tall.png@gamma=2 --beside "it's a.b.png" --size 8x5 a.html
sample:cat sample:eye ramp.png --beside sample:duck --beside -x.png --beside -x.png@detail=3 a.json
ramp.png sample:sun --clicks-picture tall.png --size 10x8 --canvas 200 a.gif
sample:sun ./-x.png@focus=auto --clicks-picture -x.png@focus=auto --size 10x8 a.json
tall.png ramp.png --preset spot --background none --canvas 120 a.svg
sample:sun tall.png --preset colour --show-clicks right a.gif
sample:sun tall.png --preset poster --palette sunset --show-clicks below-total a.gif
sample:sun sample:moon --order legal --transition wipe@press=lit --size 4x4 a.gif
tall.png ramp.png --preset newsprint --order spiral --reverse a.gif
"it's a.b.png@backdrop=red" tall.png@dither=jarvis --rgb --lit white --unlit navy a.gif
ramp.png tall.png --transition dissolve --wrap --rule king --preset strokes --dither bayer a.gif
ramp.png tall.png --transition sketch@frames=5@price=2@no-settle a.gif
ramp.png tall.png --transition sketch@blur=1.5 --ease in-out --spread .3 a.gif
tall.png --transition automaton --levels 3 --size 24 a.gif
ramp.png tall.png --transition automaton@path=through@steps=4 --size 12x12 a.gif
ramp.png tall.png --levels 5 --colours #012,#456,#def --shape circle a.apng@cell=8
ramp.png tall.png --rule 110/011/000 --perfect --hold-first 0 --hold-last .25 a.gif
ramp.png tall.png --canvas 90x160 --show-clicks below --seed 18446744073709551616 a.gif
tall.png ramp.png --focus 45%,30%,3 --detail 2 --tone linear a.gif
clip.gif --at .2 --clicks-per-frame 3 ramp.png a.gif@width=300
clip.gif ramp.png clip.gif@at=.1 --fps 10 --rgb a.json
clip.gif ramp.png@focus=50%,40% walk --focus 20%,30%,2 --fps 10 a.gif
clip.gif --max-bytes 9kB --gap 1 --canvas 300 --fps 30 a.gif
clip.gif --palette amber --mark white --preset linocut a.mp4
ramp.png tall.png --levels 3 --palette amber --duration .3 frames/@cell=8
ramp.png tall.png a.mp4@max-bytes=14kB@width=300@mute
ramp.png tall.png --max-bytes 12kB --show-clicks right a.webp
ramp.png tall.png --max-bytes 6kB --levels 3 a.apng@cell=30
text:A@B qr:a@b --size 40x29 --order contour a.gif
sample:sun sample:moon --levels 5 --spot --canvas 120 --size 7x9 a.gif
ramp.png tall.png --ip parity --detail 0 --fit contain --palette pocket a.svg
a@2x.png "it's a.b.png@preset=pencil" --start 1 --end 2 --no-autocontrast --preset loop a.gif
puzzle:queens:5@fit=stretch@no-autocontrast tall.png@backdrop=#123 --order sweep --duration 2 a.gif
tall.png@focus=10,30@crop=0,0,40,60 sample:skull@no-invert --invert --size 8x12 a.apng
""".strip().splitlines()
OF_OUTPUTS = ("--canvas", "--max-bytes")  # They are no part of a plan.
LONG = [pytest.param(line, marks=pytest.mark.long) for line in FILMS[9:]]


@pytest.mark.parametrize("line", [*FILMS[:9], *LONG])
def test_command_and_plan_make_the_same_bytes(line, run, tmp_path, monkeypatch):
    ramp = np.linspace(0, 255, 1536).astype(np.uint8).reshape(32, 48)
    tall = np.tile(ramp[:, :40], (2, 1))
    files = {"ramp.png": ramp, "tall.png": tall, "-x.png": tall[:, ::-1], "a@2x.png": ramp.T}
    for name, pixels in {**files, "it's a.b.png": ramp[::-1]}.items():
        Image.fromarray(np.ascontiguousarray(pixels)).save(name)
    frames = [Image.fromarray(ramp + np.uint8(30 * number)) for number in range(8)]
    frames[0].save("clip.gif", save_all=True, append_images=frames[1:], duration=80)
    (tmp_path / "walk").mkdir()
    for number, frame in enumerate(frames):
        frame.save(f"walk/{number}.png")
    # Films record names of files without folders and endings; words such as sample:sun stay.
    paths = {path.stem: f"../{path.name}" for path in tmp_path.iterdir()}
    stem = rf"^(?:\./)?({'|'.join(map(re.escape, paths))})(?=@|$)"
    *words, film = shlex.split(line)
    others = {"--size": 9, "--seed": 1, "--time-limit": "inf"}
    words += [word for name in others if name not in words for word in (name, others[name])]
    assert run("make", *words, "-o", film)[0] == 0
    (tmp_path / "planned").mkdir()
    (tmp_path / "plan.toml").write_text(run("make", *words, "--plan", "-o", "planned/" + film)[1])
    shape = [word for pair in pairwise(words) if pair[0] in OF_OUTPUTS for word in pair]
    assert run("make", "plan.toml", *shape, "-o", "planned/" + film)[0] == 0
    film = film.partition("@")[0].rstrip("/")
    command = run("verify", film, "--command")[1].splitlines()[-1]
    again = [re.sub(stem, lambda match: paths[match[1]], word) for word in shlex.split(command)]
    assert contents(tmp_path / film) == contents(tmp_path / "planned" / film)
    (tmp_path / "again").mkdir()
    monkeypatch.chdir("again")
    run(*again[1:])
    assert contents(tmp_path / film) == contents(tmp_path / "again" / film), command


def contents(path):
    return [file.read_bytes() for file in sorted(path.glob("*")) or [path]]
