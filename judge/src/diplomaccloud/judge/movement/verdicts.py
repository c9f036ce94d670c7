"""Builds the verdict on a movement phase from the general resolver's decisions."""

from collections.abc import Collection, Sequence

from diplomaccloud.judge.board import Board, Location, ProvinceCode, province_of
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.kernel.values import Verdict
from diplomaccloud.judge.movement.findings import find_reason
from diplomaccloud.judge.movement.state import MovementState
from diplomaccloud.judge.movement.strengths import prevent_strength
from diplomaccloud.judge.orders import Move
from diplomaccloud.judge.position import Dislodged
from diplomaccloud.judge.units import Unit


def build_verdict(movement: MovementState) -> Verdict:
    """Return the outcomes, units, retreats and standoffs of a decided movement phase."""
    dislodgers = [movement.dislodger(i) for i in range(len(movement.units))]
    standoffs = find_standoffs(movement)
    units, dislodged = _after_moves(movement, dislodgers, standoffs)
    outcomes = tuple(find_reason(movement, i).reason.outcome for i in range(len(movement.units)))
    return Verdict(outcomes, units, dislodged, standoffs)


def find_standoffs(movement: MovementState) -> tuple[ProvinceCode, ...]:
    """Return the provinces that a standoff left empty, sorted; no unit may retreat there."""
    held = {movement.provinces[i] for i, moved in enumerate(movement.move_ok) if not moved}
    return tuple(
        sorted(
            goal
            for goal, rivals in movement.rivals.items()
            if goal not in held
            and not any(movement.move_ok[i] for i in rivals)
            and any(prevent_strength(movement, i)[0] for i in rivals)
        )
    )


def _after_moves(
    movement: MovementState, dislodgers: Sequence[int | None], standoffs: Sequence[ProvinceCode]
) -> tuple[tuple[Unit, ...], tuple[Dislodged, ...]]:
    """Return the units at their new places, and the dislodged units with their retreats."""
    units: list[Unit] = []
    out: list[tuple[Unit, int]] = []
    for i, unit in enumerate(movement.units):
        order, dislodger = movement.orders[i], dislodgers[i]
        if movement.move_ok[i] and isinstance(order, Move):
            units.append(unit.at(order.to))
        elif dislodger is None:
            units.append(unit)
        else:
            out.append((unit, dislodger))
    closed = {unit.province for unit in units}.union(standoffs)
    dislodged = []
    for unit, dislodger in out:
        source: ProvinceCode | None = movement.provinces[dislodger]
        if movement.by_convoy(dislodger) and movement.rules.retreat_to_convoyed_attacker:
            source = None
        retreats = _find_retreats(movement.board, unit, source, closed)
        dislodged.append(Dislodged(unit, movement.provinces[dislodger], retreats))
    return tuple(sorted(units)), tuple(sorted(dislodged, key=lambda entry: entry.unit))


def _find_retreats(
    board: Board, unit: Unit, attacker_from: ProvinceCode | None, closed: Collection[ProvinceCode]
) -> tuple[Location, ...]:
    """Return the locations a dislodged unit may retreat to, sorted.

    `closed` are the provinces occupied after the moves or left empty by a standoff.
    `attacker_from` is where the attacker came from, or `None` if the unit may retreat there.
    """
    near = geography(board).places[unit.kind].get(unit.location, frozenset())
    return tuple(
        sorted(
            place
            for place in near
            if (code := province_of(place)) not in closed and code != attacker_from
        )
    )
