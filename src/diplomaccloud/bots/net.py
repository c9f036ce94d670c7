"""A board as a graph for the greedy bot: nodes, their neighbors, and the provinces within reach.

A *node* is a unit type at a place. Nodes are numbered in the order of units: armies first, then by
the name of the place. Sorting nodes therefore sorts units.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from diplomaccloud.judge.board import Board
from diplomaccloud.judge.kernel.table import KINDS, Table, table_of

NODE_BITS = 2047
"""The bits for the type and place in a unit's number (see `kernel.layout`)."""


@dataclass(frozen=True, slots=True, eq=False)
class Net:
    """The nodes of one board; sequences are indexed by node unless noted.

    `codes` are the nodes as bits of a unit's number; `node_of` is the inverse (-1 where no
    unit can stand). `province` and `place` are the kernel's numbers. `near` has the nodes one
    move away, `groups` the same nodes grouped by province, and `reach` their provinces, by code.
    `landings`, indexed by province, has the nodes where a unit can be built.
    """

    table: Table
    codes: Sequence[int]
    node_of: Sequence[int]
    province: Sequence[int]
    place: Sequence[int]
    near: Sequence[Sequence[int]]
    groups: Sequence[Sequence[Sequence[int]]]
    reach: Sequence[Sequence[int]]
    landings: Sequence[Sequence[int]]


@lru_cache(maxsize=64)
def net_of(board: Board) -> Net:
    """Return the net of `board`, which is built only once."""
    table = table_of(board)
    codes = [
        table.place_of[location] << 1 | number
        for number, kind in enumerate(KINDS)
        for location in sorted(board.locations(kind))
    ]
    node_of = [-1] * (2 * table.places)
    for node, code in enumerate(codes):
        node_of[code] = node
    province = [table.province_of[code >> 1] for code in codes]
    near = [
        sorted(node_of[to << 1 | code & 1] for to in table.near[_row(table, code)])
        for code in codes
    ]
    names = [province.code for province in board.provinces]
    landings: list[list[int]] = [[] for _ in names]
    for node, standing_in in enumerate(province):
        landings[standing_in].append(node)
    return Net(
        table=table,
        codes=codes,
        node_of=node_of,
        province=province,
        place=[code >> 1 for code in codes],
        near=near,
        groups=[_group_by_province(nodes, province) for nodes in near],
        reach=[sorted(table.reach[_row(table, code)], key=names.__getitem__) for code in codes],
        landings=landings,
    )


def _row(table: Table, code: int) -> int:
    return (code & 1) * table.places + (code >> 1)


def _group_by_province(nodes: Sequence[int], province: Sequence[int]) -> list[list[int]]:
    groups: dict[int, list[int]] = {}
    for node in nodes:
        groups.setdefault(province[node], []).append(node)
    return list(groups.values())
