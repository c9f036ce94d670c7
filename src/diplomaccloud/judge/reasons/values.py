"""Explanations as values: trees of causes, each with its sentence, numbers and sources.

Nothing is decided here; `explain` makes these trees.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from diplomaccloud.judge.board import Power
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
class Backer:
    """A support ordered for a unit: `why_not` says why it does not count, if it does not."""

    unit: Unit
    why_not: str = ""

    @property
    def counts(self) -> bool:
        """Whether the support adds 1."""
        return not self.why_not


@dataclass(frozen=True, slots=True)
class Strength:
    """A strength that the judge compared: 1 and the supports that count, or 0."""

    side: Side
    unit: Unit
    value: int
    backers: tuple[Backer, ...] = ()


@dataclass(frozen=True, slots=True)
class Decisive:
    """What would have become of the order of `fate`, had `unit` been ordered to hold instead.

    `who` and `so` are words for the unit and for what would have been otherwise.
    """

    unit: Unit
    fate: Unit
    outcome: Outcome
    dislodged: bool
    who: str
    so: str


def if_it_held(who: Sequence[str], so: str) -> str:
    """Return `Had the army in Paris or the fleet in Brest been ordered to hold instead, …`."""
    *others, last = who
    whoever = f"{', '.join(others)} or {last}" if others else last
    return f"Had {whoever} been ordered to hold instead, {so}."


@dataclass(frozen=True, slots=True)
class Cause:
    """One node: a sentence, the unit it is about, its numbers, its sources, its own causes."""

    topic: Topic
    sentence: str
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

    def to_json(self) -> dict[str, object]:
        """Return the tree as JSON values; what is empty is left out."""
        data: dict[str, object] = {"topic": self.topic.value, "sentence": self.sentence}
        if self.unit is not None:
            data |= {"unit": str(self.unit), "power": self.unit.power}
        if self.strength is not None:
            data["strength"] = _strength_json(self.strength)
        if self.decisive is not None:
            data["decisive"] = {
                "without": str(self.decisive.unit),
                "fate": str(self.decisive.fate),
                "outcome": self.decisive.outcome.value,
                "dislodged": self.decisive.dislodged,
            }
        if self.sources:
            data["sources"] = [
                {"book": one.book, "place": one.place, "gist": one.gist} for one in self.sources
            ]
        if self.causes:
            data["causes"] = [cause.to_json() for cause in self.causes]
        return data


def _strength_json(strength: Strength) -> dict[str, object]:
    return {
        "side": strength.side.value,
        "unit": str(strength.unit),
        "value": strength.value,
        "supports": [
            {"unit": str(one.unit), "counts": one.counts}
            | ({} if one.counts else {"why_not": one.why_not})
            for one in strength.backers
        ],
    }


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why one order had its outcome."""

    order: Order
    outcome: Outcome
    cause: Cause

    @property
    def power(self) -> Power:
        """The power that the order is of."""
        return power_of(self.order)

    @property
    def sentence(self) -> str:
        """The reason in one sentence; the result of the order carries the same."""
        return self.cause.sentence

    @property
    def paragraph(self) -> str:
        """The reason, what it rests on, what would have changed it, and the rules."""
        told = list(dict.fromkeys(one.sentence for one in self._told()))
        return " ".join([*told, *self.otherwise, self._cited()]).strip()

    @property
    def otherwise(self) -> tuple[str, ...]:
        """What single orders would have changed, those of the same effect in one sentence."""
        effects: dict[str, list[str]] = {}
        for one in self.cause.causes:
            # That an order is void if what it helps is not ordered goes without saying.
            if one.decisive is not None and one.decisive.outcome is not Outcome.VOID:
                effects.setdefault(one.decisive.so, []).append(one.decisive.who)
        return tuple(if_it_held(who, so) for so, who in effects.items())

    @property
    def sources(self) -> tuple[Source, ...]:
        """The rules behind the paragraph, each once, those that decided first."""
        return tuple(dict.fromkeys(source for one in self._told() for source in one.sources))

    def _told(self) -> Iterator[Cause]:
        yield self.cause
        for cause in self.cause.causes:
            if cause.topic is Topic.DECISIVE:
                continue
            yield cause
            if cause.topic is not Topic.STRENGTH:
                yield from cause.causes

    def _cited(self) -> str:
        cited = cite(self.sources)
        return f"({cited}.)" if cited else ""

    def restated(self, outcome: Outcome, sentence: str) -> "Explanation":
        """Return this explanation under another word and reason, itself if they are the same.

        The protocol has a word for orders that could not be read, of which the judge knows
        nothing: for it the unit had none.
        """
        if (outcome, sentence) == (self.outcome, self.sentence):
            return self
        cause = self.cause
        if sentence != cause.sentence:
            cause = replace(cause, sentence=sentence, sources=(datc("4.E.2"),))
        return Explanation(self.order, outcome, cause)

    def to_json(self) -> dict[str, object]:
        """Return the explanation as JSON values."""
        return {
            "order": str(self.order),
            "power": self.power,
            "outcome": self.outcome.value,
            "sentence": self.sentence,
            "paragraph": self.paragraph,
            "cause": self.cause.to_json(),
        }


def cite(sources: Iterable[Source]) -> str:
    """Return `2000 rulebook, rules 3, 12; DATC 5.B.6`."""
    listed, parts = list(sources), []
    if book := [one.place for one in listed if one.book == RULEBOOK]:
        parts.append(f"{RULEBOOK}, {_together(book)}")
    if issues := [one.place for one in listed if one.book != RULEBOOK]:
        parts.append(f"DATC {', '.join(issues)}")
    return "; ".join(parts)


def _together(places: list[str]) -> str:
    """Return `rules 3, 12, “Support”`."""
    numbers = sorted((place for place in places if place.isdigit()), key=int)
    titles = [f"“{place}”" for place in places if not place.isdigit()]
    noun = {0: "", 1: "rule "}.get(len(numbers), "rules ")
    return noun + ", ".join([*numbers, *titles])
