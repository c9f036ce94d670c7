"""Statistics of what the powers did to each other in the processed phases of a game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from diplomaccloud.games.results.read import read_phase_names
from diplomaccloud.games.statistics.deeds import RunningTally, Tally, tally_from_json
from diplomaccloud.games.statistics.models import PhaseFigures
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Phase as PhaseRow
from diplomaccloud.games.table.read import Reader
from diplomaccloud.judge.board import Power, ProvinceCode
from diplomaccloud.judge.phases import Phase

Owners = Mapping[ProvinceCode, Power]


@dataclass(frozen=True, slots=True)
class GameTally:
    """The statistics of a game.

    `uncounted` are those of phases for which none are stored yet, by their numbers.
    """

    total: Tally
    uncounted: Mapping[int, Tally]


def read_tally(reader: Reader) -> GameTally:
    """Return what the powers did in the processed phases."""
    return tally_phases(reader.rows.game, [name.sequence for name in read_phase_names(reader)])


def tally_phases(game: Game, sequences: Sequence[int]) -> GameTally:
    """Return the statistics of processed phases of a game, which are in their order."""
    columns = ("phase__sequence", "phase__name", "counts")
    figures = PhaseFigures.objects.filter(phase__game=game, phase__sequence__in=sequences)
    counted = {sequence: row for sequence, *row in figures.values_list(*columns)}
    missing = [sequence for sequence in sequences if sequence not in counted]
    rows = PhaseRow.objects.filter(game=game, sequence__in=missing) if missing else ()
    phases = {row.sequence: row for row in rows}
    running, uncounted = RunningTally(), {}
    for sequence in sequences:
        if sequence in counted:
            name, counts = counted[sequence]
            phase = Phase.parse(name)
            running.add(phase, tally_from_json(counts, phase))
        else:
            row = phases[sequence]
            row.game = game
            uncounted[sequence] = running.count(row.position, row.resolution)
    return GameTally(running.total, uncounted)


def read_owners(reader: Reader) -> dict[int, Owners]:
    """Return the owners of the centers by year.

    The first year is the one before the game's first, with the owners at the start; the last
    year shows the owners now.
    """
    rows = reader.rows
    start = rows.game.starting_position
    by_year: dict[int, Owners] = {start.phase.year - 1: start.centers}
    # Ownership changes once a year, so the first phase of a year has the previous year's result.
    openings = rows.phases.filter(name__startswith="S", name__endswith="M")
    for name, position in openings.order_by("sequence").values_list("name", "position"):
        # A long game has many positions, and only their centers are needed here.
        centers: Owners = position["centers"]
        by_year[Phase.parse(name).year - 1] = centers
    # A game that ended after a Fall has the position of the next Spring.
    year = rows.position.phase.year_over
    if rows.position.centers != by_year[max(by_year)]:
        by_year[max(year, max(by_year) + 1)] = rows.position.centers
    return by_year
