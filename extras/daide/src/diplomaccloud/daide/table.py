"""A game as a server sees it: its visitors, their requests and answers, time, and the end.

`receive`, `disconnect` and `tick` take the current time, and put all messages to send into an
outbox. A subclass of `DaideTable` decides how the game proceeds: `Course`, which the server runs
itself, or a game that is played elsewhere.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, NewType, TypeAlias

from diplomaccloud.bots import Bot
from diplomaccloud.daide.board import (
    BoardWords,
    write_centers,
    write_definition,
    write_position,
    write_turn,
)
from diplomaccloud.daide.language import (
    MAX_TOKENS,
    Message,
    MessageError,
    Part,
    Word,
    are_brackets_paired,
    compose,
    decode_text,
    encode_number,
    encode_text,
)
from diplomaccloud.daide.messages import (
    Ask,
    AskTime,
    AskTurn,
    Cancel,
    DaideAnswer,
    Enter,
    Request,
    Return,
    Send,
    Submit,
    Wish,
    read_request,
)
from diplomaccloud.daide.play import Clock, Declined, Play, Settings
from diplomaccloud.judge.board import Power

MAP_TIME: Final = 60.0
"""How many seconds a player or an observer has to confirm that it knows the map.

A connection that asks neither to play nor to watch is closed after the same time.
"""
MAX_WRONG_PASSCODES: Final = 3
MAX_WRONG_FOR_SEAT: Final = 20
"""After this many wrong passcodes, a seat is closed; passcodes are short and easy to guess."""
MAX_TIMES: Final = 100
"""The most time messages before a deadline that one client may request."""
MAX_TALK: Final = 65_536
"""The most tokens of press and `ADM` that one client may send in a phase.

Without a limit, one client could overflow the other clients' queues and get them cut off.
"""
_LONGEST: Final = MAX_TOKENS - 8
"""The longest message that can be quoted in an answer."""

VisitorId = NewType("VisitorId", int)
"""The number of a connection."""


class Role(Enum):
    """The role that a visitor has asked for."""

    NOBODY = "nobody"
    OBSERVER = "observer"
    PLAYER = "player"


@dataclass(slots=True)
class Visitor:
    """A connection: its role, its power, and when its next message is `due`.

    `said` is how many tokens it has sent to others in the phase with the number `said_in`.
    """

    number: VisitorId
    role: Role = Role.NOBODY
    name: str = ""
    version: str = ""
    knows_map: bool = False
    due: float | None = None
    power: Power | None = None
    times: set[int] = field(default_factory=set)
    wrong_passcodes: int = 0
    wrong_tokens: int = 0
    said: int = 0
    said_in: int = 0


@dataclass(frozen=True, slots=True)
class Seat:
    """A client's power: its passcode, its name and version for the summary, its level of press."""

    power: Power
    passcode: int
    name: str
    version: str
    level: int


Outgoing: TypeAlias = tuple[VisitorId, Message | None]
"""A message for a visitor, or None to close the visitor's connection."""


class Room:
    """The visitors, their seats, and the messages waiting to be sent."""

    def __init__(self) -> None:
        self.visitors: dict[VisitorId, Visitor] = {}
        self.seats: Mapping[Power, Seat] = {}
        self.outbox: list[Outgoing] = []
        self._count = 0

    def enter(self) -> Visitor:
        """Add and return a new visitor."""
        self._count += 1
        visitor = Visitor(VisitorId(self._count))
        self.visitors[visitor.number] = visitor
        return visitor

    def send(self, visitor: Visitor, *messages: Message) -> None:
        """Send messages to one visitor."""
        self.outbox += [(visitor.number, message) for message in messages]

    def close(self, visitor: Visitor) -> None:
        """Close a connection after its waiting messages; the end is reported like any other."""
        self.outbox.append((visitor.number, None))

    def broadcast(self, *messages: Message) -> None:
        """Send messages to all players and observers who know the map."""
        for visitor in self.listeners():
            self.send(visitor, *messages)

    def listeners(self) -> Iterator[Visitor]:
        """Yield the players and observers who know the map."""
        for visitor in self.visitors.values():
            if visitor.knows_map and visitor.role is not Role.NOBODY:
                yield visitor

    def players(self) -> list[Visitor]:
        """Return the visitors that play or want to play."""
        return [v for v in self.visitors.values() if v.role is Role.PLAYER]

    def player_of(self, power: Power) -> Visitor | None:
        """Return the visitor that plays a power; None for a bot or an absent client."""
        return next((v for v in self.visitors.values() if v.power == power), None)

    def seat_of(self, visitor: Visitor) -> Seat | None:
        """Return the seat of a visitor that plays a power; None for any other."""
        return None if visitor.power is None else self.seats.get(visitor.power)

    def absent(self) -> list[Power]:
        """Return the powers whose clients are not connected."""
        present = {visitor.power for visitor in self.visitors.values()}
        return [power for power in self.seats if power not in present]


