"""The outcomes of orders, and their reasons."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import overload

from diplomaccloud.judge.board import Power, ProvinceCode
from diplomaccloud.judge.geography import Geography
from diplomaccloud.judge.messages.english import Sentence, write_sentence
from diplomaccloud.judge.messages.values import Message
from diplomaccloud.judge.orders import Order, Retreat
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.units import Unit


class Outcome(StrEnum):
    """The word for an order's result, as in the protocol.

    `NOPATH`: the army's convoy route failed or never existed. `VOID`: the order is illegal or does
    not match another. `DISRUPTED`: the convoy failed, so its army did not get through. A dislodged
    unit keeps its own outcome and is also listed in `dislodged`.
    """

    MOVED = "moved"
    BOUNCED = "bounced"
    HOLD = "hold"
    GIVEN = "given"
    CUT = "cut"
    VOID = "void"
    CONVOYED = "convoyed"
    DISRUPTED = "disrupted"
    NOPATH = "nopath"
    RETREATED = "retreated"
    DISBANDED = "disbanded"
    BUILT = "built"
    WAIVED = "waived"


@dataclass(frozen=True, slots=True)
class OrderResult:
    """One order with its outcome and, in `why`, the reason for it.

    `sentence` is that reason as text, or as a sentence of the judge that `why` renders.
    `implicit` marks an order that no player wrote: a hold, a disband, a removal in civil disorder.
    `by` has the provinces of the units that caused the outcome (the attacker that cut a support,
    the rival in a standoff), sorted.
    """

    order: Order
    outcome: Outcome
    sentence: str | Sentence
    by: tuple[ProvinceCode, ...] = ()
    implicit: bool = False

    @property
    def why(self) -> str:
        """The reason for the outcome, in English, in one or two sentences."""
        return str(self.sentence)

    @property
    def message(self) -> Message | None:
        """The key and parameters of the reason, or `None` if only its text is known."""
        return self.sentence.message if isinstance(self.sentence, Sentence) else None

    def with_names(self, names: Geography) -> "OrderResult":
        """Return the result with the names of places and powers in `names`."""
        if not isinstance(self.sentence, Sentence):
            return self
        return replace(self, sentence=self.sentence.with_names(names))

    @property
    def succeeded(self) -> bool:
        """Whether the order was carried out."""
        if isinstance(self.order, Retreat) and self.outcome is Outcome.DISBANDED:
            return False
        return self.outcome not in _FAILURES


_FAILURES = frozenset(
    {Outcome.BOUNCED, Outcome.CUT, Outcome.VOID, Outcome.DISRUPTED, Outcome.NOPATH}
)


class LazyResults(Sequence[OrderResult]):
    """The results of one phase in order, which `make` returns once one is first accessed.

    Computing the reasons takes many times longer than deciding the outcomes. This is equal to any
    sequence of equal results, and is copied and pickled as a tuple.
    """

    __slots__ = ("_made", "_make", "outcomes")

    def __init__(
        self, outcomes: tuple[Outcome, ...], make: Callable[[], Iterable[OrderResult]]
    ) -> None:
        self.outcomes = outcomes
        self._make = make
        self._made: tuple[OrderResult, ...] | None = None

    def _all(self) -> tuple[OrderResult, ...]:
        if self._made is None:
            self._made = tuple(self._make())
        return self._made

    @overload
    def __getitem__(self, index: int) -> OrderResult: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[OrderResult, ...]: ...
    def __getitem__(self, index: int | slice) -> OrderResult | tuple[OrderResult, ...]:
        return self._all()[index]

    def __len__(self) -> int:
        return len(self.outcomes)

    def __iter__(self) -> Iterator[OrderResult]:
        return iter(self._all())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LazyResults | tuple):
            return NotImplemented
        return self is other or self._all() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._all())

    def __repr__(self) -> str:
        return repr(self._all())

    def __reduce__(self) -> tuple[type[tuple[OrderResult, ...]], tuple[tuple[OrderResult, ...]]]:
        return tuple, (self._all(),)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended under the rules: the power or powers that share first place."""

    winners: tuple[Power, ...]
    reason: str

    @classmethod
    def of(cls, winners: tuple[Power, ...], key: str, **parameters: int | str) -> "Ending":
        """Return the ending with the catalog's sentence `key` as its reason."""
        return cls(winners, write_sentence(key, **parameters))


@dataclass(frozen=True, slots=True)
class Resolution:
    """Everything that one adjudication decided.

    `results` has one entry per unit (movement, retreats) or per adjustment, and also has void
    orders that are not for a unit of their power. After a movement phase, it is a `LazyResults`,
    whose reasons are computed on first access. `dislodged` has the units dislodged in this movement
    phase, including the `destroyed` ones that had no retreat. `standoffs` are the provinces that
    standoffs left empty. `next` is the next position with something to order; other phases are
    skipped. `gained` has the centers that changed hands, with their new owners. `ending` is set
    once the game is won.
    """

    results: Sequence[OrderResult]
    next: Position
    dislodged: tuple[Dislodged, ...] = ()
    destroyed: tuple[Unit, ...] = ()
    standoffs: tuple[ProvinceCode, ...] = ()
    gained: tuple[tuple[ProvinceCode, Power], ...] = field(default=())
    ending: Ending | None = None

    def with_names(self, names: Geography) -> "Resolution":
        """Return a stored resolution with the names in `names` in its reasons."""
        if isinstance(self.results, LazyResults):
            return self
        return replace(self, results=tuple([result.with_names(names) for result in self.results]))

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcomes of `results`, without computing their reasons."""
        if isinstance(self.results, LazyResults):
            return self.results.outcomes
        return tuple(result.outcome for result in self.results)
