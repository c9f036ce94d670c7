"""Whom the events of games concern, for notices: the people in them, and what has just changed.

Nothing here depends on what others have saved.
"""

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from diplomaccloud.games.models import (
    ABANDONED,
    REMOVED,
    ROLLED_BACK,
    ROLLED_FORWARD,
    Game,
    LogEntry,
    Phase,
    Seat,
    Status,
    Tenure,
)
from diplomaccloud.games.viewpoint.visibility import Viewer, visible_games
from diplomaccloud.schedule import MoveKind

_LOSSES = (REMOVED, ABANDONED)
_ENDS = (MoveKind.READY, MoveKind.FORCED)
"""Moves of a deadline to the present, after which the phase is processed."""
_ANNOUNCED = frozenset(
    {kind for kind in MoveKind if kind not in _ENDS} | {ROLLED_BACK, ROLLED_FORWARD}
)
_DEADLINE_KINDS = _ANNOUNCED | {"released", "taken"}


@dataclass(frozen=True, slots=True)
class OpenPhase:
    """The open phase of a running game, while it accepts orders."""

    sequence: int
    name: str
    opens_at: dt.datetime
    due_at: dt.datetime


@dataclass(frozen=True, slots=True)
class Audience:
    """A game, and the people who hold its seats or run it, without guests."""

    slug: str
    is_over: bool
    phase: OpenPhase | None
    holders: tuple[int, ...]
    master: int | None

    @property
    def people(self) -> tuple[int, ...]:
        """Everyone, the game master last."""
        is_watching = self.master is not None and self.master not in self.holders
        return (*self.holders, self.master) if is_watching and self.master else self.holders


@dataclass(frozen=True, slots=True)
class LoggedAct:
    """A line of the log; `person` is the only one whom it concerns, None if it is for everyone.

    `what` is what happened to that person: removed, abandoned, reprimand.

    With `sets_deadline` the open phase may have another deadline than before, or another player
    who may have to be reminded of it; with `is_announced` everyone should know.
    """

    sets_deadline: bool
    is_announced: bool
    person: int | None = None
    what: str = ""


@dataclass(frozen=True, slots=True)
class GameName:
    """What a game is called, and the last part of its address."""

    slug: str
    world: str


def read_audiences(games: Collection[int]) -> dict[int, Audience]:
    """Return the audience of each game."""
    if not games:
        return {}
    phases = Phase.objects.in_play().filter(game__in=games, locked_at=None).order_by()
    opened = {
        game: OpenPhase(sequence, name, opens_at, due_at)
        for game, sequence, name, opens_at, due_at in phases.values_list(
            "game", "sequence", "name", "opens_at", "due_at"
        )
    }
    seats = Seat.objects.filter(game__in=games, user__guest=False).order_by("pk")
    holders: dict[int, list[int]] = {}
    for game, user in seats.values_list("game", "user"):
        holders.setdefault(game, []).append(user)
    rows = Game.objects.filter(pk__in=games).order_by()
    return {
        key: Audience(
            slug,
            status in (Status.FINISHED, Status.CANCELED),
            opened.get(key),
            tuple(holders.get(key, ())),
            master,
        )
        for key, slug, status, master in rows.values_list("pk", "slug", "status", "master")
    }


def read_acts(entries: Collection[int]) -> dict[int, LoggedAct]:
    """Return the lines of the log with these keys.

    `person` is the player who lost a seat against their will, or who was reprimanded.
    """
    if not entries:
        return {}
    rows = LogEntry.objects.filter(pk__in=entries).values_list("pk", "kind", "data", "at")
    return {
        key: LoggedAct(kind in _DEADLINE_KINDS, kind in _ANNOUNCED, *_find_person(kind, data, at))
        for key, kind, data, at in rows
    }


def read_names(viewer: Viewer, games: Collection[int]) -> dict[int, GameName]:
    """Return the names of those of the games that the viewer may see."""
    if not games:
        return {}
    rows = visible_games(viewer).filter(pk__in=games).order_by()
    return {
        key: GameName(slug, world) for key, slug, world in rows.values_list("pk", "slug", "world")
    }


def _find_person(kind: str, data: Mapping[str, int], at: dt.datetime) -> tuple[int | None, str]:
    """Return whom a line of the log concerns, and what happened; None if everyone or nobody."""
    if kind == "left":
        lost = Tenure.objects.filter(seat=data.get("seat"), until_at=at, left__in=_LOSSES)
        row = lost.exclude(user=None).values_list("user", "left").first()
        return row or (None, "")
    if kind == "reprimand":
        rows = Seat.objects.filter(pk=data["seat"]).values_list("user", flat=True)
        return rows.first(), kind
    return None, ""
