"""The orders of one movement phase as lists, with what is decided of them so far."""

from dataclasses import dataclass

from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.orders import MovementOrder
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.units import Unit

NOWHERE = ProvinceCode("")
"""Stands where an order has no such province."""

State = bool | None
"""Decided true, decided false, or (`None`) not yet decided."""


@dataclass(slots=True)
class Battle:
    """Orders matched with each other; every list is indexed by unit.

    `goals` are the provinces moved to, `NOWHERE` for units that do not move. `rivals` are the
    moves into each province; `facing` is the opponent in a head-to-head battle.
    `backers` support a unit's move if it moves, else its hold; `focus` is the province into
    which a matched support is given. `routes` holds the fleets with orders to carry an army
    that goes by convoy, and `None` for every other unit; `cargo` is the army a fleet carries.

    `moves`, `given` and `sails` say whether a move succeeds, a support counts, a convoying
    fleet does its part; for a unit that has no such order they are `False`.
    `drowned` are the fleets whose convoy the paradox rule ended, `stayed` the moves.
    """

    board: Board
    rules: RuleSet
    units: list[Unit]
    orders: list[MovementOrder]
    provinces: list[ProvinceCode]
    powers: list[Power]
    at: dict[ProvinceCode, int]
    goals: list[ProvinceCode]
    rivals: dict[ProvinceCode, list[int]]
    facing: list[int | None]
    backers: list[list[int]]
    focus: list[ProvinceCode]
    routes: list[tuple[int, ...] | None]
    cargo: list[int | None]
    moves: list[State]
    given: list[State]
    sails: list[State]
    drowned: set[int]
    stayed: set[int]

    def attackers(self, unit: int) -> list[int]:
        """Return the units ordered to move to where `unit` stands."""
        return self.rivals.get(self.provinces[unit], _NONE)

    def dislodger(self, unit: int) -> int | None:
        """Return the unit that dislodges `unit`, once every move is decided."""
        if self.moves[unit]:
            return None
        for one in self.attackers(unit):
            if self.moves[one]:
                return one
        return None

    def by_convoy(self, unit: int) -> bool:
        """Return whether `unit` is an army that goes by convoy."""
        return self.routes[unit] is not None


_NONE: list[int] = []
