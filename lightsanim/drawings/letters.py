"""The letters of Helvetica, which PDFs need no file for: how wide they are, and which it lacks."""

# Western European, with dashes and quotation marks.
ENCODING = "cp1252"


def width_of(words: str, height: float, *, bold: bool = False) -> float:
    """How wide words are; letters that the font lacks are taken to be as wide as high.

    >>> width_of("A", 1000), width_of("A", 1000, bold=True), width_of("\\u4e00", 1000)
    (667.0, 722.0, 1000.0)
    """
    from fpdf.fonts import CORE_FONTS_CHARWIDTHS  # takes a fifth of a second

    widths = CORE_FONTS_CHARWIDTHS["helveticaB" if bold else "helvetica"]
    # The keys of the table are the bytes, as if they were of Latin-1.
    letters = words.encode(ENCODING, "ignore").decode("latin-1")
    return (sum(map(widths.__getitem__, letters)) / 1000 + len(words) - len(letters)) * height


def missing_letters(words: str) -> str:
    """The letters of a text that the font lacks, each once.

    >>> missing_letters("Caf\\u00e9 \\u2013 \\u4e2d\\u6587")
    '\\u4e2d\\u6587'
    """
    missing = (letter for letter in words if not letter.encode(ENCODING, "ignore"))
    return "".join(dict.fromkeys(missing))
