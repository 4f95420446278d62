"""Reports in words: the lines that the commands print, and the command that repeats a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import attrs

from lightsanim.errors import OptionError
from lightsanim.options.checks import levels_in_words, pluralize
from lightsanim.options.outputs import distribute_look
from lightsanim.options.records import non_default_values
from lightsanim.options.settings import join_transition_word
from lightsanim.options.shell import format_path_argument, format_shell_words, quote_for_shell
from lightsanim.options.values import CustomOrder
from lightsanim.system.deadline import CUT_SHORT_NOTE

# These modules import numpy, which would delay `--help`: only type checkers read these lines.
if TYPE_CHECKING:
    from lightsanim.film.film_reports import PictureReport
    from lightsanim.game.board.board import Board
    from lightsanim.game.relatives.well_posed import WellPosedPuzzle
    from lightsanim.game.solve.click_sequence import ClickSequence
    from lightsanim.game.solve.hardest_start import HardestStart
    from lightsanim.game.solve.nearest import Nearest
    from lightsanim.game.solve.pose import PosedPuzzle
    from lightsanim.game.solve.solution import Solution
    from lightsanim.options.outputs import Outputs
    from lightsanim.options.settings import Settings
    from lightsanim.output.look.theme import Theme
    from lightsanim.proof.verify import Verification
    from .report import Report

OPTIMAL = "optimal"  # Equals `lightsanim.Status.OPTIMAL`, the status of proven results.
MAX_WRITTEN_POWER = 2**20  # Numbers of click sets above this are written as powers, such as 3^20.

UNSOLVABLE_REASON = (
    "why: a click flips an even number of each pattern's cells, so a start with an odd number of "
    "lit cells on one cannot be turned off; -o FILE draws the patterns"
)


def to_printable_line(text: str) -> str:
    r"""Escape all unprintable characters of a text, such as line ends and terminal controls.

    >>> to_printable_line("a\nb \x1b[31m")
    'a\\nb \\x1b[31m'
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def result_text(report: Report) -> str:
    """Describe the film of a report: its board, wrong cells and clicks."""
    parts = [
        f"{report.board['columns']}x{report.board['rows']} cells",
        _format_wrong_cells(report),
        _format_total_clicks(report),
    ]
    if not any(move.clicks for move in report.moves):
        parts += ["the pictures are identical at this size: there is nothing to click"]
    return "; ".join(parts)


def summary_text(report: Report) -> str:
    """Summarize a run of `make`, with a line for each file that it wrote."""
    order = "" if report.order is None else f"order {report.order}, "
    parts = [
        f"{result_text(report)}; {pluralize(report.frames, 'frame')}, {report.duration:g} s; "
        f"{order}seed {report.seed}."
    ]
    parts += [to_printable_line(note) for note in report.notes]
    return "\n".join([*parts, *format_file_lines(report.outputs)])


def format_file_lines(paths: Sequence[str | Path]) -> list[str]:
    """Return a line for each file, with its name and size."""
    return [f"{to_printable_line(str(path))} ({_format_file_size(Path(path))})" for path in paths]


def format_jump_note(report: Report) -> list[str]:
    """Return a line for the first GIF or WebP of two stills, which repeats without a way back."""
    has_clips = any(hasattr(picture, "mean_wrong") for picture in report.pictures)
    if report.frames == 1 or len(report.pictures) != 2 or has_clips:
        return []
    looping = [path for path in report.outputs if Path(path).suffix.lower() in (".gif", ".webp")]
    note = "jumps back at its end; --ending boomerang leads back."
    return [f"{to_printable_line(path)} {note}" for path in looping[:1]]


def format_make_command(
    pictures: Sequence[str],
    settings: Settings,
    theme: Theme,
    outputs: Outputs,
    label: Mapping[str, str] = {},
) -> str:
    """Format the shell command ``lightsanim make`` with all options that are not defaults."""
    if isinstance(settings.order, CustomOrder):
        raise OptionError("order custom cannot be written as a command; choose another", "order")
    words = ["lightsanim", "make", *map(format_path_argument, pictures)]
    look, outputs = distribute_look(theme, outputs)
    for output in outputs.output:
        words += ["-o", format_path_argument(str(output))]
    rest = non_default_values(attrs.evolve(outputs, output=()))
    for options in (join_transition_word(non_default_values(settings)), look, rest, label):
        words += format_shell_words(options)
    return " ".join(map(quote_for_shell, words))


