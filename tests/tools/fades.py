"""Films of `photographs`, and the greys that their frames should show."""

import numpy as np

import lightsanim as la


def greys_of(pictures, board, **options):
    """Of each picture the grey of each of its boards: (pictures, boards, rows, columns)."""
    settings = la.Settings(**options)
    loaded = [la.load_picture(picture, rgb=settings.rgb) for picture in pictures]
    return np.array([[t.grey for t in la.targets_for(p, board, settings)] for p in loaded], float)


def frames_of(film):
    """(frames, boards, rows, columns), as whole numbers."""
    frames = np.array(list(film.configurations())).astype(int)
    return frames.reshape(len(frames), -1, *film.board.shape)
