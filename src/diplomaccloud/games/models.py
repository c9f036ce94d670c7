"""What is stored of a game. Writes go through `actions`, a person's reads through `viewpoint`.

Every key is PROTECT: history is kept for ever.
"""

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from diplomaccloud.maps.models import StoredChart

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User


class Status(models.TextChoices):
    """The life of a game."""

    FORMING = "forming"
    RUNNING = "running"
    FINISHED = "finished"


class Game(models.Model):
    """One game on one map.

    `rules` is the edition as codec JSON. `seed` is the source of every random choice of the
    game: the draw of countries and the bots. `ending` is codec-like JSON with the winners'
    powers and a reason. A game whose processing raised is put aside: `alarm` says why.
    """

    slug = models.CharField(max_length=16, unique=True)
    world = models.CharField(max_length=40)
    chart = models.ForeignKey(StoredChart, on_delete=models.PROTECT)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.FORMING)
    rules = models.JSONField()
    movement_seconds = models.PositiveIntegerField()
    retreat_seconds = models.PositiveIntegerField()
    build_seconds = models.PositiveIntegerField()
    end_year = models.PositiveIntegerField(null=True)
    fill_with = models.CharField(max_length=20, blank=True)
    private = models.BooleanField(default=False)
    code = models.CharField(max_length=16)
    seed = models.CharField(max_length=64)
    creator: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    ending = models.JSONField(null=True)
    alarm = models.TextField(blank=True)

    class Meta:
        ordering = ("-created_at", "-pk")
        constraints = (
            models.CheckConstraint(condition=Q(status__in=Status.values), name="game_status"),
            models.CheckConstraint(
                condition=Q(movement_seconds__gt=0, retreat_seconds__gt=0, build_seconds__gt=0),
                name="game_lengths",
            ),
            models.CheckConstraint(
                condition=Q(status=Status.FORMING, started_at__isnull=True)
                | ~Q(status=Status.FORMING) & Q(started_at__isnull=False),
                name="game_started",
            ),
            models.CheckConstraint(
                condition=Q(status=Status.FINISHED, finished_at__isnull=False, ending__isnull=False)
                | ~Q(status=Status.FINISHED) & Q(finished_at__isnull=True),
                name="game_finished",
            ),
        )
        indexes = (models.Index(fields=("status", "private"), name="game_lists"),)

    def __str__(self) -> str:
        return f"{self.world} ({self.slug})"


class Seat(models.Model):
    """A place at the board: a person or a bot, and from the draw on a power.

    `power` is NULL while the game forms. `country` is the name its player gave it, blank for
    the printed one.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="seats")
    power = models.CharField(max_length=40, null=True)  # noqa: DJ001 - NULLs are never equal
    user: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="seats"
    )
    bot = models.CharField(max_length=20, blank=True)
    country = models.CharField(max_length=30, blank=True)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("game", "power"), name="seat_power"),
            models.UniqueConstraint(fields=("game", "user"), name="seat_user"),
            models.CheckConstraint(
                condition=Q(user__isnull=False, bot="") | Q(user__isnull=True) & ~Q(bot=""),
                name="seat_person_or_bot",
            ),
        )

    def __str__(self) -> str:
        return f"{self.power or 'seat'} of {self.game_id}"


class Phase(models.Model):
    """One phase: the position it begins with and, once processed, what came of it.

    `position`, `rules` and `results` are codec JSON; with `engine` and `map_hash` they are
    enough to judge the phase again. A worker that processes the phase holds its lease.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="phases")
    sequence = models.PositiveIntegerField()
    name = models.CharField(max_length=8)
    position = models.JSONField()
    rules = models.JSONField()
    engine = models.CharField(max_length=20)
    map_hash = models.CharField(max_length=64)
    opens_at = models.DateTimeField()
    due_at = models.DateTimeField()
    lease_until = models.DateTimeField(null=True)
    lease_owner = models.CharField(max_length=40, blank=True)
    processed_at = models.DateTimeField(null=True)
    results = models.JSONField(null=True)

    class Meta:
        ordering = ("game", "sequence")
        constraints = (
            models.UniqueConstraint(fields=("game", "sequence"), name="phase_sequence"),
            models.UniqueConstraint(fields=("game", "name"), name="phase_name"),
            models.CheckConstraint(
                condition=Q(processed_at__isnull=True, results__isnull=True)
                | Q(processed_at__isnull=False, results__isnull=False),
                name="phase_processed",
            ),
            models.CheckConstraint(condition=Q(due_at__gte=F("opens_at")), name="phase_due"),
        )
        indexes = (models.Index(fields=("processed_at", "due_at"), name="phase_due_rows"),)

    def __str__(self) -> str:
        return f"{self.name} of {self.game_id}"


class OrderRow(models.Model):
    """One order of one seat in one phase: as written, and as understood.

    `unit` is what the order is for: `A PAR`, or `WAIVE 1` for a build not taken.
    """

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="orders")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="orders")
    unit = models.CharField(max_length=20)
    written = models.CharField(max_length=200)
    canonical = models.JSONField()
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("phase", "seat", "unit"), name="order_unit"),
        )

    def __str__(self) -> str:
        return f"{self.unit} in {self.phase_id}"


class Submission(models.Model):
    """That a seat has saved orders in a phase, and whether it is ready for the roll-over."""

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="submissions")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="submissions")
    saved_at = models.DateTimeField(null=True)
    ready_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("phase", "seat"), name="submission_seat"),)

    def __str__(self) -> str:
        return f"seat {self.seat_id} in {self.phase_id}"


class Event(models.Model):
    """The outbox: what happened, written in the transaction that did it.

    `key` is unique within a game, so that nothing is told twice. An event with a `seat` is
    that seat's own business; the others are public, and `data` holds nothing secret.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="events")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, null=True, related_name="+")
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=80)
    data = models.JSONField(default=dict)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("game", "key"), name="event_key"),)
        indexes = (models.Index(fields=("game", "seat"), name="event_public"),)

    def __str__(self) -> str:
        return f"{self.kind} in {self.game_id}"
