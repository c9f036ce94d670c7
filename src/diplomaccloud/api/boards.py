"""Boards: positions and processed phases."""

from collections.abc import Iterable, Mapping

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from pydantic import Field

from diplomaccloud.api.answers import FOREVER, Answer, reply
from diplomaccloud.api.auth import OPEN
from diplomaccloud.api.ids import GameId, PhaseId
from diplomaccloud.api.operations import Area, read_game
from diplomaccloud.api.problems import Problem, no_such
from diplomaccloud.games.results.read import (
    PhaseName,
    ProcessedPhase,
    read_phase_names,
    read_processed,
)
from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.judge.orders import power_of
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.results import OrderResult
from diplomaccloud.judge.units import Unit


class UnitState(Answer):
    """A unit on the board, e.g. `A PAR` of `FRANCE`."""

    power: str
    unit: str


class DislodgedState(Answer):
    """A unit that must retreat to one of `retreats`, or disband."""

    power: str
    unit: str
    attacked_from: str
    retreats: list[str]


class BoardState(Answer):
    """The units, and the owners of the supply centers. Neutral centers are left out."""

    units: list[UnitState]
    dislodged: list[DislodgedState]
    centers: Mapping[str, str]


class PhaseRef(Answer):
    """A processed phase."""

    sequence: int
    name: str


class ResultState(Answer):
    """An order of a processed phase, its result, and the reason."""

    power: str
    order: str
    outcome: str
    succeeded: bool
    implicit: bool = Field(
        description="Whether the judge added this order because no player wrote one."
    )
    reason: str
    by: list[str]


class PhaseResult(Answer):
    """A processed phase. It never changes."""

    sequence: int
    name: str
    title: str
    before: BoardState
    results: list[ResultState]
    dislodged: list[DislodgedState]
    destroyed: list[UnitState]
    standoffs: list[str]
    gained: Mapping[str, str]
    next: str
    after: BoardState


class PhaseList(Answer):
    """The processed phases of a game, oldest first."""

    phases: list[PhaseRef]


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


area = Area("reading", OPEN)


@area.reads("/games/{game}/phases", PhaseList)
def list_phases(request: HttpRequest, game: GameId) -> HttpResponse:
    """List the processed phases that were not rolled back, oldest first."""
    names = read_phase_names(read_game(request, game))
    return reply(PhaseList(phases=[found for name in names if (found := refer_to(name))]))


@area.reads("/games/{game}/phases/{phase}", PhaseResult)
def get_phase(request: HttpRequest, game: GameId, phase: PhaseId) -> HttpResponse:
    """Return the orders of a processed phase, with results and reasons. They never change.

    A name such as `S1901M` redirects to the number of that phase.
    """
    reader = read_game(request, game)
    if not phase.isdecimal():
        numbers = [name.sequence for name in read_phase_names(reader) if str(name.phase) == phase]
        if not numbers:
            raise _no_such_phase(phase)
        address = request.path.removesuffix(phase) + str(numbers[-1])
        return HttpResponseRedirect(address, preserve_request=True)
    try:
        answer = reply(describe_phase(read_processed(reader, int(phase))))
    except NoSuchGame as error:
        raise _no_such_phase(phase) from error
    audience = "public" if reader.is_public else "private"
    answer.headers["Cache-Control"] = f"{audience}, {FOREVER}"
    return answer


def _no_such_phase(phase: str) -> Problem:
    return no_such(f"This game has no processed phase {phase}.")


def refer_to(name: PhaseName | None) -> PhaseRef | None:
    """Return the number and name of a processed phase, if there is one."""
    return None if name is None else PhaseRef(sequence=name.sequence, name=str(name.phase))
