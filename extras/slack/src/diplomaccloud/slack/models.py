"""Rows for Slack: one-time codes, links, and handled requests."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User


class SlackCode(models.Model):
    """A one-time code for linking a Slack account; only its hash is stored."""

    user: "models.OneToOneField[User, User]" = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.PROTECT, primary_key=True, related_name="+"
    )
    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"code of {self.user_id}"


class SlackLink(models.Model):
    """A person and the member of a Slack workspace who may send orders for that person."""

    user: "models.OneToOneField[User, User]" = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.PROTECT, primary_key=True, related_name="+"
    )
    team = models.CharField(max_length=32)
    member = models.CharField(max_length=32)
    linked_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("team", "member"), name="slack_member"),)

    def __str__(self) -> str:
        return f"{self.user_id} in {self.team}"


class SlackRequest(models.Model):
    """A handled request, so that it is not handled again; deleted after a day."""

    key = models.CharField(max_length=64, primary_key=True)
    at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.key
