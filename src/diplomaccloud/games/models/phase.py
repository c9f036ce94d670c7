"""Phases, what was promised at their lock, and who was there."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from diplomaccloud.games.models.game import Game, Seat

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User


class Phase(models.Model):
    """One phase: the position it begins with and, once processed, what came of it.

    `position`, `rules` and `results` are codec JSON; with `engine` and `map_hash` they are
    enough to judge the phase again. `disorder` names the powers without a player, and why:
    surrendered, abandoned, removed. `sequence` numbers the phases of a game in the order in
    which they were opened and is never used twice: a game that is rolled back goes on in a new
    `line`, and what it leaves behind has `superseded_at`. Orders are taken until `due_at`;
    `locked_at` is when they were closed; the phase is processed at `adjudicate_at`, which is
    not earlier. `exact` says that being ready does not bring that forward. A worker that
    processes the phase holds its lease.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="phases")
    sequence = models.PositiveIntegerField()
    line = models.PositiveIntegerField(default=0)
    name = models.CharField(max_length=8)
    position = models.JSONField()
    disorder = models.JSONField(default=dict)
    rules = models.JSONField()
    engine = models.CharField(max_length=20)
    map_hash = models.CharField(max_length=64)
    opens_at = models.DateTimeField()
    due_at = models.DateTimeField()
    adjudicate_at = models.DateTimeField()
    exact = models.BooleanField(default=False)
    locked_at = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    lease_owner = models.CharField(max_length=40, blank=True)
    processed_at = models.DateTimeField(null=True)
    results = models.JSONField(null=True)
    superseded_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("game", "sequence")
        constraints = (
            models.UniqueConstraint(fields=("game", "sequence"), name="phase_sequence"),
            models.UniqueConstraint(fields=("game", "line", "name"), name="phase_name"),
            models.CheckConstraint(
                condition=Q(processed_at__isnull=True, results__isnull=True)
                | Q(processed_at__isnull=False, results__isnull=False, locked_at__isnull=False),
                name="phase_processed",
            ),
            models.CheckConstraint(condition=Q(due_at__gte=F("opens_at")), name="phase_due"),
            models.CheckConstraint(
                condition=Q(adjudicate_at__gte=F("due_at")), name="phase_adjudicate"
            ),
        )
        indexes = (
            models.Index(fields=("processed_at", "adjudicate_at"), name="phase_due_rows"),
            models.Index(fields=("locked_at", "due_at"), name="phase_lock_rows"),
        )

    def __str__(self) -> str:
        return f"{self.name} of {self.game_id}"


class Receipt(models.Model):
    """What a seat's orders were when a phase was locked: the text, and a salted hash of it.

    The digest is public from the lock on; text and salt are its owner's until the game is
    over, so that anybody can then see that no order was changed.
    """

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="receipts")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="receipts")
    text = models.TextField(blank=True)
    salt = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    issued_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("phase", "seat"), name="receipt_seat"),)

    def __str__(self) -> str:
        return f"receipt of seat {self.seat_id} in {self.phase_id}"


class Attendance(models.Model):
    """Whether a person who had something to order in a processed phase ordered it.

    A turn that was `excused`, because the site was away when orders were due, counts for nothing.
    """

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="attendances")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="attendances")
    user: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="attendances"
    )
    ordered = models.BooleanField()
    excused = models.BooleanField(default=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("phase", "seat"), name="attendance_seat"),)
        indexes = (models.Index(fields=("user", "ordered"), name="attendance_counts"),)

    def __str__(self) -> str:
        return f"seat {self.seat_id} in {self.phase_id}: {self.ordered}"
