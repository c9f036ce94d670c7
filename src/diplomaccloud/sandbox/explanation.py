"""The result of an order as a line on a page, and its explanation with links to other results."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.urls import reverse

from diplomaccloud.judge.board import Board
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.messages.english import (
    Slot,
    capitalize,
    render_value,
    separate,
    split_message,
)
from diplomaccloud.judge.messages.values import Message, OwnUnit, UnitDistance
from diplomaccloud.judge.orders import Convoy, Hold, Move, SupportHold, SupportMove, Waive
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.reasons.rulebook import Source
from diplomaccloud.judge.reasons.values import Cause, Explanation, Topic
from diplomaccloud.judge.results import OrderResult, Outcome, Resolution
from diplomaccloud.judge.units import Unit

_OUTCOMES = {
    Outcome.MOVED: "succeeded",
    Outcome.HOLD: "held",
    Outcome.GIVEN: "supported",
    Outcome.NOPATH: "no path",
}
_ICONS = {
    Outcome.MOVED: "move",
    Outcome.BOUNCED: "bounce",
    Outcome.HOLD: "hold",
    Outcome.GIVEN: "support",
    Outcome.CUT: "cut",
    Outcome.CONVOYED: "convoy",
    Outcome.RETREATED: "retreat",
    Outcome.DISBANDED: "disband",
    Outcome.BUILT: "build",
    Outcome.WAIVED: "waive",
}


@dataclass(frozen=True, slots=True)
class ResultLine:
    """One order and its outcome.

    `number` is its index among the results of its phase, from 0; `province` is its unit's province,
    blank if it has none. `icon` is the name of the outcome's symbol.
    """

    text: str
    outcome: str
    icon: str
    word: str
    reason: str
    succeeded: bool
    implicit: bool
    dislodged: bool
    destroyed: bool
    number: int
    province: str

    @property
    def failed(self) -> bool:
        """Whether lists underline the order, as the rulebook does with a dislodged unit's, too."""
        return not self.succeeded or self.dislodged


def present_result(position: Position, resolution: Resolution, number: int) -> ResultLine:
    """Return the result `number` of `resolution`, whose phase started with `position`."""
    result = resolution.results[number]
    unit = None if isinstance(result.order, Waive) else result.order.unit
    # "No retreat ordered" is explanation enough, so this disband doesn't need a "Why?".
    unordered = result.implicit and position.phase.stage is Stage.RETREATS
    word = _OUTCOMES.get(result.outcome, result.outcome.value)
    return ResultLine(
        text=str(result.order),
        outcome=result.outcome.value,
        icon=_ICONS.get(result.outcome, "check" if result.succeeded else "ban"),
        word="disbanded: no retreat ordered" if unordered else word,
        reason="" if unordered else result.why,
        succeeded=result.succeeded,
        implicit=result.implicit and not unordered,
        dislodged=any(dislodged.unit == unit for dislodged in resolution.dislodged),
        destroyed=unit in resolution.destroyed,
        number=number,
        province=unit.province if unit else "",
    )


# The page values of an explanation: sentences whose units and orders link to their results.
#
# The judge explains with message keys and typed parameters. This module turns them into fragments
# of text and links, without parsing the judge's English text.


MAX_DEPTH = 4
"""How deep causes are nested; links lead to deeper ones."""

_UNLINKED_FORMS = frozenset({"power", "kind"})
"""Message forms that name a unit's power or kind, but not the unit."""


@dataclass(frozen=True, slots=True)
class Fragment:
    """A piece of a sentence; with `number`, it links to that result."""

    text: str
    number: int | None = None
    is_order: bool = False


@dataclass(frozen=True, slots=True)
class CauseView:
    """A sentence and the sentences below it that explain it."""

    fragments: tuple[Fragment, ...]
    causes: tuple["CauseView", ...] = ()


@dataclass(frozen=True, slots=True)
class RuleView:
    """A rule by its number or title, with a summary and its place in the rulebook."""

    title: str
    gist: str
    url: str


