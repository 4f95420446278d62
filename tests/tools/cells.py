"""The cells of a frame, as its pixels show them."""


def cell_centres(geometry, frame, part=None):
    """The pixels in the middle of the cells of a frame, or of its panel: (rows, columns, ...)."""
    return frame[geometry.slices_at_cell_offset(geometry.cell // 2, geometry.cell // 2, part)]
