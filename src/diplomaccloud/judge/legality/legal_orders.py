"""Which orders may be given, and what is wrong with those that may not."""

from collections.abc import Iterator

from diplomaccloud.judge.balance import adjustments_owed, build_sites
from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.convoy_routes import Seas, convoy_fleets, convoy_goals
from diplomaccloud.judge.legality.move_reader import heeds_via
from diplomaccloud.judge.legality.position_index import Ground
from diplomaccloud.judge.legality.reader import Reader, Refusal
from diplomaccloud.judge.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import DEFAULT, ConvoyPath, RuleSet
from diplomaccloud.judge.units import Unit

ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET


def legal_orders(
    board: Board, position: Position, power: Power | None = None, rules: RuleSet = DEFAULT
) -> tuple[Order, ...]:
    """Return every legal order of `power`, or of all powers, in this phase, by unit, each once.

    For each unit: its hold, moves by land or sea, moves by a convoy that the fleets now at
    sea could carry out, supports and convoys. A move by convoy to a province that touches is
    marked `via_convoy`, and left out where `rules` do not heed the mark; one to a province
    that does not touch needs no mark. Where an army must name its seas (DATC 4.A.6), it names
    all that could be needed. Supports of a fleet name its coast. A power that has nothing to
    order gets no orders.
    """
    match position.phase.stage:
        case Stage.MOVEMENT:
            return tuple(_Moves(board, position, rules).of(power))
        case Stage.RETREATS:
            return tuple(_retreats(position, power))
        case Stage.ADJUSTMENTS:
            powers = board.power_info if power is None else (power,)
            return tuple(
                one for each in powers for one in _adjustments(board, position, each, rules)
            )


def why_illegal(
    board: Board, position: Position, power: Power, order: Order, rules: RuleSet = DEFAULT
) -> str | None:
    """Return one sentence on what is wrong with `order`, or `None` if `power` may give it.

    A detail that can have only one meaning, such as a coast left out where just one is
    within reach, is no fault.
    """
    try:
        Reader(board, position, rules).read(power, order)
    except Refusal as refusal:
        return str(refusal)
    return None


def is_legal(
    board: Board, position: Position, power: Power, order: Order, rules: RuleSet = DEFAULT
) -> bool:
    """Return whether `power` may give `order` in this phase."""
    return why_illegal(board, position, power, order, rules) is None


class _Moves:
    """The legal orders of a movement phase."""

    def __init__(self, board: Board, position: Position, rules: RuleSet) -> None:
        self._board = board
        self._units = position.units
        ground = Ground(board, position, rules)
        self._map, self._at, self._fleets = ground.map, ground.at, ground.fleets
        self._heeds_via = heeds_via(rules)
        self._names_seas = rules.convoy_path is ConvoyPath.REQUIRED
        self._goals = {unit: self._goals_of(unit, self._fleets) for unit in self._units}

    def _goals_of(self, unit: Unit, fleets: Seas) -> frozenset[Location]:
        """Return where `unit` could move, by convoy of `fleets` too."""
        near = self._map.places[unit.kind].get(unit.location, frozenset())
        if unit.kind is FLEET:
            return near
        by_sea = convoy_goals(self._board, fleets, unit.province)
        return near.union(Location(goal) for goal in by_sea)

    def of(self, power: Power | None) -> Iterator[Order]:
        for unit in self._units:
            if power in (None, unit.power):
                yield Hold(unit)
                yield from self._moves(unit)
                yield from self._support_holds(unit)
                yield from self._support_moves(unit)
                yield from self._convoys(unit)

    def _moves(self, unit: Unit) -> Iterator[Move]:
        near = self._map.places[unit.kind].get(unit.location, frozenset())
        by_sea = (
            convoy_goals(self._board, self._fleets, unit.province)
            if unit.kind is ARMY
            else frozenset()
        )
        for to in sorted(self._goals[unit]):
            yield Move(unit, to, path=() if to in near else self._seas(unit, to))
            if to in near and province_of(to) in by_sea and self._heeds_via:
                yield Move(unit, to, via_convoy=True, path=self._seas(unit, to))

    def _seas(self, unit: Unit, to: Location) -> tuple[ProvinceCode, ...]:
        """Return the seas that the order of an army going by convoy has to name."""
        if not self._names_seas:
            return ()
        routes = convoy_fleets(self._board, self._fleets, unit.province)
        return tuple(sorted(routes.get(province_of(to), ())))

    def _support_holds(self, unit: Unit) -> Iterator[SupportHold]:
        reach = self._map.reach[unit.kind].get(unit.location, frozenset())
        targets = sorted(self._at[code] for code in reach if code in self._at)
        return (SupportHold(unit, target) for target in targets)

    def _support_moves(self, unit: Unit) -> Iterator[SupportMove]:
        reach = self._map.reach[unit.kind].get(unit.location, frozenset())
        for target in self._units:
            if target == unit:
                continue
            goals = self._goals[target]
            if target.kind is ARMY and unit.province in self._fleets:
                goals = self._goals_of(target, self._fleets - {unit.province})
            for to in sorted(goals):
                if province_of(to) in reach:
                    yield SupportMove(unit, target, to)

    def _convoys(self, unit: Unit) -> Iterator[Convoy]:
        if unit.province not in self._fleets:
            return
        for target in self._units:
            if target.kind is ARMY:
                routes = convoy_fleets(self._board, self._fleets, target.province)
                for goal in sorted(routes):
                    if unit.province in routes[goal]:
                        yield Convoy(unit, target, goal)


def _retreats(position: Position, power: Power | None) -> Iterator[Order]:
    for one in position.dislodged:
        if power in (None, one.unit.power):
            for to in one.retreats:
                yield Retreat(one.unit, to)
            yield Disband(one.unit)


def _adjustments(board: Board, position: Position, power: Power, rules: RuleSet) -> Iterator[Order]:
    owed = adjustments_owed(board, position, power)
    if owed < 0:
        for unit in position.units_of(power):
            yield Disband(unit)
    if owed <= 0:
        return
    sites = build_sites(board, position, power)
    places = [Unit(ARMY, Location(code), power) for code in sites] + [
        Unit(FLEET, place, power) for code in sites for place in board.by_code[code].fleet_locations
    ]
    for unit in sorted(places):
        yield Build(unit)
    if rules.may_waive:
        yield Waive(power)
