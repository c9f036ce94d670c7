"""The parts of a switch that its page shows: a question, and positions with orders."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from diplomaccloud.judge.board import Location, Power, UnitKind
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.units import Unit

Prepare = Callable[[Position, Sequence[Order], RuleSet], tuple[Position, Sequence[Order]]]
"""Returns the position and the orders to adjudicate, if a switch changes these."""


@dataclass(frozen=True)
class Example:
    """A position with orders whose results depend on one switch.

    `orders` has a line for each power and places its units, unless `units` does. If `as_written`,
    the orders are read as a sheet by the rules in question. `listed` gives the orders as values
    if canonical text cannot express them; `prepare` changes them according to the rules. `base`
    sets other switches. `after` draws the next position instead of the orders, and `values` limits
    the values that are shown.
    """

    about: str
    orders: str
    phase: str = "S1901M"
    units: str = ""
    centers: Mapping[str, str] = field(default_factory=dict)
    base: Mapping[str, object] = field(default_factory=dict)
    as_written: bool = False
    listed: tuple[Order, ...] = ()
    prepare: Prepare | None = None
    after: bool = False
    values: tuple[object, ...] = ()


@dataclass(frozen=True)
class Switch:
    """A question that the rules leave open, with the positions that show the answers."""

    question: str
    examples: tuple[Example, ...]


def make_unit(text: str, power: str) -> Unit:
    """Return the unit named by `text`, e.g. `F SPA/NC`."""
    kind, _, place = text.partition(" ")
    return Unit(UnitKind(kind), Location(place), Power(power))


A_PAR, F_PAR = make_unit("A PAR", "FRANCE"), make_unit("F PAR", "FRANCE")
