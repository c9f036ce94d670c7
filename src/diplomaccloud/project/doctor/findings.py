"""What a check of a site finds."""

from dataclasses import dataclass
from enum import IntEnum


class Level(IntEnum):
    """How bad a finding is; also the exit status of the command."""

    GOOD = 0
    ATTENTION = 1
    """The site works, but should not stay so."""
    WRONG = 2


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about a part of the site, in a sentence, and what to do about it."""

    part: str
    level: Level
    what: str
    fix: str = ""


def good(part: str, what: str) -> Finding:
    """Return a finding that needs nothing."""
    return Finding(part, Level.GOOD, what)


def attention(part: str, what: str, fix: str) -> Finding:
    """Return a finding that should be fixed some day."""
    return Finding(part, Level.ATTENTION, what, fix)


def wrong(part: str, what: str, fix: str) -> Finding:
    """Return a finding that must be fixed now."""
    return Finding(part, Level.WRONG, what, fix)