def _format_total_clicks(report: Report) -> str:
    moves, sketched = report.moves_there, report.sketched
    planes = " in three colour planes" * (report.boards == 3)
    clicks = f"{sum(m.clicks for m in moves)} clicks{planes}{' one way' * report.boomerang}"
    if not sketched:
        proven = all(move.status == OPTIMAL for move in moves)
        return f"{clicks}, {'the fewest possible' if proven else 'the fewest found'}"
    if sketched[0].ends is not None:
        end_clicks = sum(move.ends or 0 for move in sketched)
        fade = sum(move.fade for move in sketched)
        parts = [f"{fade} for the fade", f"{end_clicks} for its ends"]
        if len(sketched) < len(moves):
            parts.insert(0, f"{sum(m.clicks for m in moves) - fade - end_clicks} for clips")
        clicks += f", {', '.join(parts[:-1])} and {parts[-1]}"
    mean = sum(move.mean_error for move in sketched) / len(sketched)
    worst = max(move.worst_error for move in sketched)
    return (
        f"{clicks}; blurred by one cell, frames differ from the fade by {mean:.3f} on average, "
        f"{worst:.3f} at most (1 is black for white)"
    )


def _format_wrong_cells(report: Report) -> str:
    if report.sketched and report.sketched[0].ends is None:
        return "the film is a sketch, which only approximates the pictures"
    if not any(picture.wrong for picture in report.pictures):
        return "every picture can be reached exactly"
    optimal = all(picture.status == OPTIMAL for picture in report.pictures)
    by, superlative = "", "fewest"
    if report.board.get("levels", 2) > 2:
        levels = " and ".join(str(picture.distance) for picture in report.pictures)
        by, superlative = f" by {levels} levels in total", "least"
    quality = f"the {superlative} {'possible' if optimal else 'found'}"
    counts = " and ".join(map(_format_wrong_cell_count, report.pictures))
    return f"{counts} cells differ from the pictures{by}, {quality}"


def _format_wrong_cell_count(picture: PictureReport) -> str:
    mean = getattr(picture, "mean_wrong", None)  # only clips have a mean
    return str(picture.wrong) if mean is None else f"up to {picture.wrong} (on average {mean:g})"


def _format_file_size(path: Path) -> str:
    if path.is_dir():
        return f"{len(list(path.iterdir()))} files"
    size = path.stat().st_size
    return f"{size / 1000:.0f} kB" if size < 1_000_000 else f"{size / 1e6:.1f} MB"


def solution_in_words(
    solution: Solution, sequence: ClickSequence | None, words: tuple[str, str], press: str
) -> str:
    """Describe a solution; ``words`` are the arguments START and GOAL of the command."""
    start = {"on": "the lit board", "off": "the dark board"}.get(words[0], "the start")
    goal = f"all {words[1]}" if words[1] in ("on", "off") else "the goal"
    into = goal if goal != "the goal" else f"into {goal}"
    count = _format_solution_count(solution.board)
    reach = f"only 1 in {count} configurations can be reached from a given start"
    reach = f"No clicks turn {start} {into}: {reach}."
    if sequence is None:
        return f"{reach} Add --nearest to get as near as possible."
    if sequence.count == 0 and solution.accessible:
        return f"{start.capitalize()} is {goal} already: there is nothing to click."
    sentences = []
    if (near := solution.nearest) is not None:
        differ = "1 cell differs" if near.wrong == 1 else f"{near.wrong} cells differ"
        if solution.board.levels > 2:
            differ += f" by {pluralize(near.distance, 'level')} in total"
        goal = f"the nearest board that can be reached, where {differ} ({_quality_in_words(near)})"
        into, sentences = f"into {goal}", [reach]
    if sequence.count == 0:
        return " ".join([*sentences, f"{start.capitalize()} is {goal}: there is nothing to click."])
    legally = "" if press == "any" else f", each cell {press} when it is clicked"
    worth = _quality_in_words(sequence)
    if near is not None and sequence.status == OPTIMAL:
        worth = "the fewest that lead to it"  # another nearest board may need fewer
    sentences += [f"{_format_clicks_with_verb(sequence.count)} {start} {into}{legally}: {worth}."]
    if press == "any":
        others = f"{count} click sets have" if solution.board.nullity else "No other click set has"
        sentences += [f"{others} this result."]
    return " ".join([*sentences, CUT_SHORT_NOTE] if solution.cut_short else sentences)


def click_order_in_words(sequence: ClickSequence) -> str:
    """List the clicks in their order."""
    cells = " ".join(f"{row},{column}" for row, column in sequence.places)
    return f"Click in this order (row,column, counted from 0):\n{cells}"


def board_in_words(board: Board) -> str:
    """Describe a board in several lines."""
    wrapped = ", opposite edges joined" if board.wrap else ""
    does = "flips" if board.levels == 2 else "raises"
    return "\n".join(
        [
            f"{_format_board_cells(board)}{wrapped}: a click {does} {board.says}",
            f"rank {board.rank}, nullity {board.nullity}",
            *_nullity_in_words(board),
        ]
    )


def hardest_start_in_words(hardest: HardestStart) -> str:
    """Describe how many clicks the hardest start of a board needs."""
    if hardest.status == OPTIMAL:
        return f"the hardest start needs {pluralize(hardest.count, 'click')} (proven)"
    return f"the hardest start needs {hardest.count} to {hardest.bound} clicks"


