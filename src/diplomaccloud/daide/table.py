"""The table: handles the requests of visitors and answers them.

`receive`, `disconnect` and `tick` take the current time, and put all messages to send into an
outbox.
"""

from collections.abc import Callable
from typing import Final

from diplomaccloud.daide.board import read_turn
from diplomaccloud.daide.frames import MAX_TOKENS
from diplomaccloud.daide.language import (
    Message,
    MessageError,
    Word,
    are_brackets_paired,
    compose,
    decode_text,
)
from diplomaccloud.daide.meeting import Meeting, Outgoing, Role, Visitor, VisitorId
from diplomaccloud.daide.messages import (
    Admin,
    Ask,
    AskTime,
    AskTurn,
    Cancel,
    CancelTime,
    Complaint,
    DaideAnswer,
    DaideVote,
    Enter,
    Observe,
    Ready,
    Request,
    Return,
    Send,
    ServerCommand,
    Submit,
    read_request,
)
from diplomaccloud.daide.play import Declined
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.orders import Order

MAP_TIME: Final = 60.0
"""How many seconds a player or an observer has to confirm that it knows the map.

A connection that asks neither to play nor to watch is closed after the same time.
"""
MAX_WRONG_PASSCODES: Final = 3
MAX_TIMES: Final = 100
"""The most time messages before a deadline that one client may request."""
MAX_TALK: Final = 65_536
"""The most tokens of press and `ADM` that one client may send in a phase.

Without a limit, one client could overflow the other clients' queues and get them cut off.
"""
_LONGEST: Final = MAX_TOKENS - 8
"""The longest message that can be quoted in an answer."""


