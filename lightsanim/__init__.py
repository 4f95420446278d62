"""Two pictures in, an animation of the game Lights Out: every step a legal click.

The pipeline, stage by stage (`make` runs all of it):

    picture                  load_picture
    -> target                targets_for: fitted to the board and dithered to lit and unlit cells
    -> nearest accessible    nearest_accessible: as few wrong cells as possible
    -> click set             fewest_clicks: from one configuration to the next
    -> click order           order_clicks
    -> animation             animate: first configuration, ordered clicks, timing
    -> file                  Animation.save

The words:

    cell                     one position of the board
    configuration            which cells are lit: bool (rows, columns), True = lit = white
    click, click set         pressing one cell; the unordered set of the cells pressed
    neighbourhood, rule      the cells that one click flips; how that depends on the cell
    toggles                  the cells that a click set flips
    accessible               reachable by clicks from the all-on board; with more than two levels
                             from the all-off board
    quiet pattern, nullity   a click set that flips nothing; the dimension of their space
    parity check             a set of cells of which every click flips an even number
    syndrome                 one bit for each parity check, all zero exactly when accessible
    target                   the dithered picture
    sketch                   a film found by searching for few clicks, not for exact pictures
    wrong cell               a cell of an accessible configuration that differs from the target
    light chasing            clearing the board row by row
    levels, q                how many states a cell has; with more than two, configurations are
                             uint8 (rows, columns), 0 (dark) to q - 1 (bright), and click sets tell
                             how often each cell is pressed; a press adds 1, modulo q
"""

from functools import cache
from importlib import import_module
from inspect import isfunction
from typing import TYPE_CHECKING, Any

from lightsanim.options.arguments import with_checked_types
from lightsanim.version import __version__ as __version__

if TYPE_CHECKING:
    from lightsanim.animation.animate import animate as animate
    from lightsanim.animation.animation import Animation as Animation
    from lightsanim.animation.click_sequence import ClickSequence as ClickSequence
    from lightsanim.animation.click_sequence import order_solution as order_solution
    from lightsanim.animation.order import order_clicks as order_clicks
    from lightsanim.batch.from_folder import manifest_of_folder as manifest_of_folder
    from lightsanim.batch.from_folder import write_manifest as write_manifest
    from lightsanim.batch.manifest import load_manifest as load_manifest
    from lightsanim.batch.runner import run_batch as run_batch
    from lightsanim.board.board import Board as Board
    from lightsanim.board.text import board_text as board_text
    from lightsanim.board.text import read_board as read_board
    from lightsanim.errors import InaccessibleError as InaccessibleError
    from lightsanim.errors import LightsAnimError as LightsAnimError
    from lightsanim.formats.document import load_animation as load_animation
    from lightsanim.formats.load import load_picture as load_picture
    from lightsanim.formats.outputs import render_files as render_files
    from lightsanim.formats.outputs import save_still as save_still
    from lightsanim.gallery.build import build_gallery as build_gallery
    from lightsanim.games.files import animate_solution as animate_solution
    from lightsanim.games.patterns import write_patterns as write_patterns
    from lightsanim.games.pose import pose_files as pose_files
    from lightsanim.games.pose import pose_series_files as pose_series_files
    from lightsanim.games.solve import solve_files as solve_files
    from lightsanim.games.start_and_goal import load_game as load_game
    from lightsanim.lessons.lesson import write_lesson as write_lesson
    from lightsanim.look.theme import Theme as Theme
    from lightsanim.options.table import Outputs as Outputs
    from lightsanim.options.table import Settings as Settings
    from lightsanim.options.table import SheetOptions as SheetOptions
    from lightsanim.options.table import Timing as Timing
    from lightsanim.pictures.dither import Target as Target
    from lightsanim.pictures.dither import dither as dither
    from lightsanim.pictures.picture import Picture as Picture
    from lightsanim.pictures.picture import PictureFile as PictureFile
    from lightsanim.pictures.source import Source as Source
    from lightsanim.pictures.targets import targets_for as targets_for
    from lightsanim.pipeline import make as make
    from lightsanim.pipeline import make_files as make_files
    from lightsanim.pipeline import make_with_report as make_with_report
    from lightsanim.previews.preview import preview as preview
    from lightsanim.previews.preview import preview_files as preview_files
    from lightsanim.proof.verification import Verification as Verification
    from lightsanim.proof.verify import verify as verify
    from lightsanim.puzzles.files import save_answer as save_answer
    from lightsanim.puzzles.table import solve_puzzle as solve_puzzle
    from lightsanim.reports.report import Report as Report
    from lightsanim.reports.report import board_report as board_report
    from lightsanim.reports.report import puzzle_report as puzzle_report
    from lightsanim.reports.report import solution_report as solution_report
    from lightsanim.solve.chase import chase as chase
    from lightsanim.solve.covering_radius import most_clicks as most_clicks
    from lightsanim.solve.fewest import Fewest as Fewest
    from lightsanim.solve.fewest import fewest_clicks as fewest_clicks
    from lightsanim.solve.nearest import Nearest as Nearest
    from lightsanim.solve.nearest import nearest_accessible as nearest_accessible
    from lightsanim.solve.pose import pose as pose
    from lightsanim.solve.pose import pose_series as pose_series
    from lightsanim.solve.sketch import Sketch as Sketch
    from lightsanim.solve.sketch import sketch as sketch
    from lightsanim.solve.solution import solve_board as solve_board
    from lightsanim.solve.status import Status as Status
    from lightsanim.system.deadline import Deadline as Deadline
    from lightsanim.worksheets.worksheet import worksheet as worksheet
    from lightsanim.worksheets.worksheet import worksheet_files as worksheet_files

