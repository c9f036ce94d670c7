"""The endings of games with a time limit, and of games in which a player has several powers."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.phases import Phase, Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Ending
from diplomaccloud.judge.victory import ending_by_centers, list_pieces

if TYPE_CHECKING:
    from datetime import date

FIRST_MONDAY = 1
"""The number in `date.toordinal` of the first day of the calendar, January 1 of the year 1."""


def find_shared_ending(
    board: Board,
    centers: Mapping[ProvinceCode, Power],
    players: Sequence[Collection[Power]],
    needed: int,
    when: str,
) -> Ending | None:
    """Return the ending if one player's powers together own `needed` centers, otherwise `None`.

    This is for games in which a player has several powers: with two players, 24 centers win (2000
    rulebook, "Alternate Way to Play"). If several players have enough, the one with the most wins.
    """
    owned = Counter(centers.values())
    totals = [sum(owned[power] for power in powers) for powers in players]
    best = max(totals, default=0)
    if best < needed or totals.count(best) > 1:
        return None
    winners = tuple(sorted(players[totals.index(best)]))
    return ending_by_centers(board, winners, best, when)


class Measure(StrEnum):
    """The things that count at the time limit."""

    CENTERS = "centers"
    PIECES = "pieces"


@dataclass(frozen=True, slots=True)
class ShortGame:
    """The end of a game with a time limit: after a turn, after a number of turns, or either.

    `last` is the movement phase of the last turn, or a later phase before the next turn; `turns`
    counts from the first turn of the game.
    """

    last: Phase | None = None
    turns: int | None = None
    measure: Measure = Measure.CENTERS


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """The reason why time is up, as the key of a sentence in the message catalog.

    `key` is `after_year` or `without_people` with the parameter `year`, or `on_date` with `date`.
    """

    key: str
    parameters: Mapping[str, int | str]


def turns_between(first: "date", end: "date", weekdays: Collection[int]) -> int:
    """Return how many turns are due from `first` to `end`, inclusive.

    `weekdays` are the days on which orders are due, with Monday as 0; in the errata of document 2,
    they are Wednesday and Sunday.
    """
    days = range(first.toordinal(), end.toordinal() + 1)
    return sum((day - FIRST_MONDAY) % 7 in weekdays for day in days)


def short_ending(
    board: Board,
    position: Position,
    game: ShortGame,
    players: Sequence[Collection[Power]] | None = None,
) -> Ending | None:
    """Return the ending of a short game if its time is up in `position`, otherwise `None`.

    See `time_up` for the winner.
    """
    phase = position.phase
    if phase.stage is not Stage.MOVEMENT:
        return None
    late = game.last is not None and phase.order > game.last.order
    if not late and (game.turns is None or phase.count_turns(board.first_year) < game.turns):
        return None
    limit = TimeLimit("after_year", {"year": phase.year_over})
    return time_up(board, position, game.measure, limit, players)


def time_up(
    board: Board,
    position: Position,
    measure: Measure,
    limit: TimeLimit,
    players: Sequence[Collection[Power]] | None = None,
) -> Ending | None:
    """Return the ending at the time limit: the player with the most wins, shared if tied.

    `players` groups the powers that count together; if it is None, each counts on its own. Powers
    without a player do not count.
    """
    tally = Counter(position.centers.values())
    if measure is Measure.PIECES:
        tally = Counter(unit.power for unit in list_pieces(position))
    counted = players if players is not None else [(power,) for power in sorted(tally)]
    totals = [sum(tally[power] for power in powers) for powers in counted]
    best = max(totals, default=0)
    if not best:
        return None
    leaders = [
        sorted(powers) for powers, total in zip(counted, totals, strict=True) if total == best
    ]
    power_name = geography(board).power
    names = " and ".join(", ".join(map(power_name, powers)) for powers in leaders)
    winners = tuple(sorted(power for powers in leaders for power in powers))
    key = f"time_up_{limit.key}_{measure.value}"
    return Ending.of(winners, key, leaders=names, best=best, **limit.parameters)
