"""Explains whether a support mattered: what would have happened without it."""

from collections.abc import Iterable, Iterator
from itertools import islice

from diplomaccloud.judge.messages.values import Message, Place
from diplomaccloud.judge.movement.state import MovementState
from diplomaccloud.judge.orders import SupportHold, SupportMove
from diplomaccloud.judge.reasons.values import Cause, Topic
from diplomaccloud.judge.reasons.what_if import WhatIf

MAX_OTHERS = 2
"""The most other units that a tree names as affected by a support."""


def explain_support_effect(movement: MovementState, what_if: WhatIf, unit: int) -> Iterator[Cause]:
    """Yield nodes about the effect of the unit's support, if it gave one.

    Other units are named only if the support had no effect on the supported unit.
    """
    order = movement.orders[unit]
    if not isinstance(order, SupportHold | SupportMove) or not movement.support_ok[unit]:
        return
    target = movement.at[order.target.province]
    without = what_if.resolve_without(unit)
    others = (i for i in range(len(movement.units)) if i not in {unit, target})
    changes = list(_find_changes(movement, without, [target]))
    if not changes:
        changes = list(islice(_find_changes(movement, without, others), MAX_OTHERS))
    if not changes:
        changes = [Cause(Topic.EFFECT, _say_why_not_needed(movement, order, target))]
    yield from changes


def _find_changes(
    movement: MovementState, without: MovementState, units: Iterable[int]
) -> Iterator[Cause]:
    """Yield what would have happened to units without the support, if anything is different."""
    for number in units:
        unit = movement.units[number]
        dislodged = without.dislodger(number) is not None
        if movement.move_ok[number] != without.move_ok[number]:
            key = "without_support_moves" if without.move_ok[number] else "without_support_stays"
            message = Message.of(key, unit=unit, place=Place(movement.goals[number]))
            yield Cause(Topic.EFFECT, message)
        elif dislodged != (movement.dislodger(number) is not None):
            key = "without_support_dislodged" if dislodged else "without_support_not_dislodged"
            yield Cause(Topic.EFFECT, Message.of(key, unit=unit))


def _say_why_not_needed(
    movement: MovementState, order: SupportHold | SupportMove, target: int
) -> Message:
    """Return why the support had no effect."""
    unit = movement.units[target]
    if isinstance(order, SupportMove):
        key = "support_not_needed_to_move" if movement.move_ok[target] else "support_of_failed_move"
        return Message.of(key, unit=unit, place=Place(order.to))
    if not movement.attackers(target):
        return Message.of("support_not_needed_unattacked", unit=unit)
    if movement.dislodger(target) is not None:
        return Message.of("support_of_dislodged_unit", unit=unit)
    return Message.of("support_not_needed_to_hold", unit=unit)
