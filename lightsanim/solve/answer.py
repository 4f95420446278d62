"""The old name of `lightsanim.solve.solution`, until its users import that."""

from lightsanim.solve.solution import Solution as Solution
from lightsanim.solve.solution import click_sets as click_sets
from lightsanim.solve.solution import solve_board as solve_board
