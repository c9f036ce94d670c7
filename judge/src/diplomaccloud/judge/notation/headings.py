"""Finds powers' names that head orders: before a colon, before a verb, or alone on a line."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.notation.words import name_tokens, names_of, power_spellings

MAX_HEADING = 40
"""The longest power name to look for before a colon, in characters."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section of numbered lines, and the power whose name heads it, if any.

    `within_line` says that it starts in the middle of the previous section's last line.
    """

    power: Power | None
    lines: tuple[tuple[int, str], ...]
    within_line: bool = False


def split_heading(part: str, board: Board) -> tuple[Power | None, str]:
    """Return the power named before a colon, if any, and the text after it."""
    heading, colon, rest = part.partition(":")
    if not colon or len(heading) > MAX_HEADING:
        return None, part
    words = name_tokens(heading)
    named = names_of(board).power(words, 0)
    if named is None or named[1] != len(words):
        return None, part
    return named[0], rest.strip()


def split_by_headings(lines: Iterable[tuple[int, str]], board: Board) -> Iterator[Section]:
    """Yield the sections of numbered lines; the first has no heading and may be empty.

    A name without a colon starts a section only at the start of a line or a sentence.
    """
    # Looked up once, because comparing equal boards is slow.
    pattern = _heading_pattern(board)
    heading: Power | None = None
    within_line = False
    section: list[tuple[int, str]] = []
    for number, line in lines:
        has_text = False
        for power, part in _split_line(line, pattern, board):
            if power is not None:
                yield Section(heading, tuple(section), within_line)
                heading, section, within_line = power, [], has_text
            if part.strip():
                section.append((number, part.strip()))
                has_text = True
    yield Section(heading, tuple(section), within_line)


def _split_line(
    line: str, pattern: re.Pattern[str], board: Board
) -> Iterator[tuple[Power | None, str]]:
    start: tuple[Power | None, int] = (None, 0)
    for match in pattern.finditer(line):
        before = line[max(0, match.start() - 4) : match.start()].rstrip()
        if before and before[-1] not in '.,;:"' and match["colon"] is None:
            continue
        yield start[0], line[start[1] : match.start()]
        named = names_of(board).power(name_tokens(match["name"]), 0)
        start = (named[0] if named else None, match.end())
    yield start[0], line[start[1] :]


@lru_cache(maxsize=16)
def _heading_pattern(board: Board) -> re.Pattern[str]:
    """Return a pattern for the name of a power that heads orders."""
    spelled = {word for info in board.powers for word in power_spellings(info)}
    names = "|".join(re.escape(word) for word in sorted(spelled, key=len, reverse=True))
    verbs = "builds|removes|disbands|retreats|waives|writes|orders|does"
    return re.compile(
        rf"(?<![^\W_])(?P<name>{names})"
        rf"(?:\s*(?P<colon>:)|\s+(?:writes|orders)\b,?|(?=\s+(?:{verbs})\b)|\s*,(?=\s*\w)|\s*$)",
        re.IGNORECASE,
    )
