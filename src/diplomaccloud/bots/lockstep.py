"""Plays many games among greedy bots at once: the same games as one by one, but faster.

All games of a batch play their next phase together. Needs NumPy and rules that the kernel
supports. The seeds determine everything; they are used as in `arena.choose_orders`.
"""

import random
from array import array
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from diplomaccloud.bots.greedy import (
    NODE_BITS,
    SIZE_BASE,
    SIZE_FACTOR,
    STRENGTH,
    WEIGHTS,
    Net,
    Values,
    net_of,
    plan_orders,
)
from diplomaccloud.bots.player import name_phase
from diplomaccloud.judge import batch
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.kernel.core.codes import (
    HEAD,
    PHASE,
    POWER_SHIFT,
    WINNER,
    YEAR,
)
from diplomaccloud.judge.kernel.layout import (
    ADJUSTMENT_PHASES,
    MOVEMENT_PHASES,
    find_owed,
    order_width,
    width,
)
from diplomaccloud.judge.rules import DEFAULT, RuleSet

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class _Walk:
    """The plan for one diffusion step: in round `k`, nodes add their `k`-th neighbor.

    In `order`, the nodes with the most neighboring provinces come first, so each round covers the
    first rows. `rounds` are the rows to add; `pairs` are places in a round where a split coast
    adds the best of two or more rows instead.
    """

    order: Ints
    rounds: tuple[Ints, ...]
    pairs: tuple[tuple[tuple[int, Ints], ...], ...]
    province: Ints
    reach: Floats
    """By node and province: 1 if a unit at the node could be in the province next."""
    centers: Ints


def many_values(
    board: Board, states: Ints, phase: int, rows: Sequence[int], powers: Sequence[int]
) -> list[Values]:
    """Return what `values_of` returns, bit for bit, for each power in the state of its row.

    All states are in `phase`. Sums are added in the same order as there. The rows of an array are
    nodes or provinces, and the columns are pairs of a state and a power, so each step adds whole
    rows.

    `states` is two-dimensional; each row is a state as in `judge.kernel.layout`.
    """
    net, walk = net_of(board), _build_walk(board)
    weights, many = WEIGHTS[phase], len(rows)
    chosen, mine = np.asarray(rows), np.asarray(powers)
    reach = _count_reach(net, walk, states)
    owners = states[:, HEAD + 4 * net.table.provinces :][:, walk.centers]
    counts = np.stack([(owners == each).sum(axis=1) for each in range(-1, len(net.table.powers))])
    sizes = counts * counts + SIZE_FACTOR * counts + SIZE_BASE
    threats = np.where(reach > 0, sizes[1:].T[:, :, None], 0)
    competition = _max_of_others(reach)[chosen, mine]
    strength = reach[chosen, mine] - competition
    threat = _max_of_others(threats)[chosen, mine]
    base, defense = np.zeros((2, many, net.table.provinces))
    owned = owners[chosen] == mine[:, None]
    prey = sizes.T[chosen[:, None], owners[chosen] + 1]
    base[:, walk.centers] = np.where(
        owned, weights.defense * threat[:, walk.centers], weights.attack * prey
    )
    defense[:, walk.centers] = np.where(owned, threat[:, walk.centers], 0)
    worth = _diffuse(walk, base.T[walk.province], weights.steps)
    worth += STRENGTH * (defense if phase in ADJUSTMENT_PHASES else strength).T[walk.province]
    back = np.empty_like(worth)
    back[walk.order] = worth
    return [
        Values(nodes, rivals)
        for nodes, rivals in zip(back.T.tolist(), competition.tolist(), strict=True)
    ]


@lru_cache(maxsize=8)
def _build_walk(board: Board) -> _Walk:
    net = net_of(board)
    size = len(net.codes)
    order = sorted(range(size), key=lambda node: -len(net.groups[node]))
    row_of = {node: row for row, node in enumerate(order)}
    most = len(net.groups[order[0]])
    rounds, pairs = [], []
    for k in range(most):
        taken = [net.groups[node][k] for node in order if k < len(net.groups[node])]
        rounds.append(np.array([row_of[group[0]] for group in taken]))
        pairs.append(
            tuple(
                (row, np.array([row_of[node] for node in group]))
                for row, group in enumerate(taken)
                if len(group) > 1
            )
        )
    reach = np.zeros((size, net.table.provinces))
    for node, province in enumerate(net.province):
        reach[node, [province, *net.reach[node]]] = 1
    return _Walk(
        order=np.array(order),
        rounds=tuple(rounds),
        pairs=tuple(pairs),
        province=np.array(net.province)[order],
        reach=reach,
        centers=np.array(net.table.centers),
    )


