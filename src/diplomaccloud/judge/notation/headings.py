"""Finds names of powers that head orders."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.notation.names import names_of, power_spellings
from diplomaccloud.judge.notation.words import name_tokens


def split_heading(part: str, board: Board) -> tuple[Power | None, str]:
    """Return the power named before a colon, if any, and what follows it."""
    heading, colon, rest = part.partition(":")
    if not colon or len(heading) > 40:
        return None, part
    words = name_tokens(heading)
    found = names_of(board).power(words, 0)
    if found is None or found[1] != len(words):
        return None, part
    return found[0], rest.strip()


def split_by_headings(
    lines: Iterable[tuple[int, str]], board: Board
) -> Iterator[tuple[int, Power | None, str]]:
    """Yield the parts of numbered lines, each with the power whose name begins it, if one does.

    A name without a colon begins a part only at the start of its line or of a sentence.
    """
    # Looked up once, because comparing equal boards takes long.
    pattern = _headings(board)
    for number, line in lines:
        for power, part in _parts(line, pattern, board):
            yield number, power, part


def _parts(line: str, pattern: re.Pattern[str], board: Board) -> Iterator[tuple[Power | None, str]]:
    start: tuple[Power | None, int] = (None, 0)
    for match in pattern.finditer(line):
        before = line[max(0, match.start() - 4) : match.start()].rstrip()
        if before and before[-1] not in '.,;:"' and match["colon"] is None:
            continue
        yield start[0], line[start[1] : match.start()]
        found = names_of(board).power(name_tokens(match["name"]), 0)
        start = (found[0] if found else None, match.end())
    yield start[0], line[start[1] :]


@lru_cache(maxsize=16)
def _headings(board: Board) -> re.Pattern[str]:
    """Return the pattern of a power's name that heads orders."""
    spelled = {word for info in board.powers for word in power_spellings(info)}
    names = "|".join(re.escape(word) for word in sorted(spelled, key=len, reverse=True))
    verbs = "builds|removes|disbands|retreats|waives|writes|orders|does"
    return re.compile(
        rf"(?<![^\W_])(?P<name>{names})"
        rf"(?:\s*(?P<colon>:)|\s+(?:writes|orders)\b,?|(?=\s+(?:{verbs})\b)|\s*,(?=\s*\w)|\s*$)",
        re.IGNORECASE,
    )
