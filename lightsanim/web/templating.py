"""Templates of pages: each page is one small file with its scripts and styles."""

import re
from functools import cache, lru_cache

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape


@cache
def load_templates(*packages: str) -> Environment:
    """Return the templates of some packages, autoescaped; scripts and styles stay as written."""
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in packages]),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["emphasis"] = _mark_emphasis
    environment.filters["bare"] = _strip_script
    environment.filters["close"] = _minify_css
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "allow_nan": False}
    return environment


def _mark_emphasis(text: str) -> Markup:
    # *bold* and _italic_ as elements of HTML, all else escaped.
    html = re.sub(r"\*([^*]+)\*", r"<b>\1</b>", str(escape(text)))
    return Markup(re.sub(r"\b_([^_]+)_\b", r"<i>\1</i>", html))


@lru_cache(16)  # the pages of a gallery share their scripts
def _strip_script(script: str) -> str:
    # Remove comments, except those that begin with /*!, and empty lines; indent by tabs.
    comments = r"^ *//.*\n|(?<=[,;{]) +// .*$|^/\*(?!!)[^*]*\*/\n*"
    bare = re.sub(comments, "", script, flags=re.MULTILINE)
    bare = re.sub("\n\n+", "\n", bare)
    tabs = re.compile("^((?:  )+)(?! )", re.MULTILINE)
    return tabs.sub(lambda spaces: "\t" * (len(spaces[0]) // 2), bare)


def _minify_css(style: str) -> str:
    # Remove comments and unneeded spaces, and put each rule on a line.
    bare = re.sub(r"/\*[^*]*\*/\n?|^ +", "", style, flags=re.MULTILINE)
    return re.sub(r"(?<=[,:;{])\s|\s(?=[{}])|;(?=\s*\})", "", bare)


def valid_utf8(name: str) -> str:
    """Return a name as valid UTF-8: file names can hold other bytes."""
    return name.encode("utf-8", "replace").decode()
