"""Reads units and places, and finds those that they mean in a position.

A `UnitPhrase` or `Reading` keeps every meaning that its words allow. The board, the position and
the rules then choose one.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from diplomaccloud.judge.board import (
    Board,
    Location,
    Power,
    Province,
    ProvinceCode,
    Terrain,
    UnitKind,
    find_power,
)
from diplomaccloud.judge.checks import require_text
from diplomaccloud.judge.messages.catalog import NotationKey
from diplomaccloud.judge.messages.values import Place
from diplomaccloud.judge.notation import words
from diplomaccloud.judge.notation.programs import read_daide
from diplomaccloud.judge.notation.words import (
    MAX_LENGTH,
    MAX_QUOTED,
    NotationError,
    Reading,
    coast_at,
    names_of,
    tokens_of,
)
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.units import Unit

MAX_CHOICES = 6
"""The most provinces or units that an error lists."""

_WORD = re.compile(r"[^\s.]*[\s.]+|[^\s.]+")
_OTHER_NAMES = {"NC": "EC"}
"""Other names of coasts: webDiplomacy calls Bulgaria's east coast its north coast."""


@dataclass(frozen=True, slots=True)
class UnitPhrase:
    """A unit as written; its power, kind, place or coast may be missing."""

    power: Power | None
    kind: UnitKind | None
    place: Reading | None
    coast: str | None


