"""The functions that show and save boards, results and films; the package connects them."""

from lightsanim.drawings.frame_images import frame_arrays as frame_arrays
from lightsanim.drawings.frame_images import frame_image as frame_image
from lightsanim.drawings.frame_images import frame_images as frame_images
from lightsanim.drawings.frame_images import plot as plot
from lightsanim.formats.page import player_frame as player_frame
from lightsanim.look.board_image import board_png as board_png
from lightsanim.look.board_image import plot_board as plot_board
from lightsanim.saving.save import save as save
from lightsanim.saving.save import to_bytes as to_bytes