def find_goals(play: Play, visitor: Visitor, send: Send) -> Sequence[Power] | None:
    """Return the addressees, or None if the turn is over or the visitor may not send the press."""
    goals = list(dict.fromkeys(play.words.power_of[token] for token in send.powers))
    is_over = send.turn is not None and send.turn != play.position.phase
    is_refused = is_over or visitor.power in goals or visitor.power not in play.alive
    return None if is_refused else goals


class Answers:
    """Answers requests for information from the state of a game; no messages mean a refusal."""

    def __init__(self, play: Play, settings: Settings, clock: Clock) -> None:
        self._play, self._settings, self._clock = play, settings, clock

    def answer(self, word: int, seat: Seat | None, now: float) -> Sequence[Message]:
        """Return the answer to a request without parameters once the game has started."""
        play = self._play
        match word:
            case Word.HLO:
                return [self.write_hello(seat)]
            case Word.ORD:
                return [order for turn in play.last_turns() for order in turn.orders]
            case Word.HST:
                return [each for turn in play.turns for each in (*turn.results, turn.now)]
            case Word.MIS if seat is not None and play.ending is None:
                return [play.write_missing(seat.power)]
            case Word.TME:
                return self.write_time(now)
            case _:
                return []

    def answer_always(self, word: int) -> list[Message]:
        """Return the answer to a request that is also allowed before the game."""
        words = self._play.words
        match word:
            case Word.MAP:
                return [compose(Word.MAP, [encode_text(words.map_name)])]
            case Word.MDF:
                return [write_definition(words)]
            case Word.SCO:
                return [write_centers(words, self._play.position)]
            case Word.NOW:
                return [write_position(words, self._play.position)]
            case _:
                return []

    def write_hello(self, seat: Seat | None) -> Message:
        """Return the HLO message of a player, or of an observer."""
        power = Word.UNO if seat is None else self._play.words.powers[seat.power]
        passcode = encode_number(0 if seat is None else seat.passcode)
        level = self._settings.level if seat is None else seat.level
        return compose(Word.HLO, [power], [passcode], self._settings.write_variant(level))

    def write_start(self, seat: Seat | None, now: float) -> list[Message]:
        """Return the first messages for a player or an observer."""
        hello = self.write_hello(seat)
        return [hello, *self.answer_always(Word.SCO), *self.write_ending({}), *self.write_now(now)]

    def write_now(self, now: float) -> list[Message]:
        """Return the position and the time left."""
        return [*self.answer_always(Word.NOW), *self.write_time(now)]

    def write_time(self, now: float) -> list[Message]:
        """Return the TME message, or nothing without a deadline."""
        seconds = self._clock.time_left(now)
        return [] if seconds is None else [compose(Word.TME, [encode_number(seconds)])]

    def write_ending(self, players: Mapping[Power, tuple[str, str]]) -> list[Message]:
        """Return the ending of the game and the list of players, or nothing before it ends."""
        play = self._play
        if play.ending is None:
            return []
        entries: list[Part] = []
        for power, token in play.words.powers.items():
            name, version = players.get(power, ("", ""))
            entry: list[Part] = [token, [encode_text(name)], [encode_text(version)]]
            entry.append(encode_number(len(play.position.centers_of(power))))
            if power in play.eliminated:
                entry.append(encode_number(play.eliminated[power]))
            entries.append(entry)
        phase = play.turns[-1].phase if play.turns else play.position.phase
        return [play.ending, compose(Word.SMR, write_turn(phase), *entries)]