class Reader:
    """A cursor over the tokens of one order, from left to right."""

    def __init__(self, text: str, board: Board, longest: int = MAX_LENGTH) -> None:
        self.board = board
        self._names = names_of(board)
        self._text = text
        self.tokens = self._tokens(text, longest)
        self.at = 0

    def _tokens(self, text: str, longest: int) -> list[str]:
        tokens = tokens_of(text, longest)
        if daide := read_daide(text, self.board):
            return daide
        is_code = "THE" in self.board.by_code
        return [word for word in tokens if word != "the" or is_code]

    # Words.

    def peek(self, steps: int) -> str:
        """Return the token that is `steps` behind the next, or an empty string past the end."""
        at = self.at + steps
        return self.tokens[at] if at < len(self.tokens) else ""

    @property
    def next(self) -> str:
        """The next token, or an empty string at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, choices: Collection[str]) -> bool:
        """Skip the next token if it is one of `choices`; return whether it was."""
        if self.next not in choices:
            return False
        self.at += 1
        return True

    def take_all(self, choices: Collection[str]) -> None:
        """Skip all tokens from here that are in `choices`."""
        while self.take(choices):
            pass

    def take_move_words(self) -> bool:
        """Skip a dash or words such as `moves to`; return whether there were any."""
        start = self.at
        self.take_all(words.AROUND_MOVE)
        if not self.take(words.MOVE):
            self.at = start
            return False
        while self.next in words.MOVE | words.AROUND_MOVE and not self.starts_with_code():
            self.at += 1
        self.take({"/"})  # `A MUN - (BUR)`
        return True

    def skip_dash_before(self, verbs: Collection[str]) -> None:
        """Skip a dash if it is followed by one of `verbs` that is not a province code."""
        if self.next == "-" and self.peek(1) in verbs:
            self.at += 1
            if self.starts_with_code():
                self.at -= 1

    def take_via(self) -> bool:
        """Skip `via convoy` or `by North Sea fleet`; return whether it was there."""
        if self.next == "/" and self.peek(1) in words.VIA:
            self.at += 1
        if not self.take(words.VIA):
            return False
        while self.take(words.ROUTE) or (self.place_follows() and self.place()):
            pass
        return True

    def take_land(self) -> bool:
        """Skip `by land`, `(via land)` or `overland`; return whether it was there."""
        bracket = int(self.next == "/")
        word, after = self.peek(bracket), self.peek(bracket + 1)
        if word != "overland" and (word not in words.VIA or after != "land"):
            return False
        self.at += bracket + (1 if word == "overland" else 2)
        return True

    def take_power_before(self, verbs: Collection[str]) -> None:
        """Skip a power's name if one of `verbs` follows it: `Italy builds F Naples`."""
        named = self.power_before(verbs)
        if named and named[1] + 1 < len(self.tokens):
            self.at = named[1]

    def power_before(self, verbs: Collection[str]) -> tuple[Power, int] | None:
        """Return the power named here and the end of its name, if one of `verbs` follows."""
        named = self._names.power(self.tokens, self.at)
        return named if named and self.peek(named[1] - self.at) in verbs else None

    def place_follows(self) -> bool:
        """Return whether the next tokens name a place."""
        return self._place_at(self.at) is not None

    def starts_with_code(self) -> bool:
        """Return whether a province code comes next, which may look like any word."""
        reading = self._place_at(self.at)
        return reading is not None and reading.by_code

    def _place_at(self, at: int) -> Reading | None:
        return self._names.place(self.tokens, at)

    def starts_unit(self) -> bool:
        """Skip `and`; return whether a unit with its kind comes next: `A PIC`, `Picardy army`."""
        start = self.at
        self.take({"and"})
        if self.next in words.KINDS:
            return True
        reading = self._place_at(self.at)
        after = self.peek(reading.end - self.at) if reading else ""
        if len(after) > 1 and after in words.KINDS:
            return True
        self.at = start
        return False

    def starts_order(self) -> bool:
        """Skip `and`; return whether the unit or the first verb of an order comes next."""
        return self.starts_unit() or self.next in words.BUILD or self.next in words.DISBAND

    # Quotations.

    def find_next_kind(self, start: int) -> int:
        """Return where the kind of a unit comes next behind the token `start`, or the end."""
        places = range(start + 1, len(self.tokens))
        return next((at for at in places if self.tokens[at] in words.KINDS), len(self.tokens))

    def rest(self) -> str:
        """Return the unread tokens up to the next unit, in a form that a player recognizes."""
        # A unit on its own is not helpful, so it is quoted with its order.
        end = len(self.tokens) if self.next in words.KINDS else self.find_next_kind(self.at)
        if "/" in self.tokens[self.at : end]:
            # It may be read from a bracket, so the player's own text is quoted.
            return self.text_between(self.at, len(self.tokens))[:MAX_QUOTED]
        return " ".join(self.tokens[self.at : end])[:MAX_QUOTED]

    def text_between(self, start: int, end: int) -> str:
        """Return the original words that contain the tokens from `start` to `end`."""
        if start == 0 and end >= len(self.tokens):
            return self._text.strip()
        parts, owners = self._parts_and_owners
        of_tokens = owners[start:end]
        if len(owners) != len(self.tokens) or not of_tokens:
            return " ".join(self.tokens[start:end]).upper()
        return "".join(parts[of_tokens[0] : of_tokens[-1] + 1]).strip()

    @cached_property
    def _parts_and_owners(self) -> tuple[list[str], list[int]]:
        """The text, split after spaces and periods, and the number of each token's part."""
        parts = _WORD.findall(self._text)
        tokens = (self._tokens(part, len(part)) for part in parts)
        return parts, [number for number, part in enumerate(tokens) for _ in part]

    # Places.

    def place(self, verbs: Collection[str] = ()) -> tuple[Reading, str | None]:
        """Read a place and its coast, or raise `NotationError` naming the word at fault.

        One of `verbs` in brackets after it is not a coast: `A MAR (S) A PAR - BUR`.
        """
        before = coast_at(self.tokens, self.at)
        if before:
            end = before[1] + (self.peek(before[1] - self.at) == "of")
            if self._place_at(end):
                self.at = end
        reading = self._place_at(self.at)
        if reading is None:
            raise self._unknown_province_error()
        self.at = reading.end
        if self.next == "/" and self._verb_in_brackets(reading, verbs):
            self.at += 1
            return reading, before[0] if before else None
        return reading, self._coast(reading) or (before[0] if before else None)

    def _verb_in_brackets(self, reading: Reading, verbs: Collection[str]) -> bool:
        """Return whether the word after a bracket is one of `verbs` and not a coast."""
        if not verbs or (self.peek(1) not in verbs and self.peek(1) not in words.MOVE):
            return False
        # `S` also means the south coast if a verb or a dash follows.
        if coast_at(self.tokens, self.at + 1, short=True) is None or self.peek(2) in words.KINDS:
            return True
        if self._has_coasts(reading) or not self.peek(2):
            return False
        after = self.at + 2
        return bool(self._names.power(self.tokens, after) or self._place_at(after))

    def _coast(self, reading: Reading) -> str | None:
        """Read the coast after a place: `/NC`, `(nc)`, `NC`, `-NC`, `north coast`."""
        if self.next == "/" and self.peek(1) not in words.VIA:
            named = coast_at(self.tokens, self.at + 1, short=True)
            if named is None and not self.peek(1):
                raise NotationError(NotationKey.COAST_NAME_MISSING)
            if named is None:
                word = self.peek(1)[:MAX_QUOTED].upper()
                raise NotationError(NotationKey.UNKNOWN_COAST, word=word)
        else:
            behind_dash = self.next == "-" and self._has_coasts(reading)
            named = coast_at(self.tokens, self.at + behind_dash)
        if named is None:
            return None
        coast, self.at = named
        return coast

    def _has_coasts(self, reading: Reading) -> bool:
        provinces = self.board.by_code
        return any(code in provinces and provinces[code].coasts for code in reading.all)

    def _unknown_province_error(self) -> NotationError:
        """Return the error for the next token, with which no province name starts."""
        bracket = self.next == "/"
        word = self.peek(bracket)[:MAX_QUOTED]
        if not word:
            return NotationError(NotationKey.PROVINCE_MISSING)
        if bracket:
            return NotationError(NotationKey.STRAY_BRACKET, word=word.upper())
        if codes := self._names.alike(word):
            key = NotationKey.UNKNOWN_PROVINCE_ALIKE
            return NotationError(key, word=word.upper(), codes=tuple(codes))
        return NotationError(NotationKey.UNKNOWN_PROVINCE, word=word.upper())

    # Units.

    def unit(self, verbs: Collection[str] = ()) -> UnitPhrase:
        """Read a unit phrase such as `A PAR`, `the French army in Paris`, `Yorkshire army`.

        The place may be left out if one of `verbs` follows the kind (`F stands`).
        """
        power, kind = None, None
        while True:
            if kind is None and self.take_kind():
                kind = words.KINDS[self.tokens[self.at - 1]]
                self.take({"/"})  # `A(PAR)`
            elif power is None and (named := self._power()) is not None:
                power = named
            elif self.next in words.BEFORE_UNIT and not self.starts_with_code():
                self.at += 1
            else:
                break
        if kind is not None and self.next in verbs and not self.starts_with_code():
            return UnitPhrase(power, kind, None, None)
        place, coast = self.place(verbs)
        if kind is None and len(self.next) > 1 and self.next in words.KINDS:
            kind = words.KINDS[self.next]
            self.at += 1
        return UnitPhrase(power, kind, place, coast)

    def take_kind(self) -> bool:
        """Skip the kind of a unit and its article; return whether it was there."""
        noun = self.peek(2 if self.peek(1) == "new" else 1)
        if self.next in {"a", "an"} and noun in {"army", "fleet", "unit"}:
            self.at += 1
        return self.take(words.KINDS)

    def _power(self) -> Power | None:
        """Read a power's name if a unit follows it, because ENG is also the English Channel."""
        named = self._names.power(self.tokens, self.at)
        if named is None:
            return None
        power, end = named
        after = self.peek(end - self.at)
        if after not in words.KINDS and after not in words.BEFORE_UNIT and not self._place_at(end):
            return None
        whole = self._place_at(self.at)
        if whole is not None and whole.end > end:
            return None
        self.at = end
        return power


