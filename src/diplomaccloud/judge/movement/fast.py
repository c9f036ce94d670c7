"""Decides a battle by the kernel, where it knows the rules and the board."""

from diplomaccloud.judge.board import Board, BoardError
from diplomaccloud.judge.kernel.batch import serves
from diplomaccloud.judge.kernel.chosen import KERNEL
from diplomaccloud.judge.kernel.layout import order_codes
from diplomaccloud.judge.kernel.table import KINDS, MOST_PROVINCES, Table, table_of
from diplomaccloud.judge.movement.battle import NOWHERE, Battle


def decide_by_kernel(battle: Battle) -> bool:
    """Decide all of a battle just set up; return whether the kernel could.

    It cannot by rules other than those of 2000 and 2023, on boards beyond its size, and for
    units that stand at no place of the board.
    """
    if not serves(battle.rules) or len(battle.units) > MOST_PROVINCES:
        return False
    table = _table(battle.board)
    if table is None or any(unit.location not in table.place_of for unit in battle.units):
        return False
    powers: dict[str, int] = {}
    codes = [order_codes(table, order) for order in battle.orders]
    answers, _, _, marks = KERNEL.resolve(
        table,
        [table.place_of[unit.location] for unit in battle.units],
        [KINDS.index(unit.kind) for unit in battle.units],
        [powers.setdefault(power, len(powers)) for power in battle.powers],
        [code for code, _, _ in codes],
        [target for _, target, _ in codes],
        [goal for _, _, goal in codes],
    )
    _record(battle, answers, marks)
    return True


def _table(board: Board) -> Table | None:
    try:
        return table_of(board)
    except BoardError:
        return None


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
