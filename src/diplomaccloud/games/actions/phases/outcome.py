"""Whether a game is over after a phase has been adjudicated, and who won it."""

import datetime as dt
from collections.abc import Collection, Sequence

from diplomaccloud.games.actions.phases.bots_only import is_bots_only_time_up
from diplomaccloud.games.models import Game, Phase
from diplomaccloud.games.options.options import Ends
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.draw_votes import Count
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.phases import Season, Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Ending, Resolution
from diplomaccloud.judge.victory import (
    ShortGame,
    TimeLimit,
    find_shared_ending,
    short_ending,
    time_up,
)
from diplomaccloud.schedule import format_day
from diplomaccloud.schedule.local_time import day_and_time, find_zone


def find_outcome(phase: Phase, resolution: Resolution, count: Count) -> Ending | None:
    """Return how the game ends with this phase, or None if it continues.

    A victory takes precedence over draw votes, and draw votes over the limits of the game.
    """
    after, game = resolution.next, phase.game
    won = resolution.ending or _find_shared_victory(phase, after)
    if won or count.ending:
        return won or count.ending
    current = JudgePhase.parse(phase.name)
    out = phase.unplayed_powers(current).union(count.surrendered)
    # A power that would join a player in the next phase does not count if time is up now.
    groups = group_powers(game, current, out)
    return (
        _find_end_by_turns(game, after, groups)
        or _find_end_by_date(phase, after, groups)
        or _find_end_without_people(phase, after, count, groups)
    )


def due_day(phase: Phase) -> dt.date:
    """Return the day on which the phase is due, in the time zone of the game's schedule.

    Midnight belongs to the day that it ends. The due time decides, not the time of processing, so
    that a delay of the site does not shorten a game.
    """
    zone = find_zone(phase.game.options.schedule.plan.zone)
    day, _ = day_and_time(phase.adjudicate_at, zone)
    return day


def group_powers(game: Game, when: JudgePhase, out: frozenset[Power]) -> list[tuple[Power, ...]]:
    """Return the groups of powers whose centers count together in the phase `when`.

    Groups whose powers are all in `out` have no player, and are left out unless there are no
    others.
    """
    setup, players = game.setup, game.players_at(when)
    if setup is None or setup.shared_centers is None:
        players = tuple((power,) for powers in players for power in powers)
    return [powers for powers in players if not out.issuperset(powers)] or list(players)


def _find_shared_victory(phase: Phase, after: Position) -> Ending | None:
    """Return the victory of a player whose powers own enough centers together, or None.

    A power that the coin flip gives to a player in the next phase already counts for that player,
    and the first to control enough centers wins. Source: 2000 rulebook, "Alternate Way
    to Play".
    """
    game, setup = phase.game, phase.game.setup
    if setup is None or setup.shared_centers is None:
        return None
    board, current = game.board_at(after.phase), JudgePhase.parse(phase.name)
    players = game.players_at(after.phase)
    when = f"{current.season.word} {current.year}"
    if setup.coin is not None and current.order < setup.coin.joins.order <= after.phase.order:
        when += f", when {board.power_info[setup.coin.power].name} joined"
    return find_shared_ending(board, after.centers, players, game.centers_to_win, when)


def _find_end_by_turns(
    game: Game, after: Position, groups: Sequence[Collection[Power]]
) -> Ending | None:
    ends = game.options.ends
    if ends.last_year is None and ends.turns is None:
        return None
    last = ends.last_year and JudgePhase(Season.FALL, ends.last_year, Stage.MOVEMENT)
    short = ShortGame(last=last or None, turns=ends.turns, measure=ends.measure)
    return short_ending(game.board_at(after.phase), after, short, groups)


def _find_end_by_date(
    phase: Phase, after: Position, groups: Sequence[Collection[Power]]
) -> Ending | None:
    game, ends = phase.game, phase.game.options.ends
    if ends.date is None or due_day(phase) < ends.date:
        return None
    limit = TimeLimit("on_date", {"date": format_end_date(ends)})
    return time_up(game.board_at(after.phase), after, ends.measure, limit, groups)


def _find_end_without_people(
    phase: Phase, after: Position, count: Count, groups: Sequence[Collection[Power]]
) -> Ending | None:
    """Return the end of a game that only bots play, after its last year."""
    game = phase.game
    if not is_bots_only_time_up(
        game, after, frozenset(phase.civil_disorder).union(count.surrendered)
    ):
        return None
    year = after.phase.year - 1
    limit = TimeLimit("without_people", {"year": year})
    ending = time_up(game.board_at(after.phase), after, game.measure, limit, groups)
    return ending or Ending.of((), "time_up_without_people", year=year)


def format_end_date(ends: Ends) -> str:
    """Return `Sunday, December 20, 2026`; blank without a date."""
    return f"{format_day(ends.date)}, {ends.date.year}" if ends.date else ""
