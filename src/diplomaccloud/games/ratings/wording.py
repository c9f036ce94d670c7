"""The kinds of ratings, and how a rating is written."""

from enum import StrEnum
from typing import Final

from diplomaccloud.games.table.options import Press


class Kind(StrEnum):
    """What a person has a rating for: games in which people may write to each other, or not."""

    FULL = "full"
    PUBLIC = "public"
    NONE = "none"

    @property
    def heading(self) -> str:
        """The kind as a heading."""
        return _HEADINGS[self]


_HEADINGS: Final = {
    Kind.FULL: "Full press",
    Kind.PUBLIC: "Public press",
    Kind.NONE: "No press",
}
KIND_OF_PRESS: Final = {
    Press.FULL: Kind.FULL,
    Press.RULEBOOK: Kind.FULL,
    Press.PUBLIC: Kind.PUBLIC,
    Press.NONE: Kind.NONE,
}


def write_points(points: int, *, is_provisional: bool) -> str:
    """Return a rating as people read it: `1512`, or `1512?` while it is provisional."""
    return f"{points}?" if is_provisional else str(points)
