"""Whether a game is over when a phase has been judged, and who has won it."""

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
    find_shared_ending,
    short_ending,
    time_up,
)
from diplomaccloud.schedule import format_day
from diplomaccloud.schedule.local_time import day_and_time, find_zone


def find_outcome(phase: Phase, resolution: Resolution, count: Count) -> Ending | None:
    """Return how the game ends with this phase, `None` if it goes on.

    Victory comes before the votes written with the orders, and these before time.
    """
    after, game = resolution.next, phase.game
    won = resolution.ending or _won_together(phase, after)
    if won or count.ending:
        return won or count.ending
    judged = JudgePhase.parse(phase.name)
    out = phase.unplayed_powers(judged).union(count.surrendered)
    # Who joins somebody in the phase to come has not joined when time is up before it.
    together = counted_together(game, judged, out)
    return (
        _out_of_turns(game, after, together)
        or _out_of_days(phase, after, together)
        or _out_of_people(phase, after, count, together)
    )


def day_of(phase: Phase) -> dt.date:
    """Return the day, in the zone of the game's schedule, on which the phase is processed.

    Midnight belongs to the day that it ends. It is the time agreed on: a site that was late
    has not made a game shorter.
    """
    zone = find_zone(phase.game.options.schedule.plan.zone)
    day, _ = day_and_time(phase.adjudicate_at, zone)
    return day


def counted_together(
    game: Game, when: JudgePhase, out: frozenset[Power]
) -> list[tuple[Power, ...]]:
    """Return the powers whose centers count together in the phase `when`; idle ones do not.

    Nor do those in `out`, whose players have left or surrendered, unless nobody else is there.
    """
    setup, players = game.setup, game.players_at(when)
    if setup is None or setup.shared_centers is None:
        players = tuple((power,) for powers in players for power in powers)
    return [powers for powers in players if not out.issuperset(powers)] or list(players)


def _won_together(phase: Phase, after: Position) -> Ending | None:
    """Return the victory of a player whose powers together own enough centers, else `None`.

    A power that a coin gives to a player in the phase to come counts for that player: it has
    joined by then, and the first to control enough wins. Source: 2000 rulebook, "Alternate Way
    to Play".
    """
    game, setup = phase.game, phase.game.setup
    if setup is None or setup.shared_centers is None:
        return None
    board, judged = game.board_at(after.phase), JudgePhase.parse(phase.name)
    players = game.players_at(after.phase)
    when = f"{judged.season.word} {judged.year}"
    if setup.coin is not None and judged.order < setup.coin.joins.order <= after.phase.order:
        when += f", when {board.power_info[setup.coin.power].name} joined"
    return find_shared_ending(board, after.centers, players, game.centers_to_win, when)


def _out_of_turns(
    game: Game, after: Position, together: Sequence[Collection[Power]]
) -> Ending | None:
    ends = game.options.ends
    if ends.last_year is None and ends.turns is None:
        return None
    last = ends.last_year and JudgePhase(Season.FALL, ends.last_year, Stage.MOVEMENT)
    short = ShortGame(last=last or None, turns=ends.turns, measure=ends.measure)
    return short_ending(game.board_at(after.phase), after, short, together)


def _out_of_days(
    phase: Phase, after: Position, together: Sequence[Collection[Power]]
) -> Ending | None:
    game, ends = phase.game, phase.game.options.ends
    if ends.date is None or day_of(phase) < ends.date:
        return None
    when = f"on {in_full(ends)}"
    return time_up(game.board_at(after.phase), after, ends.measure, when, together)


def _out_of_people(
    phase: Phase, after: Position, count: Count, together: Sequence[Collection[Power]]
) -> Ending | None:
    """Return the end of a game of bots alone after its last year; nobody may lead it any more."""
    game = phase.game
    if not is_bots_only_time_up(
        game, after, frozenset(phase.civil_disorder).union(count.surrendered)
    ):
        return None
    when = f"after {after.phase.year - 1}, with no person left to play"
    ending = time_up(game.board_at(after.phase), after, game.measure, when, together)
    return ending or Ending((), f"Time was up {when}.")


def in_full(ends: Ends) -> str:
    """Return `Sunday 20 December 2026`; blank without a date."""
    return f"{format_day(ends.date)} {ends.date.year}" if ends.date else ""
