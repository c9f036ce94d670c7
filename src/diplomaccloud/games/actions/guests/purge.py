"""Deleting the games of guests who have stayed away too long, the only games ever deleted.

All other games are kept for good, which is why every foreign key protects the row it points to.
So this module deletes rows table by table, referring rows first. A test fails if a new table is
missing here.
"""

import datetime as dt
from typing import Final

import structlog
from django.apps import apps
from django.db import transaction

from diplomaccloud.accounts.guests import expired_guests
from diplomaccloud.accounts.models import User
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.models import Game, PlayerFigures

GAME_ROWS: Final = (
    ("games.Ballot", "vote__game"),
    ("games.Vote", "game"),
    ("games.OrderRow", "draft__phase__game"),
    ("games.Draft", "phase__game"),
    ("games.ConditionalOrders", "phase__game"),
    ("games.Submission", "phase__game"),
    ("games.TalkDone", "phase__game"),
    ("games.BotPlan", "phase__game"),
    ("games.SaveReceipt", "phase__game"),
    ("games.Receipt", "phase__game"),
    ("games.Attendance", "phase__game"),
    ("games.LogEntry", "game"),
    ("games.Event", "game"),
    ("games.RecordLine", "game"),
    ("games.Invitation", "game"),
    ("games.Phase", "game"),
    ("games.Tenure", "seat__game"),
    ("games.Seat", "game"),
)
"""The tables with rows of one game and their paths to the game, in order of deletion."""
GUESTS_AT_ONCE: Final = 20
"""How many guests one round deletes, to keep each round of the worker short."""
_log = structlog.get_logger(__name__)


def purge_guests(*, now: dt.datetime) -> int:
    """Delete a few guests with their games, longest absent first; return how many were deleted."""
    keys = list(expired_guests(now=now).values_list("pk", flat=True)[:GUESTS_AT_ONCE])
    return sum(_purge_guest(guest_id=key, now=now) for key in keys)


def _purge_guest(*, guest_id: int, now: dt.datetime) -> int:
    """Delete the guest, and each game in its own transaction; return 1 if that was done."""
    for game_id in Game.objects.filter(creator=guest_id).values_list("pk", flat=True):
        if not _purge_game(game_id=game_id, guest_id=guest_id, now=now):
            return 0
    with transaction.atomic():
        if not _lock_expired(guest_id, now):
            return 0
        PlayerFigures.objects.filter(user=guest_id).delete()
        # `delete` would also go through Django's permission tables, which this app has no business
        # in.
        people = User.objects.filter(pk=guest_id, guest__in=[True])
        people._raw_delete(people.db)
    _log.info("guest deleted", user=guest_id)
    return 1


@atomic_with_retries
def _purge_game(*, game_id: int, guest_id: int, now: dt.datetime) -> bool:
    """Delete the game unless its guest has come back; return whether it was deleted."""
    game = Game.objects.select_for_update().filter(pk=game_id, creator=guest_id).first()
    if game is None or not _lock_expired(guest_id, now):
        return False
    for label, path in GAME_ROWS:
        rows = apps.get_model(label)._default_manager.filter(**{path: game_id})
        # One table at a time: `delete` would waste queries on rows that refer to these.
        rows._raw_delete(rows.db)
    Game.objects.filter(pk=game_id).delete()
    return True


def _lock_expired(guest_id: int, now: dt.datetime) -> bool:
    """Lock the guest's row and return whether the last visit is still too long ago."""
    row = User.objects.select_for_update().filter(pk=guest_id).first()
    return row is not None and expired_guests(now=now).filter(pk=guest_id).exists()
