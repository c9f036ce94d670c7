"""Clients at a game of the site: who has which seat, and what has happened since the last look."""

import datetime as dt
import logging
import time
from collections.abc import Callable
from typing import Final

from django.db import DatabaseError
from django.utils import timezone

from diplomaccloud.api.daide.play import SitePlay
from diplomaccloud.api.daide.press import SitePress
from diplomaccloud.api.daide.seats import OpenSeat, OpenSeats
from diplomaccloud.api.facts.games import describe_holder
from diplomaccloud.api.tokens import PREFIX
from diplomaccloud.daide.language.composition import compose
from diplomaccloud.daide.language.press import MAX_LEVEL
from diplomaccloud.daide.language.requests import Send
from diplomaccloud.daide.language.tokens import MAX_NUMBER, Message, Word
from diplomaccloud.daide.table.meeting import Meeting
from diplomaccloud.daide.table.play import Declined
from diplomaccloud.daide.table.settings import Settings
from diplomaccloud.daide.table.visitors import Seat, Visitor
from diplomaccloud.games.errors import NoSuchGame, Refused
from diplomaccloud.games.options.options import Press
from diplomaccloud.games.viewpoint import GameReader
from diplomaccloud.games.viewpoint.versions import find_version
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.phases import Stage
from diplomaccloud.schedule import find_deadline

LOOK_SECONDS: Final = 1.0
"""How often the site is asked for news: one number, unless there are any."""
CHECK_SECONDS: Final = 15.0
"""How often the tokens are checked, and the time that is left."""
MAX_WRONG_TOKENS: Final = 3
"""How many wrong tokens a connection may say before it ends."""

_log = logging.getLogger(__name__)


