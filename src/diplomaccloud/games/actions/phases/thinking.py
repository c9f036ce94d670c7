"""Bots that look ahead: the worker lets them think here, outside of requests and of its clock."""

from typing import Final

from diplomaccloud.games.actions.events import record
from diplomaccloud.games.actions.locks import Now, lock_game_by_id, time_of
from diplomaccloud.games.actions.orders.bot_plans import think
from diplomaccloud.games.actions.phases.claims import advance
from diplomaccloud.games.actions.transactions import atomic_with_retries
from diplomaccloud.games.models import BotPlan, Phase

PHASES_AT_ONCE: Final = 16


def think_for_bots(*, owner: str, now: Now) -> int:
    """Return how many bots have thought; their games go on if nothing else is waited for.

    Bots of two phases that have waited equally long think in the sequence of their phases.
    """
    thinking = BotPlan.objects.exclude(until=None).filter(phase__open=True)
    keys = thinking.order_by("until", "phase_id").values_list("phase_id", flat=True)
    phases = list(dict.fromkeys(keys[: 7 * PHASES_AT_ONCE]))[:PHASES_AT_ONCE]
    return sum(_think_in_phase(key, owner, now) for key in phases)


def _think_in_phase(phase_id: int, owner: str, now: Now) -> int:
    phase = Phase.objects.select_related("game__chart").defer("game__chart__text").get(pk=phase_id)
    plans = list(phase.bot_plans.exclude(until=None).select_related("seat").order_by("seat_id"))
    for plan in plans:
        think(phase, plan.seat, plan)
    if any(plan.seat.user_id for plan in plans):
        _announce_hint(phase, now)
    advance(game_id=phase.game_id, owner=owner, now=now)
    return len(plans)


@atomic_with_retries
def _announce_hint(phase: Phase, now: Now) -> None:
    """Let the page of the person who asked for a hint show it; nobody else is in the game."""
    game = lock_game_by_id(phase.game_id)
    record(game=game, kind="hint", now=time_of(now))