class DaideTable:
    """A game with its visitors."""

    def __init__(self, course: Meeting) -> None:
        self._course = course
        self._room, self._play = course.room, course.play
        self._answers, self._settings = course.answers, course.settings

    def connect(self, now: float) -> VisitorId:
        """Return the number of a new visitor, which has sent its initial message."""
        visitor = self._room.enter()
        visitor.due = now + MAP_TIME
        return visitor.number

    def ask_bots(self) -> Callable[[], list[Order]] | None:
        """Return a function that finds the bots' orders, or None if no bot has to think.

        The function may run in a thread, because it changes nothing. Pass its result to
        `take_bots_orders`; otherwise `tick` finds the orders itself.
        """
        return self._play.ask_bots()

    def take_bots_orders(self, orders: list[Order]) -> None:
        """Take the bots' orders for this phase."""
        self._play.take_bots_orders(orders)

    def take_outbox(self) -> list[Outgoing]:
        """Return the messages to send, and empty the outbox."""
        outgoing, self._room.outbox = self._room.outbox, []
        return outgoing

    def tick(self, now: float) -> None:
        """Handle everything that is due; adjudicate at most one phase."""
        self._course.tick(now)

    def next_time(self, now: float) -> float | None:
        """Return when to call `tick` next, or None if only visitors can trigger anything."""
        return self._course.next_time(now)

    @property
    def is_over(self) -> bool:
        """Whether all visitors have been dismissed."""
        return self._course.is_over

    def receive(self, number: VisitorId, message: Message, now: float) -> None:
        """Answer a visitor's message."""
        visitor = self._room.visitors[number]
        if len(message) > _LONGEST:
            self._room.send(visitor, compose(Word.HUH, [Word.ERR]))
            return
        if message[0] not in {Word.HUH, Word.PRN} and not are_brackets_paired(message):
            self._room.send(visitor, compose(Word.PRN, [message]))
            return
        vocabulary = self._play.words.vocabulary
        try:
            request = read_request(message, vocabulary, self._course.level_of(visitor))
        except MessageError as error:
            marked = (*message[: error.at], Word.ERR, *message[error.at :])
            self._room.send(visitor, compose(Word.HUH, [marked]))
            return
        talks = isinstance(request, Admin | Send)
        allowed = not talks or self._may_talk(visitor, message)
        try:
            follows = allowed and self._follow(visitor, request, message, now)
        except Declined:
            follows = False
        if not follows:
            self._room.send(visitor, compose(Word.REJ, [message]))

    def _follow(  # noqa: PLR0911 one answer for each request
        self, visitor: Visitor, request: Request, message: Message, now: float
    ) -> bool:
        """Carry out a request; return False to refuse it."""
        match request:
            case Enter(name, version):
                return self._enter(visitor, name, version, message, now)
            case Observe():
                return self._observe(visitor, message, now)
            case Return(power, passcode):
                return self._return(visitor, power, passcode, message, now)
            case Ask(word):
                return self._answer(visitor, word, now)
            case AskTurn(turn):
                answer = self._answers.find_turn(read_turn(turn))
                self._room.send(visitor, *answer)
                return bool(answer)
            case AskTime() | CancelTime():
                return self._time(visitor, request, message)
            case Admin():
                return self._course.pass_admin(message)
            case DaideAnswer(accepts, about):
                return self._hear(visitor, about, now, accepts=accepts)
            case Complaint():
                return True
            case ServerCommand():
                return False
            case _:
                return self._play_on(visitor, request, message)

    # Coming and going.

    def _enter(
        self, visitor: Visitor, name: str, version: str, message: Message, now: float
    ) -> bool:
        if visitor.role is not Role.NOBODY or not self._course.admit(visitor, version, now):
            return False
        visitor.role, visitor.name, visitor.version = Role.PLAYER, name, version
        visitor.due = now + MAP_TIME
        self._room.send(visitor, compose(Word.YES, [message]), self._answers.write_map())
        return True

    def _observe(self, visitor: Visitor, message: Message, now: float) -> bool:
        if visitor.role is not Role.NOBODY or not self._settings.observers:
            return False
        visitor.role, visitor.due = Role.OBSERVER, now + MAP_TIME
        self._room.send(visitor, compose(Word.YES, [message]), self._answers.write_map())
        return True

    def _return(
        self, visitor: Visitor, token: int, passcode: int, message: Message, now: float
    ) -> bool:
        power = self._play.words.power_of[token]
        seat = self._room.seats.get(power)
        if visitor.power is not None or self._play.ending is not None or seat is None:
            return False
        # While its client is connected, all passcodes fail, so none can be guessed or used up.
        if self._room.player_of(power) is not None or not self._course.may_return(power):
            return False
        if seat.passcode != passcode:
            visitor.wrong_passcodes += 1
            self._course.note_wrong_passcode(power)
            if visitor.wrong_passcodes >= MAX_WRONG_PASSCODES:
                self._room.send(visitor, compose(Word.REJ, [message]))
                self._room.close(visitor)
                return True
            return False
        visitor.role, visitor.power, visitor.knows_map = Role.PLAYER, power, True
        visitor.due = None
        self._room.send(visitor, compose(Word.YES, [message]))
        self._course.note_return(power, now)
        return True

    def _hear(self, visitor: Visitor, about: Message, now: float, *, accepts: bool) -> bool:
        """Handle a visitor's answer to the map: whether it can play on it."""
        if not about or about[0] != Word.MAP or visitor.role is Role.NOBODY:
            return True
        if not accepts:
            self._room.close(visitor)
            return True
        name = decode_text(about[2:-1]).lower()
        if name != self._play.words.map_name:
            return False
        if not visitor.knows_map:
            visitor.knows_map, visitor.due = True, None
            self._course.welcome(visitor, now)
        return True

    def disconnect(self, number: VisitorId, now: float) -> None:
        """Note that a connection has ended."""
        visitor = self._room.visitors.pop(number, None)
        if visitor is not None and visitor.power is not None and self._play.ending is None:
            self._course.note_absence(visitor.power, now)

    # Requests for information.

    def _answer(self, visitor: Visitor, word: int, now: float) -> bool:
        answer = self._answers.answer_always(word)
        if not answer and self._course.started:
            seat = None if visitor.power is None else self._room.seats[visitor.power]
            answer = self._answers.answer(word, visitor, seat, now)
            if word == Word.SMR:
                answer = self._answers.write_ending(self._course.list_players())
        self._room.send(visitor, *answer)
        return bool(answer)

    def _time(self, visitor: Visitor, request: AskTime | CancelTime, message: Message) -> bool:
        seconds, times = request.seconds, visitor.times
        if isinstance(request, AskTime):
            if not 0 <= request.seconds <= self._settings.longest_time or len(times) >= MAX_TIMES:
                return False
            if not self._settings.longest_time:
                return False
            times.add(request.seconds)
        elif seconds is None:
            times.clear()
        elif seconds not in times:
            return False
        else:
            times.remove(seconds)
        self._room.send(visitor, compose(Word.YES, [message]))
        return True

    # Playing.

    def _may_talk(self, visitor: Visitor, message: Message) -> bool:
        """Count the tokens that a visitor sends to others in a phase; return False if too many."""
        phase = len(self._play.turns)
        said = visitor.said if visitor.said_in == phase else 0
        if said + len(message) > MAX_TALK:
            return False
        visitor.said, visitor.said_in = said + len(message), phase
        return True

    def _play_on(  # noqa: PLR0911 one answer for each request
        self, visitor: Visitor, request: Request, message: Message
    ) -> bool:
        """Carry out a player's request during the game; return False to refuse it."""
        power, play = visitor.power, self._play
        if power is None or not visitor.knows_map or play.ending is not None:
            return False
        yes = compose(Word.YES, [message])
        match request:
            case Submit():
                self._submit(visitor, power, request)
            case Cancel(order):
                if not play.cancel(power, order):
                    return False
                self._room.send(visitor, yes)
            case Send():
                return self._course.pass_press(visitor, request, message)
            case Ready(ready):
                return self._set_ready(visitor, power, yes, ready=ready)
            case DaideVote(draw):
                if power not in play.alive:
                    return False
                play.vote(power, draw=draw)
                self._room.send(visitor, yes)
                if draw and play.agree_on_draw():
                    self._course.announce_ending()
            case _:
                return False
        return True

    def _submit(self, visitor: Visitor, power: Power, request: Submit) -> None:
        play = self._play
        past = request.turn is not None and read_turn(request.turn) != play.position.phase
        notes = [Word.NRS] * len(request.orders)
        if not past:
            any_order = self._settings.accepts_any_orders
            notes = play.take(power, request.orders, any_order=any_order)
        for term, note in zip(request.orders, notes, strict=True):
            self._room.send(visitor, compose(Word.THX, [term.tokens], [note]))
        self._course.note_orders(power)
        if power in play.owing and not play.is_complete(power):
            self._room.send(visitor, play.write_missing(power))

    def _set_ready(self, visitor: Visitor, power: Power, yes: Message, *, ready: bool) -> bool:
        play = self._play
        if power not in play.alive:
            return False
        play.set_ready(power, ready=ready)
        self._room.send(visitor, yes)
        if ready and power in play.owing and not play.is_complete(power):
            self._room.send(visitor, play.write_missing(power))
        return True
