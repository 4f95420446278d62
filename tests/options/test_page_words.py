"""The languages of pages: their tables, files of words, and pages that carry them."""

import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

import lightsanim as la
from lightsanim.errors import OptionError
from lightsanim.options.page_words import LANGUAGES, PLACEHOLDER, to_page_words

# The plural categories of whole numbers below a million, by Unicode CLDR 46, Language Plural Rules.
PLURALS = {
    "de": {"one", "other"},
    "es": {"one", "other"},
    "fr": {"one", "other"},
    "pl": {"one", "few", "many", "other"},
}

TEXTS = re.compile(r'(?<=id="texts">)\{.*?\}(?=</script>)')


def table(language):
    text = (files("lightsanim.web") / "languages" / f"{language}.toml").read_text("utf-8")
    return tomllib.loads(text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_a_language_is_translated(language):
    words, english, texts = to_page_words(table(language)), table("en"), table(language)
    assert (words.missing, words.text("page.language")) == ((), language)
    assert {section: list(names) for section, names in texts.items()} == {
        section: list(names) for section, names in english.items()
    }
    for section, names in english.items():
        for name, text in names.items():
            forms, own = text, texts[section][name]
            if isinstance(text, dict):
                assert own.keys() == PLURALS[language], name
                forms, own = text["other"], own["other"]
            assert set(PLACEHOLDER.findall(own)) == set(PLACEHOLDER.findall(forms)), name
    pairs = [(texts[s][n], text) for s, names in english.items() for n, text in names.items()]
    assert sum(own == text for own, text in pairs) < len(pairs) / 20  # "Hint", "Film", ...


def test_page_in_a_language_is_proven_as_it_is_alone(run):
    words = ["make", "sample:sun", "sample:moon", "--size", "8", "-o", "f.html@language=de"]
    assert run(*words)[0] == 0
    page = Path("f.html").read_text()
    assert '<html lang="de" dir="ltr"' in page
    assert run("verify", "f.html", "-q") == (0, "", "")
    texts = json.loads(TEXTS.search(page)[0])
    lies = [("play", text) for text in ("Spiel</p>", "Los", "x" * 61, 1)]
    for name, lie in [*lies, ("plai", "Los")]:
        false = {**texts, "player": {**texts["player"], name: lie}}
        Path("g.html").write_text(TEXTS.sub(lambda _: json.dumps(false), page, count=1))  # noqa: B023
        assert run("verify", "g.html", "-q")[0] == 1, (name, lie)


def test_missing_texts_stay_english_and_are_named_in_one_line(run):
    Path("it.toml").write_text(
        'page = {language = "it", direction = "ltr"}\nplayer.play = "Avvia"\n'
    )
    status, _, err = run("pose", "3x3", "--clicks", "2", "-o", "p.html@language=it.toml")
    notes = [line for line in err.splitlines() if "English" in line]
    assert (status, len(notes)) == (0, 1)
    assert "page.flips" in notes[0]
    page = Path("p.html").read_text()
    assert all(part in page for part in ('lang="it"', '"Avvia"', ">Undo<"))
    assert run("verify", "p.html", "-q") == (0, "", "")


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ('player.plai = "x"', "it.toml: .*'player.plai'.*player.play"),
        ('player.play = "<b>x</b>"', "it.toml: player.play .*< and >"),
        (f'player.play = "{"x" * 61}"', "it.toml: player.play .* 60 characters"),
        ('player.play = ""', "it.toml: player.play .* 1 to 60 characters"),
        ("player.play = 7", "it.toml: player.play .*, not 7"),
        ('player.play = "\\u202e"', r"it.toml: player.play .*U\+202E"),
        ('player.play = "{n} {k}"', "it.toml: player.play .*{k}.*'Play'"),
        ('page.language = "italiano"', "it.toml: page.language .*it or pt-BR, not 'italiano'"),
        ('page.direction = "up"', "it.toml: page.direction .*ltr or rtl, not 'up'"),
        ('messages.clicks = "n"', "it.toml: .*'messages.clicks'"),
        ("player", "it.toml as TOML"),
        (None, "cannot read it.toml"),
    ],
)
def test_bad_words_are_refused_in_one_line(refused, text, facts):
    if text is not None:
        Path("it.toml").write_text(text)
    for command in (["lesson"], ["make", "sample:sun", "sample:moon", "--size", "4"]):
        refused([*command, "-o", "x.html@language=it.toml"], 2, "")
    with pytest.raises(OptionError, match=facts) as caught:
        to_page_words(Path("it.toml"))
    assert "\n" not in str(caught.value)


def test_words_survive_a_record_of_options():
    for language in ("pl", {"player": {"play": "Avvia"}}):
        theme = la.Theme(language=language)
        assert la.Theme(language=str(theme.language)) == theme


def test_numbers_plurals_and_directions_are_those_of_the_language(show):
    # By hand: Polish has 1 kliknięcie, 2 kliknięcia, 5 kliknięć (CLDR's examples have the same
    # endings); the board of a page from right to left still runs from left to right.
    film = la.make(["sample:sun", "sample:moon"], size=6, seed=1)
    page = show(film, la.Theme(language="pl"))
    texts = [page.evaluate("n => new Intl.PluralRules('pl').select(n)", n) for n in (1, 2, 5)]
    assert texts == ["one", "few", "many"]
    length = page.locator("#length").text_content()
    assert length.startswith(str(len(film.clicks)))
    assert "klikni" in length
    page = show(film, la.Theme(language={"page": {"language": "ar", "direction": "rtl"}}))
    assert page.evaluate("getComputedStyle(document.querySelector('header')).direction") == "rtl"
    assert page.evaluate("getComputedStyle(document.getElementById('board')).direction") == "ltr"
