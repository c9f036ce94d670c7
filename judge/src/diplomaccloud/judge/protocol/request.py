"""Reads one request: the board, the rules, the position, and the orders as text."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.codec.reader import MAX_LIST, MAX_WORD, Json, Node
from diplomaccloud.judge.codec.values import (
    CodecError,
    require_uncrowded,
    rules_from_json,
    rules_to_json,
)
from diplomaccloud.judge.notation import NotationError, parse_unit
from diplomaccloud.judge.phases import Phase, PhaseError, Stage
from diplomaccloud.judge.position import Dislodged, Position, find_impossible_retreats
from diplomaccloud.judge.rules import DEFAULT, EDITIONS, RuleSet
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.units import Unit

Boards = Callable[[object], Board]
"""Returns the board for the value of `map`; raises `ValueError` if there is none."""

MAX_ORDERS = 2_000
"""The most orders that a power may send; no board has room for half as many units."""

_NOWHERE = ProvinceCode("")


@dataclass(frozen=True, slots=True)
class Request:
    """A position to adjudicate; `orders` are pairs of a power as written and text, in sequence."""

    board: Board
    rules: RuleSet
    position: Position
    orders: tuple[tuple[str, str], ...] = ()
    seed: str = ""
    explain: bool = False


def only_standard(name: object) -> Board:
    """Return the standard board if `name` is its name; otherwise raise `ValueError`."""
    if name != "standard":
        raise CodecError(f"map: there is no map {str(name)[:40]!r}, only 'standard'")
    return standard_board()


def read_request(data: object, boards: Boards) -> Request:
    """Return the request that `data` describes; raise `ValueError` naming the part at fault."""
    node = Node(data)
    phase = read_phase(node["phase"])
    board = boards(node["map"].value if "map" in node else "standard")
    return Request(
        board=board,
        rules=read_rules(node["rules"]) if "rules" in node else DEFAULT,
        position=read_position(node, phase, board),
        orders=_list_texts(node["orders"]) if "orders" in node else (),
        seed=node["seed"].text() if "seed" in node else "",
        explain=node["explain"].truth() if "explain" in node else False,
    )


def read_phase(node: Node) -> Phase:
    """Return the phase written as `S1901M`."""
    try:
        return Phase.parse(node.text())
    except PhaseError as error:
        raise node.error(str(error)) from error


def read_rules(node: Node) -> RuleSet:
    """Return the named edition, or a rule set made from switches.

    An object contains switches of `RuleSet`; missing ones come from its `edition` or from 2000.
    """
    if isinstance(node.value, str):
        return _edition(node)
    switches = {key.word(): value.value for key, value in node.entries()}
    base = _edition(node["edition"]) if "edition" in node else DEFAULT
    switches.pop("edition", None)
    try:
        return rules_from_json({**rules_to_json(base), **switches})
    except CodecError as error:
        raise CodecError(f"rules.{error}") from error


def _edition(node: Node) -> RuleSet:
    rules = EDITIONS.get(node.text())
    if rules is None:
        raise node.error(f"no edition {node.text()[:20]!r} (choose from: {', '.join(EDITIONS)})")
    return rules


def read_position(node: Node, phase: Phase, board: Board) -> Position:
    """Return the position described by the `units`, `centers` and `dislodged` of `node`."""
    known = _list_known(board)
    if phase.stage is Stage.ADJUSTMENTS or "centers" in node:
        owned = node["centers"]
        centers = known.find_centers(owned.value) or _centers(owned, board)
    else:
        centers = {}
    standing = node["units"]
    units = known.find_units(standing.value) or tuple(
        read_unit(unit, board, power)
        for power, texts in _by_power(standing, board)
        for unit in texts.items()
    )
    dislodged = tuple(_read_dislodged(node["dislodged"], board)) if "dislodged" in node else ()
    require_uncrowded(node["units"], units)
    require_uncrowded(node["dislodged"] if dislodged else node, [entry.unit for entry in dislodged])
    position = Position(phase, units, centers, dislodged)
    if dislodged:
        for what in find_impossible_retreats(board, position):
            raise node["dislodged"].error(what)
    return position


def _by_power(node: Node, board: Board) -> Iterable[tuple[Power, Node]]:
    for key, value in node.entries():
        power = Power(key.word())
        if power not in board.power_info:
            raise node.error(f"there is no power {power[:24]!r} on this board")
        yield power, value


def _centers(node: Node, board: Board) -> Mapping[ProvinceCode, Power]:
    owners: dict[ProvinceCode, Power] = {}
    for power, codes in _by_power(node, board):
        for member in codes.items():
            code = ProvinceCode(member.word())
            if code not in board.by_code or not board.by_code[code].center:
                raise member.error(f"{code[:24]!r} is not a supply center")
            if owners.setdefault(code, power) != power:
                raise member.error(f"{code} has two owners")
    return owners


def _read_dislodged(node: Node, board: Board) -> Iterable[Dislodged]:
    for power, units in _by_power(node, board):
        for key, places in units.entries():
            unit = read_unit(key, board, power)
            retreats = (_read_retreat(place, board, unit) for place in places.items())
            yield Dislodged(unit, _NOWHERE, tuple(sorted(set(retreats))))


def _read_retreat(node: Node, board: Board, unit: Unit) -> Location:
    return read_unit(node, board, unit.power, f"{unit.kind} {node.text()}").location


def read_unit(node: Node, board: Board, power: Power, text: str | None = None) -> Unit:
    """Return the unit of `power` in `node`, or in `text` if given."""
    text = node.text() if text is None else text
    unit = _list_known(board).units.get(power, {}).get(text)
    if unit is not None:
        return unit
    try:
        return parse_unit(text, board, power)
    except NotationError as error:
        raise node.error(f"not a unit: {error}") from error


class _Known:
    """The units and centers of a board by canonical text, for fast lookup of whole lists.

    Each method returns `None` for JSON with anything else. It is then read part by part, so that
    errors name the part at fault.
    """

    def __init__(self, board: Board) -> None:
        places = {
            f"{kind} {place}": (kind, place) for kind in UnitKind for place in board.locations(kind)
        }
        self.units: Mapping[str, Mapping[str, Unit]] = {
            power: {text: Unit(*place, power) for text, place in places.items()}
            for power in board.power_info
        }
        self._centers = frozenset(board.centers)

    def find_units(self, value: object) -> tuple[Unit, ...] | None:
        """Return the units of all powers."""
        units: list[Unit] = []
        try:
            for power, texts in _list_members(value):
                known = self.units[power]
                units += [known[text] for text in texts]
        except (KeyError, TypeError):
            return None
        return tuple(units)

    def find_centers(self, value: object) -> Mapping[ProvinceCode, Power] | None:
        """Return the owner of each center."""
        owners: dict[ProvinceCode, Power] = {}
        count = 0
        try:
            for power, codes in _list_members(value):
                if power not in self.units or not self._centers.issuperset(codes):
                    return None
                owners |= dict.fromkeys(cast("list[ProvinceCode]", codes), Power(power))
                count += len(codes)
        except TypeError:
            return None
        return owners if len(owners) == count else None


def _list_members(value: object) -> Iterator[tuple[str, list[str]]]:
    """Yield the members of an object of lists; raise `TypeError` for anything else."""
    if not isinstance(value, dict):
        raise TypeError
    for key, members in value.items():
        if not isinstance(members, list) or len(members) > MAX_LIST:
            raise TypeError
        yield key, members


@lru_cache(maxsize=16)
def _list_known(board: Board) -> _Known:
    return _Known(board)


def _list_texts(node: Node) -> tuple[tuple[str, str], ...]:
    """Return the orders, each with its power, without checking the texts individually."""
    try:
        members = list(_list_members(node.value))
    except TypeError:
        return tuple(_orders(node))
    texts = [text for _, listed in members for text in listed]
    if set(map(type, texts)) - {str} or any(_is_suspect(*member) for member in members):
        return tuple(_orders(node))
    return tuple([(power, text) for power, listed in members for text in listed])


def _is_suspect(power: str, texts: list[str]) -> bool:
    """Return whether the key may not be a code or there are too many texts."""
    return len(texts) > MAX_ORDERS or not power.isidentifier() or len(power) > MAX_WORD


def _orders(node: Node) -> Iterator[tuple[str, str]]:
    for power, texts in node.entries():
        listed = texts.items()
        if len(listed) > MAX_ORDERS:
            raise texts.error(f"{len(listed)} orders, but at most {MAX_ORDERS} are allowed")
        for member in listed:
            if not isinstance(member.value, str):
                raise member.error("not a text")
            yield power.word(), member.value


def position_to_request(position: Position) -> Json:
    """Return `position` in the form of a request."""
    units: dict[str, list[str]] = {}
    for unit in position.units:
        units.setdefault(unit.power, []).append(str(unit))
    centers: dict[str, list[str]] = {}
    for code, owner in position.centers.items():
        centers.setdefault(owner, []).append(code)
    out: dict[str, dict[str, list[str]]] = {}
    for entry in position.dislodged:
        out.setdefault(entry.unit.power, {})[str(entry.unit)] = list(entry.retreats)
    return {
        "phase": str(position.phase),
        "units": dict(sorted(units.items())),
        "dislodged": dict(sorted(out.items())),
        "centers": dict(sorted(centers.items())),
    }
