"""Positions and processed phases."""

from collections.abc import Mapping

from pydantic import Field

from diplomaccloud.api.schemas.base import Answer


class UnitState(Answer):
    """A unit on the board, e.g. `A PAR` of `FRANCE`."""

    power: str
    unit: str


class DislodgedState(Answer):
    """A unit that must retreat to one of these places, or disband."""

    power: str
    unit: str
    attacked_from: str
    retreats: list[str]


class BoardState(Answer):
    """Where the units are, and whose the centers; neutral centers are left out."""

    units: list[UnitState]
    dislodged: list[DislodgedState]
    centers: Mapping[str, str]


class PhaseRef(Answer):
    """A processed phase."""

    sequence: int
    name: str


class ResultState(Answer):
    """An order of a processed phase, its result, and why."""

    power: str
    order: str
    outcome: str
    succeeded: bool
    implicit: bool = Field(description="Whether nobody wrote it.")
    reason: str
    by: list[str]


class PhaseResult(Answer):
    """A processed phase: it never changes."""

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
    """The processed phases of a game, the oldest first."""

    phases: list[PhaseRef]
