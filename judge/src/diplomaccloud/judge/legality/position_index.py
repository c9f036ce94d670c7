"""An index of one position for reading orders: units by province, and coasts for fleets."""

from functools import cached_property

from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.convoy_routes import Seas, fleets_at_sea
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.legality.refusal import Refusal
from diplomaccloud.judge.messages.refusals import RefusalKey
from diplomaccloud.judge.messages.values import Parameter, Place, PowerName
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import DEFAULT, RuleSet
from diplomaccloud.judge.units import Unit

ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET


class PositionIndex:
    """Finds units, provinces and coasts for one position and rule set, or raises `Refusal`."""

    def __init__(self, board: Board, position: Position, rules: RuleSet = DEFAULT) -> None:
        self.board = board
        self.position = position
        self.rules = rules
        self.map = geography(board)
        self.at = {unit.province: unit for unit in position.units}

    @cached_property
    def fleets(self) -> Seas:
        """The sea provinces where a fleet stands."""
        return fleets_at_sea(self.board, self.position)

    def refusal(self, key: RefusalKey, **parameters: Parameter) -> Refusal:
        """Return a refusal with this board's names of places and powers."""
        return Refusal(key, self.map, **parameters)

    def require_own(self, power: Power, place: ProvinceCode) -> Unit:
        """Return the unit of `power` in `place`; raise `Refusal` if there is none."""
        unit = self.at.get(place)
        if unit is not None and unit.power == power:
            return unit
        self.require_province(place)
        if unit is None:
            raise self.refusal(RefusalKey.NO_OWN_UNIT, power=PowerName(power), place=Place(place))
        raise self.refusal(
            RefusalKey.FOREIGN_UNIT, power=PowerName(power), unit=unit, owner=PowerName(unit.power)
        )

    def require_province(self, place: ProvinceCode) -> None:
        """Raise `Refusal` if the board has no province `place`."""
        if place not in self.map.names:
            raise self.refusal(RefusalKey.NOT_A_PROVINCE, place=Place(place))

    def require_coast(self, to: Location, *, army: bool) -> None:
        """Raise `Refusal` for a coast that the unit or the province cannot use (DATC 4.B.6)."""
        if "/" not in to or self.rules.ignore_needless_coast:
            return
        goal = province_of(to)
        if army or to not in self.map.landings.get(goal, ()):
            self.require_province(goal)
            raise self.refusal(RefusalKey.NO_SUCH_COAST, place=Place(goal), coast=Place(to))

    def find_landing(self, unit: Unit, to: Location) -> Location:
        """Return the only possible location for a fleet ordered to `to`, or raise `Refusal`."""
        near = self.map.places[FLEET].get(unit.location, frozenset())
        if to in near:
            return to
        goal = province_of(to)
        landings = self.map.landings.get(goal, ())
        reached = [place for place in landings if place in near]
        if not reached:
            raise self.no_way_error(unit, goal)
        self.require_coast(to, army=False)
        coastless = "/" not in to or to not in landings
        rules, single = self.rules, len(landings) == 1
        if coastless and len(reached) == 1 and (single or rules.fill_in_only_coast):
            return reached[0]
        if (coastless and len(reached) > 1 and rules.default_move_coast) or (
            not coastless and rules.mend_impossible_coast
        ):
            return reached[0]
        choices = tuple(reached)
        if not coastless:
            key, here = RefusalKey.COAST_OUT_OF_REACH, unit.province
            raise self.refusal(
                key,
                here=Place(here),
                place=Place(goal),
                choices=tuple(map(Place, choices)),
                coast=Place(to),
            )
        several = len(reached) > 1
        key = RefusalKey.COAST_NEEDED_WITHIN_REACH if several else RefusalKey.COAST_NEEDED
        raise self.refusal(key, place=Place(goal), choices=tuple(map(Place, choices)))

    def no_way_error(self, unit: Unit, goal: ProvinceCode) -> Refusal:
        """Return a refusal that says why `unit` cannot go to `goal`, and where it can go."""
        if goal not in self.map.names:
            return self.refusal(RefusalKey.NOT_A_PROVINCE, place=Place(goal))
        if goal == unit.province:
            return self.refusal(RefusalKey.ALREADY_THERE, unit=unit)
        if unit.kind is ARMY and goal in self.map.seas:
            return self.refusal(RefusalKey.ARMY_TO_WATER, place=Place(goal))
        if unit.kind is FLEET and not self.map.landings.get(goal):
            return self.refusal(RefusalKey.FLEET_TO_INLAND, place=Place(goal))
        near = self.map.reach[unit.kind].get(unit.location, frozenset())
        choices = tuple(sorted(near, key=self.map.names.__getitem__))
        convoyable = unit.kind is ARMY and {unit.province, goal} <= self.map.ports
        key = _no_way_key(
            touches=goal in self.map.around[unit.province],
            stuck=not choices,
            convoyable=convoyable,
        )
        return self.refusal(
            key,
            unit=unit,
            here=Place(unit.location),
            place=Place(goal),
            choices=tuple(map(Place, choices)),
        )


def _no_way_key(*, touches: bool, stuck: bool, convoyable: bool) -> RefusalKey:
    if stuck:
        return RefusalKey.NOWHERE_TO_GO_NO_CONVOY if convoyable else RefusalKey.NOWHERE_TO_GO
    if touches and convoyable:
        return RefusalKey.NO_BORDER_TO_CROSS_NO_CONVOY
    if touches:
        return RefusalKey.NO_BORDER_TO_CROSS
    return RefusalKey.NOT_ADJACENT_NO_CONVOY if convoyable else RefusalKey.NOT_ADJACENT
