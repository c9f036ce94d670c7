"""Terms and findings as versioned JSON, and back with every part checked.

Written JSON always has `"v": 1`. Input is never trusted: a part that is missing, unknown, too long
or of the wrong type raises `CodecError`, which gives the path of the smallest part at fault, for
example `alternatives[0][3].provinces[1]: 'PRA' is not a province of this map`.
"""

from collections.abc import Collection, Sequence
from typing import Final, TypeVar

from diplomaccloud.deals.ledger import DealVerdict, Finding
from diplomaccloud.deals.terms import (
    MAX_ALTERNATIVES,
    MAX_CLAUSES,
    Alliance,
    Clause,
    DealTurn,
    Draw,
    Ordered,
    Peace,
    Terms,
    TurnError,
    Zone,
)
from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.codec import (
    Json,
    Node,
    open_versioned,
    order_to_json,
    read_order,
    read_phase,
)
from diplomaccloud.judge.orders import Convoy, Move, Order, Retreat, SupportHold, SupportMove, Waive
from diplomaccloud.judge.units import Unit

VERSION: Final = 1
MAX_FINDINGS: Final = 400
"""More findings than a full proposal can have for all powers of the largest map."""

_T = TypeVar("_T")


def terms_to_json(terms: Terms) -> Json:
    """Return the terms as JSON."""
    return {
        "v": VERSION,
        "phase": str(terms.phase),
        "parties": list(terms.parties),
        "alternatives": [
            [clause_to_json(clause) for clause in clauses] for clauses in terms.alternatives
        ],
    }


def clause_to_json(clause: Clause) -> Json:
    """Return one clause as JSON; it has no version field."""
    match clause:
        case Ordered(order, given):
            return {"clause": "order" if given else "not-order", "order": order_to_json(order)}
        case Zone(powers, provinces, until):
            zone: Json = {"clause": "dmz", "powers": list(powers), "provinces": list(provinces)}
            return zone | _end_to_json(until)
        case Peace(powers, until):
            return {"clause": "peace", "powers": list(powers)} | _end_to_json(until)
        case Alliance(powers, against):
            return {"clause": "alliance", "powers": list(powers), "against": list(against)}
        case Draw(powers):
            return {"clause": "draw", "powers": list(powers)}


def _end_to_json(until: DealTurn | None) -> Json:
    return {} if until is None else {"until": str(until)}


def terms_from_json(data: object, board: Board) -> Terms:
    """Return the terms that `data` describes; raise `CodecError` if it is invalid.

    Powers and provinces must be on `board`, and clauses may bind only the parties.
    `require_possible` checks whether the orders are possible.
    """
    node = open_versioned(data, VERSION)
    reader = _Reader(board)
    parties = reader.read_powers(node["parties"], at_least=2)
    alternatives = node["alternatives"].items(most=MAX_ALTERNATIVES)
    if not alternatives:
        raise node["alternatives"].error("there is no clause")
    if len(alternatives) > 1 and len(parties) > 2:
        raise node["alternatives"].error("only two parties can choose between alternatives")
    clauses = tuple(
        tuple(reader.read_clause(clause, parties) for clause in _read_list(alternative))
        for alternative in alternatives
    )
    if (count := sum(map(len, clauses))) > MAX_CLAUSES:
        raise node["alternatives"].error(f"must have at most {MAX_CLAUSES} clauses, not {count}")
    return Terms(read_phase(node["phase"]), parties, clauses)


def clause_from_json(data: object, board: Board) -> Clause:
    """Return the clause that `data` describes, between any powers; raise `CodecError`."""
    return _Reader(board).read_clause(Node(data, "clause"), board.power_info)


def _read_list(alternative: Node) -> Sequence[Node]:
    clauses = alternative.items(most=MAX_CLAUSES)
    if not clauses:
        raise alternative.error("there is no clause")
    return clauses


