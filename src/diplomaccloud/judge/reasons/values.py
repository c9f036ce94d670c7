"""Explanations as values: trees of causes, each with its message, strengths and sources.

Nothing is decided here; `judge.explain` makes these trees.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from diplomaccloud.judge.board import Power
from diplomaccloud.judge.geography import Geography
from diplomaccloud.judge.messages.english import render_message
from diplomaccloud.judge.messages.values import Message
from diplomaccloud.judge.orders import Order, power_of
from diplomaccloud.judge.reasons.rulebook import RULEBOOK, Source, datc
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.units import Unit


class Topic(StrEnum):
    """What a cause is about."""

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
    """A support ordered for a unit; `why_not` says why it does not count, if it does not."""

    unit: Unit
    why_not: Message | None = None

    @property
    def counts(self) -> bool:
        """Whether the support adds 1."""
        return self.why_not is None


@dataclass(frozen=True, slots=True)
class Strength:
    """A strength that the judge compared: 1 and the supports that count, or 0."""

    side: Side
    unit: Unit
    value: int
    supports: tuple[OrderedSupport, ...] = ()


@dataclass(frozen=True, slots=True)
class Decisive:
    """What would have become of the order of `fate` if `unit` had been ordered to hold instead.

    `key` is that of the message; `dislodgment` is another message if the unit's dislodgment would
    have been different as well.
    """

    unit: Unit
    fate: Unit
    outcome: Outcome
    dislodged: bool
    key: str
    dislodgment: Message | None = None

    def describe(self, others: tuple[Unit, ...]) -> Message:
        """Return what would have happened if any of `others` had held."""
        effect = Message.of(self.key, others=others, unit=self.fate)
        if self.dislodgment is None:
            return effect
        return Message.of("sentences", sentences=(effect, self.dislodgment))


@dataclass(frozen=True, slots=True)
class Cause:
    """One node: a message, the unit it is about, its strength, its sources, its own causes."""

    topic: Topic
    message: Message
    sources: tuple[Source, ...] = ()
    unit: Unit | None = None
    strength: Strength | None = None
    decisive: Decisive | None = None
    causes: tuple["Cause", ...] = ()

    def walk(self) -> Iterator["Cause"]:
        """Yield this cause and all below it, each before its own causes."""
        yield self
        for cause in self.causes:
            yield from cause.walk()

    def to_json(self, names: Geography) -> dict[str, object]:
        """Return the tree as JSON values; empty parts are left out."""
        data: dict[str, object] = {
            "topic": self.topic.value,
            "sentence": render_message(self.message, names),
        }
        if self.unit is not None:
            data |= {"unit": str(self.unit), "power": self.unit.power}
        if self.strength is not None:
            data["strength"] = _strength_to_json(self.strength, names)
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


def _strength_to_json(strength: Strength, names: Geography) -> dict[str, object]:
    supports: list[dict[str, object]] = []
    for support in strength.supports:
        data: dict[str, object] = {"unit": str(support.unit), "counts": support.counts}
        if support.why_not is not None:
            data["why_not"] = render_message(support.why_not, names)
        supports.append(data)
    return {
        "side": strength.side.value,
        "unit": str(strength.unit),
        "value": strength.value,
        "supports": supports,
    }


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why one order had its outcome; `names` are for the English text."""

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
        """The reason; the result of the order has the same."""
        return render_message(self.cause.message, self.names)

    @property
    def paragraph(self) -> str:
        """The reason, what it rests on, what would have changed it, and the rules."""
        messages = [*(cause.message for cause in self._main_causes()), *self.alternatives]
        texts = [render_message(message, self.names) for message in dict.fromkeys(messages)]
        cited = cite_sources(self.sources)
        return " ".join([*texts, f"({cited}.)" if cited else ""]).strip()

    @property
    def alternatives(self) -> tuple[Message, ...]:
        """What single orders would have changed, those with the same effect in one message."""
        units: dict[tuple[str, Unit, Message | None], list[Decisive]] = {}
        for cause in self.cause.causes:
            effect = cause.decisive
            # It is obvious that an order is void if the unit it helps has no such order.
            if effect is not None and effect.outcome is not Outcome.VOID:
                units.setdefault((effect.key, effect.fate, effect.dislodgment), []).append(effect)
        return tuple(
            same[0].describe(tuple(effect.unit for effect in same)) for same in units.values()
        )

    @property
    def sources(self) -> tuple[Source, ...]:
        """The rules behind the paragraph, each once, those that decided first."""
        causes = self._main_causes()
        return tuple(dict.fromkeys(source for cause in causes for source in cause.sources))

    def _main_causes(self) -> Iterator[Cause]:
        yield self.cause
        for cause in self.cause.causes:
            if cause.topic is Topic.DECISIVE:
                continue
            yield cause
            if cause.topic is not Topic.STRENGTH:
                yield from cause.causes

    def restate(self, outcome: Outcome, sentence: str) -> "Explanation":
        """Return this explanation with another outcome and reason, itself if they are the same.

        The protocol has its own outcome for orders that could not be read. The judge knows
        nothing of them: for it the unit had no order.
        """
        cause = self.cause
        if sentence != self.sentence:
            message = Message.of("refused", reason=sentence)
            cause = replace(cause, message=message, sources=(datc("4.E.2"),))
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
            "cause": self.cause.to_json(self.names),
        }


def cite_sources(sources: Iterable[Source]) -> str:
    """Return `2000 rulebook, rules 3, 12; DATC 5.B.6`."""
    listed, parts = list(sources), []
    if places := [source.place for source in listed if source.book == RULEBOOK]:
        parts.append(f"{RULEBOOK}, {_cite_rules(places)}")
    if issues := [source.place for source in listed if source.book != RULEBOOK]:
        parts.append(f"DATC {', '.join(issues)}")
    return "; ".join(parts)


def _cite_rules(places: list[str]) -> str:
    """Return `rules 3, 12, “Support”`."""
    numbers = sorted((place for place in places if place.isdigit()), key=int)
    titles = [f"“{place}”" for place in places if not place.isdigit()]
    noun = {0: "", 1: "rule "}.get(len(numbers), "rules ")
    return noun + ", ".join([*numbers, *titles])
