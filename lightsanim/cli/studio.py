"""The command `studio`."""

from collections.abc import Sequence
from importlib.util import find_spec

from lightsanim.errors import OutputError
from lightsanim.options.checks import check_whole_number
from .completion import complete_picture_word
from .messages import print_message
from .parameters import argument, command, option


@command(
    argument(
        "pictures",
        "PICTURE...",
        "Pictures and clips to open in the studio.",
        several=True,
        required=False,
        complete=complete_picture_word,
    ),
    option("--port", "Page", "Port to listen on, 1 to 65535.", "N", kind=int, unset="a free port"),
    option("--browser/--no-browser", "Page", "Open the page in the browser.", default=True),
    option("--lan", "Page", "Let other devices in this network join by a one-time code."),
)
def studio(*, pictures: Sequence[str], port: int | None, browser: bool, lan: bool) -> None:
    """Make animations in the browser, with a live preview.

    Only this machine can open the page, unless --lan is given. Pictures and animations in the
    studio are lost when it ends.

    Example: lightsanim studio sample:sun sample:moon
    """
    if not all(map(find_spec, ("starlette", "uvicorn"))):
        raise OutputError("studio needs more packages: pip install 'lightsanim[studio]'")
    if port is not None:
        check_whole_number("port", port, 1, 65_535)
    from lightsanim.apps.studio.run import find_network_address, run_studio
    from lightsanim.options.picture_options import parse_source_word, per_picture_options
    from lightsanim.options.records import to_json_values

    begin = [
        (path, to_json_values(per_picture_options(own)))
        for path, own in map(parse_source_word, pictures)
    ]
    address = find_network_address() if lan else None
    run_studio(begin, port=port or 0, browser=browser, lan=address, say=print_message)
