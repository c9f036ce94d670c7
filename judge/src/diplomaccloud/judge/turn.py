"""The results of one adjudicated phase, looked up by unit."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from diplomaccloud.judge.board import Board, Location, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.checks import describe
from diplomaccloud.judge.explain import explain
from diplomaccloud.judge.orders import Order, Waive, power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import OrderResult, Outcome, Resolution
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.units import Unit

if TYPE_CHECKING:
    from diplomaccloud.judge.drawing.chart import Chart
    from diplomaccloud.judge.drawing.picture import Picture

_IDLE = frozenset({Outcome.HOLD, Outcome.DISBANDED})


@dataclass(frozen=True, slots=True)
class Problem:
    """An order that will not be followed as written: its power, its text, and what is wrong.

    `is_unread` says that the text is not an order; if it is false, the order is illegal.
    """

    power: str
    text: str
    message: str
    is_unread: bool = False

    def __str__(self) -> str:
        return f"{self.power}: {self.text}: {self.message}"


@dataclass(frozen=True, slots=True)
class UnitResult:
    """The result of one unit or one adjustment.

    `order` is the order that counted; `str(order)` is its text. `why` is one or two sentences.
    `dislodged_by` is the attacker of a dislodged unit, e.g. `A MUN`, and `retreats` are the places
    it may retreat to; a dislodged unit without any is destroyed.
    """

    power: str
    order: Order
    outcome: Outcome
    why: str
    dislodged_by: str | None = None
    retreats: tuple[str, ...] = ()

    @property
    def is_dislodged(self) -> bool:
        """Whether the unit was dislodged."""
        return self.dislodged_by is not None


@dataclass(frozen=True, eq=False, repr=False)
class Turn(Mapping[str, UnitResult]):
    """One adjudicated phase: a mapping from units to their results.

    A unit is written as `A PAR`, in any case, or as its province. The key of a waived build, or of
    an order that is not for a unit of its power, is the power and the text, e.g. `FRANCE WAIVE`;
    from the second on, a number follows. `resolution` has all decisions, `problems` has the orders
    that were not followed as written, and `unread` has the provinces of units with an unreadable
    order, each with the reason.
    """

    board: Board
    rules: RuleSet
    position: Position
    orders: tuple[Order, ...]
    resolution: Resolution
    problems: tuple[Problem, ...] = ()
    seed: str = ""
    unread: tuple[tuple[ProvinceCode, str], ...] = ()
    chart: "Chart | None" = field(default=None, repr=False)
    _made: Mapping[str, UnitResult] = field(default_factory=dict, init=False)

    @property
    def phase(self) -> str:
        """The phase that was adjudicated, e.g. `S1901M`."""
        return str(self.position.phase)

    @property
    def next(self) -> Position:
        """The next position."""
        return self.resolution.next

    def explain(self, unit: str) -> str:
        """Return a paragraph that explains the outcome of `unit`, with the rules behind it."""
        key = self._find_key(unit)
        result = self._results()[key]
        explanations = explain(self.board, self.position, self.orders, self.rules, seed=self.seed)
        for about, explanation in explanations.items():
            if str(about) == key:
                return explanation.restate(result.outcome, result.why).paragraph
        return result.why

    def picture(
        self,
        *,
        orders: bool = True,
        width: int = 900,
        labels: str | None = None,
        dark: bool = False,
        patterns: bool = False,
    ) -> "Picture":
        """Return the position before this phase as a picture, with its orders and their results.

        A move that failed ends in a cross, and a dislodged unit has a ring around it. The arguments
        are those of `Game.picture`; without `orders`, only the position is drawn.
        """
        from diplomaccloud.judge.drawing.picture import Style, draw_picture  # noqa: PLC0415

        return draw_picture(
            self.chart or self.board,
            self.position,
            Style(width, labels, dark, patterns),
            resolution=self.resolution if orders else None,
            is_before=True,
        )

    def _repr_svg_(self) -> str:
        return self.picture()._repr_svg_()

    def __getitem__(self, unit: str) -> UnitResult:
        return self._results()[self._find_key(unit)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._results())

    def __len__(self) -> int:
        return len(self._results())

    def __contains__(self, unit: object) -> bool:
        try:
            self._find_key(unit)
        except KeyError:
            return False
        return True

    def __repr__(self) -> str:
        return f"<Turn {self.phase}, {len(self)} results>"

    def _find_key(self, unit: object) -> str:
        """Return the key that `unit` means; raise `KeyError` if there is none."""
        if not isinstance(unit, str | Unit):
            raise KeyError(f"{describe(unit)[:40]!r} is not a unit")
        text = " ".join(str(unit).upper().split())
        results = self._results()
        if text in results:
            return text
        for key, result in results.items():
            order = result.order
            if not isinstance(order, Waive) and order.unit.province == text:
                return key
        what = f"had nothing to order in {self.phase}"
        if not self._is_on_board(text):
            what = "is neither a unit nor a province of the board"
        raise KeyError(f"{str(unit)[:40]!r} {what}")

    def _is_on_board(self, key: str) -> bool:
        """Return whether a turn on this board may have a result for `key`."""
        first, _, rest = key.partition(" ")
        place = rest if first in {*UnitKind} else key
        return province_of(Location(place)) in self.board.by_code or (
            first in self.board.power_info and bool(rest)
        )

    def _results(self) -> Mapping[str, UnitResult]:
        """Return the results; their reasons are computed when one is first accessed."""
        if not self._made:
            # Built separately, so that another thread sees all results or none.
            made: dict[str, UnitResult] = {}
            # By province, because a refused order may name its unit incorrectly.
            dislodged = {(e.unit.power, e.unit.province): e for e in self.resolution.dislodged}
            unread = dict(self.unread)
            for result in self.resolution.results:
                order, power = result.order, power_of(result.order)
                place = None if isinstance(order, Waive) else order.unit.province
                entry = None if place is None else dislodged.get((power, place))
                why = None if place is None else unread.get(place)
                outcome, why = self._read_result(result, why, entry is not None)
                attacker = None if entry is None else self.position.unit_in(entry.by)
                made[_free_key(made, order)] = UnitResult(
                    power=power,
                    order=order,
                    outcome=outcome,
                    why=why,
                    dislodged_by=None if entry is None else str(attacker or entry.by),
                    retreats=() if entry is None else entry.retreats,
                )
            object.__setattr__(self, "_made", made)
        return self._made

    def _read_result(
        self, result: OrderResult, unread: str | None, is_dislodged: bool
    ) -> tuple[Outcome, str]:
        """Return the outcome and the reason; an unreadable order is void."""
        if unread is None or not result.implicit or result.outcome not in _IDLE:
            return result.outcome, result.why
        if self.position.phase.stage is not Stage.MOVEMENT:
            return result.outcome, unread
        return Outcome.VOID, f"{unread} {result.why}" if is_dislodged else unread


def _free_key(made: Mapping[str, UnitResult], order: Order) -> str:
    if not isinstance(order, Waive) and str(order.unit) not in made:
        return str(order.unit)
    text = f"{power_of(order)} {order}"
    key, number = text, 2
    while key in made:
        key, number = f"{text} {number}", number + 1
    return key
