"""Decides a movement phase with the kernel if it supports the rules and the board."""

from collections.abc import Sequence

from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.kernel.supported_rules import find_support
from diplomaccloud.judge.kernel.table import small_table_of
from diplomaccloud.judge.movement.state import NOWHERE, MovementState


def decide_by_kernel(movement: MovementState) -> bool:
    """Decide every order of a phase just set up; return whether the kernel could do so.

    The kernel supports the movement rules of every edition, boards up to a certain size, and units
    in valid places.
    """
    support = find_support(movement.rules)
    table = small_table_of(movement.board)
    if table is None:
        return False
    judged = KERNEL.resolve(table, movement.units, movement.orders, False, support.number)
    if judged is None:
        return False
    _record_answers(movement, judged[1], judged[2])
    return True


PARADOX_FAILED, PARADOX_STOPPED = 1, 2
"""The kernel's marks for convoys and moves that a paradox rule ended."""


def _record_answers(movement: MovementState, answers: Sequence[int], marks: Sequence[int]) -> None:
    for i, answer in enumerate(answers):
        if movement.goals[i] != NOWHERE:
            movement.move_ok[i] = answer == 1
        elif movement.support_into[i] != NOWHERE:
            movement.support_ok[i] = answer == 1
        elif movement.cargo[i] is not None:
            movement.convoy_ok[i] = answer == 1
    for i, mark in enumerate(marks):
        if mark == PARADOX_FAILED:
            movement.paradox_failed.add(i)
        elif mark == PARADOX_STOPPED:
            movement.paradox_stopped.add(i)
