"""Press events other than messages, which are kept until their notices are written."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models

from diplomaccloud.games.table.models import Game
from diplomaccloud.press.models.messages import Message

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User

MAX_EVENT_KEY = 120


class PressEvent(models.Model):
    """Something to notify one person of, written in the same transaction as the change.

    Messages have no events; their `Send` is marked instead. `key` is unique, so that nothing is
    reported twice. `data` holds no message text and no names. `waiting` is true until the notice is
    written, then NULL.
    """

    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=MAX_EVENT_KEY)
    user: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, related_name="+")
    message = models.ForeignKey(Message, on_delete=models.PROTECT, null=True, related_name="+")
    data: "models.JSONField[dict[str, object], dict[str, object]]" = models.JSONField(default=dict)
    at = models.DateTimeField()
    waiting = models.BooleanField(null=True, default=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("key", "user"), name="press_event_key"),)
        indexes = (models.Index(fields=("waiting", "id"), name="press_event_waiting"),)

    def __str__(self) -> str:
        return f"{self.kind} for {self.user_id}"
