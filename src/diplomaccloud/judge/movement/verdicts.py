"""What a decided battle came to: for the rules that the kernel does not know."""

from collections.abc import Collection, Sequence

from diplomaccloud.judge.board import Board, Location, ProvinceCode, province_of
from diplomaccloud.judge.geography import geography
from diplomaccloud.judge.kernel.values import Verdict
from diplomaccloud.judge.movement.findings import find
from diplomaccloud.judge.movement.state import Battle
from diplomaccloud.judge.movement.strengths import prevent_strength
from diplomaccloud.judge.orders import Move
from diplomaccloud.judge.position import Dislodged
from diplomaccloud.judge.units import Unit


def verdict_on(battle: Battle) -> Verdict:
    """Return what the battle came to: outcomes, units, retreats and standoffs."""
    drivers = [battle.dislodger(i) for i in range(len(battle.units))]
    standoffs = find_standoffs(battle)
    units, dislodged = _after_moves(battle, drivers, standoffs)
    outcomes = tuple(find(battle, i).why.outcome for i in range(len(battle.units)))
    return Verdict(outcomes, units, dislodged, standoffs)


def find_standoffs(battle: Battle) -> tuple[ProvinceCode, ...]:
    """Return the provinces that a standoff left empty, sorted; nobody may retreat there."""
    held = {battle.provinces[i] for i, moved in enumerate(battle.moves) if not moved}
    return tuple(
        sorted(
            goal
            for goal, rivals in battle.rivals.items()
            if goal not in held
            and not any(battle.moves[i] for i in rivals)
            and any(prevent_strength(battle, i)[0] for i in rivals)
        )
    )


def _after_moves(
    battle: Battle, drivers: Sequence[int | None], standoffs: Sequence[ProvinceCode]
) -> tuple[tuple[Unit, ...], tuple[Dislodged, ...]]:
    """Return the units where they now stand, and those driven out with their retreats."""
    units: list[Unit] = []
    driven: list[tuple[Unit, int]] = []
    for i, unit in enumerate(battle.units):
        order, driver = battle.orders[i], drivers[i]
        if battle.moves[i] and isinstance(order, Move):
            units.append(unit.at(order.to))
        elif driver is None:
            units.append(unit)
        else:
            driven.append((unit, driver))
    closed = {unit.province for unit in units}.union(standoffs)
    dislodged = []
    for unit, driver in driven:
        source: ProvinceCode | None = battle.provinces[driver]
        if battle.by_convoy(driver) and battle.rules.retreat_to_convoyed_attacker:
            source = None
        options = _options(battle.board, unit, source, closed)
        dislodged.append(Dislodged(unit, battle.provinces[driver], options))
    return tuple(sorted(units)), tuple(sorted(dislodged, key=lambda one: one.unit))


def _options(
    board: Board, unit: Unit, attacker_from: ProvinceCode | None, closed: Collection[ProvinceCode]
) -> tuple[Location, ...]:
    """Return the locations a dislodged unit may retreat to, sorted.

    `closed` are the provinces occupied after the moves or left empty by a standoff.
    `attacker_from` is where the attacker came from, `None` if the rules leave that open.
    """
    near = geography(board).places[unit.kind].get(unit.location, frozenset())
    return tuple(
        sorted(
            place
            for place in near
            if (code := province_of(place)) not in closed and code != attacker_from
        )
    )
