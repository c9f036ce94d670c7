"""Announcements, and who has dismissed them."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User

MAX_TEXT = 4000
"""In characters."""


class Kind(models.TextChoices):
    """What an announcement is about."""

    NEWS = "news", "News"
    MAINTENANCE = "maintenance", "Maintenance"


class Audience(models.TextChoices):
    """Who sees an announcement."""

    EVERYBODY = "everybody", "everybody"
    ACCOUNTS = "accounts", "people with an account"
    PLAYERS = "players", "players of running games"
    MASTERS = "masters", "game masters of running games"


class Announcement(models.Model):
    """A text in Markdown that is shown from `starts_at` until `ends_at`, unless it is withdrawn.

    Maintenance begins at `maintenance_at`, which is NULL for news.
    """

    kind = models.CharField(max_length=12, choices=Kind.choices)
    audience = models.CharField(max_length=10, choices=Audience.choices)
    text = models.TextField()
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField(db_index=True)
    maintenance_at = models.DateTimeField(null=True)
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=models.Q(ends_at__gt=models.F("starts_at")),
                name="announcement_order",
            ),
            models.CheckConstraint(
                condition=models.Q(kind=Kind.NEWS, maintenance_at=None)
                | models.Q(kind=Kind.MAINTENANCE, maintenance_at__isnull=False),
                name="maintenance_has_time",
            ),
        )

    def __str__(self) -> str:
        return f"announcement {self.pk}"


class Dismissal(models.Model):
    """A person does not want to see an announcement again."""

    announcement = models.ForeignKey(Announcement, models.PROTECT, related_name="+")
    user: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        db_index=False,
    )

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "announcement"), name="dismissed_once"),
        )

    def __str__(self) -> str:
        return f"dismissal {self.pk}"
