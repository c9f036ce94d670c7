"""Clients in a game on the site: who has which seat, and news since the last check."""

import asyncio
import datetime as dt
import logging
import secrets
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from django.db import DatabaseError, close_old_connections, connections
from django.utils import timezone

from diplomaccloud.api.games import describe_holder
from diplomaccloud.api.tokens import PREFIX
from diplomaccloud.daide.language import MAX_NUMBER, Message, Word, compose
from diplomaccloud.daide.messages import MAX_LEVEL, Send
from diplomaccloud.daide.network import Server
from diplomaccloud.daide.play import Declined, Settings
from diplomaccloud.daide.site.play import OpenSeat, OpenSeats, SitePlay
from diplomaccloud.daide.site.press import SitePress
from diplomaccloud.daide.table import DaideTable, Seat, Visitor
from diplomaccloud.games.deadlines.read import read_clock
from diplomaccloud.games.page.read import find_version
from diplomaccloud.games.seats.read import read_seats
from diplomaccloud.games.table.errors import NoSuchGame, Refused
from diplomaccloud.games.table.options import Press
from diplomaccloud.games.table.read import Reader
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.phases import Stage
from diplomaccloud.schedule import find_deadline

LOOK_SECONDS: Final = 1.0
"""How often to check the site for news, in seconds. A check without news reads one number."""
CHECK_SECONDS: Final = 15.0
"""How often to check the tokens and the time left, in seconds."""
MAX_WRONG_TOKENS: Final = 3
"""How many wrong tokens a connection may send before it is closed."""

_log = logging.getLogger(__name__)


class SiteMeeting(DaideTable):
    """The open seats of a running game, and its watchers if everyone may watch.

    With `by_token`, a client must send its seat's token as its version. Otherwise, a client without
    a token gets the first free seat. `level` is the highest press level; clients get no press in a
    game without it, or if their token doesn't allow messages.
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
        self._due_at, self._players = _read_due(reader), _list_players(reader)
        self._set_clock(time.monotonic())

    def _make_seat(self, power: Power) -> Seat:
        level = self.settings.level if self._seats.by_power[power].talks else 0
        return Seat(power, self._choose_passcode(), "", "", level)

    # Seats.

    def admit(self, visitor: Visitor, version: str, now: float) -> bool:  # noqa: ARG002
        """Give the visitor a free seat; return whether there was one."""
        seat = self._find_seat(visitor, version)
        if seat is None or self.play.ending is not None:
            return False
        visitor.power = seat.power
        # The seat's previous client must not reclaim it with the old passcode.
        self.room.seats = {**self.room.seats, seat.power: self._make_seat(seat.power)}
        self._wrong[seat.power] = 0
        return True

    def _find_seat(self, visitor: Visitor, version: str) -> OpenSeat | None:
        taken = {client.power for client in self.room.visitors.values()}
        if version.startswith(PREFIX):
            for seat in self._seats.by_power.values():
                if seat.token == version:
                    return None if seat.power in taken else seat
            visitor.wrong_tokens += 1
            if visitor.wrong_tokens >= MAX_WRONG_TOKENS:
                self.room.close(visitor)
        if self._by_token or version.startswith(PREFIX):
            return None
        free = (seat for power, seat in self._seats.by_power.items() if power not in taken)
        return next(free, None)

    def welcome(self, visitor: Visitor, now: float) -> None:
        """Send a visitor the state of the game."""
        seat = self.room.seat_of(visitor)
        self.room.send(visitor, *self.answers.write_start(seat, now))
        if seat is not None:
            self.note_return(seat.power, now)

    def note_return(self, power: Power, now: float) -> None:  # noqa: ARG002
        """Send a returning client the proposals that need its answer."""
        try:
            self._press.welcome(power)
        except (DatabaseError, Refused):
            _log.exception("the site does not answer")

    def may_return(self, power: Power) -> bool:
        """Return whether the seat had a client and has had few wrong passcodes since.

        After too many wrong passcodes, the client must use `NME`.
        """
        return power in self._wrong and super().may_return(power)

    def list_players(self) -> dict[Power, tuple[str, str]]:
        """Return the public name of each power's player."""
        return self._players

    # Press.

    def pass_press(self, visitor: Visitor, send: Send, message: Message) -> bool:
        """Pass press to the site; return False to refuse it."""
        return self._press.take(visitor, send, message)

    def pass_admin(self, message: Message) -> bool:  # noqa: ARG002
        """Refuse free text, which would bypass the site's press rules."""
        return False

    # News.

    def next_time(self, now: float) -> float | None:
        """Return when to check the site again. Nothing else is timed."""
        return self._look_at if self.play.ending is None else super().next_time(now)

    def go_on(self, now: float) -> None:
        """Check the site for news if it is time for that."""
        if now < self._look_at:
            return
        self._look_at = now + LOOK_SECONDS
        try:
            self._look(now)
        except NoSuchGame:
            self.finish()
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
        """Close the connections of closed seats; finish if no seat is left."""
        for power in self._seats.close_dead():
            if (visitor := self.room.player_of(power)) is not None:
                self.room.send(visitor, compose(Word.OFF))
                self.room.close(visitor)
        self.room.seats = {p: s for p, s in self.room.seats.items() if p in self._seats.by_power}
        if not self._seats.by_power:
            self.finish()

    def _tell_news(self, now: float) -> None:
        reader = self._site.open_reader()
        players, due_at, before = _list_players(reader), _read_due(reader), self.play.position
        count = self._site.read_news(reader)
        is_new, self._due_at, self._players = due_at != self._due_at, due_at, players
        if is_new:
            self._set_clock(now)
        for turn in self.play.turns[len(self.play.turns) - count :]:
            self.room.broadcast(*turn.results)
            if turn is not self.play.turns[-1]:
                self.room.broadcast(turn.now)
        if self.play.ending is not None:
            self.announce_ending()
            self.room.broadcast(*self.answers.answer_always(Word.NOW))
        elif self.play.position != before:
            if not count:
                # A rollback: clients already know the results of the earlier turns.
                self.room.broadcast(*self.answers.answer_always(Word.SCO))
            self.room.broadcast(*self.answers.write_now(now))
        elif is_new:
            # The time left, or that the clock is stopped.
            stopped = compose(Word.NOT, [Word.TME])
            self.room.broadcast(*(self.answers.write_time(now) or [stopped]))
        self._version = reader.version

    def _set_clock(self, now: float) -> None:
        seconds = None if self._due_at is None else (self._due_at - timezone.now()).total_seconds()
        self._clock.start(seconds, now)


