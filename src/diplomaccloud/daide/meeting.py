"""A meeting: the visitors of a game, the messages they get over time, and the end.

A subclass decides how the game proceeds: `Course`, which the server runs itself, or a game that is
played elsewhere.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, NewType, TypeAlias

from diplomaccloud.bots import Bot
from diplomaccloud.daide.board import (
    BoardWords,
    read_turn,
    write_centers,
    write_definition,
    write_position,
    write_turn,
)
from diplomaccloud.daide.language import Message, Part, Word, compose, encode_number, encode_text
from diplomaccloud.daide.messages import Send
from diplomaccloud.daide.play import Clock, DaideTurn, Play, Settings
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.phases import Phase

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


# The visitors of a game, and the messages to send to them.


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

    def broadcast(self, messages: Iterable[Message]) -> None:
        """Send messages to all players and observers who know the map."""
        listed = list(messages)
        for visitor in self.listeners():
            self.send(visitor, *listed)

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

    def absent(self) -> list[Power]:
        """Return the powers whose clients are not connected."""
        present = {visitor.power for visitor in self.visitors.values()}
        return [power for power in self.seats if power not in present]


# Press between powers: its delivery, and the answer to the sender.


def deliver_press(room: Room, play: Play, visitor: Visitor, send: Send, message: Message) -> bool:
    """Deliver press to all of its addressees, or to none and tell the sender why.

    Returns False for press that the visitor may not send.
    """
    power, goals = visitor.power, find_goals(play, visitor, send)
    if power is None or goals is None:
        return False
    for goal in goals:
        if goal not in play.alive:
            room.send(visitor, compose(Word.OUT, [play.words.powers[goal]], [message]))
            return True
        if goal not in play.bots and room.player_of(goal) is None:
            room.send(visitor, compose(Word.CCD, [play.words.powers[goal]], [message]))
            return True
    room.send(visitor, compose(Word.YES, [message]))
    own = play.words.powers[power]
    for goal in goals:
        listener = room.player_of(goal)
        if listener is not None:
            room.send(listener, compose(Word.FRM, [own], [send.powers], [send.press]))
        elif send.press[0] == Word.PRP:
            _answer_for_bot(room, visitor, own, play.words.powers[goal], send.press)
    return True


def find_goals(play: Play, visitor: Visitor, send: Send) -> Sequence[Power] | None:
    """Return the addressees, or None if the turn is over or the visitor may not send the press."""
    goals = list(dict.fromkeys(play.words.power_of[token] for token in send.powers))
    is_over = send.turn is not None and read_turn(send.turn) != play.position.phase
    is_refused = is_over or visitor.power in goals or visitor.power not in play.alive
    return None if is_refused else goals


def _answer_for_bot(room: Room, visitor: Visitor, own: int, bot: int, press: Message) -> None:
    """Answer for a bot that it does not understand press, in the form that DAIDE requires."""
    for answer in (compose(Word.HUH, [Word.ERR, press]), compose(Word.TRY, [])):
        room.send(visitor, compose(Word.FRM, [bot], [own], [answer]))


# The answers to requests for information.


class Answers:
    """Answers requests from the state of a game; an empty answer means a refusal."""

    def __init__(self, play: Play, settings: Settings, clock: Clock) -> None:
        self._play = play
        self._settings = settings
        self._clock = clock

    def answer(self, word: int, visitor: Visitor, seat: Seat | None, now: float) -> list[Message]:
        """Return the answer to a request without parameters once the game has started."""
        play = self._play
        match word:
            case Word.HLO:
                return [self.write_hello(seat)]
            case Word.ORD:
                return [order for turn in play.last_turns() for order in turn.orders]
            case Word.HST:
                return [message for turn in play.turns for message in _write_turn(turn)]
            case Word.MIS if visitor.power is not None and play.ending is None:
                return [play.write_missing(visitor.power)]
            case Word.TME:
                return self.write_time(now)
            case _:
                return []

    def answer_always(self, word: int) -> list[Message]:
        """Return the answer to a request that is also allowed before the game."""
        words = self._play.words
        match word:
            case Word.MAP:
                return [self.write_map()]
            case Word.MDF:
                return [write_definition(words)]
            case Word.SCO:
                return [write_centers(words, self._play.position)]
            case Word.NOW:
                return [write_position(words, self._play.position)]
            case _:
                return []

    def find_turn(self, phase: Phase) -> list[Message]:
        """Return the results of a past turn and the position after it."""
        for turn in self._play.turns:
            if turn.phase == phase:
                return [*turn.orders, turn.centers, turn.now]
        return []

    def write_map(self) -> Message:
        """Return the MAP message."""
        return compose(Word.MAP, [encode_text(self._play.words.map_name)])

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
        left = self._clock.time_left(now)
        return [] if left is None else [compose(Word.TME, [encode_number(left)])]

    def write_ending(self, players: dict[Power, tuple[str, str]]) -> list[Message]:
        """Return the ending of the game and the list of players, or nothing before it ends."""
        ending = self._play.ending
        return [] if ending is None else [ending, self._write_summary(players)]

    def _write_summary(self, players: dict[Power, tuple[str, str]]) -> Message:
        play = self._play
        phase = play.turns[-1].phase if play.turns else play.position.phase
        entries: list[Part] = []
        for power, token in play.words.powers.items():
            name, version = players.get(power, ("", ""))
            entry: list[Part] = [token, [encode_text(name)], [encode_text(version)]]
            entry.append(encode_number(len(play.position.centers_of(power))))
            if power in play.eliminated:
                entry.append(encode_number(play.eliminated[power]))
            entries.append(entry)
        return compose(Word.SMR, write_turn(phase), *entries)


def _write_turn(turn: DaideTurn) -> Iterable[Message]:
    return [*turn.orders, *([turn.centers] if turn.recounted else []), turn.now]


MAX_WRONG_FOR_SEAT: Final = 20
"""After this many wrong passcodes, a seat is closed; passcodes are short and easy to guess."""


class Meeting:
    """The part common to all games; `is_over` is true once all messages have been sent.

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

    # Called by the table.

    def admit(self, visitor: Visitor, version: str, now: float) -> bool:
        """Return whether a visitor may play; `version` is what its client calls itself."""
        raise NotImplementedError

    def welcome(self, visitor: Visitor, now: float) -> None:
        """Send the state of the game to a visitor that knows the map."""
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

    def note_wrong_passcode(self, power: Power) -> None:
        """Count a wrong passcode for a power whose client is away."""
        self._wrong[power] += 1

    def list_players(self) -> dict[Power, tuple[str, str]]:
        """Return the name and version of each power's client or bot for the summary."""
        raise NotImplementedError

    # Messages between visitors.

    def level_of(self, visitor: Visitor) -> int:
        """Return a visitor's level of press, which its HLO also states."""
        seat = None if visitor.power is None else self.room.seats.get(visitor.power)
        return self.settings.level if seat is None else seat.level

    def pass_press(self, visitor: Visitor, send: Send, message: Message) -> bool:
        """Deliver a client's press to other powers; return False to refuse it."""
        return deliver_press(self.room, self.play, visitor, send, message)

    def pass_admin(self, message: Message) -> bool:
        """Pass on a visitor's message about the administration; return False to refuse it."""
        for visitor in self.room.visitors.values():
            self.room.send(visitor, message)
        return True

    # Time.

    def tick(self, now: float) -> None:
        """Handle everything that is due: deadlines, time messages, at most one phase, the end."""
        for visitor in list(self.room.visitors.values()):
            if visitor.due is not None and now >= visitor.due:
                visitor.due = None
                self.room.close(visitor)
        if self.close_at is not None and now >= self.close_at:
            self._finish()
        if not self.started or self.play.ending is not None:
            self.close_at = self.close_at or (now + self._linger if self.started else None)
            return
        self._tell_time(now)
        self._go_on(now)

    def _go_on(self, now: float) -> None:
        """Handle everything that is due in a running game."""
        raise NotImplementedError

    def _tell_time(self, now: float) -> None:
        marks = {mark for visitor in self.room.listeners() for mark in visitor.times}
        for mark in self._clock.pass_marks(marks, now):
            for visitor in self.room.listeners():
                if mark in visitor.times:
                    self.room.send(visitor, compose(Word.TME, [encode_number(mark)]))

    def next_time(self, now: float) -> float | None:
        """Return when to call `tick` next, or None if only visitors can trigger anything."""
        marks = {mark for visitor in self.room.listeners() for mark in visitor.times}
        times = [visitor.due for visitor in self.room.visitors.values()]
        times.append(self.close_at)
        if self.started and self.play.ending is None:
            times.append(self._clock.next_mark(marks))
        elif self.started and self.close_at is None:
            return now
        known = [time for time in times if time is not None]
        return min(known, default=None)

    # Announcements.

    def _announce_turn(self, turn: DaideTurn, now: float) -> None:
        """Announce the results of a turn and the position after it."""
        self.room.broadcast(turn.orders)
        if turn.recounted:
            self.room.broadcast([turn.centers])
        if self.play.ending is not None:
            self.announce_ending()
            self.room.broadcast([turn.now])
        else:
            self.room.broadcast(self.answers.write_now(now))

    def announce_ending(self) -> None:
        """Announce how the game ended and who played."""
        self.room.broadcast(self.answers.write_ending(self.list_players()))

    def _finish(self) -> None:
        """Dismiss all visitors."""
        self.is_over = True
        for visitor in self.room.visitors.values():
            self.room.send(visitor, compose(Word.OFF))
            self.room.close(visitor)


