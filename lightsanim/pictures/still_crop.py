"""Choose the part of a still that is shown, from the top of its subject, and an inversion.

A board that is flatter than a portrait would show its middle, which beheads it.
"""

from dataclasses import replace

from lightsanim.options.choices import AUTO_FIT
from lightsanim.options.settings import Settings
from lightsanim.options.stages import PictureOptions
from lightsanim.options.values import Crop, Position
from lightsanim.pictures.crop import grey_for_search, resolve_focus
from lightsanim.pictures.interest import find_subject_top
from lightsanim.pictures.picture import Picture
from lightsanim.pictures.plain_ground import find_extendable_ground, invert_on_light_ground
from lightsanim.pictures.targets import merge_picture_options

# Minimum height of a picture, as a multiple of the height that the board shows, for another crop
# than the middle: below this, the middle cuts off at most a twentieth at the top.
MIN_EXCESS = 1.1
# Distance from the upper edge of the crop to the subject, as a share of the crop's height.
HEADROOM = 0.08


def resolve_still(
    picture: Picture, settings: Settings, aspect: float
) -> tuple[Picture, str | None]:
    """Record in a still's own options what is chosen for it alone; return a note, too, or None.

    These are the part of a focus, the part of a still much taller than the board, and an inversion.
    A film is made again with them even if such a choice has changed.
    """
    picture, note = resolve_focus(picture, merge_picture_options(settings, picture), aspect)
    picture = _crop_above_subject(picture, merge_picture_options(settings, picture), aspect)
    options = merge_picture_options(settings, picture)
    picture, dark_note = invert_on_light_ground(picture, options, aspect)
    return picture, "; it ".join(filter(None, [note, dark_note])) or None


def _crop_above_subject(picture: Picture, options: PictureOptions, aspect: float) -> Picture:
    # The crop begins just above the subject, but not below the middle part.
    height, width = picture.light.shape[:2]
    part_height, is_cut = max(1, round(width / aspect)), options.fit in (AUTO_FIT, "cover")
    if options.crop or options.focus or not is_cut or height < MIN_EXCESS * part_height:
        return picture
    box, middle = (0, 0, width, height), (height - part_height) // 2
    if options.fit == AUTO_FIT and find_extendable_ground(picture.light, box, aspect) is not None:
        return picture
    subject_top = find_subject_top(grey_for_search(picture)[0]) * height
    top = max(0, round(subject_top - HEADROOM * part_height))
    if top >= middle:
        return picture
    crop = Crop(*(Position(side, False) for side in (0, top, width, top + part_height)))
    return replace(picture, own={**picture.own, "crop": crop})
