"""One movement phase from values to values by the kernel, without reasons.

For bots that look ahead: a tenth of the work of `judge.adjudicate`, which reads orders
leniently and explains every one. Here orders must be legal, as `legal_orders` lists them.
"""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass

from diplomaccloud.judge.board import Board, Location, UnitKind
from diplomaccloud.judge.kernel.batch import UnservedRulesError, serves
from diplomaccloud.judge.kernel.chosen import KERNEL
from diplomaccloud.judge.kernel.layout import (
    CONVOY,
    HEAD,
    MOVE,
    MOVE_VIA,
    OPEN_SOURCE,
    OUTCOMES,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    retreats,
    unpack_unit,
    width,
)
from diplomaccloud.judge.kernel.table import Table, table_of
from diplomaccloud.judge.orders import Convoy, Move, MovementOrder, SupportHold, SupportMove
from diplomaccloud.judge.position import Dislodged
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.rules import DEFAULT, RuleSet
from diplomaccloud.judge.units import Unit


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a movement phase came to.

    `outcomes` has one entry for each unit, in the order the units were given; `units` are
    those that remain, where they now stand; `dislodged` are the units driven out, with the
    places each may retreat to, none if it is destroyed.
    """

    outcomes: tuple[Outcome, ...]
    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...]


def decide(
    board: Board,
    units: Iterable[Unit],
    orders: Iterable[MovementOrder],
    rules: RuleSet = DEFAULT,
) -> Verdict:
    """Return what becomes of legal `orders`; a unit without one holds.

    Raises `UnservedRulesError` if the kernel does not know the rules, `KeyError` for a place or
    power that is not on the board.
    """
    if rules is not DEFAULT and not serves(rules):
        raise UnservedRulesError(f"no kernel for the rule set {rules.name}")
    table = table_of(board)
    size = table.provinces
    places, powers, province_of = table.place_of, table.power_of, table.province_of
    row = array("i", [-1]) * width(table)
    row[1] = 0
    contested = HEAD + 3 * size
    row[contested : contested + size] = array("i", bytes(4 * size))
    standing = []
    known: dict[int, Unit] = {}
    for unit in units:
        place = places[unit.location]
        code = powers[unit.power] << 11 | place << 1 | (unit.kind is UnitKind.FLEET)
        here = province_of[place]
        row[HEAD + here] = code
        standing.append(here)
        known[code] = unit
    after = array("i", row)
    outcomes = array("i", row[:size])
    dislodgers = array("i", outcomes)
    given = _order_row(table, orders)
    reopen = int(rules.retreat_to_convoyed_attacker)
    KERNEL.adjudicate(table, row, given, after, outcomes, dislodgers, reopen, 0)
    return Verdict(
        tuple([OUTCOMES[outcomes[here]] for here in standing]),
        tuple(
            [
                known.get(code) or _unit(table, code)
                for code in after[HEAD : HEAD + size]
                if code >= 0
            ]
        ),
        tuple(
            [
                _dislodged(table, after, here, known[row[HEAD + here]], dislodgers[here])
                for here in standing
                if dislodgers[here] >= 0
            ]
        ),
    )


def _order_row(table: Table, orders: Iterable[MovementOrder]) -> "array[int]":
    size = table.provinces
    places, province_of = table.place_of, table.province_of
    given = array("i", bytes(12 * size))
    for order in orders:
        here = province_of[places[order.unit.location]]
        if isinstance(order, Move):
            given[here] = MOVE_VIA if order.via_convoy else MOVE
            given[2 * size + here] = places[order.to]
        elif isinstance(order, SupportHold):
            given[here] = SUPPORT_HOLD
            given[size + here] = province_of[places[order.target.location]]
        elif isinstance(order, SupportMove):
            given[here] = SUPPORT_MOVE
            given[size + here] = province_of[places[order.target.location]]
            given[2 * size + here] = places[order.to]
        elif isinstance(order, Convoy):
            given[here] = CONVOY
            given[size + here] = province_of[places[order.target.location]]
            given[2 * size + here] = places[Location(order.to)]
    return given


def _unit(table: Table, code: int) -> Unit:
    unit = table.units.get(code)
    if unit is None:
        unit = table.units[code] = unpack_unit(table, code)
    return unit


def _dislodged(table: Table, after: "array[int]", here: int, unit: Unit, source: int) -> Dislodged:
    left = after[HEAD + table.provinces + here] >= 0
    places = retreats(table, after, here) if left else ()
    return Dislodged(
        unit,
        table.board.provinces[source % OPEN_SOURCE].code,
        tuple(sorted([table.location_of[place] for place in places])),
    )