@dataclass(frozen=True, slots=True)
class ExplanationView:
    """The explanation of one order in a processed phase, without the reason in its result.

    `number` is the order's place among the results, from 0. If `has_lead`, the first of `causes` is
    shown at once and the others on demand. `rules` are those that decided, and `cited` has those
    behind the rest. `known` is false if the current judge decides the order differently. Links go
    to explanations below `phase_url`, followed by `query`.
    """

    sequence: int
    number: int
    phase_url: str
    causes: tuple[CauseView, ...] = ()
    alternatives: tuple[CauseView, ...] = ()
    rules: tuple[RuleView, ...] = ()
    cited: tuple[RuleView, ...] = ()
    known: bool = True
    query: str = ""
    has_lead: bool = False

    @property
    def lead(self) -> tuple[CauseView, ...]:
        """The cause that is shown first, without those behind it."""
        return (CauseView(self.causes[0].fragments),) if self.has_lead else ()

    @property
    def more(self) -> tuple[CauseView, ...]:
        """The causes that are shown on demand."""
        if not self.has_lead:
            return self.causes
        first, *others = self.causes
        return (*first.causes, *others)


def present_explanation(
    explanation: Explanation | None,
    board: Board,
    results: Sequence[OrderResult],
    number: int,
    *,
    sequence: int,
    phase_url: str,
    query: str = "",
) -> ExplanationView:
    """Return the explanation of the order `number` among `results`, counted from 0.

    `explanation` is None if it is not known; `phase_url` is the page of the phase `sequence`.
    """
    if explanation is None:
        return ExplanationView(sequence, number, phase_url, known=False, query=query)
    sentences = _Sentences(board, results, number)
    decided = explanation.cause.sources
    behind = [source for source in explanation.sources if source not in decided]
    behind.sort(key=lambda source: source.book)
    lead, cause = explanation.lead, explanation.cause
    if lead is not None:
        others = (inner for inner in cause.causes if inner is not lead)
        cause = replace(cause, causes=(lead, *others))
    return ExplanationView(
        sequence,
        number,
        phase_url,
        causes=tuple(sentences.present_causes(cause, MAX_DEPTH)),
        has_lead=lead is not None and lead.message != cause.message,
        alternatives=tuple(map(CauseView, map(sentences.make_fragments, explanation.alternatives))),
        rules=tuple(_present_rule(source, capitalize(str(source))) for source in decided),
        cited=tuple(_present_rule(source, str(source)) for source in behind),
        query=query,
    )


def _present_rule(source: Source, title: str) -> RuleView:
    return RuleView(title, source.gist, f"{reverse('rules')}#{source.anchor}")


class _Sentences:
    """Turns messages into fragments: each message once, and each unit linked on first mention."""

    def __init__(self, board: Board, results: Sequence[OrderResult], number: int) -> None:
        self._names = geography(board)
        self._numbers: dict[Unit, int] = {}
        for place, result in enumerate(results):
            if not isinstance(result.order, Waive):
                self._numbers.setdefault(result.order.unit, place)
        self._linked = {number}
        self._root = results[number].order
        self._seen: set[Message] = set()

    def present_causes(self, cause: Cause, depth: int) -> Iterator[CauseView]:
        """Yield the causes of `cause`, nested up to `depth`."""
        if not self._seen:
            # A cycle of orders that depend on each other ends with the first one again.
            root = Message.of("order_and_result", order=self._root, result=cause.message)
            self._seen = {cause.message, root}
        for inner in cause.causes if depth else ():
            if inner.topic is not Topic.DECISIVE and inner.message not in self._seen:
                self._seen.add(inner.message)
                fragments = self.make_fragments(inner.message)
                yield CauseView(fragments, tuple(self.present_causes(inner, depth - 1)))

    def make_fragments(self, message: Message) -> tuple[Fragment, ...]:
        """Return the fragments of a sentence."""
        first, *others = self._fill(split_message(message))
        return (replace(first, text=capitalize(first.text)), *others)

    def _fill(self, pieces: Iterator[str | Slot]) -> Iterator[Fragment]:
        for piece in pieces:
            if isinstance(piece, str):
                yield Fragment(piece)
                continue
            value, form = piece
            match value:
                case Message():
                    yield from self.make_fragments(value)
                case tuple():
                    yield from self._fill(separate(value, form))
                case Hold() | Move() | SupportHold() | SupportMove() | Convoy():
                    yield Fragment(str(value), self._link(value.unit), is_order=True)
                case Unit() if form not in _UNLINKED_FORMS:
                    yield Fragment(render_value(value, form, self._names), self._link(value))
                case OwnUnit() | UnitDistance():
                    yield Fragment(render_value(value, form, self._names), self._link(value.unit))
                case _:
                    yield Fragment(render_value(value, form, self._names))

    def _link(self, unit: Unit) -> int | None:
        """Return the number of the unit's result, unless it is already linked."""
        number = self._numbers.get(unit)
        if number in self._linked:
            return None
        if number is not None:
            self._linked.add(number)
        return number
