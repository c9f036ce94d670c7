"""Stopping a game that is under investigation, and pausing a person's games for an emergency."""

import datetime as dt
from collections.abc import Callable
from typing import Final

from diplomaccloud.accounts.models import User
from diplomaccloud.games.actions.deadlines.pauses import (
    end_emergency,
    find_running_games,
    pause_for_emergency,
)
from diplomaccloud.games.actions.deadlines.suspension import freeze_game, unfreeze_game
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.errors import NoSuchGame, NoSuchPlayer, Refused
from diplomaccloud.games.models import Game
from diplomaccloud.press.actions.reports.audit import clean_reason, write_audit
from diplomaccloud.press.errors import NoSuchCase
from diplomaccloud.press.judges import plays_unseen, select_games, select_people
from diplomaccloud.press.models import AuditEntry

PAUSE_DAYS: Final = (3, 7, 14, 21, 30)
"""The numbers of days for which a person's games can be paused."""
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
    *, user_id: int, name: str, days: int, reason: str, now: dt.datetime
) -> tuple[int, int]:
    """Pause all running games of the person with this screen name, for an emergency.

    With 0 `days`, end such pauses instead. Returns the number of games that changed and of those
    that did not. Each game is changed in a transaction of its own. Raises `NoSuchCase` unless the
    person is a moderator, `NoSuchPlayer` also for a person with whom the moderator shares an
    unfinished game, or `Refused`, also for a moderator who plays in an anonymous game.
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
    act = AuditEntry.Act.PAUSED if days else AuditEntry.Act.UNPAUSED
    detail = f"{days} days: {why}" if days else why
    # First, so that no game is changed without a line.
    write_audit(act, by=user_id, now=now, person=person.pk, detail=detail)
    length, changed = dt.timedelta(days=days), []
    for game_id in find_running_games(person.pk):
        if days:
            changed.append(pause_for_emergency(game_id=game_id, length=length, now=now))
        else:
            changed.append(end_emergency(game_id=game_id, now=now))
    return sum(changed), len(changed) - sum(changed)


def _require_moderator(user_id: int) -> User:
    user = User.objects.filter(pk=user_id, moderator=True, is_active=True, banned_at=None).first()
    if user is None:
        raise NoSuchCase
    return user