def _read_due(reader: Reader) -> dt.datetime | None:
    """Return when orders close; None if the clock is stopped."""
    clock = read_clock(reader)
    stands = clock is None or clock.paused_until is not None or reader.game.suspended
    return None if stands or reader.phase is None else reader.phase.due_at


def _read_settings(reader: Reader, level: int) -> Settings:
    """Return the options for HLO, with the schedule's times where DAIDE has options for them."""
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


def _list_players(reader: Reader) -> dict[Power, tuple[str, str]]:
    """Return the names of the players in letters that DAIDE allows, with the site as version."""
    names: dict[Power, tuple[str, str]] = {}
    for seat in read_seats(reader):
        name = describe_holder(reader, seat).name.encode("ascii", "replace").decode()
        names |= dict.fromkeys(seat.powers, (name, "site"))
    return names


class _LongMeeting(SiteMeeting):
    """A meeting in a thread that lives long."""

    def tick(self, now: float) -> None:
        """Do what is due, replacing stale database connections first."""
        close_old_connections()
        super().tick(now)


def serve_game(
    slug: str,
    tokens: Sequence[str],
    *,
    by_token: bool,
    level: int,
    host: str,
    port: int,
    on_ready: Callable[[int], object],
) -> SiteMeeting:
    """Serve the seats that the tokens open; return the meeting once the game is over.

    `on_ready` is called with the port as soon as clients can connect. Raises `ValueError` with an
    explanation if tokens open no seat, or if clients cannot play the game.
    """

    def open_game() -> SiteMeeting:
        return _LongMeeting(
            OpenSeats(slug, tokens),
            by_token=by_token,
            choose_passcode=lambda: 1 + secrets.randbelow(MAX_NUMBER),
            level=level,
        )

    # Actions may wait for locks, so they run in one thread with its own database connection.
    with ThreadPoolExecutor(1, thread_name_prefix="site") as executor:
        try:
            meeting = executor.submit(open_game).result()
            names = meeting.play.words.vocabulary.to_bytes()
            server = Server(meeting, names, executor=executor)
            asyncio.run(server.serve(host, port, on_ready=on_ready))
        finally:
            executor.submit(connections.close_all).result()
    return meeting
