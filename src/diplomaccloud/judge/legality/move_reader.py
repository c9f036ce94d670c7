"""Reads the orders of one unit in a movement phase: moves, supports and convoys."""

from diplomaccloud.judge.board import Location, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.convoy_routes import carries, convoy_fleets, convoy_goals
from diplomaccloud.judge.legality.position_index import Ground, Refusal
from diplomaccloud.judge.orders import Convoy, Hold, Move, MovementOrder, SupportHold, SupportMove
from diplomaccloud.judge.rules import ConvoyIntent, ConvoyPath, RuleSet, SupportCoast
from diplomaccloud.judge.units import Unit

ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET


class NeedlessConvoy(Refusal):
    """A convoy order by a fleet that could carry the army, but only by a detour (DATC 6.G.19)."""


def heeds_via(rules: RuleSet) -> bool:
    """Return whether "via convoy" means anything: else the other orders choose the route."""
    return rules.convoy_intent not in {ConvoyIntent.SWAP, ConvoyIntent.EITHER_ROUTE}


class MoveReader:
    """Reads orders of units known to stand on the board; raises `Refusal` for illegal ones."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.board = ground.board
        self.rules = ground.rules
        self.map = ground.map
        self.at = ground.at
        self.fleets = ground.fleets
        self._heeds_via = heeds_via(ground.rules)

    def read(self, unit: Unit, order: MovementOrder) -> MovementOrder:
        """Return `order` as `unit` is to follow it, with every detail filled in."""
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

    # Moves.

    def _move(self, unit: Unit, order: Move) -> Move:
        goal = province_of(order.to)
        if unit.kind is ARMY:
            if "/" in order.to:
                self.ground.check_coast(order.to, army=True)
            path = order.path
            if path and self.rules.convoy_path is ConvoyPath.IGNORED:
                path = ()
            by_sea = order.via_convoy and self._heeds_via
            if goal in self.map.reach[ARMY].get(unit.location, ()) and not by_sea:
                plain = order.unit == unit and "/" not in order.to and order.path == path
                plain = plain and not order.via_convoy
                return order if plain else Move(unit, Location(goal), path=path)
            return self._voyage(unit, goal, path)
        place = self.ground.landing(unit, order.to)
        if order.via_convoy:
            raise Refusal("Only armies go by convoy.")
        same = order.unit == unit and place == order.to and not order.path
        return order if same else Move(unit, place)

    def _voyage(self, unit: Unit, goal: ProvinceCode, path: tuple[ProvinceCode, ...]) -> Move:
        near = goal in self.map.reach[ARMY].get(unit.location, ())
        if goal in convoy_goals(self.board, self.fleets, unit.province):
            return Move(unit, Location(goal), via_convoy=near, path=path)
        if near:
            names = f"{self.map.names[unit.province]} to {self.map.names[goal]}"
            raise Refusal(f"No fleets at sea could carry an army from {names}.")
        raise Refusal(self.ground.no_way(unit, goal))

    # Supports and convoys.

    def _target(self, unit: Unit, named: Unit) -> Unit:
        target = self.at.get(named.province)
        if target is None:
            raise Refusal(f"Nobody stands in {self.ground.known(named.province)}.")
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
            self.ground.known(goal)
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
            return self.ground.landing(target, to)
        self.ground.check_coast(to, army=True)
        if goal in near:
            return Location(goal)
        goals = convoy_goals(self.board, self.fleets, target.province)
        if goal not in goals:
            raise Refusal(self.ground.no_way(target, goal))
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
        there = self.ground.known(goal)
        routes = convoy_fleets(self.board, self.fleets, target.province)
        if unit.province not in routes.get(goal, ()):
            start = self.map.names[target.province]
            why = (
                f"No convoy from {start} to {there} needs a fleet in {self.map.the(unit.province)}."
            )
            if goal in routes and self._hangs_together(unit.province, target.province, goal):
                raise NeedlessConvoy(why)
            raise Refusal(why)
        same = order.unit == unit and order.target == target and order.to == goal
        return order if same else Convoy(unit, target, goal)

    def _hangs_together(self, sea: ProvinceCode, *shores: ProvinceCode) -> bool:
        """Return whether the fleets at sea lead from the one in `sea` to all `shores`."""
        touches = self.map.carriers[sea]
        return all(
            shore in touches or carries(self.board, shore, sea, self.fleets) for shore in shores
        )
