"""People's mutes, blocks and settings, and the versions of their press."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models

from diplomaccloud.games.table.models import Game, Seat, Tenure

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User

EVERYWHERE = 0
"""The place of a person's version for all games and personal messages together."""


class SeatMute(models.Model):
    """A person's mute of a seat: its messages don't count as unread and cause no notices.

    It ends when the seat changes hands, because it belongs to the `tenure` of that holder.
    """

    user: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="+")
    tenure = models.ForeignKey(Tenure, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "seat"), name="seat_mute"),)

    def __str__(self) -> str:
        return f"seat {self.seat_id} muted by {self.user_id}"


class Block(models.Model):
    """A person's block of another person's personal messages. The other is not notified."""

    user: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    blocked: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "blocked"), name="block"),)

    def __str__(self) -> str:
        return f"{self.blocked_id} blocked by {self.user_id}"


class PressSettings(models.Model):
    """A person's press settings; a person without a row has the defaults."""

    user: "models.OneToOneField[User, User]" = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.PROTECT, primary_key=True, related_name="+"
    )
    personal = models.BooleanField(default=True)
    """Whether others may write personal messages to the person."""

    def __str__(self) -> str:
        return f"press settings of {self.user_id}"


class PressVersion(models.Model):
    """A number that grows whenever a person's press changes: in one game, and everywhere.

    `place` is the key of the game, or `EVERYWHERE`. It is never NULL, so that the constraint works
    on every database. Only the person sees the number.
    """

    user: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    place = models.PositiveBigIntegerField()
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, related_name="+")
    number = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("place", "user"), name="press_version"),)

    def __str__(self) -> str:
        return f"press of {self.user_id} in {self.game_id or 'all games'}"
