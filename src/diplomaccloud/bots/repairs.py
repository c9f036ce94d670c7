"""Repairs order rows with *slips*: orders that any player at the table would call a blunder.

No unit helps a friendly unit that does something else, and no two units of a power bounce or swap
places. In Fall, no unit abandons its own center to a lone enemy that it could keep out, not even
for another center, and none leaves a center that a hold could capture, unless it goes to capture or
save another one. In Winter, the only guard of a threatened center is not disbanded while a unit
stays that guards nothing and has no center to take.

`combine_attacks` is for bots that don't look ahead.
"""

from array import array
from typing import Final

from diplomaccloud.bots.candidates import ForcedSet, Source, read_row
from diplomaccloud.judge.kernel.core.codes import (
    BUILD,
    DISBAND,
    HEAD,
    HOLD,
    MOVE,
    PHASE,
    POWER_SHIFT,
    SUPPORT_MOVE,
)
from diplomaccloud.judge.kernel.layout import ADJUSTMENT_PHASES

_ATTEMPTS: Final = 6
"""How often units get new orders before those that still slip hold."""

_FLEETS_PER_ARMY: Final = 4
"""A power may have this many fleets, and as many more for each army, before it builds an army."""

_HOLD: Final = (HOLD, 0, 0)


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
        forced |= dict.fromkeys(find_left_centers(source, row), _HOLD)
        for unit in slips:
            row[unit] = -1
        candidate = source.force(forced, 0.0, row)
    row = read_row(candidate)
    while slips := _find_slips(source, row):
        for unit in slips:
            row[unit :: source.size] = array("i", _HOLD)
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
    leads = [unit for unit in source.units if _attacks_alone(source, row, unit)]

    def misses_center(lead: int) -> bool:
        goal = source.find_goal(row, lead)
        return goal is None or not _is_foreign_center(source, goal)

    for lead in sorted(leads, key=misses_center):
        if not _attacks_alone(source, row, lead):
            continue
        goals = {source.find_goal(row, unit) for unit in source.units}
        aid = (SUPPORT_MOVE, lead, row[2 * source.size + lead])
        for helper in source.units:
            is_idle = row[helper] == HOLD or _attacks_alone(source, row, helper)
            if helper != lead and is_idle and helper not in goals and aid in source.legal[helper]:
                row[helper :: source.size] = array("i", aid)
                break
    return row.tobytes()


def _attacks_alone(source: Source, row: "array[int]", lead: int) -> bool:
    """Return whether a unit moves against a foreign unit, and nobody is known to support it."""
    goal = source.find_goal(row, lead)
    if goal is None or not source.is_foreign(goal):
        return False
    promised = any(codes[:2] == (SUPPORT_MOVE, lead) for codes in source.pact.pins.values())
    return not promised and not any(
        row[unit] == SUPPORT_MOVE and row[source.size + unit] == lead for unit in source.units
    )


def has_slip(source: Source, candidate: bytes) -> bool:
    """Return whether `repair` would change the candidate."""
    if not source.is_movement:
        return _repair_winter(source, candidate) != candidate
    return bool(_find_slips(source, read_row(candidate)))


def _find_slips(source: Source, row: "array[int]") -> set[int]:
    """Return the provinces of the units whose orders must change; only one of each pair."""
    slips = {unit for unit in source.units if source.is_broken(row, unit)}
    goals: set[int] = set()
    for unit in source.units:
        goal = source.find_goal(row, unit)
        if goal is None:
            continue
        back = goal in source.legal and row[goal] == MOVE and row[unit] == MOVE
        if goal in goals or (back and source.find_goal(row, goal) == unit and unit < goal):
            slips.add(unit)
        goals.add(goal)
    return slips | find_left_centers(source, row)


