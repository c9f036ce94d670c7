"""Reads one order against a position: the order meant, or one sentence on what is wrong.

Reading is lenient where only one meaning is left: a wrong coast, kind or nationality of the
unit named is passed over (DATC 4.B.5, 4.B.6, 4.C.2, 4.C.6), a missing coast is filled in if
only one can be meant (4.B.2). An order is refused if it could not be carried out whatever
else is ordered (4.E.1). A rule set may be stricter or more lenient in each of these.
"""

from collections.abc import Iterable

from diplomaccloud.judge.balance import adjustments_owed, build_sites
from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.geography import geography
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
from diplomaccloud.judge.routes import carries, convoy_fleets, convoy_goals, fleets_at_sea
from diplomaccloud.judge.rules import DEFAULT, ConvoyPath, Lapse, RuleSet, SupportCoast
from diplomaccloud.judge.units import Unit

ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET


class Refusal(ValueError):
    """What is wrong with an order; the text is one sentence for the player."""


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
        self.map = geography(board)
        self.at = {unit.province: unit for unit in position.units}
        self.fleets = fleets_at_sea(board, position)

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
        standing = dict(self.at)
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
        unit = self._own(power, order.unit.province)
        match order:
            case Hold():
                return order if order.unit == unit else Hold(unit)
            case Move():
                return self._move(unit, order)
            case SupportHold():
                return self._support_hold(unit, order)
            case SupportMove():
                return self._support_move(unit, order)
            case Convoy():
                return self._convoy(unit, order)

    def _own(self, power: Power, place: ProvinceCode) -> Unit:
        unit = self.at.get(place)
        if unit is not None and unit.power == power:
            return unit
        where, who = self._known(place), self.map.power(power)
        if unit is None:
            raise Refusal(f"{who} has no unit in {where}: nobody stands there.")
        owner = self.map.power(unit.power)
        raise Refusal(f"{who} has no unit in {where}: the {unit.kind.word} there is {owner}'s.")

    def _known(self, place: ProvinceCode) -> str:
        if place not in self.map.names:
            raise Refusal(f"{place} is no province of this board.")
        return self.map.names[place]

    # Moves.

    def _move(self, unit: Unit, order: Move) -> Move:
        goal = province_of(order.to)
        if unit.kind is ARMY:
            if "/" in order.to:
                self._check_coast(order.to, army=True)
            path = order.path
            if path and self.rules.convoy_path is ConvoyPath.IGNORED:
                path = ()
            if goal in self.map.reach[ARMY].get(unit.location, ()) and not order.via_convoy:
                plain = order.unit == unit and "/" not in order.to and order.path == path
                return order if plain else Move(unit, Location(goal), path=path)
            return self._voyage(unit, goal, path)
        place = self._landing(unit, order.to)
        if order.via_convoy:
            raise Refusal("Only armies go by convoy.")
        same = order.unit == unit and place == order.to and not order.path
        return order if same else Move(unit, place)

    def _check_coast(self, to: Location, army: bool) -> None:
        """Refuse a coast that an army, or the province, has no use for (DATC 4.B.6)."""
        if "/" not in to or self.rules.ignore_needless_coast:
            return
        goal = province_of(to)
        if army or to not in self.map.landings.get(goal, ()):
            coast = to.partition("/")[2].lower()
            raise Refusal(f"{self._known(goal)} has no coast {coast} for it to go to.")

    def _voyage(self, unit: Unit, goal: ProvinceCode, path: tuple[ProvinceCode, ...]) -> Move:
        near = goal in self.map.reach[ARMY].get(unit.location, ())
        if goal in convoy_goals(self.board, self.fleets, unit.province):
            return Move(unit, Location(goal), via_convoy=near, path=path)
        if near:
            names = f"{self.map.names[unit.province]} to {self.map.names[goal]}"
            raise Refusal(f"No fleets at sea could carry an army from {names}.")
        raise Refusal(self._no_way(unit, goal))

    def _landing(self, unit: Unit, to: Location) -> Location:
        """Return the one location that a fleet ordered to `to` means."""
        near = self.map.places[FLEET].get(unit.location, frozenset())
        if to in near:
            return to
        goal = province_of(to)
        landings = self.map.landings.get(goal, ())
        reached = [place for place in landings if place in near]
        if not reached:
            raise Refusal(self._no_way(unit, goal))
        self._check_coast(to, army=False)
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

    def _no_way(self, unit: Unit, goal: ProvinceCode) -> str:
        name, there = self._known(goal), self.map.the(goal)
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
        choice = _either([self.map.the(code) for code in by_name])
        convoy = ""
        if unit.kind is ARMY and {unit.province, goal} <= self.map.ports:
            convoy = ", and no fleets at sea could carry it"
        word = "an army" if unit.kind is ARMY else "a fleet"
        if not choice:
            return f"{fault}: {word} there can go nowhere{convoy}."
        return f"{fault}: {word} there can go to {choice}{convoy}."

    # Supports and convoys.

    def _target(self, unit: Unit, named: Unit) -> Unit:
        target = self.at.get(named.province)
        if target is None:
            raise Refusal(f"Nobody stands in {self._known(named.province)}.")
        if target == unit:
            raise Refusal("A unit cannot support or convoy itself.")
        return target

    def _support_hold(self, unit: Unit, order: SupportHold) -> SupportHold:
        target = self._target(unit, order.target)
        self._within_reach(unit, target.province)
        same = order.unit == unit and order.target == target
        return order if same else SupportHold(unit, target)

    def _within_reach(self, unit: Unit, goal: ProvinceCode) -> None:
        if goal not in self.map.reach[unit.kind].get(unit.location, ()):
            self._known(goal)
            here, there = self.map.the(unit.location), self.map.the(goal)
            raise Refusal(
                f"The {unit.kind.word} in {here} cannot support into {there}, "
                "where it could not go itself."
            )

    def _support_move(self, unit: Unit, order: SupportMove) -> SupportMove:
        target = self._target(unit, order.target)
        goal = province_of(order.to)
        self._within_reach(unit, goal)
        to = self._supported_goal(unit, target, order.to)
        same = order.unit == unit and order.target == target and order.to == to
        return order if same else SupportMove(unit, target, to)

    def _supported_goal(self, unit: Unit, target: Unit, to: Location) -> Location:
        goal = province_of(to)
        near = self.map.reach[target.kind].get(target.location, ())
        if target.kind is FLEET:
            if "/" not in to and goal in near:
                self._check_support_coast(unit, target, goal)
                return to
            return self._landing(target, to)
        self._check_coast(to, army=True)
        if goal in near:
            return Location(goal)
        goals = convoy_goals(self.board, self.fleets, target.province)
        if goal not in goals:
            raise Refusal(self._no_way(target, goal))
        # A fleet cannot support the army that it alone could carry (DATC 6.D.31).
        if unit.province in self.fleets and not carries(
            self.board, target.province, goal, self.fleets - {unit.province}
        ):
            raise Refusal(
                f"Without a convoy by this fleet the army cannot reach {self.map.names[goal]}."
            )
        return Location(goal)

    def _check_support_coast(self, unit: Unit, target: Unit, goal: ProvinceCode) -> None:
        rule = self.rules.support_coast
        if rule is SupportCoast.OPTIONAL or len(self.map.landings[goal]) == 1:
            return
        if rule is SupportCoast.REQUIRED or unit.power != target.power:
            raise Refusal(f"The support must name the coast of {self.map.names[goal]}.")

    def _convoy(self, unit: Unit, order: Convoy) -> Convoy:
        where = self.map.names[unit.province]
        if unit.province not in self.fleets:
            raise Refusal(f"Only a fleet at sea can convoy, and {where} is not that.")
        target = self._target(unit, order.target)
        if target.kind is not ARMY:
            raise Refusal("Only armies go by convoy.")
        goal = province_of(Location(order.to))
        there = self._known(goal)
        routes = convoy_fleets(self.board, self.fleets, target.province)
        if unit.province not in routes.get(goal, ()):
            start = self.map.names[target.province]
            sea = self.map.the(unit.province)
            raise Refusal(f"No convoy from {start} to {there} needs a fleet in {sea}.")
        same = order.unit == unit and order.target == target and order.to == goal
        return order if same else Convoy(unit, target, goal)

    # Retreats and adjustments.

    def _retreat(self, power: Power, order: Order) -> Order:
        if not isinstance(order, Retreat | Disband):
            raise Refusal(f"Only retreats are ordered in {self.position.phase.title}.")
        place = order.unit.province
        out = next((one for one in self.position.dislodged if one.unit.province == place), None)
        if out is None or out.unit.power != power:
            where = self._known(place)
            raise Refusal(f"{self.map.power(power)} has no dislodged unit in {where}.")
        unit = out.unit
        if isinstance(order, Disband):
            return Disband(unit)
        to = Location(province_of(order.to))
        if unit.kind is FLEET:
            to = self._landing(unit, order.to)
        if to in out.retreats:
            return Retreat(unit, to)
        goal = self._known(province_of(to))
        choice = _either([self.map.name(place) for place in out.retreats])
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
                return Disband(self._own(power, order.unit.province))
            case _:
                raise Refusal(f"Only builds and disbands are ordered in {self._title()}.")

    def _title(self) -> str:
        return self.position.phase.title

    def _build(self, power: Power, order: Build) -> Build:
        kind, code = order.unit.kind, order.unit.province
        where, who = self._known(code), self.map.power(power)
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
        self._check_coast(order.unit.location, army=False)
        if len(landings) == 1 or self.rules.default_build_coast:
            return Build(Unit(FLEET, landings[0], power))
        coasts = _either([place.partition("/")[2].lower() for place in landings])
        raise Refusal(f"{where} has two coasts: say {coasts}.")


def _either(names: Iterable[str]) -> str:
    """Return `Brest, Burgundy or Picardy`."""
    *others, last = [*names] or [""]
    return f"{', '.join(others)} or {last}" if others else last
