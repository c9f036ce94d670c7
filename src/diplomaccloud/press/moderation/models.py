"""Reports, their cases, the decisions about them, and the audit of the people who judge.

Only `Case` and `PressLimit` rows ever change, which database rights enforce. Only a limit names the
author of a reported message, who is otherwise found through its `Send`, even for gray messages. A
case about a player names the person who held the seat.
"""

import secrets
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models

from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.maps.models import StoredChart
from diplomaccloud.press.moderation.wording import Grounds, Outcome, Stage, TextKind, TextStage
from diplomaccloud.press.table.models import Message
from diplomaccloud.press.table.text import MAX_REASON

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User

MAX_WORD = 12
KEY_BYTES = 6


def make_key() -> str:
    """Return a random address for a case."""
    return secrets.token_hex(KEY_BYTES)


def _link_person() -> "models.ForeignKey[User, User]":
    return models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")


def _link_person_or_none() -> "models.ForeignKey[User | None, User | None]":
    return models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )


class Case(models.Model):
    """The reports of one message or player that are decided together, and who judges them.

    A case about a player has no message, but the `seat` and the `person` who held it when reported.
    `open` is True until the first decision and then NULL, so that a message has at most one open
    case; the lock of the game does the same for a player. A later report opens a new case, because
    its author must not learn of the earlier one. `assigned_to` is the moderator who can see it, or
    NULL if it is for the game master or an administrator. `taken_by` is the person who judges it,
    until the decision or for a limited time. `key` is its address, which is random because a number
    would reveal how many cases there are.
    """

    key = models.CharField(max_length=2 * KEY_BYTES, unique=True, default=make_key)
    message = models.ForeignKey(Message, on_delete=models.PROTECT, null=True, related_name="cases")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, null=True, related_name="+")
    person = _link_person_or_none()
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, related_name="+")
    stage = models.CharField(max_length=MAX_WORD, choices=Stage.choices, default=Stage.OPEN)
    open = models.BooleanField(null=True, default=True)
    opened_at = models.DateTimeField()
    assigned_to = _link_person_or_none()
    assigned_at = models.DateTimeField(null=True)
    taken_by = _link_person_or_none()
    taken_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("message", "open"), name="case_open"),)
        indexes = (
            models.Index(fields=("stage", "opened_at", "id"), name="case_queue"),
            models.Index(fields=("taken_by", "stage"), name="case_taken"),
        )

    def __str__(self) -> str:
        return f"case {self.pk}"

    @property
    def accused(self) -> "User":
        """The player whom the case is about, or the author of the message."""
        person = self.message.send.author if self.message is not None else self.person
        if person is None:
            raise ValueError("a bot sent this")
        return person


class Report(models.Model):
    """A person's report of a message or, without a message, of a player.

    `evidence` is what the person could read around the message, or where the player sat and when.
    `digest` is the SHA-256 of the evidence in canonical JSON.
    """

    reporter: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    message = models.ForeignKey(Message, on_delete=models.PROTECT, null=True, related_name="+")
    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="reports")
    grounds = models.CharField(max_length=MAX_WORD, choices=Grounds.choices)
    note = models.CharField(max_length=MAX_REASON, blank=True)
    evidence: "models.JSONField[dict[str, object], dict[str, object]]" = models.JSONField()
    digest = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("reporter", "message"), name="report_once"),)
        indexes = (models.Index(fields=("reporter", "at"), name="report_limits"),)

    def __str__(self) -> str:
        return f"report {self.pk}"


class Decision(models.Model):
    """The decision in a case, the first one or the one on appeal, with its reason.

    `until` is when a press limit ends. `by_master` says whether the game master decided. If the
    decision on appeal overturns a removal, `seat_returned` says whether the seat was still vacant.
    """

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="decisions")
    on_appeal = models.BooleanField(default=False)
    by = _link_person()
    by_master = models.BooleanField(default=False)
    outcome = models.CharField(max_length=MAX_WORD, choices=Outcome.choices)
    reason = models.CharField(max_length=MAX_REASON)
    until = models.DateTimeField(null=True)
    seat_returned = models.BooleanField(null=True)
    at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("case", "on_appeal"), name="decision_once"),)

    def __str__(self) -> str:
        return f"{self.outcome} in {self.case_id}"


class Appeal(models.Model):
    """The accused person's appeal of a decision to another moderator, at most one per decision."""

    decision = models.OneToOneField(
        Decision, on_delete=models.PROTECT, primary_key=True, related_name="appeal"
    )
    text = models.CharField(max_length=MAX_REASON)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"appeal {self.decision_id}"


class Inspection(models.Model):
    """A moderator's look at more than the evidence: a name, signals; with the reason."""

    class What(models.TextChoices):
        """What a moderator can look at."""

        CONVERSATION = "conversation"
        NAME = "name"
        SIGNALS = "signals"

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="inspections")
    by = _link_person()
    what = models.CharField(max_length=MAX_WORD, choices=What.choices)
    reason = models.CharField(max_length=MAX_REASON)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.what} in {self.case_id}"


class AuditEntry(models.Model):
    """An act of a judge or an administrator. `by` is NULL for the command line."""

    class Act(models.TextChoices):
        """The kinds of acts."""

        APPOINTED = "appointed"
        DISMISSED = "dismissed"
        ASSIGNED = "assigned"
        TAKEN = "taken"
        RETURNED = "returned"
        DECIDED = "decided"
        INSPECTED = "inspected"
        BLANKED = "blanked"
        HIDDEN = "hidden"
        KEPT = "kept"
        RESTORED = "restored"
        FROZEN = "frozen"
        UNFROZEN = "unfrozen"
        PAUSED = "paused"
        UNPAUSED = "unpaused"
        ANNULLED = "annulled"
        RERATED = "rerated"

    at = models.DateTimeField()
    by = _link_person_or_none()
    act = models.CharField(max_length=MAX_WORD, choices=Act.choices)
    case = models.ForeignKey(Case, on_delete=models.PROTECT, null=True, related_name="+")
    person = _link_person_or_none()
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, related_name="+")
    detail = models.CharField(max_length=MAX_REASON, blank=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.act} {self.pk}"


# Reports of short public texts: names of people and maps, and statuses.
#
# The text itself belongs to another app; a case keeps a copy, so that it can be restored.


MAX_TEXT = 140
"""In characters; a status is the longest text."""


class TextCase(models.Model):
    """The reports of one text of `person`, which a moderator judges.

    `open` is True until a moderator decides and then NULL, so that a text has at most one open
    case. `assigned_to` is the moderator who can see it, or NULL if an administrator judges it.
    `text` is the text as reported. A map name is that of `chart`, which `person` saved.
    """

    key = models.CharField(max_length=2 * KEY_BYTES, unique=True, default=make_key)
    kind = models.CharField(max_length=MAX_WORD, choices=TextKind.choices)
    person = _link_person()
    chart = models.ForeignKey(StoredChart, on_delete=models.PROTECT, null=True, related_name="+")
    text = models.CharField(max_length=MAX_TEXT)
    stage = models.CharField(max_length=MAX_WORD, choices=TextStage.choices, default=TextStage.OPEN)
    open = models.BooleanField(null=True, default=True)
    opened_at = models.DateTimeField()
    assigned_to = _link_person_or_none()
    assigned_at = models.DateTimeField(null=True)
    judged_by = _link_person_or_none()
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
