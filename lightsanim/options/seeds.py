"""Seeds, drawn where nobody gave one."""

import secrets

from lightsanim.options.table import Settings


def seed_of(settings: Settings) -> int:
    """The seed of the settings, or one drawn at random."""
    return drawn_seed() if settings.seed is None else settings.seed


def drawn_seed() -> int:
    """A seed drawn at random, short enough to type."""
    return secrets.randbelow(10**6)
