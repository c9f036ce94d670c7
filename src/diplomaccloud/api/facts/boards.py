"""Positions and processed phases."""

from collections.abc import Iterable

from diplomaccloud.api.schemas.boards import (
    BoardState,
    DislodgedState,
    PhaseResult,
    ResultState,
    UnitState,
)
from diplomaccloud.games.results.read import ProcessedPhase
from diplomaccloud.judge.orders import power_of
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.results import OrderResult
from diplomaccloud.judge.units import Unit


def describe_board(position: Position) -> BoardState:
    """Return the units and centers of a position."""
    return BoardState(
        units=describe_units(position.units),
        dislodged=describe_dislodged(position.dislodged),
        centers={str(code): owner for code, owner in position.centers.items()},
    )


def describe_units(units: Iterable[Unit]) -> list[UnitState]:
    """Return units with their powers."""
    return [UnitState(power=unit.power, unit=str(unit)) for unit in units]


def describe_dislodged(entries: Iterable[Dislodged]) -> list[DislodgedState]:
    """Return dislodged units with the places they may retreat to."""
    return [
        DislodgedState(
            power=entry.unit.power,
            unit=str(entry.unit),
            attacked_from=entry.by,
            retreats=list(entry.retreats),
        )
        for entry in entries
    ]


def describe_results(results: Iterable[OrderResult]) -> list[ResultState]:
    """Return orders with their results and reasons."""
    return [
        ResultState(
            power=power_of(result.order),
            order=str(result.order),
            outcome=result.outcome.value,
            succeeded=result.succeeded,
            implicit=result.implicit,
            reason=result.reason,
            by=list(result.by),
        )
        for result in results
    ]


def describe_phase(processed: ProcessedPhase) -> PhaseResult:
    """Return a processed phase, without any names of people."""
    name, resolution = processed.name, processed.resolution
    return PhaseResult(
        sequence=name.sequence,
        name=str(name.phase),
        title=name.phase.title,
        before=describe_board(processed.position),
        results=describe_results(resolution.results),
        dislodged=describe_dislodged(resolution.dislodged),
        destroyed=describe_units(resolution.destroyed),
        standoffs=list(resolution.standoffs),
        gained=dict(resolution.gained),
        next=str(resolution.next.phase),
        after=describe_board(resolution.next),
    )
