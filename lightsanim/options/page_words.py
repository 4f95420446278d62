"""The texts on HTML pages and worksheets, in a shipped language or from a file of the user."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias
from unicodedata import normalize

from attrs import field, frozen

from lightsanim.errors import OptionError
from .checks import find_hidden_character, quote_value, read_toml, unknown_names_error

LANGUAGES = ("de", "es", "fr", "pl")  # ISO 639 codes of the shipped languages, without English

# Sections of texts that the scripts and the HTML of each kind of page use.
SCRIPT_SECTIONS: Mapping[str, tuple[str, ...]] = {
    "player": ("page", "messages", "rules", "player"),
    "puzzle": ("page", "messages", "rules", "player", "puzzle"),
    "exhibit": ("page", "messages", "rules", "exhibit"),
    "abbott": ("messages", "abbott_messages"),
    "clues": ("messages", "clues_messages"),
    "lesson": ("messages", "lesson_messages"),
}
HTML_SECTIONS: Mapping[str, tuple[str, ...]] = {
    "abbott": ("page", "relative", "abbott"),
    "clues": ("page", "relative", "clues"),
    "lesson": ("page", "rules", "lesson"),
    "sheet": ("sheet",),
}

# A language code with an optional script and region: a subset of BCP 47.
LANGUAGE_RE = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?")
DIRECTIONS = ("ltr", "rtl")
# Unicode's plural categories; a language uses some of them, and always "other".
PLURAL_CATEGORIES = ("zero", "one", "two", "few", "many", "other")
# A text may be 3 times as long as the English text; 60 characters are always allowed.
MAX_GROWTH, MIN_ALLOWED_LENGTH = 3, 60
PLACEHOLDER = re.compile(r"\{(\w+)\}")


@frozen(eq=True, hash=False)
class PageWords:
    """All texts of pages in one language; missing texts are replaced by the English ones."""

    texts: Mapping[str, str]  # Texts by section.name, for plurals section.name.category.
    missing: tuple[str, ...] = field(default=(), eq=False)  # Names of the texts left in English.

    def __str__(self) -> str:
        """Return the code of a shipped language, or JSON that `to_page_words` can parse."""
        codes = (code for code in LANGUAGES if _load_language(code) == self.texts)
        return next(codes, None) or json.dumps(self.texts)

    def __hash__(self) -> int:
        return hash(frozenset(self.texts.items()))

    def text(self, name: str, /, **values: object) -> str:
        """Return a text with values in place of its placeholders."""
        return PLACEHOLDER.sub(lambda match: str(values[match[1]]), self.texts[name])

    def script_texts(self, page: str) -> dict[str, dict[str, str]]:
        """Return the texts that the scripts of a kind of page need, by section and name."""
        return self.sections(*SCRIPT_SECTIONS[page])

    def sections(self, *names: str) -> dict[str, dict[str, str]]:
        """Return the texts of some sections, by section and name."""
        tables: dict[str, dict[str, str]] = {}
        for key, text in self.texts.items():
            section, name = key.split(".", 1)
            if section in names:
                tables.setdefault(section, {})[name] = text
        return tables

    def missing_on(self, page: str) -> list[str]:
        """Return the names of missing texts, which a kind of page shows in English."""
        sections = SCRIPT_SECTIONS.get(page, ()) + HTML_SECTIONS.get(page, ())
        return [name for name in self.missing if name.split(".")[0] in sections]


# Words as users give them: language code, path, JSON, texts by section and name, None (English).
WordsLike: TypeAlias = str | Path | Mapping[str, Any] | PageWords | None


def to_page_words(value: WordsLike) -> PageWords:
    """Convert a language code, a TOML file's path, JSON or a mapping to words.

    None means English.  A string is never taken for a path: see `resolve_file_options`.
    """
    if value is None or isinstance(value, PageWords):
        return value or english_words()
    if value in LANGUAGES:
        return PageWords(_load_language(str(value)))
    source, tables = "language", value
    if isinstance(value, Path):
        source, tables = str(value), read_toml(value)
    elif isinstance(value, str) and value.startswith("{"):
        with suppress(ValueError, RecursionError):  # refused below, as other texts are
            tables = json.loads(value)
    if not isinstance(tables, Mapping):
        expected = f"language must be {', '.join(LANGUAGES)} or a .toml file"
        raise OptionError(f"{expected}, not {quote_value(value)}", "language")
    return _complete(source, dict(_flatten(tables)))


def english_words() -> PageWords:
    """Return the English texts, in the order of their file."""
    return PageWords(_load_language("en"))


def page_words_from_sections(tables: Any) -> PageWords | None:
    """Return the language whose sections a page contains, or None for English."""
    for words in (english_words(), *map(to_page_words, LANGUAGES)):
        if isinstance(tables, Mapping) and words.sections(*tables) == tables:
            return None if words == english_words() else words
    return to_page_words(tables)


def normalize_nfc(text: str) -> str:
    """Combine letters and their accents into single characters, as fonts expect."""
    return normalize("NFC", text) if isinstance(text, str) else text


@cache
def _load_language(code: str) -> Mapping[str, str]:
    file = files("lightsanim.web") / "languages" / f"{code}.toml"
    return dict(_flatten(tomllib.loads(file.read_text("utf-8"))))


def _flatten(tables: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in tables.items():
        if isinstance(value, Mapping) and prefix.count(".") < 2:
            yield from _flatten(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _complete(source: str, texts: Mapping[str, Any]) -> PageWords:
    english, known = english_words().texts, dict(english_words().texts)
    for name in english:
        stem, _, category = name.rpartition(".")
        if category == "other":
            known |= {f"{stem}.{other}": english[name] for other in PLURAL_CATEGORIES}
    if worksheet := [name for name in texts if f"sheet.{name}" in english]:
        advice = "stands under [sheet], with {n} in place of {count}"
        raise OptionError(f"{source}: {worksheet[0]} {advice}", "language")
    for problem in unknown_names_error("text", texts, known):
        raise OptionError(f"{source}: {problem}", "language")
    checked = {name: _check_text(source, name, text, known[name]) for name, text in texts.items()}
    stems = {name.rpartition(".")[0] for name in checked if name.count(".") == 2}
    # Languages have different plural categories, so only "other" is required.
    needed = [n for n in english if n.rpartition(".")[0] not in stems or n.endswith(".other")]
    missing = tuple(name for name in needed if name not in checked)
    complete = {name: checked.get(name, known[name]) for name in (*needed, *checked)}
    return PageWords({name: complete[name] for name in known if name in complete}, missing)


def _check_text(source: str, name: str, value: object, english: str) -> str:
    text = normalize_nfc(" ".join(value.split())) if isinstance(value, str) else ""
    max_length = max(MIN_ALLOWED_LENGTH, MAX_GROWTH * len(english))
    names = sorted(set(PLACEHOLDER.findall(text)) - set(PLACEHOLDER.findall(english)))
    expected = f"must be a text of 1 to {max_length} characters"
    if not text or len(text) > max_length:
        problem = f"{expected}, not {quote_value(value)}"
    elif hidden := find_hidden_character(text):
        problem = f"must be printable; leave out {hidden}"
    elif "<" in text or ">" in text:
        problem = f"must be plain text without < and >, not {quote_value(value)}"
    elif names:
        problem = f"has an unknown placeholder {{{names[0]}}}; the English text is {english!r}"
    elif name == "page.language" and not LANGUAGE_RE.fullmatch(text):
        problem = f"must be a language code such as it or pt-BR, not {text!r}"
    elif name == "page.direction" and text not in DIRECTIONS:
        problem = f"must be {' or '.join(DIRECTIONS)}, not {text!r}"
    else:
        return text
    raise OptionError(f"{source}: {name} {problem}", "language")
