from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

from lightsanim.apps.batch.from_folder import manifest_of_folder as manifest_of_folder
from lightsanim.apps.batch.from_folder import write_manifest as write_manifest
from lightsanim.apps.batch.job import Job as Job
from lightsanim.apps.batch.manifest import Manifest as Manifest
from lightsanim.apps.batch.manifest import load_manifest as load_manifest
from lightsanim.apps.batch.results import Result as Result
from lightsanim.apps.batch.runner import BatchListener as BatchListener
from lightsanim.apps.batch.runner import BatchReport as BatchReport
from lightsanim.apps.batch.runner import run_batch as run_batch
from lightsanim.apps.gallery.build import Gallery as Gallery
from lightsanim.apps.gallery.build import build_gallery as build_gallery
from lightsanim.apps.previews.preview import preview as preview
from lightsanim.apps.previews.preview import preview_files as preview_files
from lightsanim.apps.puzzles.patterns import write_patterns as write_patterns
from lightsanim.apps.puzzles.puzzle_files import save_answer as save_answer
from lightsanim.apps.puzzles.solve_and_pose import SolvedGame as SolvedGame
from lightsanim.apps.puzzles.solve_and_pose import animate_solution as animate_solution
from lightsanim.apps.puzzles.solve_and_pose import pose_files as pose_files
from lightsanim.apps.puzzles.solve_and_pose import pose_series_files as pose_series_files
from lightsanim.apps.puzzles.solve_and_pose import solve_files as solve_files
from lightsanim.apps.puzzles.start_and_goal import Game as Game
from lightsanim.apps.puzzles.start_and_goal import load_game as load_game
from lightsanim.apps.teaching.lesson import write_lesson as write_lesson
from lightsanim.apps.teaching.maker import write_maker as write_maker
from lightsanim.apps.teaching.worksheet import Worksheet as Worksheet
from lightsanim.apps.teaching.worksheet import worksheet as worksheet
from lightsanim.apps.teaching.worksheet import worksheet_files as worksheet_files
from lightsanim.errors import AnimationError as AnimationError
from lightsanim.errors import ClusterError as ClusterError
from lightsanim.errors import InaccessibleError as InaccessibleError
from lightsanim.errors import InputError as InputError
from lightsanim.errors import LightsAnimError as LightsAnimError
from lightsanim.errors import ManifestError as ManifestError
from lightsanim.errors import OptionError as OptionError
from lightsanim.errors import OutputError as OutputError
from lightsanim.errors import PictureError as PictureError
from lightsanim.errors import SolverError as SolverError
from lightsanim.film.animate import animate as animate
from lightsanim.film.animation import Animation as Animation
from lightsanim.film.clicks import Clicks as Clicks
from lightsanim.film.clicks import PackedSteps as PackedSteps
from lightsanim.film.film_reports import ClipReport as ClipReport
from lightsanim.film.film_reports import MoveReport as MoveReport
from lightsanim.film.film_reports import PictureReport as PictureReport
from lightsanim.film.film_reports import SketchReport as SketchReport
from lightsanim.film.order import order_clicks as order_clicks
from lightsanim.film.origin import Label as Label
from lightsanim.film.origin import Origin as Origin
from lightsanim.film.transitions.sketch import Sketch as Sketch
from lightsanim.film.transitions.sketch import sketch as sketch
from lightsanim.game.board.automaton import automaton as automaton
from lightsanim.game.board.board import Board as Board
from lightsanim.game.board.text import board_text as board_text
from lightsanim.game.board.text import read_board as read_board
from lightsanim.game.relatives.answer import PuzzleAnswer as PuzzleAnswer
from lightsanim.game.relatives.by_name import solve_puzzle as solve_puzzle
from lightsanim.game.solve.chase import Chase as Chase
from lightsanim.game.solve.chase import ChaseStep as ChaseStep
from lightsanim.game.solve.chase import chase as chase
from lightsanim.game.solve.click_sequence import ClickSequence as ClickSequence
from lightsanim.game.solve.click_sequence import order_solution as order_solution
from lightsanim.game.solve.fewest import Fewest as Fewest
from lightsanim.game.solve.fewest import fewest_clicks as fewest_clicks
from lightsanim.game.solve.hardest_start import HardestStart as HardestStart
from lightsanim.game.solve.hardest_start import most_clicks as most_clicks
from lightsanim.game.solve.nearest import Nearest as Nearest
from lightsanim.game.solve.nearest import nearest_accessible as nearest_accessible
from lightsanim.game.solve.pose import PosedPuzzle as PosedPuzzle
from lightsanim.game.solve.pose import pose as pose
from lightsanim.game.solve.pose import pose_series as pose_series
from lightsanim.game.solve.solution import Solution as Solution
from lightsanim.game.solve.solution import solve_board as solve_board
from lightsanim.game.solve.status import Status as Status
from lightsanim.options.outputs import Outputs as Outputs
from lightsanim.options.settings import Settings as Settings
from lightsanim.options.sheet_options import SheetOptions as SheetOptions
from lightsanim.options.stages import GameOptions as GameOptions
from lightsanim.options.stages import Timing as Timing
from lightsanim.options.values import ArrayLike, Crop, CustomOrder, Focus, Size
from lightsanim.output.look.theme import Theme as Theme
from lightsanim.output.reports.report import Report as Report
from lightsanim.output.reports.report import board_report as board_report
from lightsanim.output.reports.report import puzzle_report as puzzle_report
from lightsanim.output.reports.report import solution_report as solution_report
from lightsanim.output.saving.save import RenderReport as RenderReport
from lightsanim.output.saving.save import render_files as render_files
from lightsanim.output.saving.save import save_still as save_still
from lightsanim.pictures.dither import Target as Target
from lightsanim.pictures.dither import dither as dither
from lightsanim.pictures.load import load_picture as load_picture
from lightsanim.pictures.picture import Picture as Picture
from lightsanim.pictures.picture import PictureFile as PictureFile
from lightsanim.pictures.source import PictureSource
from lightsanim.pictures.source import Source as Source
from lightsanim.pictures.targets import targets_for as targets_for
from lightsanim.pipeline import make_files as make_files
from lightsanim.pipeline import make_with_report as make_with_report
from lightsanim.plan_file import SavedPlan as SavedPlan
from lightsanim.plan_file import load_plan as load_plan
from lightsanim.plan_file import make_plan as make_plan
from lightsanim.proof.load_animation import load_animation as load_animation
from lightsanim.proof.verify import Verification as Verification
from lightsanim.proof.verify import verify as verify
from lightsanim.system.deadline import Deadline as Deadline
from lightsanim.version import __version__ as __version__

