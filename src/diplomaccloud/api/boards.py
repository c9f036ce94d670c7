"""Boards: positions and processed phases."""

from collections.abc import Iterable, Mapping
from typing import Annotated

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from pydantic import AliasPath, BeforeValidator, Field

from diplomaccloud.api.answers import FOREVER, ApiAnswer, Text, reply
from diplomaccloud.api.auth import OPEN
from diplomaccloud.api.ids import GameId, PhaseId
from diplomaccloud.api.operations import Area, read_game
from diplomaccloud.api.problems import Problem, no_such
from diplomaccloud.games.results.read import (
    read_phase_names,
    read_processed,
)
from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.judge.orders import power_of
from diplomaccloud.judge.units import Unit


class UnitState(ApiAnswer):
    """A unit on the board, e.g. `A PAR` of `FRANCE`."""

    power: str
    unit: str


def list_units(units: Iterable[Unit]) -> list[UnitState]:
    """Return units with their powers."""
    return [UnitState(power=unit.power, unit=str(unit)) for unit in units]


Units = Annotated[list[UnitState], BeforeValidator(list_units)]


class DislodgedState(ApiAnswer):
    """A unit that must retreat to one of `retreats`, or disband."""

    power: str = Field(validation_alias=AliasPath("unit", "power"))
    unit: Text
    attacked_from: str = Field(validation_alias="by")
    retreats: list[str]


class BoardState(ApiAnswer):
    """The units, and the owners of the supply centers. Neutral centers are left out."""

    units: Units
    dislodged: list[DislodgedState]
    centers: Annotated[Mapping[str, str], BeforeValidator(dict)]


class PhaseRef(ApiAnswer):
    """A processed phase."""

    sequence: int
    name: Text = Field(validation_alias="phase")


class ResultState(ApiAnswer):
    """An order of a processed phase, its result, and the reason."""

    power: Annotated[str, BeforeValidator(power_of)] = Field(validation_alias="order")
    order: Text
    outcome: str
    succeeded: bool
    implicit: bool = Field(
        description="Whether the judge added this order because no player wrote one."
    )
    reason: str
    by: list[str]


class PhaseResult(ApiAnswer):
    """A processed phase. It never changes."""

    sequence: int = Field(validation_alias=AliasPath("name", "sequence"))
    name: Text = Field(validation_alias=AliasPath("name", "phase"))
    title: str = Field(validation_alias=AliasPath("name", "phase", "title"))
    before: BoardState = Field(validation_alias="position")
    results: list[ResultState] = Field(validation_alias=AliasPath("resolution", "results"))
    dislodged: list[DislodgedState] = Field(validation_alias=AliasPath("resolution", "dislodged"))
    destroyed: Units = Field(validation_alias=AliasPath("resolution", "destroyed"))
    standoffs: list[str] = Field(validation_alias=AliasPath("resolution", "standoffs"))
    gained: Annotated[Mapping[str, str], BeforeValidator(dict)] = Field(
        validation_alias=AliasPath("resolution", "gained")
    )
    next: Text = Field(validation_alias=AliasPath("resolution", "next", "phase"))
    after: BoardState = Field(validation_alias=AliasPath("resolution", "next"))


class PhaseList(ApiAnswer):
    """The processed phases of a game, oldest first."""

    phases: list[PhaseRef]


area = Area("reading", OPEN)


@area.reads("/games/{game}/phases", PhaseList)
def list_phases(request: HttpRequest, game: GameId) -> HttpResponse:
    """List the processed phases that were not rolled back, oldest first."""
    return reply(PhaseList.of(phases=read_phase_names(read_game(request, game))))


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
        answer = reply(PhaseResult.model_validate(read_processed(reader, int(phase))))
    except NoSuchGame as error:
        raise _no_such_phase(phase) from error
    audience = "public" if reader.is_public else "private"
    answer.headers["Cache-Control"] = f"{audience}, {FOREVER}"
    return answer


def _no_such_phase(phase: str) -> Problem:
    return no_such(f"This game has no processed phase {phase}.")
