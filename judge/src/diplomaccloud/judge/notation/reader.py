"""A cursor over the tokens of one order: reads unit phrases, places and the words between them.

This module does not interpret orders; a phrase keeps every reading that its words allow.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from diplomaccloud.judge.board import Board, Power, UnitKind
from diplomaccloud.judge.messages.notation import NotationKey
from diplomaccloud.judge.notation.daide_reader import read_daide
from diplomaccloud.judge.notation.errors import MAX_QUOTED, NotationError
from diplomaccloud.judge.notation.words import (
    AROUND_MOVE,
    BEFORE_UNIT,
    BUILD,
    DISBAND,
    KINDS,
    LAND,
    MAX_LENGTH,
    MOVE,
    OVERLAND,
    ROUTE,
    VIA,
    Reading,
    coast_at,
    names_of,
    side_at,
    tokens_of,
)
from diplomaccloud.judge.orders import Order

_WORD = re.compile(r"[^\s.]*[\s.]+|[^\s.]+")


@dataclass(frozen=True, slots=True)
class UnitPhrase:
    """A unit as written; its power, kind, place or coast may be missing."""

    power: Power | None
    kind: UnitKind | None
    place: Reading | None
    coast: str | None


class Reader:
    """Reads the tokens of one order from left to right."""

    def __init__(self, text: str, board: Board, longest: int = MAX_LENGTH) -> None:
        self._board = board
        self._names = names_of(board)
        self._text = text
        self.tokens = self._tokens(text, longest)
        self.at = 0

    def _tokens(self, text: str, longest: int) -> list[str]:
        tokens = tokens_of(text, longest)
        if daide := read_daide(text, self._board):
            return daide
        is_code = "THE" in self._board.by_code
        return [word for word in tokens if word != "the" or is_code]

    @property
    def next(self) -> str:
        """The next token, or an empty string at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    @property
    def after_next(self) -> str:
        """The token after the next, or an empty string."""
        return self.tokens[self.at + 1] if self.at + 1 < len(self.tokens) else ""

    def take(self, words: Collection[str]) -> bool:
        """Skip the next token if it is one of `words`; return whether it was."""
        if self.next and self.next in words:
            self.at += 1
            return True
        return False

    def take_all(self, words: Collection[str]) -> bool:
        """Skip all tokens from here that are in `words`; return whether there were any."""
        start = self.at
        while self.take(words):
            pass
        return self.at > start

    def take_move_words(self) -> bool:
        """Skip a dash or words such as `moves to`; return whether there were any."""
        start = self.at
        while self.take(AROUND_MOVE):
            pass
        if self.next not in MOVE:
            self.at = start
            return False
        self.at += 1
        while self.next in MOVE | AROUND_MOVE and not self.starts_with_code():
            self.at += 1
        return True

    def skip_dash_before(self, verbs: Collection[str]) -> None:
        """Skip a dash if it is followed by one of `verbs` that is not a province code."""
        if self.next == "-" and self.after_next in verbs:
            self.at += 1
            if self.starts_with_code():
                self.at -= 1

    def place_follows(self) -> bool:
        """Return whether the next tokens name a place."""
        return bool(self.next) and self._names.place(self.tokens, self.at) is not None

    def take_via(self) -> bool:
        """Skip `via convoy` or `by North Sea fleet`; return whether it was there."""
        if self.next == "/" and self.after_next in VIA:
            self.at += 1
        if not self.take(VIA):
            return False
        while self.take(ROUTE) or self.take_place():
            pass
        return True

    def take_via_before_place(self) -> bool:
        """Skip `via convoy` before a place; return whether it was there."""
        return not self.starts_with_code() and self.take_via()

    def take_land(self) -> bool:
        """Skip `by land`, `(via land)` or `overland`; return whether it was there."""
        at = self.at + (self.next == "/")
        if self.tokens[at : at + 1] == [OVERLAND]:
            self.at = at + 1
            return True
        if at + 1 < len(self.tokens) and self.tokens[at] in VIA and self.tokens[at + 1] in LAND:
            self.at = at + 2
            return True
        return False

    def take_place(self) -> bool:
        """Skip a place if one comes next; return whether it did."""
        if not self.place_follows():
            return False
        self.place()
        return True

    def starts_unit(self) -> bool:
        """Skip `and`; return whether a unit with its kind comes next."""
        start = self.at
        self.take({"and"})
        if self.next in KINDS or self._place_then_kind():
            return True
        self.at = start
        return False

    def _place_then_kind(self) -> bool:
        """Return whether a unit written as `Picardy army` comes next."""
        reading = self._names.place(self.tokens, self.at) if self.next else None
        after = self.tokens[reading.end : reading.end + 1] if reading else []
        return bool(after) and len(after[0]) > 1 and after[0] in KINDS

    def starts_order(self) -> bool:
        """Skip `and`; return whether the unit or the first verb of an order comes next."""
        return self.starts_unit() or self.next in BUILD or self.next in DISBAND

    def text_before_unit(self, start: int) -> str:
        """Return the original words from the token `start` to the next unit with its kind."""
        at = start + 1
        while at < len(self.tokens) and self.tokens[at] not in KINDS:
            at += 1
        return self.text_between(start, at)

    def take_power_before(self, verbs: Collection[str]) -> None:
        """Skip a power's name if one of `verbs` follows it: `Italy builds F Naples`."""
        named = self.power_before(verbs)
        if named and named[1] + 1 < len(self.tokens):
            self.at = named[1]

    def power_before(self, verbs: Collection[str]) -> tuple[Power, int] | None:
        """Return the power named here and the end of its name, if one of `verbs` follows."""
        named = self._names.power(self.tokens, self.at)
        if named and self.tokens[named[1] : named[1] + 1] and self.tokens[named[1]] in verbs:
            return named
        return None

    def rest(self) -> str:
        """Return the unread tokens up to the next unit, in a form that a player recognizes."""
        end = self.at + 1
        while end < len(self.tokens) and self.tokens[end] not in KINDS:
            end += 1
        # A unit on its own is not helpful, so it is quoted with its order.
        end = len(self.tokens) if self.next in KINDS else end
        return " ".join(self.tokens[self.at : end])[:MAX_QUOTED]

    def text_between(self, start: int, end: int) -> str:
        """Return the original words that contain the tokens from `start` to `end`."""
        if start == 0 and end >= len(self.tokens):
            return self._text.strip()
        owners = self._owners[start:end]
        if len(self._owners) != len(self.tokens) or not owners:
            return " ".join(self.tokens[start:end]).upper()
        return "".join(self._words[owners[0] : owners[-1] + 1]).strip()

    @cached_property
    def _words(self) -> list[str]:
        """The text, split after spaces and periods."""
        return _WORD.findall(self._text)

    @cached_property
    def _owners(self) -> list[int]:
        """The number of the word that contains each token."""
        tokens = (self._tokens(word, len(word)) for word in self._words)
        return [number for number, word in enumerate(tokens) for _ in word]

    def place(self, verbs: Collection[str] = ()) -> tuple[Reading, str | None]:
        """Read a place and its coast, or raise `NotationError` naming the word at fault.

        One of `verbs` in brackets after it is not a coast: `A MAR (S) A PAR - BUR`.
        """
        before = coast_at(self.tokens, self.at)
        if before and self._names.place(self.tokens, before[1] + self._word_at(before[1], "of")):
            self.at = before[1]
            self.take({"of"})
        reading = self._names.place(self.tokens, self.at)
        if reading is None:
            raise self._unknown_province_error()
        self.at = reading.end
        if self.next == "/" and self._verb_in_brackets(reading, verbs):
            self.at += 1
            return reading, before[0] if before else None
        return reading, self._coast(reading) or (before[0] if before else None)

    def _verb_in_brackets(self, reading: Reading, verbs: Collection[str]) -> bool:
        """Return whether the word after a bracket is one of `verbs` and not a coast."""
        if not verbs or (self.after_next not in verbs and self.after_next not in MOVE):
            return False
        behind = self.at + 2
        if side_at(self.tokens, self.at + 1) is None:
            return True
        # `S` also means the south coast if a verb or a dash follows.
        if self.tokens[behind : behind + 1] and self.tokens[behind] in KINDS:
            return True
        if self._has_coasts(reading) or behind >= len(self.tokens):
            return False
        named = self._names.power(self.tokens, behind) or self._names.place(self.tokens, behind)
        return named is not None

    def _word_at(self, index: int, word: str) -> bool:
        return self.tokens[index : index + 1] == [word]

    def _coast(self, reading: Reading) -> str | None:
        """Read the coast after a place: `/NC`, `(nc)`, `NC`, `-NC`, `north coast`."""
        if self.next == "/" and self.after_next not in VIA:
            named = side_at(self.tokens, self.at + 1)
            if named is None:
                word = self.after_next[:MAX_QUOTED].upper()
                raise NotationError(NotationKey.UNKNOWN_COAST, word=word)
        elif self.next == "-" and self._has_coasts(reading):
            named = coast_at(self.tokens, self.at + 1)
        else:
            named = coast_at(self.tokens, self.at)
        if named is None:
            return None
        coast, self.at = named
        return coast

    def _has_coasts(self, reading: Reading) -> bool:
        provinces = self._board.by_code
        return any(code in provinces and provinces[code].coasts for code in reading.all)

    def _unknown_province_error(self) -> NotationError:
        """Return the error for the next token, with which no province name starts."""
        word = self.next
        if not word:
            return NotationError(NotationKey.PROVINCE_MISSING)
        quoted = word[:MAX_QUOTED].upper()
        if codes := self._names.alike(word):
            return NotationError(
                NotationKey.UNKNOWN_PROVINCE_ALIKE, word=quoted, codes=tuple(codes)
            )
        return NotationError(NotationKey.UNKNOWN_PROVINCE, word=quoted)

    def unit(self, verbs: Collection[str] = ()) -> UnitPhrase:
        """Read a unit phrase such as `A PAR`, `the French army in Paris`, `Yorkshire army`.

        The place may be left out if one of `verbs` follows the kind (`F stands`).
        """
        power, kind = None, None
        while True:
            if kind is None and self.take_kind():
                kind = KINDS[self.tokens[self.at - 1]]
                self.take({"/"})  # `A(PAR)`
            elif power is None and (named := self._power()) is not None:
                power = named
            elif self.next in BEFORE_UNIT and not self.starts_with_code():
                self.at += 1
            else:
                break
        if kind is not None and self._verb_follows(verbs):
            return UnitPhrase(power, kind, None, None)
        place, coast = self.place(verbs)
        if kind is None and self.next in KINDS and len(self.next) > 1:
            kind = KINDS[self.next]
            self.at += 1
        return UnitPhrase(power, kind, place, coast)

    def take_kind(self) -> bool:
        """Skip the kind of a unit and its article; return whether it was there."""
        if self._article_here():
            self.at += 1
        return self.take(KINDS)

    def _article_here(self) -> bool:
        at = self.at + 1 + self._word_at(self.at + 1, "new")
        noun = self.tokens[at : at + 1]
        return self.next in ("a", "an") and noun in (["army"], ["fleet"], ["unit"])

    def take_verb(self, verbs: Collection[str]) -> bool:
        """Skip one of `verbs` that is not a province code; return whether it was there."""
        return self._verb_follows(verbs) and self.take(verbs)

    def take_last_kind(self) -> UnitKind | None:
        """Skip and return a unit's kind at the end of the text: `build Paris A`."""
        if self.at != len(self.tokens) - 1 or self.next not in KINDS:
            return None
        self.at += 1
        return KINDS[self.tokens[-1]]

    def _verb_follows(self, verbs: Collection[str]) -> bool:
        return self.next in verbs and not self.starts_with_code()

    def starts_with_code(self) -> bool:
        """Return whether a province code comes next, which may look like any word."""
        reading = self._names.place(self.tokens, self.at)
        return reading is not None and reading.by_code

    def _power(self) -> Power | None:
        """Read a power's name if a unit follows it, because ENG is also the English Channel."""
        if not self.next or (named := self._names.power(self.tokens, self.at)) is None:
            return None
        power, after = named
        begins = self.tokens[after : after + 1]
        if not begins or not (
            begins[0] in KINDS
            or begins[0] in BEFORE_UNIT
            or self._names.place(self.tokens, after) is not None
        ):
            return None
        whole = self._names.place(self.tokens, self.at)
        if whole is not None and whole.end > after:
            return None
        self.at = after
        return power


def require_end(reader: Reader, before: str | Order) -> None:
    """Raise `NotationError` if there is anything left to read after `before`."""
    if reader.next:
        raise NotationError(NotationKey.TRAILING_WORDS, words=reader.rest(), before=before)