def require_end(reader: Reader, before: str | Order) -> None:
    """Raise `NotationError` if there is anything left to read after `before`."""
    if reader.next:
        raise NotationError(NotationKey.TRAILING_WORDS, words=reader.rest(), before=before)


def parse_unit(text: str, board: Board, power: str) -> Unit:
    """Return the unit of `power` written as `A PAR` or `F STP/SC`.

    Raises `NotationError` if the kind is missing or such a unit cannot be there, and `ValueError`
    for an unknown power.
    """
    require_text("text", text)
    reader = Reader(text, board)
    phrase = reader.unit()
    require_end(reader, "the unit")
    kind = phrase.kind
    if kind is None or phrase.place is None:
        raise NotationError(NotationKey.UNIT_KIND_MISSING, text=text[:MAX_QUOTED])
    code = choose_province(phrase.place, lambda code: can_stand(board, kind, code), board)
    location = make_location(board.by_code[code], kind, phrase.coast)
    if location not in board.locations(kind):
        raise cannot_stand_error(board.by_code[code], kind)
    return Unit(kind, location, find_power(board, power))


# Provinces.


def choose_province(
    reading: Reading, fits: Callable[[ProvinceCode], bool], board: Board
) -> ProvinceCode:
    """Return the only province that `reading` can mean among those that `fits` allows.

    Uses the best set of readings that contains a fitting province. If none fits, it uses the best
    reading, so that the caller can report what is wrong with it. Raises `NotationError` for an
    impassable space, and if there are several candidates, which it names.
    """
    fitting = ([code for code in tier if fits(code)] for tier in reading.tiers)
    code = require_single(next(filter(None, fitting), reading.tiers[0]), reading, board)
    if name := dict(board.impassable).get(code):
        raise NotationError(NotationKey.IMPASSABLE, place=name)
    return code


