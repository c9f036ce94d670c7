"""The findings of a check."""

from dataclasses import dataclass
from enum import IntEnum


class Level(IntEnum):
    """How bad a finding is; also the exit status of the command."""

    GOOD = 0
    ATTENTION = 1
    """The site works, but should be fixed."""
    WRONG = 2


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence about a part of the site, and how to fix it."""

    part: str
    level: Level
    what: str
    fix: str = ""


def good(part: str, what: str) -> Finding:
    """Return a finding that needs no action."""
    return Finding(part, Level.GOOD, what)


def attention(part: str, what: str, fix: str) -> Finding:
    """Return a finding that should be fixed at some point."""
    return Finding(part, Level.ATTENTION, what, fix)


def wrong(part: str, what: str, fix: str) -> Finding:
    """Return a finding that must be fixed now."""
    return Finding(part, Level.WRONG, what, fix)
