"""The functions that show and save boards, results and films; the package connects them."""

from lightsanim.output.drawings.frame_images import frame_arrays, frame_image, frame_images, plot
from lightsanim.output.formats.page import player_frame
from lightsanim.output.look.board_image import board_png, plot_board
from lightsanim.output.saving.save import save, to_bytes

__all__ = [
    "board_png",
    "frame_arrays",
    "frame_image",
    "frame_images",
    "player_frame",
    "plot",
    "plot_board",
    "save",
    "to_bytes",
]
