"""A slow list of the legal orders of a movement phase, written from the rules alone.

Shares no code with `legality`, `reading` and `routes`: it looks only at the borders of the
board, and finds convoys by trying every set of the fleets at sea.
"""

from collections.abc import Iterator
from itertools import combinations

from diplomaccloud.judge.board import Board, Terrain
from diplomaccloud.judge.position import Position


class SlowLegality:
    """Lists orders as texts."""

    def __init__(self, board: Board, position: Position) -> None:
        self.near: dict[str, dict[str, set[str]]] = {"A": {}, "F": {}}
        for kind, borders in (("A", board.army_borders), ("F", board.fleet_borders)):
            for one, other in borders:
                self.near[kind].setdefault(one, set()).add(other)
                self.near[kind].setdefault(other, set()).add(one)
        self.terrain = {p.code: p.terrain for p in board.provinces}
        self.ports = [c for c, terrain in self.terrain.items() if terrain is Terrain.COASTAL]
        self.units = [(u.kind.value, str(u.location), u.power) for u in position.units]
        self.at_sea = [
            place for kind, place, _ in self.units if kind == "F" and self._is(place, Terrain.SEA)
        ]

    def _is(self, place: str, terrain: Terrain) -> bool:
        return self.terrain[place[:3]] is terrain

    def _near(self, kind: str, place: str) -> set[str]:
        return self.near[kind].get(place, set())

    def _carried(self, start: str, goal: str, fleets: tuple[str, ...]) -> bool:
        """Whether a chain of `fleets` connects one coast to the other."""
        touching = [f for f in fleets if any(c[:3] == start for c in self._near("F", f))]
        while True:
            more = [f for f in fleets if f not in touching and self._near("F", f) & set(touching)]
            if not more:
                break
            touching += more
        return any(c[:3] == goal for f in touching for c in self._near("F", f))

    def _voyages(self, start: str, fleets: list[str]) -> dict[str, set[str]]:
        """The goals of convoys, each with the fleets of its least sets of fleets."""
        found: dict[str, set[str]] = {}
        if not self._is(start, Terrain.COASTAL):
            return found
        for goal in self.ports:
            if goal == start:
                continue
            least: list[set[str]] = []
            for size in range(1, len(fleets) + 1):
                for chosen in combinations(fleets, size):
                    if any(one <= set(chosen) for one in least):
                        continue
                    if self._carried(start, goal, chosen):
                        least.append(set(chosen))
            if least:
                found[goal] = set().union(*least)
        return found

    def orders(self, power: str) -> Iterator[str]:
        for kind, place, owner in self.units:
            if owner == power:
                yield from self._of(kind, place)

    def _of(self, kind: str, place: str) -> Iterator[str]:
        unit, near = f"{kind} {place}", self._near(kind, place)
        reach = {to[:3] for to in near}
        yield f"{unit} H"
        for to in near:
            yield f"{unit} - {to}"
        if kind == "A":
            for to in self._voyages(place, self.at_sea):
                yield f"{unit} - {to} VIA" if to in near else f"{unit} - {to}"
        for other_kind, other, _ in self.units:
            if other == place:
                continue
            named = f"{other_kind} {other}"
            if other[:3] in reach:
                yield f"{unit} S {named}"
            goals = set(self._near(other_kind, other))
            if other_kind == "A":
                goals |= set(self._voyages(other, [f for f in self.at_sea if f != place]))
                if place in self.at_sea:
                    for goal, needed in self._voyages(other, self.at_sea).items():
                        if place in needed:
                            yield f"{unit} C {named} - {goal}"
            for goal in goals:
                if goal[:3] in reach:
                    yield f"{unit} S {named} - {goal}"
