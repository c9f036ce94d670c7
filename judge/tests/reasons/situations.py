"""Known situations as orders, and the explanation of one of them."""

from judge.tests.shorthand import BOARD, orders, position

from diplomaccloud.judge.explain import explain
from diplomaccloud.judge.reasons.values import Explanation
from diplomaccloud.judge.rules import DEFAULT, RuleSet


def explain_one(text: str, name: str, rules: RuleSet = DEFAULT) -> Explanation:
    """Return the explanation of the unit called `name`, of orders as text."""
    start = position(text)
    found = explain(BOARD, start, orders(text, start), rules)
    return next(one for key, one in found.items() if str(key) == name)


PARADOX = "ENGLAND: F LON S F WAL - ENG, F WAL - ENG\nFRANCE: A BRE - LON, F ENG C A BRE - LON"
DRIVEN = (
    "FRANCE: A BUR H\nGERMANY: A MUN - BUR, A RUH S A MUN - BUR\n"
    "ITALY: A MAR - GAS\nENGLAND: F BRE - GAS, A PIC H"
)
SPARED = (
    "FRANCE: A PAR - BUR, A GAS S A PAR - BUR, A BRE - GAS\n"
    "GERMANY: A BUR - GAS\nITALY: A SPA - GAS"
)
SWAP = "ENGLAND: A BEL - LON, F ENG C A BEL - LON\nFRANCE: A LON - BEL, F NTH C A LON - BEL"
