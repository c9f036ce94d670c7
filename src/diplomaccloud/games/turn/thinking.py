"""Bots that look ahead: a worker runs them in the background, outside of requests and deadlines.

A lease ensures that only one worker at a time runs a bot. Thinking may kill the process, if
compiled code crashes or memory runs out, so each attempt is counted before it starts, and the
greedy bot replaces a bot with too many unfinished attempts.
"""

import datetime as dt
import time
from typing import Final

import structlog
from django.conf import settings
from django.db.models import F, Q, QuerySet

from diplomaccloud.bots.seats import ask_bot
from diplomaccloud.games.bots.actions import PATIENCE, AskBot, fall_back, think
from diplomaccloud.games.table.lock import Now, lock_game_by_id, lock_game_of_phase, time_of
from diplomaccloud.games.table.log import record
from diplomaccloud.games.table.models import Status
from diplomaccloud.games.table.phase_models import BotPlan, Phase
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.shared.database_cache import count

PHASES_AT_ONCE: Final = 16
MAX_ATTEMPTS: Final = 2
"""How many processes may die while a bot thinks before the greedy bot replaces it."""

GAME_SECONDS: Final = 600
"""How long the bots of one game may think per hour; after that the greedy bot replaces them."""
_HOUR: Final = 3600.0
_log = structlog.get_logger(__name__)


def think_for_bots(*, owner: str, now: Now, ask: AskBot = ask_bot) -> int:
    """Run waiting bots and return how many have thought; their games continue if they can.

    `ask` returns the orders of a bot and may run it in another process. If bots of two phases have
    waited equally long, the earlier phase comes first.
    """
    at = time_of(now)
    over = Q(phase__open=None)
    playing = Q(phase__game__status=Status.RUNNING, phase__game__suspended_reason="")
    waiting = _select_free(at).filter(over | playing).order_by("until", "phase_id")
    rows = waiting.values_list("phase_id", "phase__open")[: 7 * PHASES_AT_ONCE]
    phases = list(dict.fromkeys(rows))[:PHASES_AT_ONCE]
    return sum(_think_guarded(key, owner, now, ask) for key, is_open in phases if is_open) + sum(
        _forget_plans(key) for key, is_open in phases if not is_open
    )


def _select_free(now: dt.datetime) -> QuerySet[BotPlan]:
    """Return the plans that bots still have to make and that no worker has leased."""
    free = Q(lease_until=None) | Q(lease_until__lt=now) | Q(lease_until__gt=now + 2 * PATIENCE)
    return BotPlan.objects.exclude(until=None).filter(free)


@atomic_with_retries
def _forget_plans(phase_id: int) -> int:
    """Delete the unfinished plans of a phase that was rolled back, so no worker picks them up."""
    lock_game_of_phase(phase_id)
    BotPlan.objects.filter(phase=phase_id, phase__processed_at=None).exclude(until=None).delete()
    return 0


def _think_guarded(phase_id: int, owner: str, now: Now, ask: AskBot) -> int:
    """Return how many bots have thought; an error in one game does not affect the others."""
    try:
        return _think_in_phase(phase_id, owner, now, ask)
    except Exception:
        _log.exception("bots of a phase failed", phase=phase_id)
        return 0


def _think_in_phase(phase_id: int, owner: str, now: Now, ask: AskBot) -> int:
    phase = Phase.objects.select_related("game__chart").defer("game__chart__text").get(pk=phase_id)
    waiting = _select_free(time_of(now)).filter(phase=phase_id)
    done, started, may_think = [], time.monotonic(), _count_seconds(phase, 0) < GAME_SECONDS
    for plan in waiting.select_related("seat").order_by("seat_id"):
        thinks = may_think and plan.attempts < MAX_ATTEMPTS
        if not _claim(phase, plan, now, needs_place=thinks):
            continue
        if thinks:
            think(phase, plan.seat, plan, ask)
        else:
            fall_back(phase, plan.seat, plan)
        done.append(plan)
    if any(plan.seat.user_id for plan in done):
        _announce_hint(phase, now)
    if done:
        _count_seconds(phase, time.monotonic() - started)
        advance(game_id=phase.game_id, owner=owner, now=now)
    return len(done)


def _count_seconds(phase: Phase, seconds: float) -> float:
    """Add `seconds` to how long the bots of a game have thought this hour, and return the total."""
    name = f"bots of game {phase.game_id}"
    return count(name, _HOUR, round(seconds * 1000)) / 1000


@atomic_with_retries
def _claim(phase: Phase, plan: BotPlan, now: Now, *, needs_place: bool) -> bool:
    """Lease the plan to this worker, so no other runs the bot; return whether that worked.

    With `needs_place` it fails while `BOTS_AT_ONCE` bots think. Workers that claim at the same
    moment can exceed that number by a few.
    """
    at, limit = time_of(now), settings.BOTS_AT_ONCE
    if needs_place and limit:
        held = {"lease_until__gt": at, "lease_until__lte": at + 2 * PATIENCE}
        if BotPlan.objects.exclude(until=None).filter(**held).count() >= limit:
            return False
    lock_game_by_id(phase.game_id)
    at = time_of(now)
    free = _select_free(at).filter(pk=plan.pk, attempts=plan.attempts)
    return bool(free.update(attempts=F("attempts") + 1, lease_until=at + PATIENCE))


@atomic_with_retries
def _announce_hint(phase: Phase, now: Now) -> None:
    """Announce a hint to the page of the person who requested it, the only person in the game."""
    game = lock_game_by_id(phase.game_id)
    record(game=game, kind="hint", now=time_of(now))
