"""What the site prints in place of a person's name, or beside names.

Nobody can have one as a screen name, or a name that looks like one: see `screen_names`. So a text
that is printed where a name could be must come from here.
"""

from enum import StrEnum
from typing import Final


class Label(StrEnum):
    """A text in place of a name; case and an article make no difference."""

    GUEST = "Guest"
    DELETED = "deleted player"
    PLAYER = "a player"
    ANOTHER_PLAYER = "Another player"
    NEW_PLAYER = "A new player"
    PREVIOUS_PLAYER = "previous player"
    HIDDEN = "a person whose name is hidden"
    NOBODY = "nobody"
    VACANT = "vacant"
    SITE = "the site"
    MASTER = "the game master"
    CREATOR = "The creator of the game"
    MODERATOR = "a moderator"
    MODERATORS = "Moderators"
    COMMAND_LINE = "The command line"
    VOTE = "a vote"
    UNSIGNED = "Unsigned"
    GRAY = "Gray"
    GRAY_MESSAGES = "Gray messages"
    EVERYONE = "Everyone"
    EVERYONE_UNSIGNED = "everyone, unsigned"
    TABLE = "the table"
    NOTES = "Notes"
    YOU = "you"
    YOURSELF = "yourself"

    @property
    def heading(self) -> str:
        """The label without its article, at the start of a line: `Game master`."""
        plain = strip_article(self)
        return plain[:1].upper() + plain[1:]


NUMBERED_NAME: Final = "Player-{number}"
"""The neutral name of a person whose name a moderator hides; reserved with every number."""


def strip_article(text: str) -> str:
    """Return the text without `a` or `the` at its start."""
    article, _, rest = text.partition(" ")
    return rest if rest and article.lower() in ("a", "the") else text