class DaideTable:
    """A game with its visitors; `is_over` is true once all messages have been sent.

    The visitors stay connected for `linger` seconds after the end.
    """

    def __init__(self, play: Play, settings: Settings, *, linger: float) -> None:
        self.settings, self.play, self.room = settings, play, Room()
        self.started = self.is_over = False
        self.close_at: float | None = None
        self._clock = Clock()
        self.answers = Answers(play, settings, self._clock)
        self._linger = linger
        self._wrong: Counter[Power] = Counter()

    # How the game proceeds.

    def admit(self, visitor: Visitor, version: str, now: float) -> bool:
        """Return whether a visitor may play; `version` is what its client calls itself."""
        raise NotImplementedError

    def welcome(self, visitor: Visitor, now: float) -> None:
        """Send the state of the game to a visitor that knows the map."""
        raise NotImplementedError

    def list_players(self) -> dict[Power, tuple[str, str]]:
        """Return the name and version of each power's client or bot for the summary."""
        raise NotImplementedError

    def go_on(self, now: float) -> None:
        """Handle everything that is due in a running game, at most one phase."""
        raise NotImplementedError

    def note_return(self, power: Power, now: float) -> None:
        """Note that a power's client has reconnected."""

    def note_absence(self, power: Power, now: float) -> None:
        """Note that a power's client has disconnected."""

    def note_orders(self, power: Power) -> None:
        """Note that a power has given orders."""

    def may_return(self, power: Power) -> bool:
        """Return whether a power's client may return: there were few wrong passcodes."""
        return self._wrong[power] < MAX_WRONG_FOR_SEAT

    def pass_press(self, visitor: Visitor, send: Send, message: Message) -> bool:
        """Deliver press to all of its addressees, or to none and tell the sender why.

        Returns False for press that the visitor may not send.
        """
        power, goals = visitor.power, find_goals(self.play, visitor, send)
        powers = self.play.words.powers
        if power is None or goals is None:
            return False
        for goal in goals:
            is_out = goal not in self.play.alive
            if is_out or (goal not in self.play.bots and self.room.player_of(goal) is None):
                word = Word.OUT if is_out else Word.CCD
                self.room.send(visitor, compose(word, [powers[goal]], [message]))
                return True
        self._confirm(visitor, message)
        author = powers[power]
        for goal in goals:
            listener = self.room.player_of(goal)
            if listener is not None:
                press = compose(Word.FRM, [author], [send.powers], [send.press])
                self.room.send(listener, press)
            elif send.press[0] == Word.PRP:
                # A bot does not understand press, and says so in the form that DAIDE requires.
                for answer in (compose(Word.HUH, [Word.ERR, send.press]), compose(Word.TRY, [])):
                    said = compose(Word.FRM, [powers[goal]], [author], [answer])
                    self.room.send(visitor, said)
        return True

    def pass_admin(self, message: Message) -> bool:
        """Pass on a visitor's message about the administration; return False to refuse it."""
        for visitor in self.room.visitors.values():
            self.room.send(visitor, message)
        return True

    # Coming and going.

    def connect(self, now: float) -> VisitorId:
        """Return the number of a new visitor, which has sent its initial message."""
        visitor = self.room.enter()
        visitor.due = now + MAP_TIME
        return visitor.number

    def disconnect(self, number: VisitorId, now: float) -> None:
        """Note that a connection has ended."""
        visitor = self.room.visitors.pop(number, None)
        if visitor is not None and visitor.power is not None and self.play.ending is None:
            self.note_absence(visitor.power, now)

    def take_outbox(self) -> list[Outgoing]:
        """Return the messages to send, and empty the outbox."""
        outgoing, self.room.outbox = self.room.outbox, []
        return outgoing

    def _come(self, visitor: Visitor, request: Request, message: Message, now: float) -> bool:
        if visitor.role is not Role.NOBODY:
            return False
        if isinstance(request, Enter):
            if not self.admit(visitor, request.version, now):
                return False
            visitor.role, visitor.name = Role.PLAYER, request.name
            visitor.version = request.version
        elif self.settings.observers:
            visitor.role = Role.OBSERVER
        else:
            return False
        visitor.due = now + MAP_TIME
        return self._confirm(visitor, message, *self.answers.answer_always(Word.MAP))

    def _hear_about_map(self, visitor: Visitor, answer: DaideAnswer, now: float) -> bool:
        """Handle a visitor's answer to the map: whether it can play on it."""
        about = answer.message
        if not about or about[0] != Word.MAP or visitor.role is Role.NOBODY:
            return True
        if not answer.accepts:
            self.room.close(visitor)
        elif decode_text(about[2:-1]).lower() != self.play.words.map_name:
            return False
        elif not visitor.knows_map:
            visitor.knows_map, visitor.due = True, None
            self.welcome(visitor, now)
        return True

    def _return(self, visitor: Visitor, request: Return, message: Message, now: float) -> bool:
        power = self.play.words.power_of[request.power]
        seat = self.room.seats.get(power)
        if visitor.power is not None or self.play.ending is not None or seat is None:
            return False
        # While its client is connected, all passcodes fail, so none can be guessed or used up.
        if self.room.player_of(power) is not None or not self.may_return(power):
            return False
        if seat.passcode != request.passcode:
            visitor.wrong_passcodes += 1
            self._wrong[power] += 1
            if visitor.wrong_passcodes < MAX_WRONG_PASSCODES:
                return False
            self.room.send(visitor, compose(Word.REJ, [message]))
            self.room.close(visitor)
            return True
        visitor.role, visitor.power, visitor.knows_map = Role.PLAYER, power, True
        visitor.due = None
        self._confirm(visitor, message)
        self.note_return(power, now)
        return True

    # Requests.

    def receive(self, number: VisitorId, message: Message, now: float) -> None:
        """Answer a visitor's message."""
        visitor = self.room.visitors[number]
        if len(message) > _LONGEST:
            self.room.send(visitor, compose(Word.HUH, [Word.ERR]))
            return
        if message[0] not in {Word.HUH, Word.PRN} and not are_brackets_paired(message):
            self.room.send(visitor, compose(Word.PRN, [message]))
            return
        seat = self.room.seat_of(visitor)
        level = self.settings.level if seat is None else seat.level
        try:
            request = read_request(message, self.play.words.vocabulary, level)
        except MessageError as error:
            marked = (*message[: error.at], Word.ERR, *message[error.at :])
            self.room.send(visitor, compose(Word.HUH, [marked]))
            return
        try:
            follows = self._follow(visitor, request, message, now)
        except Declined:
            follows = False
        if not follows:
            self.room.send(visitor, compose(Word.REJ, [message]))

    def _confirm(self, visitor: Visitor, message: Message, *more: Message) -> bool:
        """Tell a visitor that its request is granted, and return True."""
        self.room.send(visitor, compose(Word.YES, [message]), *more)
        return True

    def _follow(  # noqa: PLR0911 one answer for each request
        self, visitor: Visitor, request: Request, message: Message, now: float
    ) -> bool:
        match request:
            case Enter() | Ask(Word.OBS):
                return self._come(visitor, request, message, now)
            case Return():
                return self._return(visitor, request, message, now)
            case DaideAnswer():
                return self._hear_about_map(visitor, request, now)
            case Ask(Word.ADM):
                return self._may_talk(visitor, message) and self.pass_admin(message)
            case Ask(Word.HUH | Word.PRN):
                return True
            case Ask(word):
                return self._answer(visitor, word, now)
            case AskTurn(phase):
                past = (turn for turn in self.play.turns if turn.phase == phase)
                turn = next(past, None)
                if turn is not None:
                    self.room.send(visitor, *turn.orders, turn.centers, turn.now)
                return turn is not None
            case AskTime():
                return self._time(visitor, request, message)
            case _:
                allowed = not isinstance(request, Send) or self._may_talk(visitor, message)
                return allowed and self._play_on(visitor, request, message)

    def _answer(self, visitor: Visitor, word: int, now: float) -> bool:
        answer: Sequence[Message] = self.answers.answer_always(word)
        if not answer and self.started:
            answer = self.answers.answer(word, self.room.seat_of(visitor), now)
            if word == Word.SMR:
                answer = self.answers.write_ending(self.list_players())
        self.room.send(visitor, *answer)
        return bool(answer)

    def _time(self, visitor: Visitor, request: AskTime, message: Message) -> bool:
        seconds, times, longest = request.seconds, visitor.times, self.settings.longest_time
        if seconds is None:
            times.clear()
        elif not request.holds:
            if seconds not in times:
                return False
            times.remove(seconds)
        elif not longest or not 0 <= seconds <= longest or len(times) >= MAX_TIMES:
            return False
        else:
            times.add(seconds)
        return self._confirm(visitor, message)

    def _may_talk(self, visitor: Visitor, message: Message) -> bool:
        """Count the tokens that a visitor sends to others in a phase; return False if too many."""
        phase = len(self.play.turns)
        said = visitor.said if visitor.said_in == phase else 0
        if said + len(message) > MAX_TALK:
            return False
        visitor.said, visitor.said_in = said + len(message), phase
        return True

    def _play_on(  # noqa: PLR0911 one answer for each request
        self, visitor: Visitor, request: Request, message: Message
    ) -> bool:
        power, play = visitor.power, self.play
        if power is None or not visitor.knows_map or play.ending is not None:
            return False
        match request:
            case Submit():
                self._submit(visitor, power, request)
                return True
            case Cancel(order):
                return play.cancel(power, order) and self._confirm(visitor, message)
            case Send():
                return self.pass_press(visitor, request, message)
            case Wish() if power not in play.alive:
                return False
            case Wish(Word.GOF, ready):
                play.set_ready(power, ready=ready)
                self._confirm(visitor, message)
                if ready:
                    self._tell_missing(visitor, power)
                return True
            case Wish(_, draw):
                play.vote(power, draw=draw)
                self._confirm(visitor, message)
                if draw and play.agree_on_draw():
                    self.announce_ending()
                return True
            case _:
                return False

    def _submit(self, visitor: Visitor, power: Power, request: Submit) -> None:
        play = self.play
        notes = [Word.NRS] * len(request.orders)
        if request.turn in {None, play.position.phase}:
            any_order = self.settings.accepts_any_orders
            notes = play.take(power, request.orders, any_order=any_order)
        for term, note in zip(request.orders, notes, strict=True):
            self.room.send(visitor, compose(Word.THX, [term.tokens], [note]))
        self.note_orders(power)
        self._tell_missing(visitor, power)

    def _tell_missing(self, visitor: Visitor, power: Power) -> None:
        if power in self.play.owing and not self.play.is_complete(power):
            self.room.send(visitor, self.play.write_missing(power))

    # Time.

    def tick(self, now: float) -> None:
        """Handle everything that is due: deadlines, time messages, at most one phase, the end."""
        for visitor in list(self.room.visitors.values()):
            if visitor.due is not None and now >= visitor.due:
                visitor.due = None
                self.room.close(visitor)
        if self.close_at is not None and now >= self.close_at:
            self.finish()
        if not self.started or self.play.ending is not None:
            self.close_at = self.close_at or (now + self._linger if self.started else None)
            return
        for mark in self._clock.pass_marks(self._list_marks(), now):
            for visitor in self.room.listeners():
                if mark in visitor.times:
                    self.room.send(visitor, compose(Word.TME, [encode_number(mark)]))
        self.go_on(now)

    def next_time(self, now: float) -> float | None:
        """Return when to call `tick` next, or None if only visitors can trigger anything."""
        times = [visitor.due for visitor in self.room.visitors.values()]
        times.append(self.close_at)
        if self.started and self.play.ending is None:
            times.append(self._clock.next_mark(self._list_marks()))
        elif self.started and self.close_at is None:
            return now
        return min((time for time in times if time is not None), default=None)

    def _list_marks(self) -> set[int]:
        return {mark for visitor in self.room.listeners() for mark in visitor.times}

    # Announcements.

    def announce_ending(self) -> None:
        """Announce how the game ended and who played."""
        self.room.broadcast(*self.answers.write_ending(self.list_players()))

    def finish(self) -> None:
        """Dismiss all visitors."""
        self.is_over = True
        for visitor in self.room.visitors.values():
            self.room.send(visitor, compose(Word.OFF))
            self.room.close(visitor)


