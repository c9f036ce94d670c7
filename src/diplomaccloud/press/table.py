"""A game's press for one person: its conversations, and where the person may write."""

import datetime as dt
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from diplomaccloud.games.table.models import Game, Seat, Tenure
from diplomaccloud.games.table.options import Press, Successor
from diplomaccloud.press.addresses import (
    Address,
    Kind,
    key_of_game,
    key_of_master,
    key_of_notes,
    key_of_seats,
    numbers_of_key,
    seats_address,
)
from diplomaccloud.press.errors import NoSuchConversation
from diplomaccloud.press.models.game_state import (
    Holders,
    NewestPhase,
    is_out_of_game,
    load_holders,
    load_newest_phase,
)
from diplomaccloud.press.rules import State, Verdict, Why, decide

TALK_OF_SEATS: Final = frozenset({Kind.SEATS, Kind.PUBLIC, Kind.GRAY})
"""The kinds that eliminated players can only read, if the players agreed on that."""


FREE_OF_LIMITS: Final = frozenset({Kind.NOTES, Kind.MASTER})
"""Where a person can still write while press is limited after a report."""


@dataclass(frozen=True)
class Table:
    """A game, its seats and its newest phase, for one person, or for the bot of `bot_seat`."""

    game: Game
    user_id: int
    holders: Holders
    newest: NewestPhase
    bot_seat: Seat | None = None

    @cached_property
    def seat(self) -> Seat | None:
        """The person's seat, or the bot's."""
        return self.bot_seat or self.holders.find_seat(self.user_id)

    @cached_property
    def tenure(self) -> Tenure | None:
        """The person's tenure; None without a seat, and before the start."""
        return self.holders.current(self.seat) if self.seat else None

    @cached_property
    def is_master(self) -> bool:
        """Whether the person is the game master without a seat."""
        return self.game.master_id == self.user_id and self.seat is None

    def has_neutral_master(self) -> bool:
        """Return whether the game master is a person who never held a seat here."""
        master = self.game.master_id
        return master is not None and not self.holders.has_held(master)


@dataclass(frozen=True, slots=True)
class Target:
    """The conversation for a message, as its sender addresses it."""

    address: Address
    kind: Kind
    key: str
    seats: tuple[Seat, ...] = ()


def load_table(game: Game, user_id: int) -> Table:
    """Return the game as this person sees it, in two queries."""
    return Table(game, user_id, load_holders(game, sender=user_id), load_newest_phase(game))


def find_target(table: Table, address: Address) -> Target:
    """Return the conversation at a person's `address`; raise `NoSuchConversation`.

    For a person who once held a seat, an address of seats is relative to that seat.
    """
    game, kind = table.game, address.kind
    match kind:
        case Kind.PUBLIC | Kind.GRAY | Kind.PREGAME:
            return Target(address, kind, key_of_game(game.pk, kind))
        case Kind.NOTES:
            return Target(address, kind, key_of_notes(game.pk, table.user_id))
        case Kind.PERSONAL:
            raise NoSuchConversation
        case _:
            return _find_seats(table, address)


def _find_seats(table: Table, address: Address) -> Target:
    game, own = table.game, find_past_seat(table)
    others = tuple(table.holders.find_power(power) for power in address.powers)
    found = tuple(seat for seat in others if seat is not None and seat.number is not None)
    if len(found) < len(others) or own in found:
        raise NoSuchConversation
    if address.kind is Kind.MASTER and own is not None:
        return Target(address, Kind.MASTER, key_of_master(game.pk, own.number or 0), (own,))
    if own is None and table.is_master and len(found) == 1:
        return Target(address, Kind.MASTER, key_of_master(game.pk, found[0].number or 0), found)
    if own is None or not found:
        raise NoSuchConversation
    numbers = [seat.number or 0 for seat in (own, *found)]
    return Target(address, Kind.SEATS, key_of_seats(game.pk, numbers), found)


def find_private(table: Table, address: Address) -> Target:
    """Return the conversation whose members are exactly the seats in the address.

    Raises `NoSuchConversation` unless there are two seats or more.
    """
    found = tuple(table.holders.find_power(power) for power in address.powers)
    seats = tuple(seat for seat in found if seat is not None and seat.number is not None)
    if address.kind is not Kind.SEATS or len(seats) < max(2, len(found)):
        raise NoSuchConversation
    key = key_of_seats(table.game.pk, [seat.number or 0 for seat in seats])
    return Target(address, Kind.SEATS, key, seats)


