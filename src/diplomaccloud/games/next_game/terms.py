"""How many people a muster needs, and how long it takes."""

import datetime as dt
from typing import Final

from diplomaccloud.schedule import Interval, Schedule

USUAL_PEOPLE: Final = 4
"""A muster opens with this many people, and the game starts if this many confirm."""
FEWEST: Final = 2
"""The fewest people for whom a muster opens, or who can start with bots."""
PATIENCE: Final = dt.timedelta(hours=24)
"""How long two people wait before a muster opens for them."""
_MUSTER: Final = dt.timedelta(hours=12)
_LIVE_MUSTER: Final = dt.timedelta(minutes=3)
_LIVE_TURN: Final = dt.timedelta(hours=2)
"""A game with shorter turns is live: its players are all there when it starts."""


def measure_muster(schedule: Schedule) -> dt.timedelta:
    """Return how long the musters of a game with this schedule are open."""
    plan = schedule.plan
    is_live = isinstance(plan, Interval) and plan.lengths.movement < _LIVE_TURN
    return _LIVE_MUSTER if is_live else _MUSTER
