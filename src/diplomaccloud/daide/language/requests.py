"""The requests of clients to a server, as values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from diplomaccloud.daide.language.errors import MessageError
from diplomaccloud.daide.language.press import PEACE, read_press
from diplomaccloud.daide.language.terms import Cursor, OrderTerm, TurnTerm
from diplomaccloud.daide.language.tokens import Message, Word
from diplomaccloud.daide.language.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Enter:
    """A client wants to play (NME)."""

    name: str
    version: str


@dataclass(frozen=True, slots=True)
class Observe:
    """A client wants to watch (OBS)."""


@dataclass(frozen=True, slots=True)
class Return:
    """A client wants its power back (IAM)."""

    power: int
    passcode: int


@dataclass(frozen=True, slots=True)
class Ask:
    """A client requests information (HLO, MAP, MDF, SCO, NOW, ORD, MIS, TME, SMR, HST)."""

    word: int


@dataclass(frozen=True, slots=True)
class AskTurn:
    """A client requests the results of a turn (HST)."""

    turn: TurnTerm


@dataclass(frozen=True, slots=True)
class AskTime:
    """A client wants a message when this many seconds are left (TME)."""

    seconds: int


@dataclass(frozen=True, slots=True)
class CancelTime:
    """A client cancels that message, or all such messages if `seconds` is None."""

    seconds: int | None


@dataclass(frozen=True, slots=True)
class Submit:
    """A client submits orders (SUB), optionally for a named turn."""

    orders: tuple[OrderTerm, ...]
    turn: TurnTerm | None


@dataclass(frozen=True, slots=True)
class Cancel:
    """A client withdraws one order or all of them (NOT SUB)."""

    order: OrderTerm | None


@dataclass(frozen=True, slots=True)
class Ready:
    """A client is ready before the deadline (GOF) or no longer is (NOT GOF)."""

    ready: bool


@dataclass(frozen=True, slots=True)
class Vote:
    """A client votes for a draw (DRW) or withdraws its vote (NOT DRW)."""

    draw: bool


@dataclass(frozen=True, slots=True)
class Send:
    """A client sends press (SND), optionally for a named turn."""

    powers: tuple[int, ...]
    press: Message
    turn: TurnTerm | None


@dataclass(frozen=True, slots=True)
class Admin:
    """A client sends a message about the administration of the game (ADM)."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A client answers a command from the server (YES, REJ)."""

    accepts: bool
    message: Message


@dataclass(frozen=True, slots=True)
class Complaint:
    """A client did not understand the server (HUH, PRN); this gets no answer."""


@dataclass(frozen=True, slots=True)
class ServerCommand:
    """A client sends a command that only a server may send (SVE, LOD)."""


Request: TypeAlias = (
    Enter
    | Observe
    | Return
    | Ask
    | AskTurn
    | AskTime
    | CancelTime
    | Submit
    | Cancel
    | Ready
    | Vote
    | Send
    | Admin
    | Answer
    | Complaint
    | ServerCommand
)

_Rule: TypeAlias = Callable[[Cursor], Request]


def read_request(message: Message, vocabulary: Vocabulary, level: int) -> Request:
    """Return a client's request; raise `MessageError` at the first token outside the grammar.

    The brackets in the message must be paired, except in a complaint. `level` is the game's level
    of press.
    """
    cursor = Cursor(message, vocabulary)
    if cursor.next in {Word.HUH, Word.PRN}:
        return Complaint()
    if cursor.comes(Word.SND):
        request = _read_send(cursor, level)
    else:
        rule = _RULES.get(cursor.next)
        if rule is None:
            raise cursor.fail("a command")
        cursor.at += 1
        request = rule(cursor)
    cursor.end()
    return request


def _read_send(cursor: Cursor, level: int) -> Request:
    if level < PEACE:
        raise MessageError(cursor.at, "this game has no press")
    cursor.take(Word.SND)
    turn = cursor.turn() if _is_turn(cursor) else None
    return Send(cursor.powers(), read_press(cursor, level), turn)


def _read_enter(cursor: Cursor) -> Request:
    return Enter(cursor.text(), cursor.text())


def _read_observe(cursor: Cursor) -> Request:
    if cursor.comes(Word.BRA):
        cursor.text()
        cursor.text()
    return Observe()


def _read_return(cursor: Cursor) -> Request:
    return Return(cursor.bracketed(cursor.power), cursor.bracketed(cursor.number))


def _read_ask(cursor: Cursor, word: Word) -> Request:  # noqa: ARG001 rules take the cursor
    return Ask(word)


def _read_history(cursor: Cursor) -> Request:
    return AskTurn(cursor.turn()) if cursor.comes(Word.BRA) else Ask(Word.HST)


def _read_time(cursor: Cursor) -> Request:
    return AskTime(cursor.bracketed(cursor.number)) if cursor.comes(Word.BRA) else Ask(Word.TME)


def _read_submit(cursor: Cursor) -> Request:
    turn = cursor.turn() if _is_turn(cursor) else None
    return Submit(cursor.repeated(cursor.order), turn)


def _is_turn(cursor: Cursor) -> bool:
    after = cursor.message[cursor.at + 1 : cursor.at + 2]
    return cursor.comes(Word.BRA) and bool(after) and after[0] >> 8 == Word.SPR >> 8


def _read_answer(cursor: Cursor, *, accepts: bool) -> Request:
    return Answer(accepts, cursor.anything())


def _read_name(cursor: Cursor) -> Request:
    cursor.text()
    return ServerCommand()


def _read_not(cursor: Cursor) -> Request:
    return cursor.bracketed(lambda: _read_negated(cursor))


def _read_negated(cursor: Cursor) -> Request:
    if cursor.skips(Word.GOF):
        return Ready(ready=False)
    if cursor.skips(Word.DRW):
        return Vote(draw=False)
    if cursor.skips(Word.TME):
        seconds = cursor.bracketed(cursor.number) if cursor.comes(Word.BRA) else None
        return CancelTime(seconds)
    if cursor.skips(Word.SUB):
        return Cancel(cursor.order() if cursor.comes(Word.BRA) else None)
    raise cursor.fail("GOF, DRW, TME or SUB")


_ASKED: Final = (
    Word.HLO,
    Word.MAP,
    Word.MDF,
    Word.SCO,
    Word.NOW,
    Word.ORD,
    Word.MIS,
    Word.SMR,
)

_RULES: Final[Mapping[int, _Rule]] = {
    **{int(word): partial(_read_ask, word=word) for word in _ASKED},
    Word.NME: _read_enter,
    Word.OBS: _read_observe,
    Word.IAM: _read_return,
    Word.HST: _read_history,
    Word.TME: _read_time,
    Word.SUB: _read_submit,
    Word.GOF: lambda _: Ready(ready=True),
    Word.DRW: lambda _: Vote(draw=True),
    Word.ADM: lambda cursor: Admin(cursor.text(), cursor.text()),
    Word.YES: partial(_read_answer, accepts=True),
    Word.REJ: partial(_read_answer, accepts=False),
    Word.SVE: _read_name,
    Word.LOD: _read_name,
    Word.NOT: _read_not,
}
