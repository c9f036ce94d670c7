"""One position as orders are read against it: who stands where, and where a fleet may land.

`Refusal` says what is wrong with an order; whoever reads orders raises it.
"""

from collections.abc import Iterable

from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.convoy_routes import fleets_at_sea
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import DEFAULT, RuleSet
from diplomaccloud.judge.units import Unit

ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET


class Refusal(ValueError):
    """What is wrong with an order; the text is one sentence for the player."""


class Ground:
    """A board, a position and rules: finds units, provinces and coasts, or refuses."""

    def __init__(self, board: Board, position: Position, rules: RuleSet = DEFAULT) -> None:
        self.board = board
        self.position = position
        self.rules = rules
        self.map = geography(board)
        self.at = {unit.province: unit for unit in position.units}
        self.fleets = fleets_at_sea(board, position)

    def own(self, power: Power, place: ProvinceCode) -> Unit:
        """Return the unit of `power` in `place`."""
        unit = self.at.get(place)
        if unit is not None and unit.power == power:
            return unit
        where, who = self.known(place), self.map.power(power)
        if unit is None:
            raise Refusal(f"{who} has no unit in {where}: nobody stands there.")
        owner = self.map.power(unit.power)
        raise Refusal(f"{who} has no unit in {where}: the {unit.kind.word} there is {owner}'s.")

    def known(self, place: ProvinceCode) -> str:
        """Return the name of `place`."""
        if place not in self.map.names:
            raise Refusal(f"{place} is no province of this board.")
        return self.map.names[place]

    def check_coast(self, to: Location, army: bool) -> None:
        """Refuse a coast that an army, or the province, has no use for (DATC 4.B.6)."""
        if "/" not in to or self.rules.ignore_needless_coast:
            return
        goal = province_of(to)
        if army or to not in self.map.landings.get(goal, ()):
            coast = to.partition("/")[2].lower()
            raise Refusal(f"{self.known(goal)} has no coast {coast} for it to go to.")

    def landing(self, unit: Unit, to: Location) -> Location:
        """Return the one location that a fleet ordered to `to` means."""
        near = self.map.places[FLEET].get(unit.location, frozenset())
        if to in near:
            return to
        goal = province_of(to)
        landings = self.map.landings.get(goal, ())
        reached = [place for place in landings if place in near]
        if not reached:
            raise Refusal(self.no_way(unit, goal))
        self.check_coast(to, army=False)
        coastless = "/" not in to or to not in landings
        rules, whole = self.rules, len(landings) == 1
        if coastless and len(reached) == 1 and (whole or rules.fill_in_only_coast):
            return reached[0]
        if (coastless and len(reached) > 1 and rules.default_move_coast) or (
            not coastless and rules.mend_impossible_coast
        ):
            return reached[0]
        here, there = self.map.names[unit.province], self.map.names[goal]
        coasts = " or ".join(place.partition("/")[2].lower() for place in reached)
        if coastless:
            within = " within reach" if len(reached) > 1 else ""
            raise Refusal(f"{there} has two coasts{within}: say {coasts}.")
        wrong = to.partition("/")[2].lower()
        raise Refusal(f"A fleet in {here} reaches {there} only on its coast {coasts}, not {wrong}.")

    def no_way(self, unit: Unit, goal: ProvinceCode) -> str:
        """Return why `unit` cannot go to `goal`, and where it can."""
        name, there = self.known(goal), self.map.the(goal)
        here = self.map.the(unit.location)
        if goal == unit.province:
            return f"The {unit.kind.word} already stands in {self.map.the(unit.province)}."
        if unit.kind is ARMY and goal in self.map.seas:
            return f"{name} is water: an army cannot go there."
        if unit.kind is FLEET and not self.map.landings.get(goal):
            return f"{name} is inland: a fleet cannot go there."
        near = self.map.reach[unit.kind].get(unit.location, frozenset())
        touches = goal in self.map.around[unit.province]
        fault = f"{here[:1].upper()}{here[1:]} does not touch {there}"
        if touches:
            fault = f"No {unit.kind.word} can go straight from {here} to {there}"
        by_name = sorted(near, key=self.map.names.__getitem__)
        choice = either([self.map.the(code) for code in by_name])
        convoy = ""
        if unit.kind is ARMY and {unit.province, goal} <= self.map.ports:
            convoy = ", and no fleets at sea could carry it"
        word = "an army" if unit.kind is ARMY else "a fleet"
        if not choice:
            return f"{fault}: {word} there can go nowhere{convoy}."
        return f"{fault}: {word} there can go to {choice}{convoy}."


def either(names: Iterable[str]) -> str:
    """Return `Brest, Burgundy or Picardy`."""
    *others, last = [*names] or [""]
    return f"{', '.join(others)} or {last}" if others else last
