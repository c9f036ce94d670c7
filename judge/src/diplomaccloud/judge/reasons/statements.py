"""Turns the kernel's reasons for the results of a movement phase into messages.

The kernel has a row of numbers for each order; see `kernel.core.reasons`. The message for a row is
cached, because the same things happen in phase after phase.
"""

from array import array
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from diplomaccloud.judge.board import Board, ProvinceCode
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.kernel.core import codes
from diplomaccloud.judge.kernel.layout import OUTCOMES, unpack_unit
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.kernel.table import Table, table_of
from diplomaccloud.judge.kernel.values import Explained
from diplomaccloud.judge.legality.reader import PhaseOrders
from diplomaccloud.judge.messages.english import Sentence
from diplomaccloud.judge.messages.values import (
    Message,
    OwnUnit,
    Parameter,
    Place,
    PowerName,
    join_sentences,
)
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Dislodged
from diplomaccloud.judge.results import OrderResult
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.units import Unit

_STATEMENTS = {
    codes.SAY_HELD: "held place",
    codes.SAY_WITHSTOOD: "held_against_attack place attackers strength attack",
    codes.SAY_BELEAGUERED: "held_beleaguered place attackers",
    codes.SAY_MOVED: "moved place",
    codes.SAY_MOVED_BY_SEA: "moved_by_convoy place",
    codes.SAY_DROVE: "moved_and_dislodged place target strength resistance",
    codes.SAY_DROVE_BY_SEA: "moved_by_convoy_and_dislodged place target strength resistance",
    codes.SAY_NO_CONVOY: "no_convoy unit place",
    codes.SAY_FLEETS_DISLODGED: "convoy_fleets_dislodged unit place fleets",
    codes.SAY_FLEETS_IN_PARADOX: "convoy_failed_by_paradox unit place fleets",
    codes.SAY_ALSO_IN_PARADOX: "paradox_also_disrupted fleets",
    codes.SAY_RIVALS: "bounced_rivals place rivals strength resistance",
    codes.SAY_OCCUPIED: "bounced_occupied place target strength resistance",
    codes.SAY_HEAD_TO_HEAD: "bounced_head_to_head place target strength resistance",
    codes.SAY_DISLODGED_HEAD_TO_HEAD: "dislodged_head_to_head place target strength resistance",
    codes.SAY_OWN_UNIT: "bounced_own_unit target place",
    codes.SAY_OWN_STAYED: "bounced_own_stayed target place",
    codes.SAY_STOPPED_BY_PARADOX: "bounced_by_paradox place",
    codes.SAY_OWN_VOIDS: "own_support_voids_attack power",
    codes.SAY_OWN_DISCOUNTED: "own_support_not_counted power",
    codes.SAY_DISLODGED: "dislodged attacker strength resistance",
    codes.SAY_CUT: "support_cut attackers",
    codes.SAY_CUT_BY_DISLODGMENT: "support_cut_by_dislodgment attacker strength resistance",
    codes.SAY_CUT_AND_DISLODGED: "support_cut_and_dislodged attacker strength resistance",
    codes.SAY_SUPPORTED_HOLD: "supported_hold target",
    codes.SAY_SUPPORTED_MOVE: "supported_move target place",
    codes.SAY_TARGET_MOVED: "support_void_target_moved target",
    codes.SAY_TARGET_NOT_ORDERED: "void_target_not_ordered target place",
    codes.SAY_SUPPORT_WITHOUT_CONVOY: "support_void_no_convoy target place",
    codes.SAY_OTHER_FLEETS: "convoy_void_other_fleets target",
    codes.SAY_CONVOYED_BY_LAND: "convoy_void_by_land target place",
    codes.SAY_CONVOYED: "convoyed army place",
    codes.SAY_CONVOYED_IN_VAIN: "convoyed_and_bounced army place",
    codes.SAY_OTHER_ROUTE: "convoy_other_route army place",
    codes.SAY_READY_WITHOUT_CHAIN: "convoy_ready_no_chain army place",
    codes.SAY_READY_FLEETS_DISLODGED: "convoy_ready_fleets_dislodged army place fleets",
    codes.SAY_READY_IN_PARADOX: "convoy_ready_paradox army place fleets",
    codes.SAY_CONVOY_DISRUPTED: "convoy_disrupted army place",
    codes.SAY_CONVOY_IN_PARADOX: "convoy_disrupted_by_paradox army place",
}
STATEMENTS = {number: tuple(text.split()) for number, text in _STATEMENTS.items()}
"""The message key of each statement, and its parameter names in the order of its values."""


_DESTROYED = {
    "dislodged": "destroyed",
    "dislodged_head_to_head": "destroyed_head_to_head",
    "support_cut_and_dislodged": "support_cut_and_destroyed",
    "support_cut_by_dislodgment": "support_cut_by_destruction",
}
"""The message key about a unit without a retreat, by that about one that may retreat."""

_NUMBERS = {"strength", "resistance", "attack"}
_LISTS = {"attackers", "rivals", "fleets"}