def _count_reach(net: Net, walk: _Walk, states: Ints) -> Floats:
    """Return how many units could be next in each province, by state and power."""
    codes = states[:, HEAD : HEAD + net.table.provinces]
    state, province = np.nonzero(codes >= 0)
    units = codes[state, province]
    standing = np.zeros((len(states), len(net.table.powers), len(net.codes)))
    standing[state, units >> POWER_SHIFT, np.asarray(net.node_of)[units & NODE_BITS]] = 1
    counts: Floats = standing @ walk.reach
    return counts


def _max_of_others(counts: Floats) -> Floats:
    """Return the largest entry of any other power for each power; powers are the second axis."""
    first = counts.argmax(axis=1)[:, None]
    most = np.take_along_axis(counts, first, axis=1)
    rest = counts.copy()
    np.put_along_axis(rest, first, -1, axis=1)
    second = np.maximum(rest.max(axis=1), 0)[:, None]
    number = np.arange(counts.shape[1])[None, :, None]
    others: Floats = np.where(number == first, second, most)
    return others


def _diffuse(walk: _Walk, level: Floats, steps: tuple[int, ...]) -> Floats:
    total = steps[0] * level
    for weight in steps[1:]:
        around = np.zeros_like(level)
        for rows, split in zip(walk.rounds, walk.pairs, strict=True):
            taken = level[rows]
            for row, group in split:
                taken[row] = level[group].max(axis=0)
            around[: len(rows)] += taken
        level = (level + around) / 5
        total += weight * level
    return total


def play_batch(
    board: Board, seeds: Sequence[str], *, until: int, rules: RuleSet = DEFAULT
) -> list[tuple["array[int]", int]]:
    """Play a game for each seed; return its last state and its number of phases.

    A game ends with a victory, which the state shows, or after the year `until`. Raises
    `UnsupportedRulesError` for rules that batches do not support.
    """
    net = net_of(board)
    states = [batch.start(1, board) for _ in seeds]
    phases = [0] * len(seeds)
    while open_games := [
        i for i, row in enumerate(states) if row[WINNER] < 0 and row[YEAR] <= until
    ]:
        by_phase: dict[int, list[int]] = defaultdict(list)
        for i in open_games:
            by_phase[states[i][PHASE]].append(i)
        for phase, games in by_phase.items():
            rows = array("i")
            for i in games:
                rows.extend(states[i])
            drawn = [seeds[i] for i in games]
            orders = _choose_orders(net, rows, phase, drawn)
            after = batch.adjudicate(rows, orders, rules, board, seeds=drawn).states
            row_width = width(net.table)
            for place, i in enumerate(games):
                states[i] = after[place * row_width : (place + 1) * row_width]
                phases[i] += 1
    return list(zip(states, phases, strict=True))


def _choose_orders(net: Net, rows: "array[int]", phase: int, seeds: Sequence[str]) -> "array[int]":
    """Return the order rows of states that are all in `phase`."""
    board, row_width, size = net.table.board, width(net.table), net.table.provinces
    states: Ints = np.frombuffer(rows, dtype=np.int32).reshape(-1, row_width).astype(np.int64)
    listed: list[list[int]] = states.tolist()
    start = HEAD if phase in MOVEMENT_PHASES else HEAD + size
    pairs = [
        (i, power)
        for i, state in enumerate(listed)
        for power in sorted(
            {code >> POWER_SHIFT for code in state[start : start + size] if code >= 0}
        )
    ]
    if phase in ADJUSTMENT_PHASES:
        owed = [enumerate(find_owed(net.table, state)) for state in listed]
        pairs = [(i, power) for i, counts in enumerate(owed) for power, count in counts if count]
    values = many_values(board, states, phase, [i for i, _ in pairs], [p for _, p in pairs])
    orders = array("i", bytes(4 * order_width(net.table) * len(listed)))
    for (i, power), worth in zip(pairs, values, strict=True):
        state = listed[i]
        seed = f"{seeds[i]}/{name_phase(phase, state[YEAR])}/{net.table.powers[power]}"
        rng = random.Random(seed)
        for node, codes in plan_orders(net, state, power, worth, rng).items():
            index = i * order_width(net.table) + net.province[node]
            orders[index], orders[index + size], orders[index + 2 * size] = codes
    return orders
