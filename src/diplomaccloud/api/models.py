"""The models of the API: tokens of people and of apps, and answers kept for repeated requests."""

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


class AppGrant(models.Model):
    """A person's consent to what an app may do: the family of tokens that began with it.

    `origin_digest` is the hash of the code that the app exchanged, which is good for one exchange.
    Deleting the row ends the family; `oauth.end_grants` also deletes the provider's own rows.
    """

    user: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    client = models.ForeignKey("allauth_idp_oidc.Client", models.CASCADE, related_name="+")
    origin_digest = models.CharField(max_length=64, unique=True)
    scopes = models.CharField(max_length=60)
    created_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"grant {self.pk} of {self.user_id}"


class AppToken(models.Model):
    """The hash of a token of an app; using a refresh token again after `spent_at` ends its family.

    The provider forgets a refresh token once it is used, and then could not recognize a copy.
    """

    grant = models.ForeignKey(AppGrant, models.CASCADE, related_name="tokens")
    digest = models.CharField(max_length=64, unique=True)
    is_refresh = models.BooleanField()
    scopes = models.CharField(max_length=60)
    expires_at = models.DateTimeField(db_index=True)
    spent_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"token {self.pk} of grant {self.grant_id}"
