"""The words on a worksheet, for sheets in other languages than English."""

from collections.abc import Mapping
from pathlib import Path
from unicodedata import normalize

from lightsanim.errors import OptionError
from lightsanim.options.checks import check_path, hidden_character, read_toml, shown, unknown_names

# What can be said otherwise: two texts, and words that stand in a line.
TEXTS = ("task", "solution")
WORDS = (*TEXTS, "off", "on", "name", "answers", "fewest", "given", "mine", "clicks", "seed")

# Characters, at most.
MAX_TEXT, MAX_WORD = 600, 40


def to_words(value: str | Path | Mapping[str, str]) -> dict[str, str]:
    """Words by their names, given so or as the path of a TOML file.

    >>> to_words({"name": "Imi\\u0119"})
    {'name': 'Imi\u0119'}
    >>> to_words({"nmae": "Imi\\u0119"})
    Traceback (most recent call last):
    ...
    lightsanim.errors.OptionError: words: unknown word 'nmae'; did you mean name? known: task, ...
    """
    words = value if isinstance(value, Mapping) else read_toml(check_path("words", value))
    source = "words" if isinstance(value, Mapping) else str(value)
    for problem in unknown_names("word", words, WORDS):
        mark = "" if problem.endswith("?") else ";"
        raise OptionError(f"{source}: {problem}{mark} known: {', '.join(WORDS)}", "words")
    return {name: _line(source, name, words[name]) for name in words}


def composed(text: str) -> str:
    """A text with letters and their accents in one, as fonts have them.

    >>> len("z\u0301"), len(composed("z\u0301"))
    (2, 1)
    """
    return normalize("NFC", text) if isinstance(text, str) else text


def _line(source: str, name: str, value: object) -> str:
    line = composed(" ".join(value.split())) if isinstance(value, str) else ""
    most = MAX_TEXT if name in TEXTS else MAX_WORD
    if hidden := hidden_character(line):
        raise OptionError(f"{source}: {name} must be printed; leave out {hidden}", "words")
    if not isinstance(value, str) or len(line) > most:
        wanted = f"{name} must be a text of at most {most} characters"
        raise OptionError(f"{source}: {wanted}, not {shown(value)}", "words")
    return line
