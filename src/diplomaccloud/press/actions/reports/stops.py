"""Stopping a game that is under investigation, and pausing a person's games for an emergency."""

import datetime as dt
import random
from collections.abc import Callable
from typing import Final

from django.utils.crypto import salted_hmac
from django_tasks import task

from diplomaccloud.accounts.models import User
from diplomaccloud.games.deadlines.actions import (
    end_emergency,
    find_running_games,
    freeze_game,
    pause_for_emergency,
    unfreeze_game,
)
from diplomaccloud.games.table.errors import NoSuchGame, NoSuchPlayer, Refused
from diplomaccloud.games.table.lock import draw_moment
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.press.actions.reports.audit import clean_reason, write_audit
from diplomaccloud.press.errors import NoSuchCase
from diplomaccloud.press.judges import plays_unseen, select_games, select_people
from diplomaccloud.press.models import AuditEntry
from diplomaccloud.shared.site_clock import site_clock

PAUSE_DAYS: Final = (3, 7, 14, 21, 30)
"""The numbers of days for which a person's games can be paused."""
UNSEEN_WITHIN: Final = dt.timedelta(hours=1)
"""Within what time the anonymous games of a person are paused, or their pauses end."""
_TRY_AGAIN: Final = dt.timedelta(minutes=5)
_TRY_FOR: Final = dt.timedelta(days=1)
_PAUSES: Final = (AuditEntry.Act.PAUSED, AuditEntry.Act.UNPAUSED)
_UNSEEN: Final = (
    "You play in an anonymous game, so ask another moderator: which games are paused would tell "
    "you who plays in yours."
)
_REASON: Final = "Give a reason. It is stored in the audit; the players don't see it."


@atomic_with_retries
def stop_game(*, user_id: int, slug: str, stopped: bool, reason: str, now: dt.datetime) -> None:
    """Stop a game under investigation or let it continue, as a moderator who is not involved.

    Raises `NoSuchCase` unless the person is a moderator, `NoSuchGame` for a game that is not
    running or in which the moderator has or had a part, `WrongMoment` or `Refused`.
    """
    moderator = _require_moderator(user_id)
    why = clean_reason(reason, _REASON)
    if not select_games(moderator).filter(slug=slug).exists():
        raise NoSuchGame
    change: Callable[..., Game] = freeze_game if stopped else unfreeze_game
    game = change(slug=slug, now=now)
    act = AuditEntry.Act.FROZEN if stopped else AuditEntry.Act.UNFROZEN
    write_audit(act, by=user_id, now=now, game=game, detail=f"{game.world} ({slug}): {why}")


def pause_games(
    *,
    user_id: int,
    name: str,
    days: int,
    reason: str,
    now: dt.datetime,
    rng: random.Random | None = None,
) -> tuple[int, int]:
    """Pause all running games of the person with this screen name, for an emergency.

    With 0 `days`, end such pauses instead. Returns the number of games that changed and of those
    that did not, without anonymous games: these follow later, each at a random moment (`rng`)
    within `UNSEEN_WITHIN`, so that neither the moderator nor other players learn who plays there.

    Each game is changed in a transaction of its own. Raises `NoSuchCase` unless the person is a
    moderator, `NoSuchPlayer` also for a person with whom the moderator shares an unfinished game,
    or `Refused`, also for a moderator who plays in an anonymous game.
    """
    moderator = _require_moderator(user_id)
    why = clean_reason(reason, _REASON)
    if plays_unseen(moderator):
        raise Refused(_UNSEEN)
    person = select_people(moderator).filter(folded_name=name.strip().lower()[:40]).first()
    if person is None:
        raise NoSuchPlayer("There is no player with this screen name whom you may help.")
    if days and days not in PAUSE_DAYS:
        raise Refused("Choose how long the games are paused.")
    games = find_running_games(person.pk)
    unseen = [game for game in games if game.options.anonymous]
    # First, so that no game is changed without a line.
    _request_pauses(unseen, by=user_id, person=person.pk, days=days, why=why, now=now, rng=rng)
    changed = []
    for game in games:
        if game in unseen:
            continue
        if days:
            length = dt.timedelta(days=days)
            changed.append(pause_for_emergency(game_id=game.pk, length=length, now=now))
        else:
            changed.append(end_emergency(game_id=game.pk, now=now))
    return sum(changed), len(changed) - sum(changed)


@atomic_with_retries
def _request_pauses(
    games: list[Game],
    *,
    by: int,
    person: int,
    days: int,
    why: str,
    now: dt.datetime,
    rng: random.Random | None,
) -> None:
    """Write the line of the audit, and the tasks that pause these anonymous games later."""
    act = AuditEntry.Act.PAUSED if days else AuditEntry.Act.UNPAUSED
    detail = f"{days} days: {why}" if days else why
    entry = write_audit(act, by=by, now=now, person=person, detail=detail)
    for game in games:
        later = pause_unseen_game.using(run_after=draw_moment(game, UNSEEN_WITHIN, now, rng))
        later.enqueue(entry.pk, game.pk, days)


@task()
def pause_unseen_game(entry_id: int, game_id: int, days: int) -> None:
    """Pause an anonymous game, or end its pause with 0 `days`, as the audit's line requests.

    A later line about the person replaces this one. A game that cannot be paused now is tried again
    for a day.
    """
    entry, now = AuditEntry.objects.get(pk=entry_id), site_clock.now()
    later = AuditEntry.objects.filter(person=entry.person_id, act__in=_PAUSES, pk__gt=entry_id)
    if later.exists() or not Seat.objects.filter(game=game_id, user=entry.person_id).exists():
        return
    if not days:
        end_emergency(game_id=game_id, now=now)
        return
    # The same if the task runs twice; without the site's secret, nobody can compare two games.
    token = salted_hmac("emergency pause", f"{entry_id} {game_id}").hexdigest()[:12]
    length = dt.timedelta(days=days)
    done = pause_for_emergency(game_id=game_id, length=length, now=now, token=token)
    if not done and now < entry.at + _TRY_FOR:
        again = pause_unseen_game.using(run_after=now + _TRY_AGAIN)
        again.enqueue(entry_id, game_id, days)


def _require_moderator(user_id: int) -> User:
    user = User.objects.filter(pk=user_id, moderator=True, is_active=True, banned_at=None).first()
    if user is None:
        raise NoSuchCase
    return user
