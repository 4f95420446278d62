"""The functions that show and save boards, results and films; the package connects them."""

from lightsanim.output.drawings.frame_images import frame_arrays as frame_arrays
from lightsanim.output.drawings.frame_images import frame_image as frame_image
from lightsanim.output.drawings.frame_images import frame_images as frame_images
from lightsanim.output.drawings.frame_images import plot as plot
from lightsanim.output.formats.page import player_frame as player_frame
from lightsanim.output.look.board_image import board_png as board_png
from lightsanim.output.look.board_image import plot_board as plot_board
from lightsanim.output.saving.save import save as save
from lightsanim.output.saving.save import to_bytes as to_bytes
