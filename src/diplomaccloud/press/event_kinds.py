"""The press events that people are notified of, besides messages."""

from enum import StrEnum


class PressEventKind(StrEnum):
    """What happened, as stored. Notices have the wording."""

    PROPOSAL_ANSWERED = "proposal answered"
    """A party answered the proposal of `message`; for the other parties."""
    LOOKED_AT = "looked at"
    """The game master or a moderator read messages; for the people who could read them."""
    REPORT_WAITING = "report waiting"
    """A report is waiting for a decision; for those who judge it."""
    REPORT_DECIDED = "report decided"
    """A report was decided; for the reporter."""
    JUDGED = "judged"
    """A moderator made a decision about a person; for that person. `data` has the `decision`."""
    OPENING = "opening"
    """The conversation of a finished game was opened or closed; for its members."""
