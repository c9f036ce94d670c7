"""Positions for the switches about everything else."""

from collections.abc import Sequence

from judge.tests.switches.standing_orders import (
    Proxy,
    add_perpetual_orders,
    apply_proxies,
    remove_surplus,
)
from switch_parts import A_PAR, Example, Prepare, Switch, make_unit

from diplomaccloud.judge.board import Location, Power
from diplomaccloud.judge.orders import Move, Order, power_of
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.standard.europe import standard_board


def _add_perpetual(
    position: Position, orders: Sequence[Order], rules: RuleSet
) -> tuple[Position, Sequence[Order]]:
    """Treat the first order as one for this turn, and the others as standing orders."""
    return position, add_perpetual_orders(orders[:1], orders[1:], rules)


def _by_proxy(*, announced: bool) -> Prepare:
    def prepare(
        position: Position, _: Sequence[Order], rules: RuleSet
    ) -> tuple[Position, Sequence[Order]]:
        italian = Move(make_unit("A PAR", "ITALY"), Location("BUR"))
        proxy = Proxy(A_PAR, Power("ITALY"), announced)
        orders = apply_proxies([italian], [proxy], rules)
        return position, [order for order in orders if power_of(order) == A_PAR.power]

    return prepare


def _remove_surplus(
    position: Position, orders: Sequence[Order], rules: RuleSet
) -> tuple[Position, Sequence[Order]]:
    left = remove_surplus(standard_board(), position, rules)
    return left, [order for order in orders if getattr(order, "unit", None) in left.units]


OTHERS = {
    "illegal_orders_count": Switch(
        "Does an impossible order count as an order for its unit?",
        (
            Example(
                "The army in Venice is ordered to Moscow. Can it be supported to hold?",
                """
                AUSTRIA: A VEN - MOS
                ITALY: A ROM S A VEN
                FRANCE: A PIE - VEN, A TUS S A PIE - VEN
                """,
            ),
        ),
    ),
    "orders_clarify": Switch(
        "An order does not name a coast, but a support by the same power does. Does that count?",
        (
            Example(
                "The support names the north coast of Spain, the fleet none.",
                "FRANCE: F MAO - SPA, A GAS S F MAO - SPA/NC",
            ),
        ),
    ),
    "implicit_orders": Switch(
        "A unit without an order is supported to move by its own power. Does it move?",
        (
            Example(
                "Germany orders only A RUH S F KIE - HOL.",
                "GERMANY: A RUH S F KIE - HOL",
                units="GERMANY: A RUH, F KIE",
            ),
        ),
    ),
    "perpetual_orders": Switch(
        "Can an order be given once for all later turns?",
        (
            Example(
                "A PAR - BUR was written this turn; A MAR S A PAR - BUR is a standing order.",
                "FRANCE: A PAR - BUR, A MAR S A PAR - BUR",
                prepare=_add_perpetual,
            ),
        ),
    ),
    "proxy_orders": Switch(
        "May a power let another power order its unit?",
        (
            Example(
                "France announced before the deadline that Italy orders A PAR. "
                "Italy orders A PAR - BUR.",
                "",
                units="FRANCE: A PAR",
                prepare=_by_proxy(announced=True),
            ),
            Example(
                "France says so only in its orders.",
                "",
                units="FRANCE: A PAR",
                prepare=_by_proxy(announced=False),
            ),
        ),
    ),
    "flying_dutchman": Switch(
        "By mistake, a power has more units than centers in Spring. Is one removed?",
        (
            Example(
                "France has two units and one center.",
                "FRANCE: A PAR H, A BUR H",
                phase="S1902M",
                centers={"FRANCE": "PAR"},
                prepare=_remove_surplus,
            ),
        ),
    ),
    "own_attack_cuts_support": Switch(
        "Does an attack by a unit of the same power cut a support?",
        (
            Example(
                "The army in Burgundy attacks the one in Paris, which supports.",
                "FRANCE: A PAR S A MAR - GAS, A MAR - GAS, A BUR - PAR",
            ),
        ),
    ),
    "own_attack_void": Switch(
        "A power supports a foreign attack on its own unit. Can the attack dislodge that unit "
        "by other supports?",
        (
            Example(
                "Paris supports the attack on Burgundy, and so does the Ruhr.",
                """
                FRANCE: A BUR H, A PAR S A MUN - BUR
                GERMANY: A MUN - BUR, A RUH S A MUN - BUR
                """,
            ),
        ),
    ),
    "victory": Switch(
        "What wins: enough centers, or most of the pieces on the board?",
        (
            Example(
                "France has two of the three pieces.",
                "FRANCE: A PAR H, A MAR H\nITALY: A PIE H",
                phase="S1902M",
            ),
        ),
    ),
}
