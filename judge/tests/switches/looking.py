"""One switch at a time: rows of what each of its values shows, and ways to look."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from judge.tests.shorthand import BOARD, driven_out, order, orders, play, position, words

from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.adjustments import removal_order
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.notation import parse_sheet
from diplomaccloud.judge.orders import Order, Waive, power_of
from diplomaccloud.judge.results import Resolution
from diplomaccloud.judge.rules import RuleSet

Looking = Callable[[RuleSet], object]


@dataclass(frozen=True)
class Row:
    """What `look` sees under each value of `switch`."""

    switch: str
    about: str
    look: Looking
    seen: Mapping[object, object]
    base: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.switch}: {self.about}"


def word(name: str, text: str) -> Looking:
    """Look at the outcome of the unit `name` in a movement phase."""
    return lambda rules: words(play(text, rules), name)[name]


def retreats(name: str, text: str) -> Looking:
    """Look at where the dislodged unit `name` may go; `None` if it is not dislodged."""
    return lambda rules: driven_out(play(text, rules)).get(name)


def given(text: str, *listed: Order) -> Callable[[RuleSet], Resolution]:
    """Adjudicate the units of `text` with the orders `listed` instead of those written."""
    return lambda rules: adjudicate(BOARD, position(text), listed, rules)


def told(name: str, done: Callable[[RuleSet], Resolution]) -> Looking:
    """Look at the outcome of the unit in the province of `name`, whatever an order calls it."""
    place = name.partition(" ")[2].partition("/")[0]

    def look(rules: RuleSet) -> object:
        told = [one for one in done(rules).results if _place(one.order) == place]
        return told[0].outcome.value

    return look


def _place(order: Order) -> str:
    return "" if isinstance(order, Waive) else order.unit.province


def winter(text: str, centers: str, power: str, *texts: str) -> Looking:
    """Look at the units of `power` after a Winter with the adjustments `texts`."""

    def look(rules: RuleSet) -> object:
        start = position(text, "W1901A", {power: centers})
        listed = [order(one, power) for one in texts]
        after = adjudicate(BOARD, start, listed, rules).next
        return " ".join(str(one).replace(" ", "") for one in after.units_of(Power(power)))

    return look


def sheet(name: str, text: str, power: str, written: str) -> Looking:
    """Look at the outcome of the unit `name` when `power` writes `written`, others as `text`."""

    def look(rules: RuleSet) -> object:
        start = position(text)
        others = [one for one in orders(text, start) if power_of(one) != power]
        read = parse_sheet(written, BOARD, start, Power(power), rules=rules)
        done = adjudicate(BOARD, start, [*others, *read.orders], rules)
        return told(name, lambda _: done)(rules)

    return look


def build_sheet(centers: str, power: str, written: str) -> Looking:
    def look(rules: RuleSet) -> object:
        start = position("AUSTRIA: A SYR H", "W1901A", {power: centers})
        read = parse_sheet(written, BOARD, start, Power(power), rules=rules)
        after = adjudicate(BOARD, start, read.orders, rules).next
        return " ".join(str(one).replace(" ", "") for one in after.units_of(Power(power)))

    return look


def removed(text: str, power: str, centers: str) -> Looking:
    """Look at the unit that civil disorder takes first."""
    start = position(text, "W1901A", {power: centers})
    return lambda rules: str(removal_order(BOARD, start, Power(power), rules, "7")[0])
