"""Explanations as values: trees of causes, each with its message, strengths and sources.

This module decides nothing; `judge.explain` builds these trees.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from diplomaccloud.judge.board import Power
from diplomaccloud.judge.geography import Geography
from diplomaccloud.judge.messages.english import render_message
from diplomaccloud.judge.messages.values import Message
from diplomaccloud.judge.orders import Order, SupportHold, SupportMove, power_of
from diplomaccloud.judge.reasons.rulebook import DATC, SUBJECT, Source, cite_edition, datc
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.units import Unit


class Topic(StrEnum):
    """The subject of a cause."""

    RESULT = "result"
    STRENGTH = "strength"
    CUT = "cut"
    SPARED = "spared"
    PATH = "path"
    FLEET = "fleet"
    PARADOX = "paradox"
    RING = "ring"
    DISLODGED = "dislodged"
    RETREAT = "retreat"
    DECISIVE = "decisive"
    EFFECT = "effect"
    ADJUSTMENT = "adjustment"
    CALM = "calm"


class Side(StrEnum):
    """The four strengths of DATC 5.B."""

    ATTACK = "attack"
    HOLD = "hold"
    DEFEND = "defend"
    PREVENT = "prevent"


@dataclass(frozen=True, slots=True)
class OrderedSupport:
    """A support ordered for a unit; if it does not count, `why_not` says why."""

    unit: Unit
    why_not: Message | None = None

    @property
    def counts(self) -> bool:
        """Whether the support adds 1."""
        return self.why_not is None


@dataclass(frozen=True, slots=True)
class Strength:
    """A strength that the judge compared: 1 plus the supports that count, or 0."""

    side: Side
    unit: Unit
    value: int
    supports: tuple[OrderedSupport, ...] = ()


@dataclass(frozen=True, slots=True)
class Decisive:
    """The fate of an order if `unit` had been ordered to hold instead.

    `key` is the key of the message; `dislodgment` is another message if it would also have changed
    whether the unit was dislodged.
    """

    unit: Unit
    fate: Unit
    outcome: Outcome
    dislodged: bool
    key: str
    dislodgment: Message | None = None

    def describe(self, others: tuple[Unit, ...]) -> Message:
        """Return a message about what would have happened if any of `others` had held."""
        effect = Message.of(self.key, others=others, unit=self.fate)
        if self.dislodgment is None:
            return effect
        return Message.of("sentences", sentences=(effect, self.dislodgment))


@dataclass(frozen=True, slots=True)
class Cause:
    """One node: a message, its unit, its strength, its sources, and its own causes."""

    topic: Topic
    message: Message
    sources: tuple[Source, ...] = ()
    unit: Unit | None = None
    strength: Strength | None = None
    decisive: Decisive | None = None
    causes: tuple["Cause", ...] = ()

    def walk(self) -> Iterator["Cause"]:
        """Yield this cause and all causes below it, parents first."""
        yield self
        for cause in self.causes:
            yield from cause.walk()

    def cite_edition(self, rules: RuleSet) -> "Cause":
        """Return the tree with the rules of 2000 cited from this edition's rulebook."""
        cited = (cite_edition(source, rules) for source in self.sources)
        return replace(
            self,
            sources=tuple(dict.fromkeys(source for source in cited if source is not None)),
            causes=tuple(cause.cite_edition(rules) for cause in self.causes),
        )

    def to_json(self, names: Geography) -> dict[str, object]:
        """Return the tree as JSON values; empty parts are left out."""
        data: dict[str, object] = {
            "topic": self.topic.value,
            "sentence": render_message(self.message, names),
        }
        if self.unit is not None:
            data |= {"unit": str(self.unit), "power": self.unit.power}
        if (strength := self.strength) is not None:
            data["strength"] = {
                "side": strength.side.value,
                "unit": str(strength.unit),
                "value": strength.value,
                "supports": [
                    {"unit": str(support.unit), "counts": support.counts}
                    | ({"why_not": render_message(why, names)} if (why := support.why_not) else {})
                    for support in strength.supports
                ],
            }
        if self.decisive is not None:
            data["decisive"] = {
                "without": str(self.decisive.unit),
                "fate": str(self.decisive.fate),
                "outcome": self.decisive.outcome.value,
                "dislodged": self.decisive.dislodged,
            }
        if self.sources:
            data["sources"] = [
                {"book": source.book, "place": source.place, "gist": source.gist}
                for source in self.sources
            ]
        if self.causes:
            data["causes"] = [cause.to_json(names) for cause in self.causes]
        return data


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of one order's outcome; `names` are for the English text."""

    order: Order
    outcome: Outcome
    cause: Cause
    names: Geography = field(compare=False, repr=False)

    @property
    def power(self) -> Power:
        """The power that gave the order."""
        return power_of(self.order)

    @property
    def sentence(self) -> str:
        """The reason, which is the same as in the order's result."""
        return render_message(self.cause.message, self.names)

    @property
    def lead(self) -> Cause | None:
        """The first cause to read after the reason, if it adds something to the reason.

        Strengths without supports don't, and if the reason is long, only a paradox rule does.
        """
        causes = self.cause.causes
        if self.cause.message.key == "sentences":
            return next((cause for cause in causes if cause.topic is Topic.PARADOX), None)
        if datc("4.A.2") in self.cause.sources:
            return next((one for one in self.cause.walk() if one.topic is Topic.PARADOX), None)
        leads = (cause for cause in causes if cause.topic in _LEADS)
        others = (
            cause
            for cause in causes
            if cause.topic is not Topic.DECISIVE
            and (cause.strength is None or cause.strength.supports)
        )
        # If there are several strengths, the greatest one was decisive.
        return next(leads, None) or max(others, key=_measure_strength, default=None)

    @property
    def summary(self) -> str:
        """The reason and its main cause: one or two sentences for most orders."""
        return " ".join(render_message(message, self.names) for message in self._summarize())

    @property
    def details(self) -> tuple[str, ...]:
        """The parts not in the summary: other causes, and what would have changed the outcome.

        Each has one or a few sentences.
        """
        said = self._summarize()
        messages = [*(cause.message for cause in self._main_causes()), *self.alternatives]
        others = (message for message in dict.fromkeys(messages) if message not in said)
        return tuple(render_message(message, self.names) for message in others)

    @property
    def paragraph(self) -> str:
        """The summary, and the rules behind it."""
        lead = self.lead
        sources = [*self.cause.sources, *(() if lead is None else lead.sources)]
        cited = cite_sources(dict.fromkeys(sources))
        return " ".join([self.summary, f"({cited}.)" if cited else ""]).strip()

    def _summarize(self) -> tuple[Message, ...]:
        lead = self.lead
        messages = [self.cause.message] if lead is None else [self.cause.message, lead.message]
        return tuple(dict.fromkeys(messages))

    @property
    def alternatives(self) -> tuple[Message, ...]:
        """The changes by single orders, with one message for each effect."""
        units: dict[tuple[str, Unit, Message | None], list[Decisive]] = {}
        is_support = isinstance(self.order, SupportHold | SupportMove)
        for effect in (cause.decisive for cause in self.cause.causes):
            # It is obvious that an order is void if the unit it helps has no such order, and the
            # effect of a support has its own node.
            if effect is None or effect.outcome is Outcome.VOID:
                continue
            if not (is_support and effect.unit == self.cause.unit):
                units.setdefault((effect.key, effect.fate, effect.dislodgment), []).append(effect)
        return tuple(
            same[0].describe(tuple(effect.unit for effect in same)) for same in units.values()
        )

    @property
    def sources(self) -> tuple[Source, ...]:
        """The rules behind the reason and its causes, most decisive first, without duplicates."""
        causes = self._main_causes()
        return tuple(dict.fromkeys(source for cause in causes for source in cause.sources))

    def _main_causes(self) -> Iterator[Cause]:
        yield self.cause
        for cause in self.cause.causes:
            if cause.topic is not Topic.DECISIVE:
                yield cause
                if cause.topic is not Topic.STRENGTH:
                    yield from cause.causes

    def restate(self, outcome: Outcome, sentence: str) -> "Explanation":
        """Return this explanation with another outcome and reason, or itself if nothing changes.

        The protocol has its own outcome for orders that could not be read. For the judge, such
        a unit simply had no order.
        """
        cause = self.cause
        if sentence != self.sentence:
            message = Message.of("refused", reason=sentence)
            cause = replace(cause, message=message, sources=(datc("4.E.1"),))
        elif outcome is self.outcome:
            return self
        return replace(self, outcome=outcome, cause=cause)

    def to_json(self) -> dict[str, object]:
        """Return the explanation as JSON values."""
        return {
            "order": str(self.order),
            "power": self.power,
            "outcome": self.outcome.value,
            "sentence": self.sentence,
            "paragraph": self.paragraph,
            "details": list(self.details),
            "cause": self.cause.to_json(self.names),
        }


