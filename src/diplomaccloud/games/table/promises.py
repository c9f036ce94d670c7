"""What the bots of a game have promised, according to the apps that `settings` names.

A bot writes its orders as the phase opens and again before they are locked, since it may have
promised something in between. A bot that looks ahead plans with its deals in mind.

The record marks a bot whose orders were determined by a promise, because they don't follow from its
seed. It doesn't say which promise, or to whom.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

import structlog
from django.conf import settings
from django.db import Error
from django.utils.module_loading import import_string

from diplomaccloud.deals import Promises
from diplomaccloud.games.table.models import Seat
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.orders import Order


@dataclass(frozen=True, slots=True)
class BoundPlan:
    """Orders that a bot plans because of its deals, and the keys of the deals that it breaks."""

    orders: tuple[Order, ...]
    broken: tuple[int, ...] = ()


PlanFunction = Callable[[Phase, Seat], BoundPlan | None]
"""Returns what the bot of a seat plans for a phase because of its deals, or None without deals."""

PromiseFunction = Callable[[int], Mapping[Power, Promises]]
"""Returns the promises that bind bots in the phase with this key, by power.

It includes every power whose orders a promise may have changed, even if it no longer binds.
"""

_log = structlog.get_logger(__name__)


def read_promises(phase_id: int) -> dict[Power, Promises]:
    """Return the promises that bind bots in a phase; an app that fails must not stop the game."""
    promises: dict[Power, Promises] = {}
    functions = [cast("PromiseFunction", import_string(path)) for path in settings.BOT_PROMISES]
    for read in functions:
        try:
            promises |= read(phase_id)
        except Error:
            raise
        except Exception:
            _log.exception("promises not read", phase=phase_id)
    return promises


def plan_with_deals(phase: Phase, seat: Seat) -> BoundPlan | None:
    """Return what the bot of a seat plans because of its deals, or None if the app fails.

    For a person's seat, that is the hint that takes the person's deals into account.
    """
    try:
        for path in settings.BOT_DEALERS:
            plan: BoundPlan | None = cast("PlanFunction", import_string(path))(phase, seat)
            if plan is not None:
                return plan
    except Error:
        raise
    except Exception:
        _log.exception("deals not heeded", phase=phase.pk)
    return None
