"""Films of `photographs`, the greys that their frames should show, and the errors of searches."""

import re

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


def blurred_errors(differences):
    """The root mean square of each board's difference, blurred as the reports of `make` say."""
    from scipy.ndimage import gaussian_filter  # takes most of a second

    blurred = gaussian_filter(differences, (0, 1.3, 1.3), mode="reflect", radius=(0, 6, 6))
    return np.sqrt((blurred**2).mean((1, 2)))


def stated_errors(report):
    """The errors that the one note about them in a report states."""
    [note] = [note for note in report.notes if "errors" in note]
    return [float(error) for error in re.findall(r"\d\.\d+", note)]