class Phrasebook:
    """Turns the kernel's rows about one board into messages; `known` caches recent ones."""

    def __init__(self, table: Table) -> None:
        self.known: dict[bytes, Explained] = {}
        self.names = geography(table.board)
        self._table = table

    def find_message(self, row: bytes) -> Message:
        """Return the reason in a row."""
        explained = self.known.get(row) or self.explain_row(row)
        sentence: Sentence = explained[1]
        return sentence.message

    def explain_row(self, row: bytes) -> Explained:
        """Return a row's outcome, reason and provinces at fault, and cache them."""
        values = array("i")
        values.frombytes(row)
        count = values[-1]
        end = len(values) - 1 - count
        places = [ProvinceCode(self._table.location_of[p]) for p in values[end:-1]]
        messages = self._read_messages(iter(values[1:end]))
        sentence = Sentence(join_sentences(messages), self.names)
        explained = OUTCOMES[values[0]], sentence, tuple(sorted(places))
        if len(self.known) >= _MAX_STORED:
            self.known.clear()
        self.known[row] = explained
        return explained

    def _read_messages(self, values: Iterator[int]) -> list[Message]:
        statements = list(self._read_statements(values))
        if len(statements) > 1 and statements[0].key == "convoy_other_route":
            # The fleet was dislodged, which ended this route.
            statements[0] = replace(statements[0], key="convoy_disrupted_other_route")
        return statements

    def _read_statements(self, values: Iterator[int]) -> Iterator[Message]:
        for statement in values:
            key, *names = STATEMENTS[statement]
            parameters = {name: self._read(name, values) for name in names}
            if statement == codes.SAY_RIVALS and parameters["strength"] != parameters["resistance"]:
                key = "bounced_stronger_rivals"
            yield Message(key, parameters)

    def _read(self, name: str, values: Iterator[int]) -> Parameter:
        value = next(values)
        if name in _NUMBERS:
            return value
        if name in _LISTS:
            return tuple([self._read("unit", values) for _ in range(value)])
        if name == "place":
            return Place(self._table.location_of[value])
        if name == "power":
            return PowerName(self._table.powers[value])
        unit = unpack_unit(self._table, value & ~codes.OWN_MARK)
        return OwnUnit(unit) if value & codes.OWN_MARK else unit


_MAX_STORED = 16_384
"""How many rows are cached for one board."""


@lru_cache(maxsize=8)
def open_phrasebook(table: Table) -> Phrasebook:
    """Return the messages about the board that `table` describes."""
    return Phrasebook(table)


def call_destroyed(message: Message) -> Message:
    """Return the reason of a dislodged unit's result, of a unit that has no retreat."""
    parts: Any = message.parameters["sentences"] if message.key == "sentences" else (message,)
    return join_sentences([replace(one, key=_DESTROYED.get(one.key, one.key)) for one in parts])


def add_dislodgment(refusal: OrderResult, dislodgment: Message) -> Message:
    """Return the reason of a refused order's result, for a unit that was dislodged."""
    return join_sentences([find_message(refusal), dislodgment])


def find_message(result: OrderResult) -> Message:
    """Return the message of a result; a stored result, or a refused value, has only text."""
    return result.message or Message.of("refused", reason=result.why)


def explain_results(
    board: Board,
    rules: RuleSet,
    units: Sequence[Unit],
    orders: Iterable[Order | None],
    dislodged: Iterable[Dislodged],
    *,
    read_orders: Callable[[], PhaseOrders] | None = None,
) -> Iterable[OrderResult]:
    """Return the result of each unit's order, then those of void orders for no unit.

    `orders` are the orders that the units follow; a unit without an order holds. `read_orders`
    returns the refused orders, if there are any.
    """
    book = open_phrasebook(table_of(board))
    results: Sequence[OrderResult] | None = KERNEL.explain_orders(
        board, units, orders, rules, book.known, book.explain_row
    )
    if results is None:
        raise AssertionError("the orders are not those that the kernel decided")
    fates = {entry.unit: entry for entry in dislodged}
    if not all(entry.retreats for entry in dislodged):
        results = [
            result
            if unit not in fates or fates[unit].retreats
            else _reword(result, call_destroyed(find_message(result)), book)
            for unit, result in zip(units, results, strict=True)
        ]
    return results if read_orders is None else _refuse(units, results, read_orders(), fates, book)


def _refuse(
    units: Sequence[Unit],
    results: Iterable[OrderResult],
    read: PhaseOrders,
    dislodged: Container[Unit],
    book: Phrasebook,
) -> Iterator[OrderResult]:
    for unit, result in zip(units, results, strict=True):
        refusal = read.refusal_of(unit)
        if refusal is not None:
            if unit in dislodged:
                refusal = _reword(refusal, add_dislodgment(refusal, find_message(result)), book)
            yield replace(refusal, by=result.by)
            continue
        implicit = read.order_of(unit) is None or read.is_implied(unit)
        yield result if result.implicit == implicit else replace(result, implicit=implicit)
    yield from read.void


def _reword(result: OrderResult, message: Message, book: Phrasebook) -> OrderResult:
    return replace(result, sentence=Sentence(message, book.names))