# The course of a game that the server runs itself: its start, its timed phases, and its end.


ABANDONED_AFTER: Final = 300.0
"""A game ends this many seconds after the last client has left."""


class Course(Meeting):
    """A game that starts once all clients have joined, and is adjudicated here.

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
        self.clients = clients
        self.late: set[Power] = set()
        self.bots, self._seed = bots, seed
        self._choose_passcode = choose_passcode

    # Who plays.

    def admit(self, visitor: Visitor, version: str, now: float) -> bool:  # noqa: ARG002 any may
        """Return whether the game has not started yet and has a free seat."""
        return not self.started and len(self.room.players()) < self.clients

    def welcome(self, visitor: Visitor, now: float) -> None:
        """Send a late visitor the state of the game; start the game if everyone has joined."""
        if self.started:
            self.room.send(visitor, *self.answers.write_start(None, now))
        elif sum(other.knows_map for other in self.room.players()) == self.clients:
            self.start(now)

    def start(self, now: float) -> None:
        """Give every client a power, and the remaining powers to bots."""
        self.started = True
        powers = list(self.play.words.powers)
        random.Random(f"{self._seed}/seats").shuffle(powers)
        seats: dict[Power, Seat] = {}
        for power, visitor in zip(powers, self.room.players(), strict=False):
            visitor.power = power
            seats[power] = Seat(
                power,
                self._choose_passcode(),
                visitor.name,
                visitor.version,
                self.settings.level,
            )
        self.room.seats = seats
        left = [power for power in self.play.words.powers if power not in seats]
        self.play.bots = {p: self.bots[n % len(self.bots)] for n, p in enumerate(left)}
        self._clock.start(self.settings.time_for(self.play.position.phase.stage), now)
        for visitor in self.room.listeners():
            seat = None if visitor.power is None else seats[visitor.power]
            self.room.send(visitor, *self.answers.write_start(seat, now))

    def list_players(self) -> dict[Power, tuple[str, str]]:
        """Return the name and version of each power's client or bot."""
        clients = {power: (seat.name, seat.version) for power, seat in self.room.seats.items()}
        return clients | {power: (bot.name, "bot") for power, bot in self.play.bots.items()}

    def note_return(self, power: Power, now: float) -> None:
        """Announce that a power's client is back; restart the clock if it was waiting for it."""
        self.close_at = None
        self.room.broadcast([compose(Word.NOT, [Word.CCD, [self.play.words.powers[power]]])])
        if not self.is_held_up() and self._clock.resume(now):
            self.room.broadcast(self.answers.write_time(now))

    def note_absence(self, power: Power, now: float) -> None:
        """Announce that a power's client is gone; set the game to end if no client is left."""
        self.play.waiting.discard(power)
        self.room.broadcast([compose(Word.CCD, [self.play.words.powers[power]])])
        self.hold_up(now)
        if not self.room.players():
            self.close_at = now + ABANDONED_AFTER

    def note_orders(self, power: Power) -> None:
        """Announce that a late power is giving orders again."""
        if power in self.late:
            self.late.discard(power)
            self.room.broadcast([compose(Word.NOT, [Word.CCD, [self.play.words.powers[power]]])])

    # Time.

    def _go_on(self, now: float) -> None:
        deadline = self._clock.deadline
        if deadline is not None and now >= deadline:
            self._note_late_powers()
            self._advance(now)
        elif self._is_ready():
            self._advance(now)

    def next_time(self, now: float) -> float | None:
        """Return when to call `tick` next, or None if only visitors can trigger anything."""
        return now if self._is_ready() else super().next_time(now)

    def _is_ready(self) -> bool:
        """Return whether all connected clients have finished the phase."""
        if not self.started or self.play.ending is not None or not self.room.players():
            return False
        if self.is_held_up():
            return False
        absent = self.room.absent()
        waiting = self.play.waiting & self.play.owing
        return not waiting and all(
            power in absent or self.play.is_complete(power) for power in self.play.owing
        )

    def _note_late_powers(self) -> None:
        for power in sorted(self.play.owing):
            if self.room.player_of(power) is not None and not self.play.is_complete(power):
                self.late.add(power)
                self.room.broadcast([compose(Word.CCD, [self.play.words.powers[power]])])

    def _advance(self, now: float) -> None:
        turn = self.play.advance()
        self._clock.start(self.settings.time_for(self.play.position.phase.stage), now)
        self._announce_turn(turn, now)
        if self.play.ending is None:
            self.hold_up(now)

    def is_held_up(self) -> bool:
        """Return whether the clock must wait for a disconnected power that owes orders."""
        return self.settings.stops_on_disconnection and any(
            power in self.play.owing and not self.play.is_complete(power)
            for power in self.room.absent()
        )

    def hold_up(self, now: float) -> None:
        """Stop the clock and announce it if a power must be waited for."""
        left = self._clock.time_left(now)
        if self.is_held_up() and left is not None and self._clock.stop(now):
            self.room.broadcast([compose(Word.NOT, [Word.TME, [encode_number(left)]])])
