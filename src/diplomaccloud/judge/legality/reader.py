"""Reads one order against a position: the order meant, or one sentence on what is wrong.

Reading is lenient where only one meaning is left: a wrong coast, kind or nationality of the
unit named is passed over (DATC 4.B.5, 4.B.6, 4.C.2, 4.C.6), a missing coast is filled in if
only one can be meant (4.B.2). An order is refused if it could not be carried out whatever
else is ordered (4.E.1). A rule set may be stricter or more lenient in each of these.
"""

from diplomaccloud.judge.balance import adjustments_owed, build_sites
from diplomaccloud.judge.board import Board, Location, Power, UnitKind, province_of
from diplomaccloud.judge.legality.move_reader import MoveReader
from diplomaccloud.judge.legality.position_index import Ground, Refusal, either
from diplomaccloud.judge.orders import (
    Build,
    Convoy,
    Disband,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import DEFAULT, Lapse, RuleSet
from diplomaccloud.judge.units import Unit

__all__ = ["Reader", "Refusal"]

ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET


class Reader:
    """Reads orders against one position of one board, by one rule set."""

    def __init__(self, board: Board, position: Position, rules: RuleSet = DEFAULT) -> None:
        self.board = board
        self.position = position
        self.rules = rules
        self._strict = (
            rules.kind_wrong is not Lapse.VALID
            or rules.nationality_wrong is not Lapse.VALID
            or not rules.ignore_wrong_unit_coast
        )
        self.ground = Ground(board, position, rules)
        self.map = self.ground.map
        self._moves = MoveReader(self.ground)

    def read(self, power: Power, order: Order) -> Order:
        """Return `order` with every detail filled in; raise `Refusal` if it is illegal."""
        if self._strict and not isinstance(order, Waive | Build):
            self._check_names(order)
        match self.position.phase.stage:
            case Stage.MOVEMENT:
                return self._movement(power, order)
            case Stage.RETREATS:
                return self._retreat(power, order)
            case Stage.ADJUSTMENTS:
                return self._adjustment(power, order)

    def lapses(self, order: Order) -> bool:
        """Return whether `order` is only good while no other for its unit is written better.

        Source: DATC 4.C.2 and 4.C.6, choice c.
        """
        rules = self.rules
        kind, nation = self._wrong_names(order)
        return (kind and rules.kind_wrong is Lapse.UNLESS_ANOTHER) or (
            nation and rules.nationality_wrong is Lapse.UNLESS_ANOTHER
        )

    def _named(self, order: Order) -> list[tuple[Unit, Unit]]:
        """Return each unit as `order` names it and as it really stands there."""
        if isinstance(order, Waive | Build):
            return []
        named = [order.unit]
        if isinstance(order, SupportHold | SupportMove | Convoy):
            named.append(order.target)
        standing = self.ground.at
        if self.position.phase.stage is Stage.RETREATS:
            standing = {one.unit.province: one.unit for one in self.position.dislodged}
        return [(one, standing[one.province]) for one in named if one.province in standing]

    def _wrong_names(self, order: Order) -> tuple[bool, bool]:
        """Return whether a kind, and whether a nationality, is named wrongly in `order`."""
        pairs = self._named(order)
        return (
            any(named.kind != real.kind for named, real in pairs),
            any(named.power != real.power for named, real in pairs[1:]),
        )

    def _check_names(self, order: Order) -> None:
        rules = self.rules
        kind, nation = self._wrong_names(order)
        if kind and rules.kind_wrong is Lapse.INVALID:
            raise Refusal("It takes an army for a fleet or a fleet for an army.")
        if nation and rules.nationality_wrong is Lapse.INVALID:
            raise Refusal("The unit it names belongs to another power.")
        for named, real in self._named(order)[:1]:
            elsewhere = "/" in named.location and named.location != real.location
            if elsewhere and not rules.ignore_wrong_unit_coast:
                raise Refusal(f"The {real.kind.word} does not stand on that coast.")

    def _movement(self, power: Power, order: Order) -> Order:
        if isinstance(order, Waive | Build | Retreat | Disband):
            raise Refusal(f"Units move in {self.position.phase.title}; this is another order.")
        return self._moves.read(self.ground.own(power, order.unit.province), order)

    # Retreats and adjustments.

    def _retreat(self, power: Power, order: Order) -> Order:
        if not isinstance(order, Retreat | Disband):
            raise Refusal(f"Only retreats are ordered in {self.position.phase.title}.")
        place = order.unit.province
        out = next((one for one in self.position.dislodged if one.unit.province == place), None)
        if out is None or out.unit.power != power:
            where = self.ground.known(place)
            raise Refusal(f"{self.map.power(power)} has no dislodged unit in {where}.")
        unit = out.unit
        if isinstance(order, Disband):
            return Disband(unit)
        to = Location(province_of(order.to))
        if unit.kind is FLEET:
            to = self.ground.landing(unit, order.to)
        if to in out.retreats:
            return Retreat(unit, to)
        goal = self.ground.known(province_of(to))
        choice = either([self.map.name(place) for place in out.retreats])
        can = f"it can retreat to {choice}" if choice else "it can only disband"
        here = self.map.names[unit.province]
        raise Refusal(f"The {unit.kind.word} in {here} cannot retreat to {goal}: {can}.")

    def _adjustment(self, power: Power, order: Order) -> Order:
        owed = adjustments_owed(self.board, self.position, power)
        who = self.map.power(power)
        match order:
            case Waive() | Build() if owed <= 0:
                raise Refusal(f"{who} has nothing to build.")
            case Waive() if not self.rules.may_waive:
                raise Refusal("Builds cannot be waived.")
            case Waive():
                return order if order.power == power else Waive(power)
            case Build():
                return self._build(power, order)
            case Disband() if owed >= 0:
                raise Refusal(f"{who} has nothing to disband.")
            case Disband():
                return Disband(self.ground.own(power, order.unit.province))
            case _:
                raise Refusal(f"Only builds and disbands are ordered in {self._title()}.")

    def _title(self) -> str:
        return self.position.phase.title

    def _build(self, power: Power, order: Build) -> Build:
        kind, code = order.unit.kind, order.unit.province
        where, who = self.ground.known(code), self.map.power(power)
        if code not in self.board.home_centers.get(power, ()):
            raise Refusal(f"{where} is not a home center of {who}.")
        if self.position.centers.get(code) != power:
            raise Refusal(f"{who} does not own {where} now.")
        if code not in build_sites(self.board, self.position, power):
            raise Refusal(f"{where} is occupied.")
        if kind is ARMY:
            return Build(Unit(ARMY, Location(code), power))
        landings = self.map.landings[code]
        if not landings and self.rules.army_for_inland_fleet:
            return Build(Unit(ARMY, Location(code), power))
        if not landings:
            raise Refusal(f"{where} is inland: a fleet cannot be built there.")
        if order.unit.location in landings:
            return Build(Unit(FLEET, order.unit.location, power))
        self.ground.check_coast(order.unit.location, army=False)
        if len(landings) == 1 or self.rules.default_build_coast:
            return Build(Unit(FLEET, landings[0], power))
        coasts = either([place.partition("/")[2].lower() for place in landings])
        raise Refusal(f"{where} has two coasts: say {coasts}.")
