"""The grammar of messages: a cursor that reads their parts, press, and the requests of clients.

The methods of the cursor raise `MessageError` at a token that they cannot read.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

from diplomaccloud.daide.language import (
    COASTS,
    Message,
    MessageError,
    Vocabulary,
    Word,
    compose,
    decode_number,
    decode_text,
    find_end,
    is_number,
    is_province,
    is_text,
)
from diplomaccloud.judge.phases import Phase, Season, Stage

_T = TypeVar("_T")
_COASTS = frozenset(int(coast) for coast in COASTS.values())
SEASONS: Final = {
    Word.SPR: (Season.SPRING, Stage.MOVEMENT),
    Word.SUM: (Season.SPRING, Stage.RETREATS),
    Word.FAL: (Season.FALL, Stage.MOVEMENT),
    Word.AUT: (Season.FALL, Stage.RETREATS),
    Word.WIN: (Season.WINTER, Stage.ADJUSTMENTS),
}


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
        self.message, self.vocabulary, self.at = message, vocabulary, at

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
        is_next = self.next == word
        self.at += is_next
        return is_next

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
        self.take(Word.BRA)
        start = self.at
        while self.next >= 0 and is_text(self.next):
            self.at += 1
        self.take(Word.KET)
        return decode_text(self.message[start : self.at - 1])

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

    def turn(self) -> Phase:
        """Return the phase that a season and a year in brackets name."""
        self.take(Word.BRA)
        season, stage = SEASONS[Word(self.take_any(SEASONS.keys(), "a season"))]
        year = self.number()
        self.take(Word.KET)
        return Phase(season, year, stage)

    def optional_turn(self) -> Phase | None:
        """Return the turn that comes next, or None if something else does."""
        after = self.message[self.at + 1 : self.at + 2]
        is_turn = self.comes(Word.BRA) and bool(after) and after[0] >> 8 == Word.SPR >> 8
        return self.turn() if is_turn else None

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
        if verb == Word.CVY:
            self.take(Word.CTO)
        goes = verb in {Word.MTO, Word.RTO, Word.CTO, Word.CVY}
        # Some clients name the coast even though the language has no place for it after `SUP`.
        if goes or (verb == Word.SUP and self.skips(Word.MTO)):
            to = self.place()
        if verb == Word.CTO:
            self.take(Word.VIA)
            via = self.bracketed(lambda: self.repeated(self.province))
        tokens = self.message[start : self.at]
        return OrderTerm(tokens, unit.power, verb, unit, target, to, via)


_DEEDS: Final = frozenset({word for word in Word if word >> 8 == 0x43} - {Word.VIA, Word.WVE})
"""What a unit can be ordered to do."""


# The grammar of press, levels 10 to 30. Nothing here judges whether an offer is wise.


MAX_LEVEL: Final = 30
PEACE, ORDERS, OFFERS = 10, 20, 30
"""The levels: peace and alliances, proposed orders, offers with several parts."""

_BY_LEVEL: Final = {
    PEACE: "PRP PCE ALY VSS DRW SLO NOT YES REJ BWX",
    ORDERS: "XDO DMZ",
    OFFERS: "AND ORR",
}
_REPLIES: Final = frozenset({int(Word.YES), int(Word.REJ), int(Word.BWX)})


def tokens_of(level: int) -> frozenset[int]:
    """Return the words that a player may claim to understand at a level of press."""
    return frozenset(
        int(Word[name])
        for needed, names in _BY_LEVEL.items()
        if needed <= level
        for name in names.split()
    )


def read_press(cursor: Cursor, level: int) -> Message:
    """Return the press between brackets; raise `MessageError` at a word above the level.

    `TRY` is returned without the words that belong to a higher level.
    """
    start = cursor.at + 1
    press = cursor.bracketed(lambda: _PressReader(cursor, level).press())
    return press if press is not None else cursor.message[start : cursor.at - 1]


class _PressReader:
    """Reads press at one level."""

    def __init__(self, cursor: Cursor, level: int) -> None:
        self._cursor, self._level = cursor, level

    def press(self) -> Message | None:
        """Read press; return it only if it must be changed before it is passed on."""
        cursor = self._cursor
        if cursor.skips(Word.TRY):
            start, words, known = cursor.at + 1, cursor.anything(), tokens_of(self._level)
            if Word.BRA in words:
                raise cursor.fail("KET", start + words.index(Word.BRA))
            return compose(Word.TRY, [tuple(word for word in words if word in known)])
        if cursor.skips(Word.HUH):
            cursor.anything()
        else:
            self._proposal(most_answers=2)
        return None

    def _proposal(self, most_answers: int) -> None:
        """Read a proposal, an answer to one, or an answer to such an answer."""
        cursor = self._cursor
        if most_answers and cursor.next in _REPLIES:
            cursor.at += 1
            cursor.bracketed(lambda: self._proposal(most_answers - 1))
        else:
            cursor.take(Word.PRP)
            cursor.bracketed(self._offer)

    def _offer(self) -> None:
        cursor = self._cursor
        if self._level >= OFFERS and cursor.next in {Word.AND, Word.ORR}:
            cursor.at += 1
            cursor.repeated(lambda: cursor.bracketed(self._single), least=2)
        else:
            self._single()

    def _single(self) -> None:
        if self._cursor.skips(Word.NOT):
            self._cursor.bracketed(self._plain)
        else:
            self._plain()

    def _plain(self) -> None:
        cursor = self._cursor
        if cursor.skips(Word.PCE):
            cursor.powers()
        elif cursor.skips(Word.ALY):
            cursor.powers()
            cursor.take(Word.VSS)
            cursor.powers()
        elif cursor.skips(Word.SLO):
            cursor.bracketed(cursor.power)
        elif self._level >= ORDERS and cursor.skips(Word.XDO):
            cursor.order()
        elif self._level >= ORDERS and cursor.skips(Word.DMZ):
            cursor.powers()
            cursor.bracketed(lambda: cursor.repeated(cursor.province))
        elif not cursor.skips(Word.DRW):
            raise cursor.fail("an offer of this level")


# The requests of clients to a server, as values.


@dataclass(frozen=True, slots=True)
class Ask:
    """A command whose parameters do not matter, if it has any.

    A client requests information (HLO, MAP, MDF, SCO, NOW, ORD, MIS, TME, SMR, HST) or wants to
    watch (OBS), sends a message about the administration of the game (ADM), did not understand the
    server (HUH, PRN), or sends a command that only a server may send (SVE, LOD).
    """

    word: int


@dataclass(frozen=True, slots=True)
class Enter:
    """A client wants to play (NME)."""

    name: str
    version: str


@dataclass(frozen=True, slots=True)
class Return:
    """A client wants its power back (IAM)."""

    power: int
    passcode: int


@dataclass(frozen=True, slots=True)
class AskTurn:
    """A client requests the results of a turn (HST)."""

    turn: Phase


@dataclass(frozen=True, slots=True)
class AskTime:
    """A client wants a message when this many seconds are left (TME), or no longer does.

    No `seconds` stand for all such messages.
    """

    seconds: int | None
    holds: bool = True


@dataclass(frozen=True, slots=True)
class Submit:
    """A client submits orders (SUB), optionally for a named turn."""

    turn: Phase | None
    orders: tuple[OrderTerm, ...]


@dataclass(frozen=True, slots=True)
class Cancel:
    """A client withdraws one order or all of them (NOT SUB)."""

    order: OrderTerm | None


@dataclass(frozen=True, slots=True)
class Wish:
    """A client is ready before the deadline (GOF) or votes for a draw (DRW), or no longer does."""

    word: int
    holds: bool = True


@dataclass(frozen=True, slots=True)
class Send:
    """A client sends press (SND), optionally for a named turn."""

    turn: Phase | None
    powers: tuple[int, ...]
    press: Message


@dataclass(frozen=True, slots=True)
class DaideAnswer:
    """A client answers a command from the server (YES, REJ)."""

    accepts: bool
    message: Message


Request: TypeAlias = (
    Ask | Enter | Return | AskTurn | AskTime | Submit | Cancel | Wish | Send | DaideAnswer
)


def read_request(message: Message, vocabulary: Vocabulary, level: int) -> Request:
    """Return a client's request; raise `MessageError` at the first token outside the grammar.

    The brackets in the message must be paired, except in a complaint. `level` is the game's level
    of press.
    """
    cursor = Cursor(message, vocabulary)
    word = cursor.next
    request: Request = Ask(word)
    if word in {Word.HUH, Word.PRN}:
        return request
    if word == Word.SND and level < PEACE:
        raise MessageError(cursor.at, "this game has no press")
    cursor.at += 1
    if word == Word.SND:
        request = Send(cursor.optional_turn(), cursor.powers(), read_press(cursor, level))
    elif word in _TEXTS:
        for _ in range(_TEXTS[word]):
            cursor.text()
    elif word in _RULES:
        request = _RULES[word](cursor)
    else:
        raise cursor.fail("a command", 0)
    cursor.end()
    return request


def _read_observe(cursor: Cursor) -> Request:
    if cursor.comes(Word.BRA):
        cursor.text()
        cursor.text()
    return Ask(Word.OBS)


def _read_time(cursor: Cursor) -> Request:
    return AskTime(cursor.bracketed(cursor.number)) if cursor.comes(Word.BRA) else Ask(Word.TME)


def _read_negated(cursor: Cursor) -> Request:
    if cursor.skips(Word.GOF):
        return Wish(Word.GOF, holds=False)
    if cursor.skips(Word.DRW):
        return Wish(Word.DRW, holds=False)
    if cursor.skips(Word.TME):
        seconds = cursor.bracketed(cursor.number) if cursor.comes(Word.BRA) else None
        return AskTime(seconds, holds=False)
    if cursor.skips(Word.SUB):
        return Cancel(cursor.order() if cursor.comes(Word.BRA) else None)
    raise cursor.fail("GOF, DRW, TME or SUB")


_TEXTS: Final[Mapping[int, int]] = {
    **dict.fromkeys((Word.HLO, Word.MAP, Word.MDF, Word.SCO), 0),
    **dict.fromkeys((Word.NOW, Word.ORD, Word.MIS, Word.SMR), 0),
    Word.SVE: 1,
    Word.LOD: 1,
    Word.ADM: 2,
}
"""How many texts follow a command whose parameters do not matter."""

_RULES: Final[Mapping[int, Callable[[Cursor], Request]]] = {
    Word.NME: lambda cursor: Enter(cursor.text(), cursor.text()),
    Word.OBS: _read_observe,
    Word.IAM: lambda cursor: Return(
        cursor.bracketed(cursor.power), cursor.bracketed(cursor.number)
    ),
    Word.HST: lambda cursor: AskTurn(cursor.turn()) if cursor.comes(Word.BRA) else Ask(Word.HST),
    Word.TME: _read_time,
    Word.SUB: lambda cursor: Submit(cursor.optional_turn(), cursor.repeated(cursor.order)),
    Word.GOF: lambda _: Wish(Word.GOF),
    Word.DRW: lambda _: Wish(Word.DRW),
    Word.YES: lambda cursor: DaideAnswer(accepts=True, message=cursor.anything()),
    Word.REJ: lambda cursor: DaideAnswer(accepts=False, message=cursor.anything()),
    Word.NOT: lambda cursor: cursor.bracketed(lambda: _read_negated(cursor)),
}
