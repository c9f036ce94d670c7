"""One movement phase of ordinary values, resolved or listed by the kernel, without reasons.

`judge.adjudicate` uses it wherever it can; bots that look ahead may use it directly.
"""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from diplomaccloud.judge.board import Board, Power, ProvinceCode, UnitKind
from diplomaccloud.judge.kernel.batch import UnsupportedRulesError, supports_rules
from diplomaccloud.judge.kernel.layout import (
    CONVOY,
    HEAD,
    MOVE,
    MOVE_VIA,
    OUTCOMES,
    PHASE,
    PLACE_SHIFT,
    SPRING_MOVEMENT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    YEAR,
    unpack_unit,
    width,
)
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.kernel.table import Table, small_table_of
from diplomaccloud.judge.orders import (
    Convoy,
    Hold,
    Move,
    MovementOrder,
    Order,
    SupportHold,
    SupportMove,
)
from diplomaccloud.judge.position import Dislodged
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.rules import DEFAULT, RuleSet
from diplomaccloud.judge.units import Unit


@dataclass(frozen=True, slots=True)
class Verdict:
    """The results of a movement phase.

    `outcomes` has one entry for each unit, in the order in which the units were given. `units`
    are the units that were not dislodged, where they are now, sorted. `dislodged` are the other
    units, in the order given, with the places each may retreat to; one without any is destroyed.
    `standoffs` are the provinces that a standoff left empty, sorted. `answers` and `marks` are
    the kernel's own lists, for `movement.kernel_bridge`.
    """

    outcomes: tuple[Outcome, ...]
    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...]
    standoffs: tuple[ProvinceCode, ...]
    answers: Sequence[int] = field(default=(), compare=False, repr=False)
    marks: Sequence[int] = field(default=(), compare=False, repr=False)


def adjudicate(
    board: Board,
    units: Sequence[Unit],
    orders: Iterable[MovementOrder],
    rules: RuleSet = DEFAULT,
) -> Verdict:
    """Return the results of legal `orders`; a unit without an order holds.

    Raises `UnsupportedRulesError` if the kernel does not know the rules, and `ValueError` for a
    place or power that is not on the board or an order for a unit that does not exist.
    """
    if not supports_rules(rules):
        raise UnsupportedRulesError(f"no kernel for the rule set {rules.name}")
    verdict = adjudicate_legal(board, units, orders, rules, checked=False)
    if verdict is None:
        raise ValueError("units or orders are not those of one position of the board")
    return verdict


def adjudicate_legal(
    board: Board,
    units: Sequence[Unit],
    orders: Iterable[Order],
    rules: RuleSet,
    *,
    checked: bool = True,
) -> Verdict | None:
    """Return the results of `orders`, or `None` if the kernel cannot resolve them.

    The kernel knows the rules of 2000 and 2023 and boards up to a certain size. If `checked`,
    the result is also `None` if an order is not one that `legal_orders` lists, or if two orders
    for the same unit differ.
    """
    table = small_table_of(board) if supports_rules(rules) else None
    if table is None:
        return None
    resolved = KERNEL.resolve(table, units, orders, checked, rules.retreat_to_convoyed_attacker)
    if resolved is None:
        return None
    outcomes, answers, marks, standoffs, standing, dislodged = resolved
    known = table.units
    provinces = table.location_of
    return Verdict(
        tuple([OUTCOMES[number] for number in outcomes]),
        tuple([known.get(code) or _unit(table, code) for code in standing]),
        tuple(
            [
                Dislodged(
                    units[i],
                    ProvinceCode(provinces[source]),
                    tuple(sorted([table.location_of[place] for place in places])),
                )
                for i, source, places in dislodged
            ]
        )
        if dislodged
        else (),
        tuple(sorted([ProvinceCode(provinces[one]) for one in standoffs])),
        answers,
        marks,
    )


def list_movement_orders(
    board: Board, units: Sequence[Unit], power: Power | None = None
) -> tuple[MovementOrder, ...] | None:
    """Return the legal orders of `units`, or of those of `power`, in a movement phase.

    They come by unit, as `units` are given: the hold, then moves, supports to hold, supports
    of moves, and convoys, each by target and then by destination. Returns `None` for a board
    beyond the kernel's size, and if a unit stands nowhere or two share a province.
    """
    table = small_table_of(board)
    if table is None:
        return None
    size = table.provinces
    state = array("i", [-1]) * width(table)
    state[YEAR], state[PHASE] = 0, SPRING_MOVEMENT
    state[HEAD + 3 * size : HEAD + 4 * size] = array("i", [0]) * size
    numbers = [-1] * size
    for number, unit in enumerate(units):
        place = table.place_of.get(unit.location)
        if place is None or numbers[here := table.province_of[place]] >= 0:
            return None
        # The list does not depend on owners, and a unit may belong to a power that the board lacks.
        state[HEAD + here] = place << PLACE_SHIFT | (unit.kind is UnitKind.FLEET)
        numbers[here] = number
    flat = iter(KERNEL.list_batch(table, state)[1])
    alphabet = table.alphabet
    rows: list[tuple[int, int, int, int, int]] = []
    for here, code, target, to in zip(flat, flat, flat, flat, strict=True):
        number = numbers[here]
        if power is None or units[number].power == power:
            group = MOVE if code == MOVE_VIA else code
            number_of_target = numbers[target] if code >= SUPPORT_HOLD else 0
            key = ((number << 3 | group) << 9 | number_of_target) << 11 | alphabet[to] << 1
            rows.append((key | (code == MOVE_VIA), number, code, number_of_target, to))
    rows.sort()
    return tuple(
        [
            _order(table, units[number], code, units[number_of_target], to)
            for _, number, code, number_of_target, to in rows
        ]
    )


def _order(table: Table, unit: Unit, code: int, target: Unit, to: int) -> MovementOrder:
    if code == SUPPORT_MOVE:
        return SupportMove(unit, target, table.location_of[to])
    if code == MOVE:
        return Move(unit, table.location_of[to])
    if code == SUPPORT_HOLD:
        return SupportHold(unit, target)
    if code == CONVOY:
        return Convoy(unit, target, ProvinceCode(table.location_of[to]))
    if code == MOVE_VIA:
        return Move(unit, table.location_of[to], via_convoy=True)
    return Hold(unit)


def _unit(table: Table, code: int) -> Unit:
    unit = table.units[code] = unpack_unit(table, code)
    return unit
