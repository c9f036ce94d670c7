"""Publishing gray messages, which have no author, every 15 minutes in random order."""

import datetime as dt
import random

import structlog

from diplomaccloud.games.table.lock import Now, lock_game_by_id, time_of
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.press.actions.delivery import Letter, deliver, load_mailboxes
from diplomaccloud.press.addresses import Kind, key_of_game
from diplomaccloud.press.models import Send, WaitingMessage
from diplomaccloud.press.rules import last_quarter
from diplomaccloud.press.table import load_table

_log = structlog.get_logger(__name__)


def publish_gray(*, now: Now, rng: random.Random | None = None) -> int:
    """Publish the gray messages accepted before the last quarter hour; return their number.

    Called by the worker; `rng` decides the order. Locks, pauses and the end of a game do not
    matter.
    """
    quarter = last_quarter(time_of(now))
    games = WaitingMessage.objects.filter(at__lt=quarter).values_list("game", flat=True)
    order = rng or random.SystemRandom()
    return sum(_publish_guarded(game_id, quarter, order) for game_id in sorted(set(games)))


def _publish_guarded(game_id: int, quarter: dt.datetime, rng: random.Random) -> int:
    """Publish a game's messages, and return their number; an error is retried in the next round."""
    try:
        return _publish(game_id=game_id, quarter=quarter, rng=rng)
    except Exception:
        _log.exception("gray messages not published", game=game_id)
        return 0


@atomic_with_retries
def _publish(*, game_id: int, quarter: dt.datetime, rng: random.Random) -> int:
    game = lock_game_by_id(game_id)
    waiting = list(WaitingMessage.objects.filter(game=game, at__lt=quarter).select_related("send"))
    # Sorted first, so that a repeated transaction shuffles the same list.
    waiting.sort(key=lambda row: row.pk)
    rng.shuffle(waiting)
    for row in waiting:
        _publish_one(game, row, quarter)
    return len(waiting)


def _publish_one(game: Game, row: WaitingMessage, quarter: dt.datetime) -> None:
    send = row.send
    letter = Letter(send.author_id, send.subject, send.body, quarter)
    key = key_of_game(game.pk, Kind.GRAY)
    table = load_table(game, send.person_id)
    mailboxes = load_mailboxes(game, [key], table, letter)
    mailboxes.open(key, Kind.GRAY)
    row.delete()
    deliver(mailboxes, send, letter, table=table, unsigned=True)
    Send.objects.filter(pk=send.pk).update(unnoticed=True)
