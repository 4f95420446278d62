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
    accessible               reachable by clicks from the all-on board
    quiet pattern, nullity   a click set that flips nothing; the dimension of their space
    syndrome                 one bit for each quiet pattern, all zero exactly when accessible
    target                   the dithered picture
    wrong cell               a cell of an accessible configuration that differs from the target
    light chasing            clearing the board row by row
"""

from lightsanim.animate.animation import Animation
from lightsanim.animate.document import load_animation
from lightsanim.animate.order import order_clicks
from lightsanim.animate.timing import Timing
from lightsanim.board.board import Board
from lightsanim.errors import LightsAnimError
from lightsanim.pictures.dither import Target, dither
from lightsanim.pictures.load import load_picture
from lightsanim.pictures.picture import Picture
from lightsanim.pipeline import make, make_with_report
from lightsanim.render.theme import Theme
from lightsanim.render.write import save_still
from lightsanim.report import Report
from lightsanim.settings import Settings
from lightsanim.solve.chase import chase
from lightsanim.solve.fewest import Fewest, fewest_clicks
from lightsanim.solve.nearest import Nearest, nearest_accessible
from lightsanim.solve.outcome import Deadline, Status
from lightsanim.stages import targets_for
from lightsanim.version import __version__

__all__ = [
    "Animation",
    "Board",
    "Deadline",
    "Fewest",
    "LightsAnimError",
    "Nearest",
    "Picture",
    "Report",
    "Settings",
    "Status",
    "Target",
    "Theme",
    "Timing",
    "__version__",
    "chase",
    "dither",
    "fewest_clicks",
    "load_animation",
    "load_picture",
    "make",
    "make_with_report",
    "nearest_accessible",
    "order_clicks",
    "save_still",
    "targets_for",
]
