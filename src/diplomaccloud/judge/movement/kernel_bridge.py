"""Decides a battle by the kernel, where it knows the rules and the board."""

from diplomaccloud.judge.kernel.batch import serves
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.kernel.table import small_table_of
from diplomaccloud.judge.movement.state import NOWHERE, Battle


def decide_by_kernel(battle: Battle) -> bool:
    """Decide all of a battle just set up; return whether the kernel could.

    It cannot by rules other than those of 2000 and 2023, on boards beyond its size, and for
    units that stand at no place of the board.
    """
    table = small_table_of(battle.board) if serves(battle.rules) else None
    if table is None:
        return False
    judged = KERNEL.judge(table, battle.units, battle.orders, False)
    if judged is None:
        return False
    _record(battle, judged[1], judged[2])
    return True


def _record(battle: Battle, answers: list[int], marks: list[int]) -> None:
    for i, answer in enumerate(answers):
        if battle.goals[i] != NOWHERE:
            battle.moves[i] = answer == 1
        elif battle.focus[i] != NOWHERE:
            battle.given[i] = answer == 1
        elif battle.cargo[i] is not None:
            battle.sails[i] = answer == 1
        if marks[i] == 1:
            battle.drowned.add(i)
        elif marks[i] == 2:
            battle.stayed.add(i)
