"""The old name of `lightsanim.solve.parallel`, until its users import that."""

from lightsanim.solve.parallel import search_in_parallel as search_side_by_side

__all__ = ["search_side_by_side"]