class SiteMeeting(Meeting):
    """The open seats of a running game, and those who watch if everyone may.

    With `by_token`, a client has to say the token of its seat as its version; otherwise one that
    says none gets the first seat that is free. `level` is the highest level of press, which no
    client gets in a game without press or with a token that is not good for messages.
    """

    def __init__(
        self,
        seats: OpenSeats,
        *,
        by_token: bool,
        choose_passcode: Callable[[], int],
        level: int = MAX_LEVEL,
        linger: float = 2.0,
    ) -> None:
        play = SitePlay(seats)
        reader = play.open_reader()
        super().__init__(play, _read_settings(reader, level), linger=linger)
        self._site, self._seats, self._by_token = play, seats, by_token
        self._choose_passcode = choose_passcode
        self._press = SitePress(self.room, play, seats, self.settings.level)
        self.room.seats = {power: self._make_seat(power) for power in seats.by_power}
        self.started = True
        self._version, self._look_at, self._check_at = reader.version, 0.0, 0.0
        self._due_at = _read_due(reader)
        self._players = _list_players(reader)
        self._set_clock(time.monotonic())

    def _make_seat(self, power: Power) -> Seat:
        level = self.settings.level if self._seats.by_power[power].talks else 0
        return Seat(power, self._choose_passcode(), "", "", level)

    # Who plays.

    def admit(self, visitor: Visitor, version: str, now: float) -> bool:  # noqa: ARG002
        """Return whether a free seat is there for the visitor, which has it from now on."""
        seat = self._find_seat(visitor, version)
        if seat is None or self.play.ending is not None:
            return False
        visitor.power = seat.power
        # Who has lost the seat to this client must not get it back with the old passcode.
        self.room.seats = {**self.room.seats, seat.power: self._make_seat(seat.power)}
        self._wrong[seat.power] = 0
        return True

    def _find_seat(self, visitor: Visitor, version: str) -> OpenSeat | None:
        taken = {other.power for other in self.room.visitors.values()}
        if version.startswith(PREFIX):
            named = self._seats.find(version)
            if named is not None:
                return None if named.power in taken else named
            visitor.wrong_tokens += 1
            if visitor.wrong_tokens >= MAX_WRONG_TOKENS:
                self.room.close(visitor)
        if self._by_token or version.startswith(PREFIX):
            return None
        free = (seat for power, seat in self._seats.by_power.items() if power not in taken)
        return next(free, None)

    def welcome(self, visitor: Visitor, now: float) -> None:
        """Tell a visitor how the game stands."""
        seat = None
        if visitor.power is not None:
            seat = self.room.seats[visitor.power]
        self.room.send(visitor, *self.answers.write_start(seat, now))
        if visitor.power is not None:
            self._welcome(visitor.power)

    def note_return(self, power: Power, now: float) -> None:  # noqa: ARG002
        """Tell a client that comes back what waits for its answer."""
        self._welcome(power)

    def _welcome(self, power: Power) -> None:
        try:
            self._press.welcome(power)
        except (DatabaseError, Refused):
            _log.exception("the site does not answer")

    def may_return(self, power: Power) -> bool:
        """Return whether a client has had the seat, and few have guessed its passcode since.

        After too many guesses, the client comes in by `NME`.
        """
        return power in self._wrong and super().may_return(power)

    def list_players(self) -> dict[Power, tuple[str, str]]:
        """Return who plays each power, as far as that is public."""
        return self._players

    # What clients say to each other.

    def pass_press(self, visitor: Visitor, send: Send, message: Message) -> bool:
        """Give press to the site; return False to refuse it."""
        return self._press.take(visitor, send, message)

    def pass_admin(self, message: Message) -> bool:  # noqa: ARG002
        """Refuse free texts, which would pass by the site's rules of press."""
        return False

    # News.

    def next_time(self, now: float) -> float | None:
        """Return when the site is asked again; nothing else needs a closer look."""
        return self._look_at if self.play.ending is None else super().next_time(now)

    def _go_on(self, now: float) -> None:
        if now < self._look_at:
            return
        self._look_at = now + LOOK_SECONDS
        try:
            self._look(now)
        except NoSuchGame:
            self._finish()
        except (DatabaseError, Declined):
            _log.exception("the site does not answer")

    def _look(self, now: float) -> None:
        if now >= self._check_at:
            self._check_at = now + CHECK_SECONDS
            self._send_away()
            if self.is_over:
                return
            self._tell_news(now)
        elif find_version(self._seats.slug) != self._version:
            self._tell_news(now)
        self._press.tell_news()

    def _send_away(self) -> None:
        """Close the connections of seats that are not open anymore; end without any seat."""
        for power in self._seats.close_dead():
            visitor = self.room.player_of(power)
            if visitor is not None:
                self.room.send(visitor, compose(Word.OFF))
                self.room.close(visitor)
        self.room.seats = {p: s for p, s in self.room.seats.items() if p in self._seats.by_power}
        if not self._seats.by_power:
            self._finish()

    def _tell_news(self, now: float) -> None:
        reader = self._site.open_reader()
        players, due_at, before = _list_players(reader), _read_due(reader), self.play.position
        count = self._site.read_news(reader)
        is_new, self._due_at, self._players = due_at != self._due_at, due_at, players
        if is_new:
            self._set_clock(now)
        for turn in self.play.turns[len(self.play.turns) - count :]:
            self.room.broadcast([*turn.orders, *([turn.centers] if turn.recounted else [])])
            if turn is not self.play.turns[-1]:
                self.room.broadcast([turn.now])
        if self.play.ending is not None:
            self.announce_ending()
            self.room.broadcast(self.answers.answer_always(Word.NOW))
        elif self.play.position != before:
            if not count:
                # A rollback: the results of the turns before are known.
                self.room.broadcast(self.answers.answer_always(Word.SCO))
            self.room.broadcast(self.answers.write_now(now))
        elif is_new:
            self.room.broadcast(self._write_clock(now))
        self._version = reader.version

    def _set_clock(self, now: float) -> None:
        left = None if self._due_at is None else (self._due_at - timezone.now()).total_seconds()
        self._clock.start(left, now)

    def _write_clock(self, now: float) -> list[Message]:
        """Return how much time is left, or that the clock stands."""
        return self.answers.write_time(now) or [compose(Word.NOT, [Word.TME])]


def _read_due(reader: GameReader) -> dt.datetime | None:
    """Return when orders close; None while the clock stands."""
    clock = reader.clock
    stands = clock is None or clock.paused_until is not None or reader.game.suspended
    return None if stands or reader.phase is None else reader.phase.due_at


def _read_settings(reader: GameReader, level: int) -> Settings:
    """Return the options for HLO: the times of the schedule, as far as DAIDE has numbers."""
    schedule, now = reader.game.options.schedule, timezone.now()
    seconds = {
        stage: (find_deadline(schedule, stage, now, first=False).orders_at - now).total_seconds()
        for stage in Stage
    }
    movement, retreats, builds = (min(MAX_NUMBER, max(1, round(s))) for s in seconds.values())
    return Settings(
        level=0 if reader.game.options.press is Press.NONE else level,
        movement_time=movement,
        retreat_time=retreats,
        build_time=builds,
        observers=reader.is_public,
    )


def _list_players(reader: GameReader) -> dict[Power, tuple[str, str]]:
    """Return the public names of the players, and in place of a version where they play."""
    return {
        power: (_to_ascii(describe_holder(reader, seat).name), "site")
        for seat in reader.seats
        for power in seat.powers
    }


def _to_ascii(name: str) -> str:
    """Return a name as texts of DAIDE can hold it."""
    return name.encode("ascii", "replace").decode()
