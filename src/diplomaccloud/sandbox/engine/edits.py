"""Changes of a state's position: units, owners, phase, edition.

An edit starts from the position shown and discards earlier phases, since they no longer lead to it.
"""

from dataclasses import replace

from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.phases import Phase, Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import EDITIONS
from diplomaccloud.judge.units import Unit
from diplomaccloud.sandbox.engine.address import MAX_YEAR
from diplomaccloud.sandbox.engine.orders import keep_legal
from diplomaccloud.sandbox.engine.state import SandboxError, SandboxState, replay


def place_unit(board: Board, state: SandboxState, unit: Unit) -> SandboxState:
    """Return the state with `unit` in place of any unit in its province.

    Raises `SandboxError` if it cannot stand there.
    """
    require_unit(board, unit)
    position = replay(board, state).position
    others = tuple(other for other in position.units if other.province != unit.province)
    return _rebase(board, state, replace(position, units=(*others, unit)))


def require_unit(board: Board, unit: Unit) -> None:
    """Raise `SandboxError` if the board has no such power or no place for the unit."""
    if unit.power not in board.power_info:
        raise SandboxError("This map has no such country.")
    province = board.by_code.get(province_of(unit.location))
    if province is None:
        raise SandboxError("This map has no such province.")
    if unit.location not in board.locations(unit.kind):
        if unit.kind is UnitKind.FLEET and province.coasts:
            coasts = " or ".join(province.fleet_locations)
            raise SandboxError(f"A fleet in {province.name} needs a coast: {coasts}.")
        if unit.kind is UnitKind.ARMY:
            raise SandboxError(f"{province.name} is at sea, so an army cannot be there.")
        raise SandboxError(f"{province.name} is inland, so a fleet cannot be there.")


def remove_unit(board: Board, state: SandboxState, province: ProvinceCode) -> SandboxState:
    """Return the state without the unit in `province`; a dislodged one goes first."""
    position = replay(board, state).position
    dislodged = tuple(entry for entry in position.dislodged if entry.unit.province != province)
    if len(dislodged) < len(position.dislodged):
        return _rebase(board, state, replace(position, dislodged=dislodged))
    units = tuple(unit for unit in position.units if unit.province != province)
    return _rebase(board, state, replace(position, units=units))


def clear_units(board: Board, state: SandboxState) -> SandboxState:
    """Return the state without units, keeping the owners of centers."""
    position = replay(board, state).position
    return _rebase(board, state, replace(position, units=(), dislodged=()))


def set_owner(
    board: Board, state: SandboxState, province: ProvinceCode, owner: Power | None
) -> SandboxState:
    """Return the state with another owner of a center, None for a neutral one.

    Raises `SandboxError` if the province is not a center or there is no such power.
    """
    if province not in board.by_code:
        raise SandboxError("This map has no such province.")
    if not board.by_code[province].center:
        raise SandboxError(f"{board.by_code[province].name} is not a supply center.")
    if owner is not None and owner not in board.power_info:
        raise SandboxError("This map has no such country.")
    position = replay(board, state).position
    centers = {code: power for code, power in position.centers.items() if code != province}
    if owner is not None:
        centers[province] = owner
    return _rebase(board, state, replace(position, centers=centers))


def move_to_phase(board: Board, state: SandboxState, phase: Phase) -> SandboxState:
    """Return the state with the same units in another phase.

    Dislodged units are removed, so a retreat phase cannot be chosen. Raises `SandboxError` for a
    year that an address cannot hold.
    """
    if not 1 <= phase.year <= MAX_YEAR:
        raise SandboxError(f"The year must be from 1 to {MAX_YEAR}.")
    position = replay(board, state).position
    if phase == position.phase:
        return state
    if phase.stage is Stage.RETREATS:
        raise SandboxError("Retreats follow from moves. Adjudicate moves to get there.")
    return _rebase(board, state, replace(position, phase=phase, dislodged=()))


def set_edition(board: Board, state: SandboxState, edition: str) -> SandboxState:
    """Return the state under another edition of the rules, which decides all its phases.

    Raises `SandboxError` if there is no such edition.
    """
    if edition not in EDITIONS:
        raise SandboxError("There is no such edition of the rules.")
    changed = replace(state, edition=edition)
    position = replay(board, changed).position
    return changed.with_orders(keep_legal(board, position, state.orders, changed.rules))


def set_position(board: Board, state: SandboxState, position: Position) -> SandboxState:
    """Return the state with another position and the orders that are still legal in it."""
    return _rebase(board, state, position)


def _rebase(board: Board, state: SandboxState, position: Position) -> SandboxState:
    changed = replace(state, start=position, past=())
    return replace(changed, orders=keep_legal(board, position, state.orders, changed.rules))


def find_location(board: Board, kind: UnitKind, place: str, old: Location | None) -> Location:
    """Return where to place a unit of `kind` if `place` is tapped.

    In a province with several coasts, a fleet goes to the first one, or to the one after `old`.
    """
    code = province_of(ProvinceCode(place))
    province = board.by_code.get(code)
    if province is None or "/" in place or kind is UnitKind.ARMY or not province.coasts:
        return Location(place)
    coasts = province.fleet_locations
    following = coasts.index(old) + 1 if old in coasts else 0
    return coasts[following % len(coasts)]
