"""Consents to open conversations after the end of a game, and the open conversations."""

import datetime as dt

from django.db import models

from diplomaccloud.games.table.models import Game
from diplomaccloud.press.table.models import Conversation, person_key


class OpeningConsent(models.Model):
    """A person's consent that everyone who may see the game may read a conversation.

    It covers the messages up to number `last`, and the end of the game at `ended_at`: if a rollback
    continues the game, the consent is void. Only the person sees it.
    """

    conversation = models.ForeignKey(Conversation, on_delete=models.PROTECT, related_name="+")
    user = person_key(db_index=False)
    ended_at = models.DateTimeField()
    last = models.PositiveIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "conversation"), name="opening_consent"),
        )

    def __str__(self) -> str:
        return f"{self.user_id} opens {self.conversation_id}"


class OpenConversation(models.Model):
    """A conversation that all its readers agreed to open: its messages up to `last` are public.

    The row counts only while the game ended at `ended_at`.
    """

    conversation = models.OneToOneField(
        Conversation, on_delete=models.PROTECT, primary_key=True, related_name="+"
    )
    ended_at = models.DateTimeField()
    last = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.conversation_id} is open"


def find_end(game: Game) -> dt.datetime:
    """Return when the game ended; raise `ValueError` if it is not over."""
    if game.finished_at is None:
        raise ValueError("The game is not over.")
    return game.finished_at
