"""The old name of `lightsanim.solve.covering_radius`, until its users import that."""

from lightsanim.solve.covering_radius import Most as Most
from lightsanim.solve.covering_radius import most_clicks as most_clicks