def require_single(
    candidates: Sequence[ProvinceCode], reading: Reading, board: Board
) -> ProvinceCode:
    """Return the only one of `candidates`, or raise `NotationError` that asks which is meant."""
    if len(candidates) > 1:
        names = dict(board.impassable) | {p.code: p.name for p in board.provinces}
        choices = tuple(f"{code} ({names[code]})" for code in candidates[:MAX_CHOICES])
        key = NotationKey.AMBIGUOUS_PROVINCE
        raise NotationError(key, text=reading.text, choices=choices)
    return candidates[0]


def can_stand(board: Board, kind: UnitKind, code: ProvinceCode) -> bool:
    """Return whether units of `kind` can be in the province `code`; False if it is unknown."""
    province = board.by_code.get(code)
    wrong = Terrain.SEA if kind is UnitKind.ARMY else Terrain.INLAND
    return province is not None and province.terrain is not wrong


def cannot_stand_error(province: Province, kind: UnitKind) -> NotationError:
    """Return the error for a unit of `kind` in `province`, where it cannot be."""
    code = province.code
    if kind is UnitKind.FLEET and province.coasts:
        choices = tuple(f"{kind} {place}" for place in province.fleet_locations)
        return NotationError(NotationKey.COAST_MISSING, code=code, choices=choices)
    return NotationError(NotationKey.CANNOT_STAND, kind=kind, code=code, place=province.name)


# Coasts.


def make_location(province: Province, kind: UnitKind, coast: str | None) -> Location:
    """Return the location in `province`, ignoring a useless coast."""
    if kind is UnitKind.FLEET and coast in province.coasts:
        return Location(f"{province.code}/{coast}")
    return Location(province.code)


def require_useful_coast(
    province: Province, kind: UnitKind, coast: str | None, rules: RuleSet
) -> None:
    """Raise `NotationError` for a useless coast if the rules do not ignore it (4.B.6)."""
    if coast is None or rules.ignore_needless_coast:
        return
    if kind is UnitKind.ARMY or coast not in province.coasts:
        written = Place(f"{province.code}/{coast}")
        raise NotationError(NotationKey.NO_SUCH_COAST, place=province.name, coast=written)


def translate_coast(province: Province, written: str | None) -> str | None:
    """Return our name for a coast that another site calls `written`."""
    return written if written in province.coasts else _OTHER_NAMES.get(written or "")
