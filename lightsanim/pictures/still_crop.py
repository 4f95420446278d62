"""Choose the part of a still that is shown if its options name none: from the top of the subject.

A board that is flatter than a portrait shows its middle by default, which beheads it.
"""

from dataclasses import replace

from lightsanim.options.choices import AUTO_FIT
from lightsanim.options.stages import PictureOptions
from lightsanim.options.values import Crop, Position
from lightsanim.pictures.crop import grey_for_search, resolve_focus
from lightsanim.pictures.interest import find_subject_top
from lightsanim.pictures.picture import Picture
from lightsanim.pictures.plain_ground import find_extendable_ground

# Minimum height of a picture, as a multiple of the height that the board shows, for another crop
# than the middle: below this, the middle cuts off at most a twentieth at the top.
MIN_EXCESS = 1.1
# Distance from the upper edge of the crop to the subject, as a share of the crop's height.
HEADROOM = 0.08


def resolve_still_part(
    picture: Picture, options: PictureOptions, aspect: float
) -> tuple[Picture, str | None]:
    """Resolve the focus of a still; without one, record a crop if the still is much taller.

    The crop begins just above the subject, but not below the middle part.  It is one of the
    picture's own options, so that a film is made again with it even if this choice has changed.
    """
    resolved, note = resolve_focus(picture, options, aspect)
    crop, focus = (resolved.own.get(name, getattr(options, name)) for name in ("crop", "focus"))
    height, width = picture.light.shape[:2]
    part_height = max(1, round(width / aspect))
    if crop or focus or options.fit not in (AUTO_FIT, "cover") or height < MIN_EXCESS * part_height:
        return resolved, note
    box, middle = (0, 0, width, height), (height - part_height) // 2
    if options.fit == AUTO_FIT and find_extendable_ground(picture.light, box, aspect) is not None:
        return resolved, note
    subject_top = find_subject_top(grey_for_search(picture)[0]) * height
    top = max(0, round(subject_top - HEADROOM * part_height))
    if top >= middle:
        return resolved, note
    crop = Crop(*(Position(side, False) for side in (0, top, width, top + part_height)))
    return replace(resolved, own={**resolved.own, "crop": crop}), note
