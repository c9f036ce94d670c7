"""What the kernel returns about positions of ordinary values."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.orders import MovementOrder, Order
from diplomaccloud.judge.position import Dislodged
from diplomaccloud.judge.results import Outcome
from diplomaccloud.judge.units import Unit

Closed = tuple[tuple[tuple[ProvinceCode, Power], ...], bool, bool]
"""The centers that change hands, sorted, each with its new owner; whether a power has won with
enough centers; and whether a power must build or disband."""

Explained = tuple[Outcome, Any, tuple[Any, ...]]
"""What `OrderResult` has under `outcome`, `why` and `by`."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The results of a movement phase.

    `outcomes` has one entry for each unit, in the order given. `units` are the units that were not
    dislodged, at their new places, sorted. `dislodged` are the other units, in the order given,
    with the places that each may retreat to; a unit without any is destroyed. `standoffs` are the
    provinces that a standoff left empty, sorted. `leads` says whether a power may have more than
    half of the units, including those that must retreat. `closed` is the result of `close_year`
    for these units, if the owners of centers were given and no unit must retreat.
    """

    outcomes: tuple[Outcome, ...]
    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...]
    standoffs: tuple[ProvinceCode, ...]
    leads: bool = field(default=True, compare=False, repr=False)
    closed: Closed | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Separation:
    """The orders of a movement phase when some of them are not in the list.

    `followed` has, for each unit, its only order if `legal_orders` lists it, or `None`. `unclear`
    are all other orders. If they are refused no matter how they are read, `refused` has the numbers
    of the units that they are for, which hold, and `foreign` is the number of orders that are not
    for a unit of their power; otherwise `refused` is `None`. `needless` has the numbers of those of
    the refused units whose order convoys an army that goes so, but needs other fleets, and the
    numbers of the armies. `work` has the kernel's work so far on a position of `board`.
    """

    followed: Sequence[MovementOrder | None]
    unclear: Sequence[Order]
    refused: Sequence[int] | None
    foreign: int
    needless: Sequence[tuple[int, int]]
    board: Board
    work: Any