def cite_sources(sources: Iterable[Source]) -> str:
    """Return `2000 rulebook, rules 3, 12; DATC 5.B.6`."""
    books: dict[str, list[Source]] = {}
    for source in sources:
        books.setdefault(source.book, []).append(source)
    issues = books.pop(DATC, [])
    parts = [f"{book}, {_cite_places(cited)}" for book, cited in books.items()]
    if issues:
        parts.append(f"DATC {', '.join(issue.place for issue in issues)}")
    return "; ".join(parts)


def _cite_places(sources: Sequence[Source]) -> str:
    """Return `rules 3, 12, “Support”`."""
    numbers = [source.place for source in sources if source.is_numbered]
    numbers.sort(key=lambda number: (not number.isdigit(), len(number), number))
    others = [
        source.place if source.place.startswith(SUBJECT) else f"“{source.place}”"
        for source in sources
        if not source.is_numbered
    ]
    noun = {0: "", 1: "rule "}.get(len(numbers), "rules ")
    return noun + ", ".join([*numbers, *others])


_LEADS = {Topic.EFFECT, Topic.PARADOX, Topic.RETREAT, Topic.ADJUSTMENT, Topic.CALM}
"""The topics that readers most want to know about."""


def _measure_strength(cause: Cause) -> int:
    return 0 if cause.strength is None else cause.strength.value
