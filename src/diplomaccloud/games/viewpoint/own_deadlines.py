"""The deadlines of a person's games, for a calendar."""

import datetime as dt
from dataclasses import dataclass

from django.db.models import Count, Q

from diplomaccloud.games.models import Phase
from diplomaccloud.games.viewpoint.visibility import Viewer
from diplomaccloud.schedule import MoveKind

MAX_DEADLINES = 100
"""The most deadlines in a calendar: those of the newest games."""


@dataclass(frozen=True, slots=True)
class OwnDeadline:
    """When orders of an open phase are due; `moves` counts how often the deadline was moved."""

    slug: str
    world: str
    sequence: int
    due_at: dt.datetime
    moves: int


def read_own_deadlines(viewer: Viewer) -> list[OwnDeadline]:
    """Return the deadlines of the open phases in games where the viewer holds a seat."""
    if viewer.user_id is None:
        return []
    moved = Count("log", filter=Q(log__kind__in=[kind.value for kind in MoveKind]))
    phases = Phase.objects.in_play().filter(game__seats__user=viewer.user_id, locked_at=None)
    rows = phases.annotate(moves=moved).order_by("-game")
    fields = ("game__slug", "game__world", "sequence", "due_at", "moves")
    return [OwnDeadline(*row) for row in rows.values_list(*fields)[:MAX_DEADLINES]]