def _repair_winter(source: Source, candidate: bytes) -> bytes:
    """Return the candidate with spare units disbanded instead of guards, and balanced builds."""
    if source.state[PHASE] not in ADJUSTMENT_PHASES:
        return candidate
    row = read_row(candidate)
    for guard in source.units:
        if row[guard] != DISBAND or guard in source.pins or not _is_threatened(source, guard):
            continue
        staying = [unit for unit in source.units if row[unit] != DISBAND]
        spare = next((unit for unit in staying if _is_spare(source, row, unit)), None)
        # A unit is a guard if it alone can keep the enemies next to it out of an own center.
        if spare is not None and not any(guard in source.find_reach(unit) for unit in staying):
            row[guard], row[spare] = HOLD, DISBAND
    return _balance_builds(source, row).tobytes()


def _balance_builds(source: Source, row: "array[int]") -> "array[int]":
    """Return the row with an army instead of a fleet if there are too few for inland centers.

    A search sees little use for armies on an island, because the policy never convoys them.
    """
    size, table = source.size, source.table
    builds = [province for province in range(size) if row[province] == BUILD]
    units = source.state[HEAD : HEAD + size]
    kinds = [code & 1 for code in units if code >= 0 and code >> POWER_SHIFT == source.power]
    kinds += [row[size + province] for province in builds]
    if kinds.count(1) <= _FLEETS_PER_ARMY * (1 + kinds.count(0)):
        return row
    # Centers that no fleet can enter.
    inland = set(table.centers).difference(*table.reach[table.places :])
    if not any(_is_foreign_center(source, center) for center in inland):
        return row
    for province in builds:
        army = next((codes for codes in source.builds.get(province, ()) if codes[1] == 0), None)
        if army is not None:
            row[province::size] = array("i", army)
            break
    return row


def _is_spare(source: Source, row: "array[int]", unit: int) -> bool:
    """Return whether the power may disband a unit, and no center needs it.

    Centers that need it are own ones in danger without another unit that stays, and foreign ones
    that nobody defends.
    """
    if _is_threatened(source, unit) or not source.is_allowed(unit, (DISBAND, 0, 0)):
        return False
    for goal in source.find_reach(unit):
        is_prize = _is_foreign_center(source, goal) and not source.is_foreign(goal)
        if is_prize and not _find_enemies(source, goal):
            return False
        is_kept = goal in source.legal and row[goal] != DISBAND
        if not is_kept and _is_threatened(source, goal):
            return False
    return True


def _is_threatened(source: Source, province: int) -> bool:
    """Return whether it is an own center that a foreign unit could enter."""
    return source.owners[province] == source.power and bool(_find_enemies(source, province))


def _is_foreign_center(source: Source, province: int) -> bool:
    return province in source.table.centers and source.owners[province] != source.power


def find_left_centers(source: Source, row: "array[int]") -> set[int]:
    """Return the centers that units leave in the last turn of a year, and that nobody else enters.

    Own centers should not be abandoned to a lone enemy, which without support cannot dislodge a
    unit that holds. Foreign ones should not be left for nothing in return: a unit may leave for
    another foreign center, or for one of its power's centers that an enemy could enter.
    """
    if source.state[PHASE] != source.table.last_turn:
        return set()
    goals = {h: goal for h in source.units if (goal := source.find_goal(row, h)) is not None}
    abandoned = set()
    for province in goals.keys() - set(goals.values()):
        goal = goals[province]
        if source.owners[province] == source.power:
            enemies = _find_enemies(source, province)
            # Moving against the enemy is as good as holding: the two units bounce.
            is_slip = len(enemies) == 1 and not (goal in enemies and row[province] == MOVE)
        elif province in source.table.centers:
            is_home = source.owners[goal] == source.power and not _find_enemies(source, goal)
            is_slip = is_home or goal not in source.table.centers
        else:
            is_slip = False
        if is_slip:
            abandoned.add(province)
    return abandoned


def _find_enemies(source: Source, province: int) -> list[int]:
    """Return the provinces of foreign units that could enter the province without a convoy."""
    return [
        enemy
        for enemy in range(source.size)
        if source.is_foreign(enemy) and province in source.find_reach(enemy)
    ]
