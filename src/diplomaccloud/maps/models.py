"""Stored charts."""

from typing import NoReturn

from django.core.validators import RegexValidator
from django.db import models


class ImmutableError(RuntimeError):
    """An attempt to change or delete what is kept for ever."""


class StoredChart(models.Model):
    """One map, addressed by the hash of its content, never changed and never deleted.

    `text` is the canonical JSON that the hash is taken from; the other fields repeat facts
    of it for lists.
    """

    content_hash = models.CharField(
        max_length=64, unique=True, validators=[RegexValidator(r"\A[0-9a-f]{64}\Z")]
    )
    name = models.CharField(max_length=60)
    players = models.PositiveSmallIntegerField()
    provinces = models.PositiveSmallIntegerField()
    centers = models.PositiveSmallIntegerField()
    seed = models.CharField(max_length=100, blank=True)
    maker = models.CharField(max_length=60)
    text = models.TextField()
    created_at = models.DateTimeField()

    class Meta:
        ordering = ("-created_at", "-pk")
        constraints = (
            models.CheckConstraint(
                condition=models.Q(players__gte=2, players__lte=10), name="chart_players"
            ),
        )

    def __str__(self) -> str:
        return f"{self.name} ({self.content_hash[:8]})"

    def save(self, *_args: object, **_kwargs: object) -> None:
        """Insert the chart; an update raises `ImmutableError`."""
        if not self._state.adding:
            raise ImmutableError(f"map {self.content_hash[:8]} cannot be changed")
        super().save(force_insert=True)

    def delete(self, *_args: object, **_kwargs: object) -> NoReturn:
        """Raise `ImmutableError`: games point to the chart for ever."""
        raise ImmutableError(f"map {self.content_hash[:8]} cannot be deleted")