# The signature of `make`, written by `tests/tools/keywords.py`.
# fmt: off
def make(
    pictures: Sequence[PictureSource], /, *, size: Size | str | int | tuple[int, int] | None = None,
    perfect: bool = False, levels: Literal[2, 3, 5, 7] = 2, rule: str = "plus", wrap: bool = False,
    crop: Crop | str | tuple[float, ...] | None = None, focus: Focus | str | tuple[float, ...] |
    None = None, fit: Literal["auto", "cover", "contain", "stretch"] = "auto", backdrop: str |
    tuple[float, ...] | None = None, dither: Literal["auto", "floyd-steinberg", "atkinson",
    "jarvis", "stucki", "burkes", "sierra", "search", "strokes", "bayer", "bayer2", "bayer8",
    "blue-noise", "threshold"] | None = "auto", rgb: bool = False, spot: bool | str | Iterable[str |
    tuple[float, ...]] = False, tone: Literal["srgb", "linear"] = "srgb", autocontrast: bool = True,
    detail: float | None = None, gamma: float = 1.0, invert: bool = False, start: float | None =
    None, end: float | None = None, at: float | None = None, ip: Literal["auto", "parity", "paper"]
    = "auto", time_limit: float = 30.0, order: Literal["auto", "radial", "random", "sweep",
    "diagonal", "spiral", "hilbert", "noise", "tone", "contour", "legal"] | CustomOrder | ArrayLike
    | list[list[float]] | Callable[[Any, Any], Any] = "auto", reverse: bool = False, spread: float =
    0.02, clicks_picture: str | None = None, beside: str | Iterable[str] = (), press:
    Literal["unlit", "lit"] = "unlit", sketch_frames: int = 13, click_price: float = 1.0,
    sketch_blur: float = 0.7, settle: bool = True, steps: int | None = None, room: int | None =
    None, path: Literal["leave", "arrive", "both", "through"] | None = None, transition:
    Literal["wipe", "dissolve", "sketch", "automaton"] = "wipe", seed: int | None = None, duration:
    float = 6.0, clicks_per_frame: int | None = None, ease: Literal["auto", "even", "front",
    "linear", "in-out"] = "auto", loop: int = 0, fps: float | None = None, hold_first: float | None
    = None, hold_last: float | None = None, total: float | None = None, ending: Literal["stay",
    "cycle", "boomerang"] = "stay", preset: Literal["colour", "spot", "photograph", "linocut",
    "pencil", "strokes", "engraving", "newsprint", "poster", "loop"] | Iterable[Literal["colour",
    "spot", "photograph", "linocut", "pencil", "strokes", "engraving", "newsprint", "poster",
    "loop"]] = (),
) -> Animation:
    """Turn pictures (stills or clips) into a Lights Out animation."""