def find_past_seat(table: Table) -> Seat | None:
    """Return the person's seat, or else the last one the person held."""
    if table.seat is not None:
        return table.seat if table.seat.number is not None else None
    held = [
        tenure
        for tenures in table.holders.tenures.values()
        for tenure in tenures
        if tenure.user_id == table.user_id
    ]
    return max(held, key=lambda tenure: tenure.pk).seat if held else None


def address_of(table: Table, kind: str, key: str) -> Address:
    """Return the person's address for the conversation of a key; raise `NoSuchConversation`."""
    own = find_past_seat(table)
    if kind not in (Kind.SEATS, Kind.MASTER) or (kind == Kind.MASTER and own is not None):
        return Address(Kind(kind))
    numbers = numbers_of_key(key) - {own.number if own else None}
    powers = [seat.power for seat in table.holders.seats if seat.number in numbers and seat.power]
    if not powers:
        raise NoSuchConversation
    return seats_address(powers)


Judgment = tuple[Verdict, Why]
_ALLOWED: Final = (Verdict.ALLOWED, Why.NOTHING)


def judge_target(table: Table, target: Target, state: State, at: dt.datetime) -> Judgment:
    """Return whether the person may send a message to the conversation at `at`, and why not.

    If any check finds it absent, it is absent. Otherwise the first reason that closes it counts.
    """
    judgments = (
        _judge_kind(table, target.kind),
        _judge_limit(table, target.kind, at),
        _judge_person(table, target.kind),
        decide(table.game.options.press, target.kind, state),
        _judge_vacancy(table, target),
    )
    absent = (found for found in judgments if found[0] is Verdict.ABSENT)
    closed = (found for found in judgments if found[0] is Verdict.CLOSED)
    return next(absent, None) or next(closed, _ALLOWED)


def _judge_person(table: Table, kind: Kind) -> Judgment:
    """Return whether the person can write in conversations of this kind."""
    seat, has_held = table.seat, table.holders.has_held(table.user_id)
    if kind is Kind.NOTES:
        is_member = table.is_master or seat is not None or has_held
        return _ALLOWED if is_member else (Verdict.ABSENT, Why.READER)
    if seat is not None:
        silent = table.game.options.talk.silent and kind in TALK_OF_SEATS
        is_over = table.game.finished_at is not None
        if silent and not is_over and is_out_of_game(seat, table.newest.phase):
            return Verdict.CLOSED, Why.SILENT
        return _ALLOWED
    if table.is_master and kind is not Kind.SEATS:
        return _ALLOWED if kind is not Kind.GRAY else (Verdict.CLOSED, Why.READER)
    return (Verdict.CLOSED, Why.LEFT) if has_held else (Verdict.ABSENT, Why.READER)


def _judge_limit(table: Table, kind: Kind, at: dt.datetime) -> Judgment:
    """Return whether the person's press is limited."""
    until = table.holders.limited_until
    if until is not None and at < until and kind not in FREE_OF_LIMITS:
        return Verdict.CLOSED, Why.LIMITED
    return _ALLOWED


def _judge_kind(table: Table, kind: Kind) -> Judgment:
    """Return whether the game has conversations of this kind."""
    options = table.game.options
    if kind is Kind.GRAY and not options.talk.gray:
        return Verdict.ABSENT, Why.NOTHING
    if kind is Kind.MASTER and not table.has_neutral_master():
        return Verdict.ABSENT, Why.NO_MASTER
    if kind is Kind.PREGAME and (options.press is Press.NONE or options.anonymous):
        return Verdict.ABSENT, Why.NOTHING
    return _ALLOWED


def _judge_vacancy(table: Table, target: Target) -> Judgment:
    """Return whether the other seat of a pair can get messages while it is vacant."""
    if target.kind is Kind.MASTER and table.is_master and target.seats[0].user_id is None:
        return Verdict.CLOSED, Why.VACANT
    blank = table.game.options.talk.successor is Successor.BLANK
    if blank and target.kind is Kind.SEATS and target.address.is_pair:
        vacant = target.seats[0].vacated_at is not None
        return (Verdict.CLOSED, Why.VACANT) if vacant else _ALLOWED
    return _ALLOWED
