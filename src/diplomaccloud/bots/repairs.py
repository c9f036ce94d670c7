"""Repairs order rows with *slips*: orders that any player at the table would call a blunder.

No unit helps a friendly unit that does something else, and no two units of a power bounce or swap
places. In Fall, no unit abandons its own center to a lone enemy that it could keep out, not even
for another center, and none leaves a center that a hold could capture, unless it goes to capture or
save another one. In Winter, the only guard of a threatened center is not disbanded while a unit
stays that guards nothing and has no center to take.

`combine_attacks` is for bots that don't look ahead.
"""

from array import array
from collections.abc import Sequence
from typing import Final

from diplomaccloud.bots.candidates import ForcedSet, Source
from diplomaccloud.judge.kernel.layout import (
    ADJUSTMENTS,
    BUILD,
    DISBAND,
    FALL_MOVEMENT,
    HEAD,
    HOLD,
    MOVE,
    MOVE_VIA,
    PHASE,
    POWER_SHIFT,
    SUPPORT_MOVE,
)

_ATTEMPTS: Final = 6
"""How often units get new orders before those that still slip hold."""

_FLEETS_PER_ARMY: Final = 4
"""A power may have this many fleets, and as many more for each army, before it builds an army."""

_HOLD: Final = (HOLD, 0, 0)
_MOVES: Final = (MOVE, MOVE_VIA)


def repair(source: Source, candidate: bytes) -> bytes:
    """Return the candidate without slips, changed as little as a few attempts allow."""
    if not source.is_movement:
        return _repair_winter(source, candidate)
    forced: ForcedSet = {}
    for _ in range(_ATTEMPTS):
        row = read_row(candidate)
        slips = _find_slips(source, row)
        if not slips:
            return candidate
        left = find_left_centers(source, row) | find_left_prizes(source, row)
        forced |= dict.fromkeys(left, _HOLD)
        for here in slips:
            row[here] = -1
        candidate = source.force(forced, 0.0, row)
    row = read_row(candidate)
    while slips := _find_slips(source, row):
        for here in slips:
            row[here :: source.size] = array("i", _HOLD)
    return row.tobytes()


def combine_attacks(source: Source, candidate: bytes) -> bytes:
    """Return the candidate with attacks that would bounce alone supported by idle neighbors.

    A neighbor is idle if it holds, or attacks an occupied province without support, too. Attacks on
    centers come first. DumbBot often sends two units against two neighbors for years, and neither
    gets anywhere.
    """
    if not source.is_movement:
        return candidate
    row = read_row(candidate)
    leads = [here for here in source.units if _attacks_alone(source, row, here)]
    for lead in sorted(leads, key=lambda here: not _attacks_center(source, row, here)):
        if not _attacks_alone(source, row, lead):
            continue
        goals = {find_goal(source, row, unit) for unit in source.units}
        aid = (SUPPORT_MOVE, lead, row[2 * source.size + lead])
        for helper in source.units:
            is_idle = row[helper] == HOLD or _attacks_alone(source, row, helper)
            if helper != lead and is_idle and helper not in goals and aid in source.legal[helper]:
                row[helper :: source.size] = array("i", aid)
                break
    return row.tobytes()


def _attacks_alone(source: Source, row: "array[int]", here: int) -> bool:
    """Return whether a unit moves against a foreign unit, and nobody is known to support it."""
    goal = find_goal(source, row, here)
    if goal is None or not source.is_foreign(goal):
        return False
    promised = any(codes[:2] == (SUPPORT_MOVE, here) for codes in source.pact.pins.values())
    return not promised and not any(
        row[unit] == SUPPORT_MOVE and row[source.size + unit] == here for unit in source.units
    )


def _attacks_center(source: Source, row: "array[int]", here: int) -> bool:
    goal = find_goal(source, row, here)
    return goal is not None and _is_foreign_center(source, goal)


def has_slip(source: Source, candidate: bytes) -> bool:
    """Return whether `repair` would change the candidate."""
    if not source.is_movement:
        return _repair_winter(source, candidate) != candidate
    return bool(_find_slips(source, read_row(candidate)))


def read_row(candidate: bytes) -> "array[int]":
    """Return the candidate as an order row."""
    row = array("i")
    row.frombytes(candidate)
    return row


def _find_slips(source: Source, row: "array[int]") -> set[int]:
    """Return the provinces of the units whose orders must change; only one of each pair."""
    slips = {here for here in source.units if source.is_broken(row, here)}
    goals: set[int] = set()
    for here in source.units:
        goal = find_goal(source, row, here)
        if goal is None:
            continue
        back = goal in source.legal and row[goal] == MOVE and row[here] == MOVE
        if goal in goals or (back and find_goal(source, row, goal) == here and here < goal):
            slips.add(here)
        goals.add(goal)
    return slips | find_left_centers(source, row) | find_left_prizes(source, row)


def _repair_winter(source: Source, candidate: bytes) -> bytes:
    if source.state[PHASE] != ADJUSTMENTS:
        return candidate
    return _balance_builds(source, _keep_guards(source, candidate))


