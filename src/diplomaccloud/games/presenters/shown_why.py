"""What pages print of why an order came to what it did."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bit:
    """A piece of a sentence; with `number`, it names the order of that number and leads there."""

    text: str
    number: int | None = None
    is_order: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence, and below it why that was so."""

    bits: tuple[Bit, ...]
    below: tuple["Told", ...] = ()


@dataclass(frozen=True, slots=True)
class Cited:
    """A rule by its number or title, with what it comes to."""

    title: str
    gist: str


@dataclass(frozen=True, slots=True)
class WhyView:
    """The explanation of one order of a processed phase; nothing repeats the order's reason.

    `number` is the order's place among the results, from 0. `rules` decided, `cited` names those
    behind the rest. `known` is false where the judge of today decides otherwise than it did then.
    """

    sequence: int
    number: int
    phase_url: str
    told: tuple[Told, ...] = ()
    otherwise: tuple[Told, ...] = ()
    rules: tuple[Cited, ...] = ()
    cited: str = ""
    known: bool = True
