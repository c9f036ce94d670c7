"""Conference maps, and the messages they are attached to.

A map is stored as the text of its sandbox address: the sandbox writes and checks this state
already, and draws its board. The site finds a map's phase by comparing positions, so a form cannot
claim one.
"""

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models

from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.press.table.models import Message

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User

MAX_TITLE = 40


class ConferenceMap(models.Model):
    """A map with orders for any power and marks, as a person drew it; it never changes.

    `number` counts the author's maps in the game. `content` is the sandbox state as the text of an
    address. `phase` is the phase of the game that it starts from, NULL for a free position, and
    `made_in` the newest phase when it was made, NULL before the start. `title` names the phase on
    the map. `powers` lists those with orders in the first phase, separated by commas. `parent` is
    the map that it is based on.
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
    """A conference map attached to a message."""

    message = models.OneToOneField(
        Message, on_delete=models.PROTECT, primary_key=True, related_name="sent_map"
    )
    map = models.ForeignKey(ConferenceMap, on_delete=models.PROTECT, related_name="sent")

    def __str__(self) -> str:
        return f"map in message {self.message_id}"
