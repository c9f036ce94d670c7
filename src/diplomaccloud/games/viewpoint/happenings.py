"""The public events of a game, in order.

Events of one game are written under its lock, so their keys are in the order in which they became
visible, and the position of an event in the list never changes.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from diplomaccloud.games.models import Event, Game
from diplomaccloud.games.viewpoint.names import is_masked

_FACTS: Final = ("phase", "due_at", "power", "ready", "question", "outcome")
"""The facts of an event that are public; keys of rows are not."""
_JOINING: Final = frozenset({"joined", "left"})
"""Kinds of events whose times are hidden in an anonymous game once it runs."""
_NUMBERED: Final = frozenset({"opened", "locked", "processed"})
"""Kinds of events whose key ends with the number of their phase."""


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happened; `facts` contains only what every viewer may know."""

    kind: str
    at: dt.datetime
    facts: Mapping[str, object]


def list_public_happenings(game_id: int, *, after: int, limit: int) -> list[Happening]:
    """Return at most `limit` public events of a game, oldest first, skipping the first `after`.

    The caller must know that the viewer may see the game. The number of public events is the
    version of the game.
    """
    events = Event.objects.filter(game=game_id, seat=None).order_by("pk")
    rows = list(events.only("kind", "key", "data", "created_at")[after : after + limit])
    started_at = None
    if any(row.kind in _JOINING for row in rows):
        game = Game.objects.only("status", "options", "started_at").get(pk=game_id)
        started_at = game.started_at if is_masked(game) else None
    return [
        Happening(
            row.kind,
            # Someone who knows when a friend joined must not find out which seat this was.
            started_at if started_at and row.kind in _JOINING else row.created_at,
            _list_facts(row),
        )
        for row in rows
    ]


def _list_facts(event: Event) -> dict[str, object]:
    facts = {name: event.data[name] for name in _FACTS if name in event.data}
    number = event.key.rpartition(" ")[2]
    if event.kind in _NUMBERED and number.isdecimal():
        facts["sequence"] = int(number)
    return facts
