"""Plays many games among greedy bots at once: the same games as one by one, but faster.

All games of a batch play their next phase together. Needs NumPy and rules that the kernel
supports. The seeds determine everything; they are used as in `arena.choose_orders`.
"""

import random
from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from diplomaccloud.bots.batched_games import name_phase
from diplomaccloud.bots.manyvalues import Ints, many_values
from diplomaccloud.bots.net import NODE_BITS, Net, net_of
from diplomaccloud.bots.planner import (
    Codes,
    nodes_of,
    plan_adjustments,
    plan_moves,
    plan_retreats,
)
from diplomaccloud.bots.values import Values
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.kernel.batch import adjudicate, starting_states
from diplomaccloud.judge.kernel.layout import (
    ADJUSTMENTS,
    HEAD,
    MOVEMENT_PHASES,
    PHASE,
    PLACE_SHIFT,
    POWER_SHIFT,
    WINNER,
    YEAR,
    find_owed,
    order_width,
    retreat_options,
    width,
)
from diplomaccloud.judge.rules import DEFAULT, RuleSet


def play_batch(
    board: Board, seeds: Sequence[str], *, until: int, rules: RuleSet = DEFAULT
) -> list[tuple["array[int]", int]]:
    """Play a game for each seed; return its last state and its number of phases.

    A game ends with a victory, which the state shows, or after the year `until`. Raises
    `UnsupportedRulesError` for rules that the kernel does not support.
    """
    net = net_of(board)
    states = [starting_states(board, 1) for _ in seeds]
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
            orders = _choose_orders(net, rows, phase, [seeds[i] for i in games])
            after = adjudicate(board, rows, orders, rules).states
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
    pairs = [
        (i, power) for i, state in enumerate(listed) for power in _find_ordering_powers(net, state)
    ]
    values = many_values(board, states, phase, [i for i, _ in pairs], [p for _, p in pairs])
    orders = array("i", bytes(4 * order_width(net.table) * len(listed)))
    for (i, power), worth in zip(pairs, values, strict=True):
        state = listed[i]
        seed = f"{seeds[i]}/{name_phase(phase, state[YEAR])}/{net.table.powers[power]}"
        rng = random.Random(seed)
        start = i * order_width(net.table)
        for node, codes in _plan(net, state, power, worth, rng).items():
            index = start + net.province[node]
            orders[index], orders[index + size], orders[index + 2 * size] = codes
    return orders


def _plan(
    net: Net, state: Sequence[int], power: int, values: Values, rng: random.Random
) -> dict[int, Codes]:
    size = net.table.provinces
    if state[PHASE] == ADJUSTMENTS:
        return plan_adjustments(net, state, power, values, rng)
    if state[PHASE] in MOVEMENT_PHASES:
        return plan_moves(net, nodes_of(net, state[HEAD : HEAD + size], power), values, rng)
    options = {
        net.node_of[code & NODE_BITS]: [
            net.node_of[place << PLACE_SHIFT | code & 1]
            for place in retreat_options(net.table, state, province)
        ]
        for province, code in enumerate(state[HEAD + size : HEAD + 2 * size])
        if code >> POWER_SHIFT == power
    }
    return plan_retreats(net, options, values, rng)


def _find_ordering_powers(net: Net, state: Sequence[int]) -> Iterator[int]:
    """Return the powers that have something to order, in ascending order."""
    if state[PHASE] == ADJUSTMENTS:
        return (power for power, count in enumerate(find_owed(net.table, state)) if count)
    start = HEAD if state[PHASE] in MOVEMENT_PHASES else HEAD + net.table.provinces
    codes = state[start : start + net.table.provinces]
    return iter(sorted({code >> POWER_SHIFT for code in codes if code >= 0}))
