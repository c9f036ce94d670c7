"""What people are notified of in press besides messages."""

from enum import StrEnum


class PressEventKind(StrEnum):
    """What happened, as stored; the words for it are those of notices."""

    PROPOSAL_ANSWERED = "proposal answered"
    """A party answered the proposal of `message`; for the other parties."""
    LOOKED_AT = "looked at"
    """The game master or a moderator read messages; for the people who could read them."""
    REPORT_WAITING = "report waiting"
    """A report has to be judged; for those who judge it."""
    REPORT_DECIDED = "report decided"
    """A report was decided; for the person who made it."""
    JUDGED = "judged"
    """A moderator decided about a person, for that person; `data` has the `decision`."""
    OPENING = "opening"
    """The conversation of a finished game was opened or closed; for its members."""
