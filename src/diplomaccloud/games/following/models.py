"""Who follows whom and which games, and who lets nobody follow."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models

from diplomaccloud.games.table.models import Game

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User


class PersonFollow(models.Model):
    """A person gets a notice when another one starts or finishes a public game."""

    follower: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )
    person: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )
    since_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("follower", "person"), name="follow_person"),
        )
        # Notices go to the followers of a person in the order of their keys.
        indexes = (models.Index(fields=("person", "follower"), name="follow_followers"),)

    def __str__(self) -> str:
        return f"{self.follower_id} follows person {self.person_id}"


class GameFollow(models.Model):
    """A person who does not play in a public game gets a notice after each of its turns."""

    follower: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )
    game = models.ForeignKey(Game, models.PROTECT, related_name="+", db_index=False)
    since_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("follower", "game"), name="follow_game"),)
        indexes = (models.Index(fields=("game", "follower"), name="follow_watchers"),)

    def __str__(self) -> str:
        return f"{self.follower_id} follows game {self.game_id}"


class Unfollowable(models.Model):
    """A person who lets nobody follow; everyone else can be followed."""

    user: "models.OneToOneField[User, User]" = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.PROTECT, primary_key=True, related_name="+"
    )

    def __str__(self) -> str:
        return f"{self.user_id} lets nobody follow"
