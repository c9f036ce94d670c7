"""Games whose processing raised: put aside with an alarm, and taken up again.

The alarm says what was raised, and is for whoever keeps the site; players read in the log that
their game rests, and that it goes on.
"""

import datetime as dt

from django.db import transaction

from diplomaccloud.games import events
from diplomaccloud.games.actions.deadlines.moves import apply_move
from diplomaccloud.games.actions.locks import Now, lock_game, mastered, running, time_of
from diplomaccloud.games.actions.log import said_reason, write_log
from diplomaccloud.games.errors import WrongMoment
from diplomaccloud.games.models import Game, LogEntry
from diplomaccloud.schedule import find_outage_credit

ASIDE, RELEASED = "aside", "released"
LONGEST_ALARM = 2000


@transaction.atomic
def put_aside(*, game_id: int, reason: str, now: Now) -> None:
    """Take a game out of the clock's rounds until somebody has looked at it."""
    game = Game.objects.select_for_update().get(pk=game_id)
    now = time_of(now)
    if game.alarm:
        return
    game.alarm = reason[:LONGEST_ALARM] or "no reason"
    game.save(update_fields=["alarm"])
    write_log(
        game=game,
        phase=game.newest_phase(),
        kind=ASIDE,
        key=f"{ASIDE} {game.log.filter(kind=ASIDE).count() + 1}",
        text="The game was put aside: a fault stopped the clock, and we are looking into it. "
        "No orders are lost.",
        now=now,
    )
    events.record(game=game, kind=ASIDE, now=now)


@transaction.atomic
def release_game(*, slug: str, now: Now) -> None:
    """Give a game that was put aside back to the clock, once the fault is mended.

    Orders that were not due yet when it was put aside have the time back that nobody could
    give them in. A phase that was due is processed at once.
    """
    game = lock_game(slug)
    _release(game, "The fault was mended: the game goes on.", time_of(now))


@transaction.atomic
def try_again(
    *, slug: str, user_id: int, sequence: int, reason: str, key: str, now: dt.datetime
) -> int:
    """Return the key of the game, which its master gives back to the clock: see `release_game`.

    A fault that is still there puts it aside again. The same `key` again changes nothing, so
    that a second press does not release what was put aside anew; raises `DeadlinePassed` if
    the phase `sequence` is over.
    """
    game, _ = mastered(slug, user_id, sequence)
    running(game)
    why = said_reason(reason)
    if not game.log.filter(key=key).exists():
        _release(
            game,
            "The game goes on: the game master tries again.",
            now,
            by=user_id,
            reason=why,
            key=key,
        )
    return game.pk


def _release(
    game: Game,
    text: str,
    now: dt.datetime,
    *,
    by: int | None = None,
    reason: str = "",
    key: str = "",
) -> None:
    if not game.alarm:
        raise WrongMoment("This game is not put aside.")
    game.alarm = ""
    game.save(update_fields=["alarm"])
    # Whoever met the fault holds the lease still, and would keep the next from trying at once.
    game.phases.filter(processed_at=None).update(lease_owner="", lease_until=None)
    entry = game.log.filter(kind=ASIDE).order_by("-pk").first()
    write_log(
        game=game,
        phase=game.newest_phase(),
        kind=RELEASED,
        key=key or f"{RELEASED} {game.log.filter(kind=RELEASED).count() + 1}",
        text=text,
        now=now,
        by=by,
        reason=reason,
    )
    if entry is not None:
        _give_time_back(game, entry, now)
    events.record(game=game, kind=RELEASED, now=now)


def _give_time_back(game: Game, entry: LogEntry, now: dt.datetime) -> None:
    phase = game.newest_phase()
    if phase is None or phase.locked_at or phase.processed_at:
        return
    phase.game = game
    moved = find_outage_credit(
        phase.timer(),
        opened_at=phase.opens_at,
        away_at=entry.at,
        back_at=now,
        key=f"after {entry.key}",
        what="The game was put aside",
    )
    if moved is not None:
        apply_move(phase, moved)
