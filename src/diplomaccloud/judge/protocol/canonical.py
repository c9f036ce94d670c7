"""Reads orders in canonical text, as programs write them, many times faster than prose."""

from collections.abc import Mapping
from functools import lru_cache

from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.orders import (
    Convoy,
    Hold,
    Move,
    MovementOrder,
    SupportHold,
    SupportMove,
)
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import Lapse, RuleSet
from diplomaccloud.judge.units import Unit


class Canonical:
    """The units of one movement phase by their canonical texts.

    It reads only orders that `parse_order` reads in the same way: those of existing units, named
    exactly, to places where their kind can be.
    """

    def __init__(self, board: Board, position: Position, rules: RuleSet) -> None:
        # If the rules demand the nationality of supported units, canonical text is not enough.
        known = position.units if rules.nationality_missing is Lapse.VALID else ()
        self._units = {(unit.kind.value, str(unit.location)): unit for unit in known}
        self._places = _places(board)

    def read(self, text: str, power: Power) -> MovementOrder | None:
        """Return the order that `text` is for `power`, or `None` if it needs the parser."""
        words = text.split(" ")
        unit = self._units.get((words[0], words[1])) if len(words) > 2 else None
        if unit is None or unit.power != power:
            return None
        match words[2:]:
            case ["H"]:
                return Hold(unit)
            case ["-", to]:
                return Move(unit, Location(to)) if self._stands(unit.kind, to) else None
            case ["-", to, "VIA"]:
                return self._via(unit, to)
            case ["S" | "C", kind, place, *way]:
                target = self._units.get((kind, place))
                return None if target is None else self._aid(unit, target, words[2], way)
        return None

    def _via(self, unit: Unit, to: str) -> Move | None:
        """Return a move by convoy to a neighbor; a move elsewhere needs no such word."""
        near = unit.kind is UnitKind.ARMY and (unit.location, to) in self._places.walks
        return Move(unit, Location(to), via_convoy=True) if near else None

    def _aid(self, unit: Unit, target: Unit, verb: str, way: list[str]) -> MovementOrder | None:
        match verb, way:
            case "S", []:
                return SupportHold(unit, target)
            case "S", ["-", to] if self._stands(target.kind, to) or (
                target.kind is UnitKind.FLEET and to in self._places.coasts
            ):
                return SupportMove(unit, target, Location(to))
            case "C", ["-", to] if target.kind is UnitKind.ARMY and self._stands(target.kind, to):
                return Convoy(unit, target, ProvinceCode(to))
        return None

    def _stands(self, kind: UnitKind, place: str) -> bool:
        return place in self._places.standing[kind]


class _Places:
    """Where units may stand on a board, by text."""

    def __init__(self, board: Board) -> None:
        self.standing: Mapping[UnitKind, frozenset[str]] = {
            kind: frozenset(map(str, board.locations(kind))) for kind in UnitKind
        }
        self.coasts = frozenset(str(p.code) for p in board.provinces if p.coasts)
        self.walks = frozenset(
            (str(place), str(to)) for place, near in board.army_neighbors.items() for to in near
        )


@lru_cache(maxsize=16)
def _places(board: Board) -> _Places:
    return _Places(board)