def _nullity_in_words(board: Board) -> tuple[str, ...]:
    if not board.nullity:
        return (
            "no quiet patterns: every set of clicks changes something",
            "every configuration can be reached from every other, by exactly one click set",
        )
    count, quiet = _format_solution_count(board), "1 quiet pattern"
    if board.nullity > 1:
        quiet = f"{board.nullity} independent quiet patterns"
    return (
        f"{quiet}: sets of clicks that change nothing",
        f"from a given start only 1 in {count} configurations can be reached, "
        f"each by {count} click sets",
        *([UNSOLVABLE_REASON] if board.levels == 2 else []),
    )


def puzzle_in_words(posed: PosedPuzzle, seed: int) -> str:
    """Describe a puzzle."""
    text = f"{_format_clicks_with_verb(posed.count)} all lights off (proven minimum); seed {seed}"
    if posed.bound is not None:
        text += f"; no start needs more than {posed.bound}"
    return f"{_format_board_cells(posed.board)}; {text}{_note_if_cut_short([posed])}"


def puzzle_links_in_words(puzzles: Sequence[PosedPuzzle], outputs: Sequence[Path]) -> list[str]:
    """Return a line for each puzzle with a link that opens it on the page written, if any."""
    page = next((quote(path.name) for path in outputs if path.suffix.lower() == ".html"), "")
    if outputs and not page:  # without outputs, links are for a page that was written before
        return []
    linked = [(pluralize(posed.count, "click"), posed.link) for posed in puzzles if posed.link]
    return [f"link to the puzzle of {clicks}: {page}{link}" for clicks, link in linked]


def worksheet_in_words(puzzles: Sequence[PosedPuzzle], seed: int) -> str:
    """Describe a worksheet of Lights Out."""
    first, last = puzzles[0], puzzles[-1]
    clicks = pluralize(last.count, "click")
    if first.count < last.count:
        clicks = f"{first.count} to {clicks}"
    elif len(puzzles) > 1:
        clicks += " each"
    text = f"{pluralize(len(puzzles), 'puzzle')} of {_format_board_cells(first.board)}; {clicks}"
    return f"{text} (proven minimum); seed {seed}{_note_if_cut_short(puzzles)}"


def related_puzzles_in_words(puzzles: Sequence[WellPosedPuzzle], seed: int) -> str:
    """Describe a worksheet of related puzzles."""
    first, last = puzzles[0].count, puzzles[-1].count
    text = f"{pluralize(len(puzzles), 'puzzle')} of {puzzles[0].puzzle}"
    text += f", {_format_board_cells(puzzles[0].board)}"
    given_cells = f"{first} to {last}" if first != last else str(last)
    return f"{text}, {given_cells} of them given; each has one answer (proven); seed {seed}"


def format_verdict_lines(
    file: Path, proof: Verification, targets: Sequence[str], clicks_target: str | None = None
) -> Iterator[str]:
    """Yield the lines of the report on a file that is legal."""
    parts = [
        f"{proof.columns}x{proof.rows} cells, rule {proof.rule}{', wrapped' if proof.wrap else ''}"
        f"{f', {proof.levels} levels' if proof.levels > 2 else ''}",
        pluralize(proof.frames, "frame"),
    ]
    if proof.seconds is not None:
        parts[-1] += f", {proof.seconds:g} s"
    if proof.clicks is not None:
        planes = " in three colour planes" * (proof.boards == 3)
        parts.append(f"{proof.clicks} clicks{planes}, at most {proof.most_clicks} per frame")
    yield f"{file} is legal: {'; '.join(parts)}."
    differences = [pluralize(wrong, "wrong cell") for wrong in proof.wrong or []]
    differences += [f"blurred error {error:.3f}" for error in proof.errors or []]
    for target, difference, frame in zip(targets, differences, proof.shown or [], strict=False):
        yield f"{target}: {difference} in frame {frame}."
    if proof.clicks_error is not None:
        yield f"{clicks_target}: the clicks have a blurred error of {proof.clicks_error:.3f}."
    yield from proof.notes


def _format_clicks_with_verb(count: int) -> str:
    return f"{pluralize(count, 'click')} {'turns' if count == 1 else 'turn'}"


def _note_if_cut_short(puzzles: Iterable[PosedPuzzle]) -> str:
    return f"\n{CUT_SHORT_NOTE}" if any(posed.cut_short for posed in puzzles) else ""


def _format_board_cells(board: Board) -> str:
    return f"{board.columns}x{board.rows} cells{levels_in_words(board.levels)}"


def _quality_in_words(answer: Nearest | ClickSequence) -> str:
    worse = f"the fewest found, with a lower bound of {answer.bound}"
    return "the fewest possible" if answer.status == OPTIMAL else worse


def _format_solution_count(board: Board) -> str:
    count = board.levels**board.nullity
    return str(count) if count <= MAX_WRITTEN_POWER else f"{board.levels}^{board.nullity}"
