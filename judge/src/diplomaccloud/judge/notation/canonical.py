"""Reads orders in canonical text, which programs write, many times faster than prose."""

from collections.abc import Mapping
from functools import lru_cache

from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import Lapse, RuleSet
from diplomaccloud.judge.units import Unit


class CanonicalOrders:
    """The units that may be ordered in a position, by their canonical places.

    It reads only orders that `OrderText` would read the same way: for existing units, named
    exactly, to places where such a unit can be.
    """

    def __init__(self, board: Board, position: Position, rules: RuleSet) -> None:
        stage = position.phase.stage
        self._board = board
        self._places = _places(board)
        self._stage = stage
        if stage is Stage.RETREATS:
            units = tuple(entry.unit for entry in position.dislodged)
        else:
            units = position.units
        # If the rules demand the nationality of supported units, canonical text is not enough.
        if stage is Stage.MOVEMENT and rules.nationality_missing is not Lapse.VALID:
            units = ()
        self._units: dict[str, Unit] = {unit.location: unit for unit in units}

    def read(self, text: str, power: Power) -> Order | None:
        """Return the order of `power` in `text`, or `None` if it needs the full parser."""
        # The same orders recur in phase after phase, often for the same unit values.
        known = self._places.orders.get(text)
        if known is not None:
            unit, target, order = known
            standing = self._units.get
            if (
                unit.power == power
                and standing(unit.location) is unit
                and (target is None or standing(target.location) is target)
            ):
                return order
        return self._read_words(text, power)

    def _read_words(self, text: str, power: Power) -> Order | None:
        words = text.split(" ")
        if self._stage is Stage.ADJUSTMENTS:
            return self._adjustment(words, power)
        unit = self._units.get(words[1]) if len(words) > 2 else None
        if unit is None or unit.kind != words[0] or unit.power != power:
            return None
        if self._stage is not Stage.MOVEMENT:
            return self._retreat(unit, words)
        order = self._movement(unit, words)
        if order is not None:
            self._places.remember_order(text, order)
        return order

    def _movement(self, unit: Unit, words: list[str]) -> MovementOrder | None:
        # Not regular expressions, which take several times longer.
        verb, length = words[2], len(words)
        if verb == "-":
            if length == 4 and self._stands(unit.kind, words[3]):
                return Move(unit, Location(words[3]))
            is_by_convoy = length == 5 and words[4] == "VIA"
            return self._via(unit, words[3]) if is_by_convoy else None
        if verb == "H":
            return Hold(unit) if length == 3 else None
        return self._aid(unit, words) if verb in {"S", "C"} and length in {5, 7} else None

    def _aid(self, unit: Unit, words: list[str]) -> MovementOrder | None:
        target = self._units.get(words[4])
        if target is None or target.kind != words[3]:
            return None
        if len(words) == 5:
            return SupportHold(unit, target) if words[2] == "S" else None
        return self._aid_move(unit, target, words[2], words[6]) if words[5] == "-" else None

    def _via(self, unit: Unit, to: str) -> Move | None:
        """Return a move by convoy to an adjacent province; other moves need no `VIA`."""
        near = unit.kind is UnitKind.ARMY and (unit.location, to) in self._places.walks
        return Move(unit, Location(to), via_convoy=True) if near else None

    def _aid_move(self, unit: Unit, target: Unit, verb: str, to: str) -> MovementOrder | None:
        kind = target.kind
        if verb == "S":
            is_coast = kind is UnitKind.FLEET and to in self._places.coasts
            known = is_coast or self._stands(kind, to)
            return SupportMove(unit, target, Location(to)) if known else None
        known = kind is UnitKind.ARMY and self._stands(kind, to)
        return Convoy(unit, target, ProvinceCode(to)) if known else None

    def _retreat(self, unit: Unit, words: list[str]) -> Retreat | Disband | None:
        match words[2:]:
            case ["D"]:
                return Disband(unit)
            case ["R", to] if self._stands(unit.kind, to):
                return Retreat(unit, Location(to))
        return None

    def _adjustment(self, words: list[str], power: Power) -> Build | Disband | Waive | None:
        match words:
            case ["WAIVE"]:
                return Waive(power)
            case ["A" | "F", place, "B"]:
                return self._build(UnitKind(words[0]), place, power)
            case [kind, place, "D"]:
                unit = self._units.get(place)
                if unit is not None and unit.kind == kind and unit.power == power:
                    return Disband(unit)
        return None

    def _build(self, kind: UnitKind, place: str, power: Power) -> Build | None:
        """Return the build if `place` is a home center; the parser handles other places."""
        code = place.partition("/")[0]
        is_home = code in self._board.home_centers.get(power, ())
        if not is_home or not self._stands(kind, place):
            return None
        return Build(Unit(kind, Location(place), power))

    def _stands(self, kind: UnitKind, place: str) -> bool:
        return place in self._places.standing[kind]


MAX_REMEMBERED = 50_000
"""The most movement orders cached for a board, about 15 MB."""


class _Places:
    """The places of units on a board, by text, and a cache of recent movement orders."""

    def __init__(self, board: Board) -> None:
        self.standing: Mapping[UnitKind, frozenset[str]] = {
            kind: frozenset(map(str, board.locations(kind))) for kind in UnitKind
        }
        self.coasts = frozenset(str(p.code) for p in board.provinces if p.coasts)
        self.walks = frozenset(
            (str(place), str(to)) for place, near in board.army_neighbors.items() for to in near
        )
        self.orders: dict[str, tuple[Unit, Unit | None, MovementOrder]] = {}
        """By text, the unit ordered, the unit it helps, and the order."""

    def remember_order(self, text: str, order: MovementOrder) -> None:
        """Cache the order that the text means for these units."""
        if len(self.orders) >= MAX_REMEMBERED:
            self.orders.clear()
        target = None if isinstance(order, Hold | Move) else order.target
        self.orders[text] = order.unit, target, order


@lru_cache(maxsize=16)
def _places(board: Board) -> _Places:
    return _Places(board)
