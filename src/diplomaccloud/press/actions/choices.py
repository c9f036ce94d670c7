"""Muting a seat, blocking a person, and accepting personal messages."""

import datetime as dt

from diplomaccloud.games.table.lock import lock_game
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.press.actions.refusals import (
    require_account,
    require_no_guest,
    require_visible,
)
from diplomaccloud.press.actions.versions import raise_versions
from diplomaccloud.press.errors import NoSuchConversation
from diplomaccloud.press.models import Block, PressSettings, SeatMute
from diplomaccloud.press.people import find_person
from diplomaccloud.press.table import load_table


@atomic_with_retries
def mute_seat(*, slug: str, user_id: int, power: str, muted: bool, now: dt.datetime) -> None:
    """Mute or unmute a power's seat for the person. A mute ends when the seat changes hands."""
    game = lock_game(slug)
    table = load_table(game, user_id)
    require_visible(table)
    require_account(table)
    seat = table.holders.find_power(power)
    tenure = table.holders.current(seat) if seat else None
    if seat is None or tenure is None or table.seat is None or seat == table.seat:
        raise NoSuchConversation
    if muted:
        SeatMute.objects.update_or_create(
            user_id=user_id, seat=seat, defaults={"tenure": tenure, "at": now}
        )
    else:
        SeatMute.objects.filter(user=user_id, seat=seat).delete()
    raise_versions([user_id], game.pk)


@atomic_with_retries
def block_person(*, user_id: int, name: str, blocked: bool, now: dt.datetime) -> None:
    """Block or unblock the personal messages of a person, who is not notified."""
    require_no_guest(user_id)
    person = find_person(name, user_id)
    if blocked:
        Block.objects.get_or_create(user_id=user_id, blocked=person, defaults={"at": now})
    else:
        Block.objects.filter(user=user_id, blocked=person).delete()
    raise_versions([user_id], None)


@atomic_with_retries
def accept_personal(*, user_id: int, accepted: bool) -> None:
    """Choose whether others may write personal messages to the person."""
    require_no_guest(user_id)
    PressSettings.objects.update_or_create(user_id=user_id, defaults={"personal": accepted})
