"""The course of a game: its beginning, its phases in time, and its end."""

import random
from collections.abc import Callable, Sequence

from diplomaccloud.bots import Bot
from diplomaccloud.daide.board.words import BoardWords
from diplomaccloud.daide.language.composition import compose
from diplomaccloud.daide.language.tokens import Word, encode_number
from diplomaccloud.daide.table.answers import Answers
from diplomaccloud.daide.table.clock import Clock
from diplomaccloud.daide.table.play import Play
from diplomaccloud.daide.table.room import Room
from diplomaccloud.daide.table.settings import Settings
from diplomaccloud.daide.table.visitors import Seat
from diplomaccloud.judge.board import Power


class Course:
    """What happens without being asked for; `is_over` once everything has been said.

    `clients` is the number of clients with which the game begins; `bots` take the other powers in
    turn. The visitors stay connected for `linger` seconds after the end. Raises `ValueError` for
    more clients than powers.
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
        self.settings, self.clients = settings, clients
        self.room, self.play = Room(), Play(words, seed=seed, until=settings.until)
        self.started = self.is_over = False
        self.late: set[Power] = set()
        self.close_at: float | None = None
        self._clock = Clock()
        self.answers = Answers(self.play, settings, self._clock)
        self.bots, self._seed, self._linger = bots, seed, linger
        self._choose_passcode = choose_passcode

    def start(self, now: float) -> None:
        """Give every client a power, and the others to bots."""
        self.started = True
        powers = list(self.play.words.powers)
        random.Random(f"{self._seed}/seats").shuffle(powers)
        seats: dict[Power, Seat] = {}
        for power, visitor in zip(powers, self.room.players(), strict=False):
            visitor.power = power
            seats[power] = Seat(power, self._choose_passcode(), visitor.name, visitor.version)
        self.room.seats = seats
        left = [power for power in self.play.words.powers if power not in seats]
        self.play.bots = {p: self.bots[n % len(self.bots)] for n, p in enumerate(left)}
        self._clock.start(self.settings.time_for(self.play.position.phase.stage), now)
        for visitor in self.room.listeners():
            seat = None if visitor.power is None else seats[visitor.power]
            self.room.send(visitor, *self.answers.write_start(seat, now))

    def tick(self, now: float) -> None:
        """Do what is due: deadlines, times asked for, at most one phase, and the end."""
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
        deadline = self._clock.deadline
        if deadline is not None and now >= deadline:
            self._note_late_powers()
            self._advance(now)
        elif self._is_ready():
            self._advance(now)

    def _tell_time(self, now: float) -> None:
        marks = {mark for visitor in self.room.listeners() for mark in visitor.times}
        for mark in self._clock.pass_marks(marks, now):
            for visitor in self.room.listeners():
                if mark in visitor.times:
                    self.room.send(visitor, compose(Word.TME, [encode_number(mark)]))

    def _is_ready(self) -> bool:
        """Return whether nobody who is here has anything left to say about this phase."""
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
        self.room.broadcast(turn.orders)
        if turn.recounted:
            self.room.broadcast([turn.centers])
        if self.play.ending is not None:
            self.announce_ending()
            self.room.broadcast([turn.now])
        else:
            self.room.broadcast(self.answers.write_now(now))
            self.hold_up(now)

    def announce_ending(self) -> None:
        """Tell how the game ended, and who played."""
        self.room.broadcast(self.answers.write_ending(self.list_players()))

    def list_players(self) -> dict[Power, tuple[str, str]]:
        """Return the name and version of who plays each power."""
        clients = {power: (seat.name, seat.version) for power, seat in self.room.seats.items()}
        return clients | {power: (bot.name, "bot") for power, bot in self.play.bots.items()}

    def _finish(self) -> None:
        """Tell everybody to leave."""
        self.is_over = True
        for visitor in self.room.visitors.values():
            self.room.send(visitor, compose(Word.OFF))
            self.room.close(visitor)

    def next_time(self, now: float) -> float | None:
        """Return when `tick` has something to do; None if it waits for visitors."""
        if self._is_ready():
            return now
        marks = {mark for visitor in self.room.listeners() for mark in visitor.times}
        times = [visitor.due for visitor in self.room.visitors.values()]
        times.append(self.close_at)
        if self.started and self.play.ending is None:
            times.append(self._clock.next_mark(marks))
        elif self.started and self.close_at is None:
            return now
        known = [time for time in times if time is not None]
        return min(known, default=None)

    def is_held_up(self) -> bool:
        """Return whether the clock stands because a power that owes orders is not connected."""
        return self.settings.stops_on_disconnection and any(
            power in self.play.owing and not self.play.is_complete(power)
            for power in self.room.absent()
        )

    def resume(self, now: float) -> bool:
        """Let the clock go on if nobody is missing; return whether it does."""
        return not self.is_held_up() and self._clock.resume(now)

    def hold_up(self, now: float) -> None:
        """Stop the clock, and say so, if somebody is missed."""
        left = self._clock.time_left(now)
        if self.is_held_up() and left is not None and self._clock.stop(now):
            self.room.broadcast([compose(Word.NOT, [Word.TME, [encode_number(left)]])])