class _Reader:
    """Reads the parts of terms on one board."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def read_clause(self, node: Node, parties: Collection[Power]) -> Clause:
        """Return the clause at `node`, which binds `parties` only."""
        match word := node["clause"].text():
            case "order" | "not-order":
                return Ordered(self._read_order(node["order"], parties), word == "order")
            case "dmz":
                powers = self.read_powers(node["powers"], parties, at_least=1)
                return Zone(powers, self._read_provinces(node["provinces"]), _read_end(node))
            case "peace" | "alliance" | "draw":
                powers = self.read_powers(node["powers"], parties, at_least=2)
            case _:
                raise node["clause"].error(f"{word[:20]!r} is not a kind of clause")
        if word == "peace":
            return Peace(powers, _read_end(node))
        if word == "draw":
            return Draw(powers)
        enemies = self.read_powers(node["against"], at_least=1)
        for member in node["against"].items():
            if member.text() in powers:
                raise member.error(f"{member.text()} cannot be both an ally and an enemy")
        return Alliance(powers, enemies)

    def read_powers(
        self, node: Node, parties: Collection[Power] | None = None, *, at_least: int
    ) -> tuple[Power, ...]:
        """Return several powers, sorted; if `parties` are given, only those are allowed."""
        members = node.items(most=len(self._board.powers))
        powers = [self._read_power(member, parties) for member in members]
        _require_different(members, powers)
        if len(powers) < at_least:
            raise node.error(f"must have at least {at_least} powers, not {len(powers)}")
        return tuple(sorted(powers))

    def _read_power(self, node: Node, parties: Collection[Power] | None) -> Power:
        power = Power(node.word())
        if power not in self._board.power_info:
            raise node.error(f"{power[:20]!r} is not a power of this map")
        if parties is not None and power not in parties:
            raise node.error(f"{power} is not a party")
        return power

    def _read_provinces(self, node: Node) -> tuple[ProvinceCode, ...]:
        members = node.items(most=len(self._board.provinces))
        provinces = [self._read_province(member) for member in members]
        _require_different(members, provinces)
        if not provinces:
            raise node.error("there is no province")
        return tuple(sorted(provinces))

    def _read_province(self, node: Node) -> ProvinceCode:
        code = ProvinceCode(node.text())
        if code not in self._board.by_code:
            raise node.error(f"{code[:20]!r} is not a province of this map")
        return code

    def _read_order(self, node: Node, parties: Collection[Power]) -> Order:
        order = read_order(node)
        if isinstance(order, Waive):
            raise node["order"].error("a waived build cannot be promised")
        self._require_unit(node["unit"], order.unit)
        if order.unit.power not in parties:
            raise node["unit"].error(f"{order.unit.power} is not a party")
        match order:
            case SupportHold(_, target) | SupportMove(_, target) | Convoy(_, target):
                self._require_unit(node["target"], target)
        match order:
            case Move(_, to) | SupportMove(_, _, to) | Convoy(_, _, to) | Retreat(_, to):
                self._require_place(node["to"], to)
        if isinstance(order, Move):
            for sea in node["path"].items() if "path" in node else ():
                self._read_province(sea)
        return order

    def _require_unit(self, node: Node, unit: Unit) -> None:
        _, location, power = node.items()
        self._require_place(location, unit.location)
        self._read_power(power, None)

    def _require_place(self, node: Node, place: str) -> None:
        code, _, coast = place.partition("/")
        province = self._board.by_code.get(ProvinceCode(code))
        if province is None:
            raise node.error(f"{code[:20]!r} is not a province of this map")
        if "/" in place and coast not in province.coasts:
            raise node.error(f"{code} has no coast {coast[:20]!r}")


def _require_different(members: Sequence[Node], values: Sequence[_T]) -> None:
    seen: set[_T] = set()
    for node, value in zip(members, values, strict=True):
        if value in seen:
            raise node.error(f"{value} is named twice")
        seen.add(value)


def _read_end(node: Node) -> DealTurn | None:
    if "until" not in node:
        return None
    try:
        return DealTurn.parse(node["until"].text())
    except TurnError as error:
        raise node["until"].error(str(error)) from error


def findings_to_json(findings: Sequence[Finding]) -> Json:
    """Return the ledger's findings for one phase as JSON."""
    written: list[Json] = []
    for finding in findings:
        fault: Json = {} if finding.fault is None else {"fault": order_to_json(finding.fault)}
        verdict = finding.verdict.value
        written.append(
            {"clause": finding.clause, "power": finding.power, "verdict": verdict, **fault}
        )
    return {"v": VERSION, "findings": written}


def findings_from_json(data: object) -> tuple[Finding, ...]:
    """Return the findings that `data` describes; raise `CodecError` if it is invalid."""
    return tuple(
        Finding(
            clause=node["clause"].integer(0, MAX_CLAUSES - 1),
            power=Power(node["power"].word()),
            verdict=node["verdict"].member(DealVerdict),
            fault=read_order(node["fault"]) if "fault" in node else None,
        )
        for node in open_versioned(data, VERSION)["findings"].items(most=MAX_FINDINGS)
    )
