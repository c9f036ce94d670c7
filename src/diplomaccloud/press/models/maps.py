"""Conference maps, and the messages that carry them."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models

from diplomaccloud.games.models import Game, Phase
from diplomaccloud.press.models.messages import Message

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User

MAX_TITLE = 40


class ConferenceMap(models.Model):
    """A map with orders for any power and marks, as a person drew it; it never changes.

    `number` counts the maps of its author in the game. `content` is the state of the sandbox as
    the text of an address. `phase` is the phase of the game that it begins with, NULL for a free
    position, and `made_in` the newest phase as it was made, NULL before the start. `title` names
    the phase on the map. `powers` are those that have orders in the first phase, with commas
    between. `parent` is the map that it changes.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="+", db_index=False)
    author: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    number = models.PositiveIntegerField()
    parent = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="+")
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, null=True, related_name="+")
    made_in = models.ForeignKey(Phase, on_delete=models.PROTECT, null=True, related_name="+")
    title = models.CharField(max_length=MAX_TITLE)
    powers = models.TextField(blank=True)
    orders = models.PositiveSmallIntegerField()
    marks = models.PositiveSmallIntegerField()
    steps = models.PositiveSmallIntegerField()
    content = models.TextField()
    at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("game", "author", "number"), name="map_number"),
        )

    def __str__(self) -> str:
        return f"map {self.number} of {self.author_id} in {self.game_id}"


class SentMap(models.Model):
    """A conference map that a message carries."""

    message = models.OneToOneField(
        Message, on_delete=models.PROTECT, primary_key=True, related_name="sent_map"
    )
    map = models.ForeignKey(ConferenceMap, on_delete=models.PROTECT, related_name="sent")

    def __str__(self) -> str:
        return f"map in message {self.message_id}"
