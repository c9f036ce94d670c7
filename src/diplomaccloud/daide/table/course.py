"""The course of a game that the server runs itself: its start, its timed phases, and its end."""

import random
from collections.abc import Callable, Sequence
from typing import Final

from diplomaccloud.bots import Bot
from diplomaccloud.daide.board.words import BoardWords
from diplomaccloud.daide.language.composition import compose
from diplomaccloud.daide.language.tokens import Word, encode_number
from diplomaccloud.daide.table.meeting import Meeting
from diplomaccloud.daide.table.play import Play
from diplomaccloud.daide.table.settings import Settings
from diplomaccloud.daide.table.visitors import Seat, Visitor
from diplomaccloud.judge.board import Power

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
