"""Load templates of web pages; each page is a single file that includes its scripts and styles."""

import re
from functools import cache
from importlib.resources import files

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape


@cache
def load_templates(*packages: str) -> Environment:
    """Return a Jinja environment with the templates of some packages; it escapes inserted texts."""
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in packages]),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["emphasis"] = _mark_emphasis
    environment.globals["bundle"] = load_bundle
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "allow_nan": False}
    return environment


def _mark_emphasis(text: str) -> Markup:
    # Convert *bold* and _italic_ to HTML elements, and escape the rest.
    html = re.sub(r"\*([^*]+)\*", r"<b>\1</b>", str(escape(text)))
    return Markup(re.sub(r"\b_([^_]+)_\b", r"<i>\1</i>", html))


@cache
def load_bundle(name: str) -> Markup:
    """Return a script or style sheet that `make web` built, without its heading."""
    text = (files("lightsanim.web") / "bundles" / name).read_text("utf-8")
    return Markup(text.partition("\n")[2])


def valid_utf8(name: str) -> str:
    """Replace what is not valid UTF-8 in a name, because file names can contain any bytes."""
    return name.encode("utf-8", "replace").decode()
