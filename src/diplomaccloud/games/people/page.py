"""A person's page as its template shows it."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from diplomaccloud.games.hall.page import CardView, present_card
from diplomaccloud.games.hall.read import Card
from diplomaccloud.games.people.read import FinishedGame, MapResults, Profile, Results
from diplomaccloud.games.people.wording import (
    describe_activity,
    describe_reliability,
    describe_rivalry,
    name_map,
)
from diplomaccloud.games.ratings.read import KindRating, PersonRatings
from diplomaccloud.judge.drawing.europe import standard_chart

MAX_FINISHED_CARDS: Final = 3
"""How many finished games are cards; older ones are lines of a table."""
_WIDTH, _HEIGHT, _LEFT, _EDGE = 640, 180, 48, 12
"""The size of the curves, the space for their marks, and the margin."""
_STEP: Final = 50


@dataclass(frozen=True, slots=True)
class FavoriteView:
    """A country that the person often plays; `color` is blank in new worlds."""

    name: str
    color: str
    games: int
    solos: int


@dataclass(frozen=True, slots=True)
class Line:
    """The curve of one kind of rating, as the points of an SVG polyline."""

    kind: str
    points: str


@dataclass(frozen=True, slots=True)
class Curves:
    """Curves over one another; `marks` are heights in the picture with their ratings."""

    width: int
    height: int
    left: int
    lines: tuple[Line, ...]
    marks: tuple[tuple[float, int], ...]


@dataclass(frozen=True, slots=True)
class ProfileView:
    """A person's page: sentences, results by map, cards, and the older finished games.

    `results` are the names of maps with their results. `rivals` are names with the number of games
    together and the score.
    """

    activity: str
    reliability: str
    running: tuple[CardView, ...]
    finished: tuple[tuple[CardView, FinishedGame], ...]
    older: tuple[FinishedGame, ...]
    total: Results
    results: tuple[tuple[str, MapResults], ...]
    favorites: tuple[FavoriteView, ...]
    rivals: tuple[tuple[str, int, str], ...]
    ratings: tuple[KindRating, ...]
    curves: Curves | None


def list_card_keys(profile: Profile) -> list[int]:
    """Return the keys of the games that are shown as cards."""
    return [*profile.running, *(game.key for game in profile.games[:MAX_FINISHED_CARDS])]


def present_profile(
    profile: Profile, cards: Mapping[int, Card], ratings: PersonRatings, now: dt.datetime
) -> ProfileView:
    """Return a person's page; `cards` has the games of `list_card_keys`."""
    shown = profile.games[:MAX_FINISHED_CARDS]
    return ProfileView(
        activity=describe_activity(profile.person),
        reliability=describe_reliability(profile.person.reliability),
        running=tuple(present_card(cards[key], now) for key in profile.running if key in cards),
        finished=tuple(
            (present_card(cards[game.key], now), game) for game in shown if game.key in cards
        ),
        older=profile.games[MAX_FINISHED_CARDS:],
        total=sum((row.results for row in profile.results), Results()),
        results=tuple((name_map(row), row) for row in profile.results),
        favorites=tuple(
            FavoriteView(
                row.country,
                _printed_colors().get(row.country, "") if row.is_europe else "",
                row.games,
                row.solos,
            )
            for row in profile.favorites
        ),
        rivals=tuple((row.name, row.games, describe_rivalry(row)) for row in profile.rivals),
        ratings=ratings.ratings,
        curves=_draw_curves(ratings.ratings),
    )


def _draw_curves(ratings: Sequence[KindRating]) -> Curves | None:
    """Return the curves of kinds with two games or more; None without any."""
    drawn = [rating for rating in ratings if len(rating.curve) > 1]
    if not drawn:
        return None
    numbers = [point.points for rating in drawn for point in rating.curve]
    times = [point.at.timestamp() for rating in drawn for point in rating.curve]
    low, high = min(numbers) // _STEP * _STEP, -(-(max(numbers) + 1) // _STEP) * _STEP
    begin, length = min(times), max(max(times) - min(times), 1.0)
    across, down = _WIDTH - _LEFT - _EDGE, _HEIGHT - 2 * _EDGE

    def place(at: dt.datetime, points: int) -> str:
        x = _LEFT + across * (at.timestamp() - begin) / length
        return f"{x:.1f},{find_height(points):.1f}"

    def find_height(points: int) -> float:
        return round(_EDGE + down * (high - points) / (high - low), 1)

    marks = range(low, high + 1, max(_STEP, -(-(high - low) // (4 * _STEP)) * _STEP))
    lines = (
        Line(rating.kind.value, " ".join(place(each.at, each.points) for each in rating.curve))
        for rating in drawn
    )
    shown = tuple((find_height(mark), mark) for mark in marks)
    return Curves(_WIDTH, _HEIGHT, _LEFT, tuple(lines), shown)


@cache
def _printed_colors() -> dict[str, str]:
    """Return the colors of the countries of Europe by their printed names."""
    chart = standard_chart()
    return {info.name: chart.palette.get(info.power, "") for info in chart.board.powers}
