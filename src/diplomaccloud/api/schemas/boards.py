"""Positions and processed phases."""

from collections.abc import Mapping

from pydantic import Field

from diplomaccloud.api.schemas.base import Answer


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