ABANDONED_AFTER: Final = 300.0
"""A game ends this many seconds after the last client has left."""


class Course(DaideTable):
    """A game that the server runs: it starts once all clients have joined, and has timed phases.

    `clients` is the number of clients needed to start; `bots` take turns at the other powers.
    Raises `ValueError` for more clients than powers.
    """

    def __init__(
        self,
        words: BoardWords,
        bots: Sequence[Bot],
        settings: Settings,
        *,
        clients: int,
        seed: str,
        choose_passcode: Callable[[], int],
        linger: float = 2.0,
    ) -> None:
        if not 1 <= clients <= len(words.powers):
            raise ValueError(f"the map has seats for 1 to {len(words.powers)} clients")
        super().__init__(Play(words, seed=seed, until=settings.until), settings, linger=linger)
        self.clients, self.bots, self._seed = clients, bots, seed
        self.late: set[Power] = set()
        self._choose_passcode = choose_passcode

    # Who plays.

    def admit(self, visitor: Visitor, version: str, now: float) -> bool:  # noqa: ARG002 any may
        """Return whether the game has not started yet and has a free seat."""
        return not self.started and len(self.room.players()) < self.clients

    def welcome(self, visitor: Visitor, now: float) -> None:
        """Send a late visitor the state of the game; start the game if everyone has joined."""
        if self.started:
            self.room.send(visitor, *self.answers.write_start(None, now))
        elif sum(player.knows_map for player in self.room.players()) == self.clients:
            self.start(now)

    def start(self, now: float) -> None:
        """Give every client a power, and the remaining powers to bots."""
        self.started = True
        powers, seats, level = list(self.play.words.powers), {}, self.settings.level
        random.Random(f"{self._seed}/seats").shuffle(powers)
        for power, player in zip(powers, self.room.players(), strict=False):
            player.power, passcode = power, self._choose_passcode()
            seats[power] = Seat(power, passcode, player.name, player.version, level)
        self.room.seats = seats
        free = [power for power in self.play.words.powers if power not in seats]
        self.play.bots = {p: self.bots[n % len(self.bots)] for n, p in enumerate(free)}
        self._clock.start(self.settings.time_for(self.play.position.phase.stage), now)
        for visitor in self.room.listeners():
            self.room.send(visitor, *self.answers.write_start(self.room.seat_of(visitor), now))

    def list_players(self) -> dict[Power, tuple[str, str]]:
        """Return the name and version of each power's client or bot."""
        clients = {power: (seat.name, seat.version) for power, seat in self.room.seats.items()}
        return clients | {power: (bot.name, "bot") for power, bot in self.play.bots.items()}

    def _announce(self, power: Power, *, is_back: bool) -> None:
        gone: list[Part] = [Word.CCD, [self.play.words.powers[power]]]
        self.room.broadcast(compose(Word.NOT, gone) if is_back else compose(*gone))

    def note_return(self, power: Power, now: float) -> None:
        """Announce that a power's client is back; restart the clock if it was waiting for it."""
        self.close_at = None
        self._announce(power, is_back=True)
        if not self.is_held_up() and self._clock.resume(now):
            self.room.broadcast(*self.answers.write_time(now))

    def note_absence(self, power: Power, now: float) -> None:
        """Announce that a power's client is gone; set the game to end if no client is left."""
        self.play.waiting.discard(power)
        self._announce(power, is_back=False)
        self.hold_up(now)
        if not self.room.players():
            self.close_at = now + ABANDONED_AFTER

    def note_orders(self, power: Power) -> None:
        """Announce that a late power is giving orders again."""
        if power in self.late:
            self.late.discard(power)
            self._announce(power, is_back=True)

    # Time.

    def go_on(self, now: float) -> None:
        """Adjudicate a phase that is over, and announce its results and the next position."""
        deadline = self._clock.deadline
        is_over = deadline is not None and now >= deadline
        if is_over:
            for power in sorted(self.play.owing):
                if self.room.player_of(power) is not None and not self.play.is_complete(power):
                    self.late.add(power)
                    self._announce(power, is_back=False)
        elif not self._is_ready():
            return
        turn = self.play.advance()
        self._clock.start(self.settings.time_for(self.play.position.phase.stage), now)
        self.room.broadcast(*turn.results)
        if self.play.ending is not None:
            self.announce_ending()
            self.room.broadcast(turn.now)
        else:
            self.room.broadcast(*self.answers.write_now(now))
            self.hold_up(now)

    def next_time(self, now: float) -> float | None:
        """Return when to call `tick` next, or None if only visitors can trigger anything."""
        return now if self._is_ready() else super().next_time(now)

    def _is_ready(self) -> bool:
        """Return whether all connected clients have finished the phase."""
        is_running = self.started and self.play.ending is None and bool(self.room.players())
        if not is_running or self.is_held_up() or self.play.waiting & self.play.owing:
            return False
        absent = self.room.absent()
        return all(power in absent or self.play.is_complete(power) for power in self.play.owing)

    def is_held_up(self) -> bool:
        """Return whether the clock must wait for a disconnected power that owes orders."""
        return self.settings.stops_on_disconnection and any(
            power in self.play.owing and not self.play.is_complete(power)
            for power in self.room.absent()
        )

    def hold_up(self, now: float) -> None:
        """Stop the clock and announce it if a power must be waited for."""
        seconds = self._clock.time_left(now)
        if self.is_held_up() and seconds is not None and self._clock.stop(now):
            self.room.broadcast(compose(Word.NOT, [Word.TME, [encode_number(seconds)]]))
