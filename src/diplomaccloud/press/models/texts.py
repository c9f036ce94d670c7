"""Reports of short public texts: names of people and maps, and statuses.

The text itself belongs to another app; a case keeps a copy, so that it can be restored.
"""

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models

from diplomaccloud.maps.models import StoredChart
from diplomaccloud.press.models.reports import KEY_BYTES, MAX_WORD, Grounds, make_key
from diplomaccloud.press.text import MAX_REASON

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User

MAX_TEXT = 140
"""In characters; a status is the longest text."""


class TextKind(models.TextChoices):
    """What can be reported besides messages."""

    NAME = "name", "screen name"
    STATUS = "status", "status message"
    MAP = "map", "map name"


class TextStage(models.TextChoices):
    """The stage of a reported text."""

    OPEN = "open"
    KEPT = "kept"
    HIDDEN = "hidden"
    RESTORED = "restored"


class TextCase(models.Model):
    """The reports of one text of `person`, which a moderator judges.

    `open` is True until a moderator decides and then NULL, so that a text has at most one open
    case. `assigned_to` is the moderator who can see it, or NULL if an administrator judges it.
    `text` is the text as reported. A map name is that of `chart`, which `person` saved.
    """

    key = models.CharField(max_length=2 * KEY_BYTES, unique=True, default=make_key)
    kind = models.CharField(max_length=MAX_WORD, choices=TextKind.choices)
    person: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    chart = models.ForeignKey(StoredChart, on_delete=models.PROTECT, null=True, related_name="+")
    text = models.CharField(max_length=MAX_TEXT)
    stage = models.CharField(max_length=MAX_WORD, choices=TextStage.choices, default=TextStage.OPEN)
    open = models.BooleanField(null=True, default=True)
    opened_at = models.DateTimeField()
    assigned_to: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    assigned_at = models.DateTimeField(null=True)
    judged_by: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    judged_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=MAX_REASON, blank=True, default="")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("person", "kind", "text", "open"), name="text_open"),
        )
        indexes = (models.Index(fields=("stage", "opened_at", "id"), name="text_queue"),)

    def __str__(self) -> str:
        return f"text {self.pk}"


class TextReport(models.Model):
    """A person's report of a text."""

    reporter: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    case = models.ForeignKey(TextCase, on_delete=models.PROTECT, related_name="reports")
    grounds = models.CharField(max_length=MAX_WORD, choices=Grounds.choices)
    note = models.CharField(max_length=MAX_REASON, blank=True)
    at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("reporter", "case"), name="text_report_once"),
        )
        indexes = (models.Index(fields=("reporter", "at"), name="text_report_limits"),)

    def __str__(self) -> str:
        return f"text report {self.pk}"
