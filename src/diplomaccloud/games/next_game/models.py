"""Templates of the next games, and the games that were opened from them; how musters work."""

import datetime as dt
from typing import Final

from django.db import models
from django.db.models import Q

from diplomaccloud.games.next_game.wording import USUAL_PEOPLE
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.options import Press
from diplomaccloud.schedule import Interval, Schedule

MAX_TITLE: Final = 60
MAX_TEMPLATES: Final = 3
"""How many next games can wait at the same time."""
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


class GameTemplate(models.Model):
    """What the next games of one kind are like; `slot` is its place, from 1.

    `map` is `standard`, `new` for a certified world that few or no people have played on, or the
    hash of a map. `speed` is a key of `SPEEDS`, and `edition` one of `EDITIONS`. No games are
    opened from a template that is not `active`.
    """

    slot = models.PositiveSmallIntegerField(unique=True)
    title = models.CharField(max_length=MAX_TITLE)
    map = models.CharField(max_length=64)
    speed = models.CharField(max_length=12)
    press = models.CharField(max_length=8, choices=[(press.value, press.value) for press in Press])
    edition = models.CharField(max_length=8)
    active = models.BooleanField(default=True)

    class Meta:
        ordering = ("slot",)
        constraints = (
            models.CheckConstraint(
                condition=Q(slot__gte=1, slot__lte=MAX_TEMPLATES), name="template_slot"
            ),
        )

    def __str__(self) -> str:
        return self.title


class NextGame(models.Model):
    """A game that was opened from a template, with the state of its muster.

    `title` is that of the template when the game was opened.
    `waiting` is true until the game starts or is canceled, then NULL, so the unique constraint
    allows only one waiting game of a template. A muster has been open since `muster_at`; the next
    one opens when `opens_with` people are in. `due_at` is when a worker has to look at the game:
    when the muster ends, or when people have waited long enough for one to open. A worker does so
    until `lease_until`. `with_bots` holds the keys of the seats whose players chose to start with
    bots.
    """

    game = models.OneToOneField(
        Game, on_delete=models.PROTECT, primary_key=True, related_name="next_game"
    )
    template = models.ForeignKey(GameTemplate, on_delete=models.PROTECT, related_name="games")
    title = models.CharField(max_length=MAX_TITLE, db_default="")
    waiting = models.BooleanField(null=True)
    opens_with = models.PositiveSmallIntegerField(default=USUAL_PEOPLE)
    muster_at = models.DateTimeField(null=True)
    due_at = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    with_bots: "models.JSONField[list[int], list[int]]" = models.JSONField(default=list)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("template", "waiting"), name="next_game_waiting"),
            models.CheckConstraint(
                condition=Q(waiting=True) | Q(waiting__isnull=True), name="next_game_state"
            ),
        )
        indexes = (models.Index(fields=("waiting", "due_at"), name="next_game_due"),)

    def __str__(self) -> str:
        return f"{self.game_id} from {self.template_id}"
