"""Reads orders in DAIDE notation, such as `(FRA AMY PAR) MTO BUR`."""

import re
from collections.abc import Sequence

from diplomaccloud.judge.board import Board, Location, ProvinceCode, UnitKind
from diplomaccloud.judge.messages.notation import NotationKey
from diplomaccloud.judge.notation.daide import COASTS, KINDS, PROVINCES, powers_by_token
from diplomaccloud.judge.notation.errors import MAX_QUOTED, NotationError
from diplomaccloud.judge.notation.words import name_tokens

_BEGINNING = re.compile(r"\s*\(\s*(?:\(\s*)?\w{2,4}\s+(?:AMY|FLT|WVE)\b", re.IGNORECASE)
_SUBMISSION = re.compile(r"\s*SUB\b(?=\s*\()", re.IGNORECASE)
_TOKEN = re.compile(r"[()]|[^\s()]+")

Words = list[str]


def split_daide(text: str) -> list[tuple[str, int]] | None:
    """Return the orders in `(order) (order) …` with the end of each, or `None` for other text.

    They may follow `SUB`, as in the message with which a program submits them.
    """
    prefix = _SUBMISSION.match(text)
    at = prefix.end() if prefix else 0
    if not _BEGINNING.match(text, at):
        return None
    parts: list[tuple[str, int]] = []
    start, depth = at, 0
    for place in range(at, len(text)):
        letter = text[place]
        if letter == "(":
            if depth == 0 and not _BEGINNING.match(text, place):
                return None
            depth += 1
        elif letter == ")":
            depth -= 1
            if depth == 0:
                parts.append((text[start : place + 1].strip(), place + 1))
                start = place + 1
        elif depth == 0 and not letter.isspace():
            return None
        if depth < 0:
            return None
    return parts if depth == 0 else None


def read_daide(text: str, board: Board) -> Words | None:
    """Return an order in DAIDE notation as words of canonical text, or `None` for other text.

    Raises `NotationError` for text that starts like a DAIDE order but does not end like one.
    """
    if not _BEGINNING.match(text):
        return None
    reader = _DaideReader(_TOKEN.findall(text.upper()), board)
    words = reader.order()
    if words is None:
        raise NotationError(NotationKey.NOT_DAIDE, text=" ".join(text.split())[:MAX_QUOTED])
    return words


class _NotDaide(Exception):
    """The text is not a DAIDE order."""


class _DaideReader:
    """A cursor over the tokens of one order; methods raise `_NotDaide` for unexpected tokens."""

    def __init__(self, tokens: Sequence[str], board: Board) -> None:
        self._tokens = tokens
        self._board = board
        self._at = 0

    def order(self) -> Words | None:
        """Return the order as canonical words, or `None`."""
        try:
            # The order itself may be in brackets: `((FRA AMY PAR) MTO BUR)`.
            wrapped = list(self._tokens[:2]) == ["(", "("]
            if wrapped:
                self._take("(")
            words = self._waive() if "WVE" in self._tokens[:4] else self._unit_order()
            if wrapped:
                self._take(")")
        except _NotDaide:
            return None
        return words if self._at == len(self._tokens) else None

    def _next(self) -> str:
        if self._at == len(self._tokens):
            raise _NotDaide
        self._at += 1
        return self._tokens[self._at - 1]

    def _take(self, token: str) -> None:
        if self._next() != token:
            raise _NotDaide

    def _comes(self, token: str) -> bool:
        return self._at < len(self._tokens) and self._tokens[self._at] == token

    def _waive(self) -> Words:
        self._take("(")
        power = self._power()
        self._take("WVE")
        self._take(")")
        return [*power, "waive"]

    def _unit_order(self) -> Words:
        # The power can be dropped, because a player orders only that player's own units.
        _, kind, location = self._unit()
        unit = _unit_words(kind, location)
        match self._next():
            case "HLD":
                deed = ["h"]
            case "MTO":
                by_land = ["by", "land"] if kind is UnitKind.ARMY else []
                deed = ["-", *_place_words(self._location()), *by_land]
            case "CTO":
                deed = ["-", *self._way_by_sea()]
            case "SUP":
                deed = ["s", *self._supported()]
            case "CVY":
                deed = ["c", *self._convoyed()]
            case "RTO":
                deed = ["r", *_place_words(self._location())]
            case "DSB" | "REM":
                deed = ["d"]
            case "BLD":
                deed = ["b"]
            case _:
                raise _NotDaide
        return [*unit, *deed]

    def _way_by_sea(self) -> Words:
        """Read `NWY VIA (NTH NWG)`; return the seas and then the goal."""
        goal = _place_words(self._location())
        self._take("VIA")
        self._take("(")
        seas: Words = []
        while not self._comes(")"):
            seas += [*_place_words(self._location()), "-"]
        self._take(")")
        if not seas:
            raise _NotDaide
        return [*seas, *goal]

    def _convoyed(self) -> Words:
        power, kind, location = self._unit()
        self._take("CTO")
        return [*power, *_unit_words(kind, location), "-", *_place_words(self._location())]

    def _supported(self) -> Words:
        """Read the supported unit and its goal.

        DAIDE does not name a coast there, so the only one within the unit's reach is filled in.
        """
        power, kind, location = self._unit()
        words = [*power, *_unit_words(kind, location)]
        if not self._comes("MTO"):
            return words
        self._take("MTO")
        to = self._location()
        if kind is UnitKind.FLEET:
            near = self._board.destinations(kind, location)
            coasts = [place for place in near if place.startswith(f"{to}/") or place == to]
            to = coasts[0] if len(coasts) == 1 else to
        return [*words, "-", *_place_words(to)]

    def _unit(self) -> tuple[Words, UnitKind, Location]:
        self._take("(")
        power = self._power()
        kind = KINDS.get(self._next())
        if kind is None:
            raise _NotDaide
        location = self._location()
        self._take(")")
        return power, kind, location

    def _power(self) -> Words:
        power = powers_by_token(self._board).get(self._next())
        if power is None:
            raise _NotDaide
        return list(name_tokens(self._board.power_info[power].name))

    def _location(self) -> Location:
        """Read `PAR` or `(SPA NCS)`; the province may be unknown."""
        if not self._comes("("):
            return Location(self._province())
        self._take("(")
        province = self._province()
        coast = self._next()
        self._take(")")
        if coast not in COASTS:
            raise _NotDaide
        return Location(f"{province}/{COASTS[coast]}")

    def _province(self) -> ProvinceCode:
        word = self._next()
        if not (word.isascii() and word.isalnum()):
            raise _NotDaide
        # Another board may use the word for a province of its own.
        is_code = ProvinceCode(word) in self._board.by_code
        return ProvinceCode(word if is_code else PROVINCES.get(word, word))


def _unit_words(kind: UnitKind, location: Location) -> Words:
    return [kind.value.lower(), *_place_words(location)]


def _place_words(location: Location) -> Words:
    province, _, coast = location.lower().partition("/")
    return [province, "/", coast] if coast else [province]
