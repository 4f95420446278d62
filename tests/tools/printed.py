"""Boards as they are read back from printed pages."""

import re
from dataclasses import dataclass, field
from xml.etree import ElementTree

import numpy as np

from tools.program import ask

# Of a hatch, and of what is drawn in a cell.
INK = ["#969696", "#1a1a1a"]


@dataclass
class Printed:
    """A board on a page; labels: x, y and value of the numbers of its columns and then of its rows;
    marks: the same of what stands in its cells.
    """

    number: int
    count: int
    labels: list = field(default_factory=list)
    marks: list = field(default_factory=list)

    def cells(self, rows, columns, unmarked=0):
        across, down = self.labels[0][0], self.labels[columns][1]
        pitch = self.labels[1][0] - across
        levels = np.full((rows, columns), unmarked, np.uint8)
        for x, y, value in self.marks:
            levels[round((y - down) / pitch), round((x - across) / pitch)] = value
        return levels


def pages_of_pdf(path, numbers):
    """The text of each page, and its boards, which have so many numbers beside them."""
    output = ask("pdftotext", "-raw", "-bbox", path, "-").decode()
    box = r'<word xMin="(\S+)" yMin="(\S+)" xMax="(\S+)" yMax="(\S+)">(.*?)</word>'
    for page in output.split("<page")[1:]:
        # In the order in which they were written.
        words = [(*map(float, edges), word) for *edges, word in re.findall(box, page)]
        text = " ".join(word for *_, word in words)
        boards = []
        for match in re.finditer(r"(\d+) (?:fewest )?clicks: (\d+)( mine)?\b", text):
            boards.append(Printed(int(match[1]), int(match[2])))
            after = words[text[: match.end()].count(" ") + 1 :]
            for left, top, right, bottom, word in after:
                x, y, board = (left + right) / 2, (top + bottom) / 2, boards[-1]
                if not word.isdigit():
                    break
                into = board.labels if len(board.labels) < numbers else board.marks
                into.append((x, y, int(word)))
            # What comes next begins with digits as well.
            del board.marks[len(board.marks) - {"seed": 0}.get(word, 1) :]
        yield text, boards


def boards_in_svg(path):
    """The boards of a page; marks: 0 for the lines of a hatched cell, 1 for dots and drawings."""
    boards = []
    for group in ElementTree.parse(path).getroot():
        for shape in group:
            position = [float(shape.get(name, "nan")) for name in ("x", "y")]
            if group.get("text-anchor") == "middle":
                boards[-1].labels.append((*position, int(shape.text)))
            elif group.get("stroke") and (shape.text or "").isdigit():
                boards.append(Printed(int(shape.text), 0))
            elif boards and re.search("click|given", shape.text or ""):
                boards[-1].count = int(re.search(r"\d+", shape.text)[0])
            elif boards and shape.tag.endswith("circle"):
                boards[-1].marks.append((float(shape.get("cx")), float(shape.get("cy")), 1))
            elif boards and group.get("stroke") in INK:
                line = r"M([\d.]+) ([\d.]+)(?:L([\d.]+) ([\d.]+)|H([\d.]+))"
                for x, y, right, down, level in re.findall(line, shape.get("d", "")):
                    middle = float(x) + float(right or level), float(y) + float(down or y)
                    mark = INK.index(group.get("stroke"))
                    boards[-1].marks.append((middle[0] / 2, middle[1] / 2, mark))
    return boards