def _keep_guards(source: Source, candidate: bytes) -> bytes:
    """Return the candidate with spare units disbanded instead of guards, if there are any."""
    row = read_row(candidate)
    for here in source.units:
        if row[here] != DISBAND or here in source.pins:
            continue
        staying = [other for other in source.units if row[other] != DISBAND]
        spare = next((other for other in staying if _is_spare(source, row, other)), None)
        if spare is not None and _is_guard(source, here, staying):
            row[here], row[spare] = HOLD, DISBAND
    return row.tobytes()


def _balance_builds(source: Source, candidate: bytes) -> bytes:
    """Return the candidate with an army instead of a fleet if there are too few for inland centers.

    A search sees little use for armies on an island, because the policy never convoys them.
    """
    row, size = read_row(candidate), source.size
    builds = [here for here in range(size) if row[here] == BUILD]
    kinds = [code & 1 for code in source.state[HEAD : HEAD + size] if _is_own(source, code)]
    kinds += [row[size + here] for here in builds]
    fleets, armies = kinds.count(1), kinds.count(0)
    if fleets <= _FLEETS_PER_ARMY * (1 + armies) or not _has_inland_goal(source):
        return candidate
    for here in builds:
        army = next((codes for codes in source.builds.get(here, ()) if codes[1] == 0), None)
        if army is not None:
            row[here :: source.size] = array("i", army)
            break
    return row.tobytes()


def _is_own(source: Source, code: int) -> bool:
    return code >= 0 and code >> POWER_SHIFT == source.power


def _has_inland_goal(source: Source) -> bool:
    """Return whether there is a center of no or another power that no fleet can enter."""
    table = source.table
    coastal = set().union(*table.reach[table.places :])
    return any(_is_foreign_center(source, here) for here in table.centers if here not in coastal)


def _is_guard(source: Source, here: int, others: Sequence[int]) -> bool:
    """Return whether a unit alone can keep enemies next to it out of an own center."""
    return _is_threatened(source, here) and not any(
        here in source.find_reach(other) for other in others
    )


def _is_spare(source: Source, row: "array[int]", here: int) -> bool:
    """Return whether the power may disband a unit, and no center needs it.

    Centers that need it are own ones in danger without another unit that stays, and foreign ones
    that nobody defends.
    """
    if _is_threatened(source, here) or not source.is_allowed(here, (DISBAND, 0, 0)):
        return False
    return not any(
        _is_undefended(source, goal)
        or (_is_threatened(source, goal) and not (goal in source.legal and row[goal] != DISBAND))
        for goal in source.find_reach(here)
    )


def _is_threatened(source: Source, province: int) -> bool:
    """Return whether it is an own center that a foreign unit could enter."""
    is_own = _find_owner(source, province) == source.power
    return is_own and bool(_find_enemies(source, province))


def _is_undefended(source: Source, province: int) -> bool:
    """Return whether it is a center of no or another power without a foreign unit in or near it."""
    return (
        _is_foreign_center(source, province)
        and not source.is_foreign(province)
        and not _find_enemies(source, province)
    )


def _is_foreign_center(source: Source, province: int) -> bool:
    """Return whether it is a center that the power does not own."""
    return province in source.table.centers and _find_owner(source, province) != source.power


def find_goal(source: Source, row: Sequence[int], here: int) -> int | None:
    """Return the province that the unit in `here` moves to; None if it stays."""
    if row[here] not in _MOVES:
        return None
    return source.table.province_of[row[2 * source.size + here]]


def find_left_centers(source: Source, row: "array[int]") -> set[int]:
    """Return the centers that the power abandons to a lone enemy in Fall but could hold.

    A lone enemy without support cannot dislodge a unit that holds.
    """
    left = set()
    for here, goal in _find_departures(source, row):
        if _find_owner(source, here) != source.power:
            continue
        enemies = _find_enemies(source, here)
        # Moving against the enemy is as good as holding: the two units bounce.
        if len(enemies) == 1 and not (goal in enemies and row[here] == MOVE):
            left.add(here)
    return left


def find_left_prizes(source: Source, row: "array[int]") -> set[int]:
    """Return the foreign centers that units occupy but leave in Fall for nothing in return.

    A unit may leave for another foreign center, or for one of its power's centers that an enemy
    could enter.
    """
    left = set()
    for here, goal in _find_departures(source, row):
        if here not in source.table.centers or _find_owner(source, here) == source.power:
            continue
        is_own = _find_owner(source, goal) == source.power
        is_center = goal in source.table.centers
        if not is_center or (is_own and not _find_enemies(source, goal)):
            left.add(here)
    return left


def _find_departures(source: Source, row: "array[int]") -> list[tuple[int, int]]:
    """Return the origins and goals of units in Fall whose province no friendly unit enters."""
    if source.state[PHASE] != FALL_MOVEMENT:
        return []
    found = {here: find_goal(source, row, here) for here in source.units}
    goals = {here: goal for here, goal in found.items() if goal is not None}
    entered = set(goals.values())
    return [(here, goal) for here, goal in goals.items() if here not in entered]


def _find_owner(source: Source, province: int) -> int:
    """Return the number of the power that owns a center."""
    return source.state[HEAD + 4 * source.size + province]


def _find_enemies(source: Source, province: int) -> list[int]:
    """Return the provinces of foreign units that could enter the province without a convoy."""
    return [
        here
        for here in range(source.size)
        if source.is_foreign(here) and province in source.find_reach(here)
    ]
