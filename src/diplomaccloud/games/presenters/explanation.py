"""An explanation of the judge as a page tells it: sentences in which orders lead to each other."""

import re
from collections.abc import Iterator, Mapping, Sequence

from diplomaccloud.games.presenters.shown_why import Bit, Cited, Told
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.orders import Waive
from diplomaccloud.judge.reasons.rulebook import Source
from diplomaccloud.judge.reasons.values import Cause, Explanation, Topic, cite
from diplomaccloud.judge.results import OrderResult

_DEEPEST = 4
"""So many causes are told one below the other; from there links lead on."""


class Telling:
    """Tells one explanation, that of the order which is `number` among the phase's results.

    Every sentence is told once, and where an order is named first, the name leads to it.
    """

    def __init__(
        self, board: Board, results: Sequence[OrderResult], number: int, explanation: Explanation
    ) -> None:
        self._names = geography(board)
        self._explanation = explanation
        self._numbers = {
            result.order.unit: number
            for number, result in reversed(list(enumerate(results)))
            if not isinstance(result.order, Waive)
        }
        self._orders = {str(results[one].order): one for one in self._numbers.values()}
        self._phrases = self._orders | dict(self._called())
        self._pattern = _pattern(self._phrases)
        self._linked = {number}
        # A ring of orders that wait for each other ends with the first of them again.
        self._seen = {explanation.sentence, f"{explanation.order}: {explanation.sentence}"}

    def causes(self) -> tuple[Told, ...]:
        """Return what the order's result rests on, and below that why."""
        return tuple(self._told(self._explanation.cause, _DEEPEST))

    def otherwise(self) -> tuple[Told, ...]:
        """Return what single orders would have changed."""
        return tuple(Told(self._bits(text)) for text in self._explanation.otherwise)

    def _called(self) -> Iterator[tuple[str, int]]:
        """Yield what sentences call the units of the orders."""
        for unit, number in self._numbers.items():
            name = self._names.unit(unit)
            yield name, number
            yield name[:1].upper() + name[1:], number
            yield f"{self._names.power(unit.power)} from {self._names.the(unit.province)}", number

    def _told(self, cause: Cause, depth: int) -> Iterator[Told]:
        for one in cause.causes if depth else ():
            if one.topic is not Topic.DECISIVE and one.sentence not in self._seen:
                self._seen.add(one.sentence)
                bits = self._bits(one.sentence, self._backing(one))
                yield Told(bits, tuple(self._told(one, depth - 1)))

    def _backing(self, cause: Cause) -> dict[str, int]:
        """Return the names of the places that a strength was supported from."""
        backers = cause.strength.backers if cause.strength else ()
        return {
            self._names.the(one.unit.province): self._numbers[one.unit]
            for one in backers
            if one.unit in self._numbers
        }

    def _bits(self, text: str, places: Mapping[str, int] | None = None) -> tuple[Bit, ...]:
        phrases = {**(places or {}), **self._phrases}
        pattern = _pattern(phrases) if places else self._pattern
        return tuple(self._split(text, phrases, pattern))

    def _split(
        self, text: str, phrases: Mapping[str, int], pattern: re.Pattern[str]
    ) -> Iterator[Bit]:
        done = 0
        for match in pattern.finditer(text):
            if match.start() > done:
                yield Bit(text[done : match.start()])
            number = phrases[match[0]]
            is_new = number not in self._linked
            self._linked.add(number)
            yield Bit(match[0], number if is_new else None, match[0] in self._orders)
            done = match.end()
        if done < len(text):
            yield Bit(text[done:])


def _pattern(phrases: Mapping[str, int]) -> re.Pattern[str]:
    """Return what finds the longest of `phrases` as whole words; nothing if there are none."""
    longest = sorted(phrases, key=len, reverse=True)
    words = "|".join(map(re.escape, longest))
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)" if words else r"(?!)")


def rules_of_cause(explanation: Explanation) -> tuple[Cited, ...]:
    """Return the rules that decided the order itself."""
    return tuple(Cited(_title(source), source.gist) for source in explanation.cause.sources)


def cited_beside(explanation: Explanation) -> str:
    """Return the names of the rules behind the rest of the explanation."""
    decided = set(explanation.cause.sources)
    return cite(source for source in explanation.sources if source not in decided)


def _title(source: Source) -> str:
    text = str(source)
    return text[:1].upper() + text[1:]
