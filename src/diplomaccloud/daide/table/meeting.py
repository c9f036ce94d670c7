"""A meeting: the visitors of a game, the messages they get over time, and the end.

A subclass decides how the game proceeds: one that the server runs itself, or one played elsewhere.
"""

from collections import Counter
from typing import Final

from diplomaccloud.daide.language.composition import compose
from diplomaccloud.daide.language.requests import Send
from diplomaccloud.daide.language.tokens import Message, Word, encode_number
from diplomaccloud.daide.table.answers import Answers
from diplomaccloud.daide.table.clock import Clock
from diplomaccloud.daide.table.play import Play, Turn
from diplomaccloud.daide.table.press import deliver_press
from diplomaccloud.daide.table.room import Room
from diplomaccloud.daide.table.settings import Settings
from diplomaccloud.daide.table.visitors import Visitor
from diplomaccloud.judge.board import Power

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

    def _announce_turn(self, turn: Turn, now: float) -> None:
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