# The public names and where they live.  They are loaded when they are first used, so that the
# command line answers at once, and hears Ctrl-C while it loads the rest.
_HOMES = {
    "Animation": "animation.animation",
    "Board": "board.board",
    "ClickSequence": "animation.click_sequence",
    "Deadline": "system.deadline",
    "Fewest": "solve.fewest",
    "InaccessibleError": "errors",
    "LightsAnimError": "errors",
    "Nearest": "solve.nearest",
    "Outputs": "options.table",
    "Picture": "pictures.picture",
    "PictureFile": "pictures.picture",
    "Report": "reports.report",
    "Settings": "options.table",
    "SheetOptions": "options.table",
    "Sketch": "solve.sketch",
    "Source": "pictures.source",
    "Status": "solve.status",
    "Target": "pictures.dither",
    "Theme": "look.theme",
    "Timing": "options.table",
    "Verification": "proof.verification",
    "animate": "animation.animate",
    "animate_solution": "games.files",
    "board_report": "reports.report",
    "board_text": "board.text",
    "build_gallery": "gallery.build",
    "chase": "solve.chase",
    "dither": "pictures.dither",
    "fewest_clicks": "solve.fewest",
    "load_animation": "formats.document",
    "load_game": "games.start_and_goal",
    "load_manifest": "batch.manifest",
    "load_picture": "formats.load",
    "make": "pipeline",
    "make_files": "pipeline",
    "make_with_report": "pipeline",
    "manifest_of_folder": "batch.from_folder",
    "most_clicks": "solve.covering_radius",
    "nearest_accessible": "solve.nearest",
    "order_clicks": "animation.order",
    "order_solution": "animation.click_sequence",
    "pose": "solve.pose",
    "pose_files": "games.pose",
    "pose_series": "solve.pose",
    "pose_series_files": "games.pose",
    "preview": "previews.preview",
    "preview_files": "previews.preview",
    "puzzle_report": "reports.report",
    "read_board": "board.text",
    "render_files": "formats.outputs",
    "run_batch": "batch.runner",
    "save_answer": "puzzles.files",
    "save_still": "formats.outputs",
    "sketch": "solve.sketch",
    "solution_report": "reports.report",
    "solve_board": "solve.solution",
    "solve_files": "games.solve",
    "solve_puzzle": "puzzles.table",
    "targets_for": "pictures.targets",
    "verify": "proof.verify",
    "worksheet": "worksheets.worksheet",
    "worksheet_files": "worksheets.worksheet",
    "write_lesson": "lessons.lesson",
    "write_manifest": "batch.from_folder",
    "write_patterns": "games.patterns",
}

__all__ = ["__version__", *_HOMES]


@cache
def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    if not isfunction(found):
        return found
    checked = with_checked_types(found)
    checked.__module__ = __name__  # where pickle finds it
    return checked


def __dir__() -> list[str]:
    return sorted(__all__)
