"""Reports of messages and players, the decisions about them, and the audit of the people who judge.

Only `Case` and `PressLimit` rows ever change, which database rights enforce. Only a limit names the
author of a reported message, who is otherwise found through its `Send`, even for gray messages. A
case about a player names the person who held the seat.
"""

import secrets
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import models

from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.press.models.messages import Message
from diplomaccloud.press.text import MAX_REASON

if TYPE_CHECKING:
    from diplomaccloud.accounts.models import User

MAX_WORD = 12
KEY_BYTES = 6


def make_key() -> str:
    """Return a random address for a case."""
    return secrets.token_hex(KEY_BYTES)


class Grounds(models.TextChoices):
    """The grounds on which a message or a player is reported: see `PLAYER_GROUNDS`."""

    ABUSE = "abuse", "Insults or harassment"
    THREAT = "threat", "A threat outside the game"
    CHEATING = "cheating", "Cheating: several accounts, or a deal outside the game"
    PRIVATE = "private", "Personal data about someone"
    SPAM = "spam", "Spam or advertising"
    ACCOUNTS = "accounts", "One person with two accounts"
    THROWING = "throwing", "Throws the game: plays for another player to win"
    OUTSIDE = "outside", "Talks outside an anonymous game"
    OTHER = "other", "Something else"


PLAYER_GROUNDS: Final = (Grounds.ACCOUNTS, Grounds.THROWING, Grounds.OUTSIDE, Grounds.OTHER)
"""The grounds on which a player is reported."""
MESSAGE_GROUNDS: Final = tuple(
    word for word in Grounds if word not in PLAYER_GROUNDS or word is Grounds.OTHER
)
"""The grounds on which a message, name or status is reported."""


class Outcome(models.TextChoices):
    """The possible decisions in a case, mildest first."""

    NONE = "none", "No action"
    WARNING = "warning", "Warning"
    LIMITED = "limited", "Press limited"
    REMOVED = "removed", "Removed from the game"
    BANNED = "banned", "Banned from the site"


class Stage(models.TextChoices):
    """The stage of a case."""

    OPEN = "open"
    DECIDED = "decided"
    APPEALED = "appealed"
    FINAL = "final"


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
    person: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, related_name="+")
    stage = models.CharField(max_length=MAX_WORD, choices=Stage.choices, default=Stage.OPEN)
    open = models.BooleanField(null=True, default=True)
    opened_at = models.DateTimeField()
    assigned_to: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    assigned_at = models.DateTimeField(null=True)
    taken_by: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
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
    by: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
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
    by: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    what = models.CharField(max_length=MAX_WORD, choices=What.choices)
    reason = models.CharField(max_length=MAX_REASON)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.what} in {self.case_id}"


class PressLimit(models.Model):
    """Until a time, a person may write only notes and messages to game masters.

    It applies in one game or everywhere, and a successful appeal ends it early.
    """

    decision = models.OneToOneField(
        "press.Decision", on_delete=models.PROTECT, primary_key=True, related_name="limit"
    )
    user: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, related_name="+")
    until = models.DateTimeField()

    class Meta:
        indexes = (models.Index(fields=("user", "until"), name="press_limit"),)

    def __str__(self) -> str:
        return f"press of {self.user_id} limited"


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

    at = models.DateTimeField()
    by: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    act = models.CharField(max_length=MAX_WORD, choices=Act.choices)
    case = models.ForeignKey(Case, on_delete=models.PROTECT, null=True, related_name="+")
    person: "models.ForeignKey[User | None, User | None]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, related_name="+")
    detail = models.CharField(max_length=MAX_REASON, blank=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.act} {self.pk}"
