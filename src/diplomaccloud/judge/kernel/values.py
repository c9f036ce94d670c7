"""One movement phase from values to values by the kernel, without reasons.

`judge.adjudicate` decides by this wherever it can; bots that look ahead may ask it themselves.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from diplomaccloud.judge.board import Board, ProvinceCode
from diplomaccloud.judge.kernel.batch import UnservedRulesError, serves
from diplomaccloud.judge.kernel.layout import OUTCOMES, unpack_unit
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.kernel.table import Table, small_table_of
from diplomaccloud.judge.orders import MovementOrder, Order
from diplomaccloud.judge.position import Dislodged
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.rules import DEFAULT, RuleSet
from diplomaccloud.judge.units import Unit


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a movement phase came to.

    `outcomes` has one entry for each unit, in the order the units were given; `units` are
    those that remain, where they now stand, sorted; `dislodged` are the units driven out, in
    the order given, with the places each may retreat to, none if it is destroyed. `standoffs`
    are the provinces that a standoff left empty, sorted.
    """

    outcomes: tuple[Outcome, ...]
    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...]
    standoffs: tuple[ProvinceCode, ...]


def decide(
    board: Board,
    units: Sequence[Unit],
    orders: Iterable[MovementOrder],
    rules: RuleSet = DEFAULT,
) -> Verdict:
    """Return what becomes of legal `orders`; a unit without one holds.

    Raises `UnservedRulesError` if the kernel does not know the rules, `ValueError` for a place
    or power that is not on the board, or an order for a unit that is not there.
    """
    if not serves(rules):
        raise UnservedRulesError(f"no kernel for the rule set {rules.name}")
    verdict = decide_listed(board, units, orders, rules, checked=False)
    if verdict is None:
        raise ValueError("units or orders are not those of one position of the board")
    return verdict


def decide_listed(
    board: Board,
    units: Sequence[Unit],
    orders: Iterable[Order],
    rules: RuleSet,
    *,
    checked: bool = True,
) -> Verdict | None:
    """Return what becomes of `orders`, or `None` where that is not for the kernel to say.

    That is so by rules other than those of 2000 and 2023, beyond the kernel's boards, and if
    `checked`, for orders that are not as `legal_orders` lists them or for one unit differ.
    """
    table = small_table_of(board) if serves(rules) else None
    if table is None:
        return None
    judged = KERNEL.judge(table, units, orders, checked, rules.retreat_to_convoyed_attacker)
    if judged is None:
        return None
    outcomes, _, _, standoffs, standing, driven = judged
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
                for i, source, places in driven
            ]
        )
        if driven
        else (),
        tuple(sorted([ProvinceCode(provinces[one]) for one in standoffs])),
    )


def _unit(table: Table, code: int) -> Unit:
    unit = table.units[code] = unpack_unit(table, code)
    return unit
