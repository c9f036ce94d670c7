"""The grounds of reports, the stages of cases, and their outcomes."""

from typing import Final

from django.db import models


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


WAITING: Final = (Stage.OPEN, Stage.APPEALED)


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
