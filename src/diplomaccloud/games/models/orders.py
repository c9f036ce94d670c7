"""What players write: drafts of orders, the orders in them, plans made ahead, flags and votes."""

from django.db import models

from diplomaccloud.games.models.game import Seat
from diplomaccloud.games.models.phase import Phase


class Draft(models.Model):
    """A named set of orders of one seat for one phase; the live one counts at the lock.

    `live` is true or NULL, so that the unique constraint allows one live draft (NULLs are
    never equal, on every database). A draft withdrawn with its removed player is not live.
    """

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="drafts")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="drafts")
    name = models.CharField(max_length=30)
    live = models.BooleanField(null=True)
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("phase", "seat", "name"), name="draft_name"),
            models.UniqueConstraint(fields=("phase", "seat", "live"), name="draft_live"),
        )

    def __str__(self) -> str:
        return f"{self.name} of seat {self.seat_id} in {self.phase_id}"


class OrderRow(models.Model):
    """One order of a draft: as written, and as understood.

    `unit` is what the order is for: `A PAR`, or `WAIVE 1` for a build not taken.
    """

    draft = models.ForeignKey(Draft, on_delete=models.PROTECT, related_name="orders")
    unit = models.CharField(max_length=20)
    written = models.CharField(max_length=200)
    canonical = models.JSONField()
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("draft", "unit"), name="order_unit"),)

    def __str__(self) -> str:
        return f"{self.unit} in draft {self.draft_id}"


class Plan(models.Model):
    """Retreats and adjustments written ahead, with conditions, during a movement phase.

    `canonical` is what `judge.conditional_orders` understood of `written`.
    """

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="plans")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="plans")
    written = models.TextField()
    canonical = models.JSONField()
    saved_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("phase", "seat"), name="plan_seat"),)

    def __str__(self) -> str:
        return f"plan of seat {self.seat_id} in {self.phase_id}"


class Submission(models.Model):
    """That a seat has submitted in a phase: saved, ready for the roll-over, with which vote.

    `ahead` says that a plan made earlier submitted it, which nobody else is told before the
    phase is processed. `vote` is `draw`, `surrender` or blank, and secret until then too.
    """

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="submissions")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="submissions")
    saved_at = models.DateTimeField(null=True)
    ready_at = models.DateTimeField(null=True)
    ahead = models.BooleanField(default=False)
    vote = models.CharField(max_length=10, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("phase", "seat"), name="submission_seat"),)

    def __str__(self) -> str:
        return f"seat {self.seat_id} in {self.phase_id}"
