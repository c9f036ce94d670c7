"""Storing the statistics of phases."""

from collections.abc import Mapping

from diplomaccloud.games.statistics.deeds import (
    RECENT_PHASES,
    RunningTally,
    Tally,
    tally_from_json,
    tally_to_json,
)
from diplomaccloud.games.statistics.models import PhaseFigures
from diplomaccloud.games.table.lock import lock_game
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.table.transactions import atomic_with_retries
from diplomaccloud.judge.phases import Phase as JudgePhase
from diplomaccloud.judge.results import Resolution


def count_phase(phase: Phase, resolution: Resolution) -> None:
    """Store the statistics of a phase as it is processed, in the caller's transaction."""
    game, running = phase.game, RunningTally()
    past = game.phases.filter(sequence__lt=phase.sequence, superseded_at=None, name__endswith="M")
    columns = ("pk", "name", "figures__counts")
    newest = past.order_by("-sequence").values_list(*columns)[: RECENT_PHASES + 1]
    for key, name, counts in reversed(newest):
        if counts is None:
            row = Phase.objects.get(pk=key)
            row.game = game
            running.count(row.position, row.resolution)
        else:
            before = JudgePhase.parse(name)
            running.add(before, tally_from_json(counts, before))
    tally = running.count(phase.position, resolution)
    PhaseFigures.objects.create(phase=phase, counts=tally_to_json(tally))


@atomic_with_retries
def store_tallies(*, slug: str, tallies: Mapping[int, Tally]) -> None:
    """Store the statistics of processed phases that have none yet, by the numbers of the phases."""
    game = lock_game(slug)
    phases = game.phases.filter(sequence__in=list(tallies), figures=None)
    PhaseFigures.objects.bulk_create(
        PhaseFigures(phase_id=key, counts=tally_to_json(tallies[sequence]))
        for key, sequence in phases.values_list("pk", "sequence")
    )
