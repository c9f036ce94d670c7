"""Checks that the options of a new game make sense together and on its map."""

import datetime as dt
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from diplomaccloud.games.options.options import Ends, Master, Options, Press
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.position import starting_position
from diplomaccloud.judge.rules import DEFAULT, RuleSet
from diplomaccloud.judge.standard.setups import setups
from diplomaccloud.maps.library import find_chart
from diplomaccloud.maps.models import StoredChart
from diplomaccloud.maps.setup_maps import find_map_setup
from diplomaccloud.schedule import Calendar, Interval, format_duration
from diplomaccloud.schedule.local_time import find_zone

MIN_GRAY_PHASE = dt.timedelta(hours=1)
"""In shorter phases, gray messages would appear only after the phase has ended."""


@dataclass(frozen=True, slots=True)
class GamePlan:
    """The creator's choices for a new game."""

    world: str
    map_hash: str
    options: Options
    rules: RuleSet = DEFAULT
    private: bool = False


@dataclass(frozen=True, slots=True)
class OptionFault:
    """An option that makes no sense: `part` is its name, `what` a sentence to show the creator."""

    part: str
    what: str


@dataclass(frozen=True, slots=True)
class _Start:
    """A board, and the largest number of centers that a country or a player has at the start."""

    board: Board
    most: int
    owner: str


def plan_faults(plan: GamePlan, *, now: dt.datetime) -> tuple[OptionFault, ...]:
    """Return the faults in the options of a plan; faults about its map only if the map exists."""
    options, chart = plan.options, StoredChart.objects.filter(content_hash=plan.map_hash)
    found = [
        *_find_cap_faults(options),
        *_find_date_faults(options, now),
        *_find_press_faults(options),
    ]
    if (row := chart.defer("text").first()) is not None:
        start = _find_start(plan.map_hash, options.setup or find_map_setup(row))
        found += [
            *_find_center_faults(options.ends, start),
            *_find_year_faults(options.ends, start.board),
        ]
    return tuple(found)


def _find_start(map_hash: str, setup_name: str) -> _Start:
    setup = setups().get(setup_name)
    if setup is None:
        board = find_chart(map_hash).board
        owned = Counter(starting_position(board).centers.values())
        return _Start(board, max(owned.values(), default=0), "A country")
    owned = Counter(setup.position.centers.values())
    if setup.shared_centers is None:
        return _Start(setup.board, max(owned.values(), default=0), "A country")
    most = max(sum(owned[power] for power in powers) for powers in setup.players)
    return _Start(setup.board, most, "A player")


def _find_cap_faults(options: Options) -> Iterator[OptionFault]:
    caps = options.schedule.caps
    for part, longest, total in (
        ("extension", caps.extension, caps.extensions),
        ("pause", caps.pause, caps.pauses),
    ):
        if longest > total:
            limit = format_duration(total)
            why = f"One {part} cannot be longer than the total allowed for a phase, {limit}."
            if not total:
                why = f"The total for all {part}s of a phase is zero, so leave this blank too."
            yield OptionFault(part, why)


def _find_date_faults(options: Options, now: dt.datetime) -> Iterator[OptionFault]:
    last, zone = options.ends.date, find_zone(options.schedule.plan.zone)
    if last is not None and last < now.astimezone(zone).date():
        day = f"{last:%B} {last.day}, {last.year}"
        yield OptionFault("date", f"The game cannot end on {day}, which is in the past.")


def _find_press_faults(options: Options) -> Iterator[OptionFault]:
    talk, shortest = options.talk, _find_shortest_phase(options.schedule.plan)
    if talk.gray and options.press is Press.NONE:
        yield OptionFault("gray", "A game without press has no gray messages either.")
    elif talk.gray and shortest < MIN_GRAY_PHASE:
        yield OptionFault(
            "gray",
            "Gray messages appear every quarter of an hour, "
            "so every phase must last at least an hour.",
        )
    if talk.master_reads and options.press is Press.NONE:
        yield OptionFault("master_reads", "A game without press has no private messages.")
    elif talk.master_reads and options.master is not Master.CREATOR:
        yield OptionFault(
            "master_reads",
            "Only a game master who does not play may read messages. Choose yourself as game "
            "master without playing, or turn this off.",
        )
    if talk.writing and options.press is not Press.RULEBOOK:
        yield OptionFault("writing", "Only press as in the rulebook has quiet time. Leave it at 0.")
    elif talk.writing and talk.writing >= _find_movement_length(options.schedule.plan):
        yield OptionFault("writing", "Quiet time must be shorter than the time for moves.")


def _find_shortest_phase(plan: Interval | Calendar) -> dt.timedelta:
    """Return the length of the shortest phase, according to the schedule."""
    if isinstance(plan, Interval):
        return min(plan.lengths.movement, plan.lengths.retreats, plan.lengths.adjustments)
    lengths = (plan.least, plan.retreats, plan.adjustments)
    return min(length for length in lengths if isinstance(length, dt.timedelta))


def _find_movement_length(plan: Interval | Calendar) -> dt.timedelta:
    """Return the shortest time for moves."""
    return plan.lengths.movement if isinstance(plan, Interval) else plan.least


def _find_center_faults(ends: Ends, start: _Start) -> Iterator[OptionFault]:
    needed, available = ends.centers, len(start.board.centers)
    if needed is None:
        return
    if needed > available:
        yield OptionFault(
            "centers", f"This map has only {available} centers, so no player can own {needed}."
        )
    elif needed <= start.most:
        has = f"{start.most} center{'s' if start.most != 1 else ''}"
        why = f"{start.owner} begins with {has}, so winning must require more than that."
        yield OptionFault("centers", why)


def _find_year_faults(ends: Ends, board: Board) -> Iterator[OptionFault]:
    if ends.last_year is not None and ends.last_year < board.first_year:
        yield OptionFault("last_year", f"The game cannot end before {board.first_year}.")
