"""The models of the API: tokens, and answers kept for repeated requests."""

import datetime as dt
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import models

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User


KEEP_FOR: Final = dt.timedelta(days=1)
"""How long a repeated key gets the same answer."""
REMEMBER_FOR: Final = dt.timedelta(days=7)
"""How long a key is refused once its answer is gone, to prevent accidental repeats."""


class Token(models.Model):
    """A key with which a program acts for a person; only its hash is stored.

    `scopes` are words of `tokens.Scope`, separated by spaces. With a `tenure`, the token is
    only for that seat, and stops working when the tenure ends.
    """

    user: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.CharField(max_length=60)
    tenure = models.ForeignKey("games.Tenure", models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"token {self.pk} of {self.user_id}"


class KeptAnswer(models.Model):
    """The answer to a request with an `Idempotency-Key`, saved with its effect and kept for a day.

    `request_digest` is the hash of the request, `body` the answer as JSON.
    """

    user: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    key_digest = models.CharField(max_length=64)
    request_digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    body = models.TextField(default="")
    at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "key_digest"), name="api_answer"),)

    def __str__(self) -> str:
        return f"answer {self.pk} for {self.user_id}"
