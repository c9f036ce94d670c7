"""The parts of messages, and a cursor that reads them.

The methods of the cursor raise `MessageError` at a token that they cannot read.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TypeVar

from diplomaccloud.daide.language.composition import find_end
from diplomaccloud.daide.language.errors import MessageError
from diplomaccloud.daide.language.tokens import (
    COASTS,
    Message,
    Word,
    decode_number,
    decode_text,
    is_number,
    is_province,
    is_text,
)
from diplomaccloud.daide.language.vocabulary import Vocabulary

_T = TypeVar("_T")
_COASTS = frozenset(int(coast) for coast in COASTS.values())
SEASONS = (Word.SPR, Word.SUM, Word.FAL, Word.AUT, Word.WIN)


@dataclass(frozen=True, slots=True)
class PlaceTerm:
    """A province, with or without one of its coasts."""

    province: int
    coast: int | None = None


@dataclass(frozen=True, slots=True)
class UnitTerm:
    """A unit as written, whether or not it exists."""

    power: int
    kind: int
    place: PlaceTerm


@dataclass(frozen=True, slots=True)
class TurnTerm:
    """A season and a year."""

    season: int
    year: int


@dataclass(frozen=True, slots=True)
class OrderTerm:
    """An order as written; `tokens` has all of it except the brackets around it.

    `unit` is None if a power waives a build, and `via` has the seas that a move by convoy crosses.
    """

    tokens: Message
    power: int
    verb: int
    unit: UnitTerm | None = None
    target: UnitTerm | None = None
    to: PlaceTerm | None = None
    via: tuple[int, ...] = ()


class Cursor:
    """Reads one message from left to right; its brackets must be paired."""

    def __init__(self, message: Message, vocabulary: Vocabulary, at: int = 0) -> None:
        self.message = message
        self.vocabulary = vocabulary
        self.at = at

    def fail(self, wanted: str, at: int | None = None) -> MessageError:
        """Return the error for the next token, or for the token at `at`."""
        return MessageError(self.at if at is None else at, f"expected {wanted}")

    @property
    def next(self) -> int:
        """The next token, or -1 at the end."""
        return self.message[self.at] if self.at < len(self.message) else -1

    def comes(self, word: int) -> bool:
        """Return whether this is the next token."""
        return self.next == word

    def skips(self, word: int) -> bool:
        """Return whether this is the next token; if so, skip it."""
        found = self.next == word
        self.at += found
        return found

    def take(self, word: Word) -> None:
        """Skip the next token, which must be this one."""
        if not self.skips(word):
            raise self.fail(word.name)

    def take_any(self, words: Collection[int], wanted: str) -> int:
        """Return the next token, which must be one of `words`, and skip it."""
        token = self.next
        if token not in words:
            raise self.fail(wanted)
        self.at += 1
        return token

    def end(self) -> None:
        """Do nothing if the message ends here."""
        if self.at < len(self.message):
            raise self.fail("the end of the message")

    def bracketed(self, read: Callable[[], _T]) -> _T:
        """Return the result of `read` between two brackets."""
        self.take(Word.BRA)
        value = read()
        self.take(Word.KET)
        return value

    def repeated(self, read: Callable[[], _T], least: int = 1) -> tuple[_T, ...]:
        """Return the results of repeated `read` calls up to a closing bracket or the end."""
        values: list[_T] = []
        while len(values) < least or not (self.comes(Word.KET) or self.next < 0):
            values.append(read())
        return tuple(values)

    def anything(self) -> Message:
        """Return everything between two brackets."""
        start = self.at
        self.take(Word.BRA)
        self.at = find_end(self.message, start) + 1
        return self.message[start + 1 : self.at - 1]

    def number(self) -> int:
        """Return an integer."""
        token = self.next
        if token < 0 or not is_number(token):
            raise self.fail("a number")
        self.at += 1
        return decode_number(token)

    def text(self) -> str:
        """Return the text between brackets, which may be empty."""
        return self.bracketed(self._letters)

    def _letters(self) -> str:
        start = self.at
        while self.next >= 0 and is_text(self.next):
            self.at += 1
        return decode_text(self.message[start : self.at])

    def power(self) -> int:
        """Return a power of this game."""
        return self.take_any(self.vocabulary.powers.values(), "a power")

    def powers(self) -> tuple[int, ...]:
        """Return one or more powers in brackets."""
        return self.bracketed(lambda: self.repeated(self.power))

    def province(self) -> int:
        """Return a province, which need not be on the board."""
        token = self.next
        if token < 0 or not is_province(token):
            raise self.fail("a province")
        self.at += 1
        return token

    def place(self) -> PlaceTerm:
        """Return a province or, in brackets, one of its coasts."""
        if not self.skips(Word.BRA):
            return PlaceTerm(self.province())
        province = self.province()
        coast = self.take_any(_COASTS, "a coast")
        self.take(Word.KET)
        return PlaceTerm(province, coast)

    def unit(self) -> UnitTerm:
        """Return a unit in brackets."""
        return self.bracketed(self.bare_unit)

    def bare_unit(self) -> UnitTerm:
        """Return a unit without brackets."""
        power = self.power()
        kind = self.take_any((Word.AMY, Word.FLT), "AMY or FLT")
        return UnitTerm(power, kind, self.place())

    def turn(self) -> TurnTerm:
        """Return a season and a year in brackets."""
        return self.bracketed(self._bare_turn)

    def _bare_turn(self) -> TurnTerm:
        season = self.take_any(SEASONS, "a season")
        return TurnTerm(season, self.number())

    def order(self) -> OrderTerm:
        """Return an order in brackets."""
        return self.bracketed(self._bare_order)

    def _bare_order(self) -> OrderTerm:
        start = self.at
        if not self.comes(Word.BRA):
            power = self.power()
            self.take(Word.WVE)
            return OrderTerm(self.message[start : self.at], power, Word.WVE)
        unit = self.unit()
        verb = self.take_any(_DEEDS, "an order verb")
        target = self.unit() if verb in {Word.SUP, Word.CVY} else None
        to: PlaceTerm | None = None
        via: tuple[int, ...] = ()
        if verb in {Word.MTO, Word.RTO}:
            to = self.place()
        elif verb == Word.CTO:
            to = self.place()
            self.take(Word.VIA)
            via = self.bracketed(lambda: self.repeated(self.province))
        elif verb == Word.CVY:
            self.take(Word.CTO)
            to = self.place()
        elif verb == Word.SUP and self.skips(Word.MTO):
            # Some clients name the coast even though the language has no place for it here.
            to = self.place()
        tokens = self.message[start : self.at]
        return OrderTerm(tokens, unit.power, verb, unit, target, to, via)


_DEEDS = frozenset(
    {
        int(word)
        for word in (
            Word.HLD,
            Word.MTO,
            Word.SUP,
            Word.CVY,
            Word.CTO,
            Word.RTO,
            Word.DSB,
            Word.BLD,
            Word.REM,
        )
    }
)
