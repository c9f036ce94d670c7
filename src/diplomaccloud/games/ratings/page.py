"""What the page of a list of the best shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from diplomaccloud.games.ratings.read import Leaderboard, Listed
from diplomaccloud.games.ratings.wording import Kind

_LINES: Final = 25
"""How many lines a fragment has: after a change of one, the others need not be rendered again."""


@dataclass(frozen=True, slots=True)
class KindLink:
    """A link to the list of a kind."""

    heading: str
    url: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """A list as a template shows it; an address is blank if there is no such page.

    `parts` are the lines of the page, a fragment each. `you` is set if the viewer is on the list,
    but not on this page.
    """

    heading: str
    kinds: Sequence[KindLink]
    parts: Sequence[tuple[Listed, ...]]
    page: int
    pages: int
    previous_url: str
    next_url: str
    you: Listed | None
    your_url: str


def present_leaderboard(board: Leaderboard) -> LeaderboardPage:
    """Return what the page of a list shows."""
    is_here = any(line.is_you for line in board.people)
    return LeaderboardPage(
        heading=board.kind.heading,
        kinds=[KindLink(kind.heading, _make_url(kind), kind is board.kind) for kind in Kind],
        parts=[board.people[i : i + _LINES] for i in range(0, len(board.people), _LINES)],
        page=board.page,
        pages=board.pages,
        previous_url=_make_url(board.kind, board.page - 1) if board.page > 1 else "",
        next_url=_make_url(board.kind, board.page + 1) if board.page < board.pages else "",
        you=None if is_here else board.you,
        your_url=f"{_make_url(board.kind, board.your_page)}#you" if board.you else "",
    )


def _make_url(kind: Kind, page: int = 1) -> str:
    url = reverse("ratings-of", args=[kind.value])
    return url if page <= 1 else f"{url}?page={page}"
