"""The cells of a frame, as its pixels show them."""


def cell_centres(geometry, frame, part=(0, 0)):
    """The pixels in the middle of the cells of a frame, or of its panel: (rows, columns, ...)."""
    pitch, middle = geometry.cell_pitch, geometry.cell // 2
    corner = zip(geometry.top_left_corner, part, strict=True)
    top, left = (edge + cells * pitch + middle for edge, cells in corner)
    centres = frame[top : top + geometry.rows * pitch : pitch]
    return centres[:, left : left + geometry.columns * pitch : pitch]
