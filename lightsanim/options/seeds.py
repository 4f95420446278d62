"""Seeds, drawn where nobody gave one."""

import secrets

from lightsanim.options.table import Settings


def seed_of(settings: Settings) -> int:
    """The seed of the settings, or one drawn at random, short enough to type."""
    return secrets.randbelow(10**6) if settings.seed is None else settings.seed
