"""Decides a movement phase with the kernel if it supports the rules and the board."""

from diplomaccloud.judge.kernel.batch import serves
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.kernel.table import small_table_of
from diplomaccloud.judge.movement.state import NOWHERE, MovementState


def decide_by_kernel(movement: MovementState) -> bool:
    """Decide every order of a phase just set up; return whether the kernel could do so.

    It supports the rules of 2000 and 2023 only, boards up to its size, and units that stand on
    the board.
    """
    table = small_table_of(movement.board) if serves(movement.rules) else None
    if table is None:
        return False
    judged = KERNEL.judge(table, movement.units, movement.orders, False)
    if judged is None:
        return False
    _record(movement, judged[1], judged[2])
    return True


def _record(movement: MovementState, answers: list[int], marks: list[int]) -> None:
    for i, answer in enumerate(answers):
        if movement.goals[i] != NOWHERE:
            movement.move_ok[i] = answer == 1
        elif movement.support_into[i] != NOWHERE:
            movement.support_ok[i] = answer == 1
        elif movement.cargo[i] is not None:
            movement.convoy_ok[i] = answer == 1
        if marks[i] == 1:
            movement.paradox_failed.add(i)
        elif marks[i] == 2:
            movement.paradox_stopped.add(i)
