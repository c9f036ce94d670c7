"""The greedy bot: each unit goes where supply centers attract it most, and others support it.

It is our own version of David Norman's DumbBot; see `values_of` for the attraction and `_Planner`
for the orders. It never convoys and cannot negotiate, but it is fast and tough on beginners.
"""

import random
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.kernel.core.codes import (
    BUILD,
    DISBAND,
    HEAD,
    HOLD,
    MOVE,
    PHASE,
    PLACE_SHIFT,
    POWER_SHIFT,
    RETREAT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
)
from diplomaccloud.judge.kernel.layout import (
    ADJUSTMENT_PHASES,
    MOVEMENT_PHASES,
    build_sites,
    pack_state,
    read_order,
    retreat_options,
)
from diplomaccloud.judge.kernel.table import KINDS, Table, table_of
from diplomaccloud.judge.orders import Order, Waive
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import RuleSet

NODE_BITS = 2047
"""The bits for the type and place in a unit's number (see `kernel.layout`)."""


@dataclass(frozen=True, slots=True, eq=False)
class Net:
    """A board as a graph: its nodes; sequences are indexed by node unless noted.

    A *node* is a unit type at a place. Nodes are numbered in the order of units: armies first, then
    by the name of the place. Sorting nodes therefore sorts units.

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
    rows = [(code & 1) * table.places + (code >> 1) for code in codes]
    near = [
        sorted(node_of[to << 1 | code & 1] for to in table.near[row])
        for row, code in zip(rows, codes, strict=True)
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
        # The coasts of a province follow each other.
        groups=[[list(g) for _, g in groupby(n, key=province.__getitem__)] for n in near],
        reach=[sorted(table.reach[row], key=names.__getitem__) for row in rows],
        landings=landings,
    )


# The value of each node to a power: the worth of supply centers, diffused over the board.
#
# The idea comes from David Norman's DumbBot: a center attracts units according to the size of its
# owner, and its pull fades with distance. The *strength* of a power in a province is how many of
# its units could be there next; its *competition* is the highest such number of any other power.
# States are the kernel's rows; see `judge.kernel.layout`.
#
# `lockstep` computes the same numbers, bit for bit, for many states at once. Sums must therefore
# be added in a fixed order.


@dataclass(frozen=True, slots=True)
class Weights:
    """A season's weights: for attack, for defense, and for centers at each distance in moves."""

    attack: int
    defense: int
    steps: tuple[int, ...]


_DISTANT = (30, 10, 6, 5, 4, 3, 2, 1)
_SPRING = Weights(attack=700, defense=300, steps=(100, 1000, *_DISTANT))
_FALL = Weights(attack=600, defense=400, steps=(1000, 100, *_DISTANT))
_WINTER = Weights(attack=700, defense=300, steps=(1000, 100, *_DISTANT))
WEIGHTS = (_SPRING, _SPRING, _FALL, _FALL, _WINTER)
"""Indexed by the number of the phase in a state."""

SIZE_FACTOR, SIZE_BASE = 4, 16
"""DumbBot's coefficients for the size of a power: centers² + 4 × centers + 16."""

SPREAD = 5
"""How many nodes share a value in one step: a node and its four neighbors, as in DumbBot."""

STRENGTH = 1000
"""The weight of each unit more or less than the competition."""


@dataclass(frozen=True, slots=True)
class Values:
    """The worth of every node to one power, and its competition in every province."""

    worth: Sequence[float]
    competition: Sequence[int]


def size_of(centers: int) -> int:
    """Return the weight of a power with `centers` centers; neutral centers count as one power."""
    return centers * centers + SIZE_FACTOR * centers + SIZE_BASE


def values_of(net: Net, state: Sequence[int], power: int) -> Values:
    """Return the worth of every node to `power` in the phase of `state`."""
    provinces = net.table.provinces
    weights = WEIGHTS[state[PHASE]]
    reach = _count_reach(net, state)
    owners = state[HEAD + 4 * provinces : HEAD + 5 * provinces]
    sizes = [size_of(owners.count(each)) for each in range(len(net.table.powers))]
    competition = [0] * provinces
    threat = [0] * provinces
    for rival, counts in enumerate(reach):
        if rival != power:
            for province, count in enumerate(counts):
                if count:
                    competition[province] = max(competition[province], count)
                    threat[province] = max(threat[province], sizes[rival])
    base = [0.0] * provinces
    defense = [0] * provinces
    free = size_of(sum(owners[center] < 0 for center in net.table.centers))
    for center in net.table.centers:
        owner = owners[center]
        if owner == power:
            defense[center] = threat[center]
            base[center] = float(weights.defense * threat[center])
        else:
            base[center] = float(weights.attack * (free if owner < 0 else sizes[owner]))
    strength = reach[power]
    margins = (
        defense
        if state[PHASE] in ADJUSTMENT_PHASES
        else [mine - others for mine, others in zip(strength, competition, strict=True)]
    )
    worth = _diffuse(net, base, weights.steps)
    for node, province in enumerate(net.province):
        worth[node] += STRENGTH * margins[province]
    return Values(worth, competition)


def _count_reach(net: Net, state: Sequence[int]) -> list[list[int]]:
    """Return how many of a power's units could be next in a province, by power and province."""
    provinces = net.table.provinces
    counts = [[0] * provinces for _ in net.table.powers]
    for province, code in enumerate(state[HEAD : HEAD + provinces]):
        if code >= 0:
            row = counts[code >> POWER_SHIFT]
            row[province] += 1
            for to in net.reach[net.node_of[code & NODE_BITS]]:
                row[to] += 1
    return counts


def _diffuse(net: Net, base: Sequence[float], steps: tuple[int, ...]) -> list[float]:
    """Return the weighted sum of wider and wider averages; only the best split coast counts."""
    level = [base[province] for province in net.province]
    total = [steps[0] * value for value in level]
    for weight in steps[1:]:
        wider = []
        for node, groups in enumerate(net.groups):
            around = 0.0
            for group in groups:
                around += level[group[0]] if len(group) == 1 else max([level[i] for i in group])
            wider.append((level[node] + around) / SPREAD)
        level = wider
        total = [so_far + weight * value for so_far, value in zip(total, level, strict=True)]
    return total


# Plans the greedy bot's orders for one power and phase, as numbers.
#
# Places are nodes of a `Net`; an order is a code, target and goal as in `kernel.layout`.


Codes = tuple[int, int, int]
"""An order's code, target and goal."""

Ranking = list[tuple[float, int]]
"""Nodes with their worth, best first."""

_PICKINESS = 5
"""A node is never chosen if it is worth a fifth less than the next better one."""

_MAX_CHANCE_OF_NEXT = 0.5
"""How often the next node is chosen if worth just as much, so that the bot is unpredictable."""

_HOLDS: Codes = (HOLD, 0, 0)
_by_worth = itemgetter(0)


def plan_orders(
    net: Net, state: Sequence[int], power: int, values: Values, rng: random.Random
) -> dict[int, Codes]:
    """Return what `power` orders in the phase of `state`, by node."""
    size = net.table.provinces
    if state[PHASE] in ADJUSTMENT_PHASES:
        return _plan_adjustments(net, state, power, values, rng)
    if state[PHASE] in MOVEMENT_PHASES:
        units = _list_nodes(net, state[HEAD : HEAD + size], power)
        return _Planner(net, sorted(units), values, rng).choose_orders()
    options = {
        net.node_of[code & NODE_BITS]: [
            net.node_of[place << PLACE_SHIFT | code & 1]
            for place in retreat_options(net.table, state, province)
        ]
        for province, code in enumerate(state[HEAD + size : HEAD + 2 * size])
        if code >> POWER_SHIFT == power
    }
    return _plan_retreats(net, options, values, rng)


def _plan_retreats(
    net: Net, options: Mapping[int, Iterable[int]], values: Values, rng: random.Random
) -> dict[int, Codes]:
    """Return an order for each dislodged unit; `options` has the nodes it can retreat to."""
    taken: set[int] = set()
    orders: dict[int, Codes] = {}
    for unit in sorted(options):
        free = [node for node in sorted(options[unit]) if net.province[node] not in taken]
        if not free:
            orders[unit] = DISBAND, 0, 0
            continue
        ranking = _rank(free, values)
        node = ranking[_pick(ranking, rng)][1]
        taken.add(net.province[node])
        orders[unit] = RETREAT, 0, net.place[node]
    return orders


def _plan_adjustments(
    net: Net, state: Sequence[int], power: int, values: Values, rng: random.Random
) -> dict[int, Codes]:
    provinces, worth = net.table.provinces, values.worth
    units = sorted(_list_nodes(net, state[HEAD : HEAD + provinces], power))
    owed = state[HEAD + 4 * provinces : HEAD + 5 * provinces].count(power) - len(units)
    if owed < 0:
        return dict.fromkeys(sorted(units, key=worth.__getitem__)[:-owed], (DISBAND, 0, 0))
    sites = build_sites(net.table, state, power)
    ranking = _rank(sorted(node for site in sites for node in net.landings[site]), values)
    orders: dict[int, Codes] = {}
    while ranking and len(orders) < owed:
        node = ranking[_pick(ranking, rng)][1]
        orders[node] = BUILD, net.codes[node] & 1, net.place[node]
        province = net.province[node]
        ranking = [entry for entry in ranking if net.province[entry[1]] != province]
    return orders


def _list_nodes(net: Net, codes: Iterable[int], power: int) -> list[int]:
    """Return the nodes of the units of `power`; `codes` are numbers of units, or -1 for none."""
    return [net.node_of[code & NODE_BITS] for code in codes if code >> POWER_SHIFT == power]


def _rank(nodes: Iterable[int], values: Values) -> Ranking:
    # Nodes of equal worth keep their order.
    return sorted([(values.worth[node], node) for node in nodes], key=_by_worth, reverse=True)


def _pick(ranking: Ranking, rng: random.Random) -> int:
    """Return the index of the best node, or sometimes of the next best if it is nearly as good."""
    chosen, last = 0, len(ranking) - 1
    while chosen < last:
        worth, below = ranking[chosen][0], ranking[chosen + 1][0]
        loss = _PICKINESS * (worth - below) / worth if worth > 0 else 1.0
        if rng.random() >= _MAX_CHANCE_OF_NEXT * (1 - min(1.0, loss)):
            break
        chosen += 1
    return chosen


class _Planner:
    """Chooses orders for one movement phase, unit by unit."""

    def __init__(self, net: Net, units: list[int], values: Values, rng: random.Random) -> None:
        self.net, self.units, self.rng = net, units, rng
        self.worth, self.competition = values.worth, values.competition
        self.standing = {net.province[unit]: unit for unit in units}
        self.orders: dict[int, Codes] = {}
        self.arriving: dict[int, tuple[int, int]] = {}
        """By province: the unit that moves there, and the node it moves to."""
        self.options: dict[int, Ranking] = {}

    def choose_orders(self) -> dict[int, Codes]:
        """Return each unit's order, going through the units at random.

        Then make each unit that would only hold support its most valuable neighbor instead.
        """
        self.rng.shuffle(self.units)
        queue = deque(self.units)
        waits = 0
        while queue:
            unit = queue.popleft()
            order = self._choose(unit, may_wait=waits < len(queue))
            if order is None:
                queue.append(unit)
                waits += 1
            else:
                self.orders[unit] = order
                waits = 0
        for unit, order in self.orders.items():
            if order is _HOLDS and (best := self._best_support(unit)):
                self.orders[unit] = best
        return self.orders

    def _rank_nodes(self, unit: int) -> Ranking:
        """Return a new ranking of the nodes that `unit` may reach; staying gets a small bonus."""
        if unit not in self.options:
            ranking = [(self.worth[node], node) for node in self.net.near[unit]]
            ranking.insert(0, (self.worth[unit] + 1, unit))
            ranking.sort(key=_by_worth, reverse=True)
            self.options[unit] = ranking
        return self.options[unit].copy()

    def _choose(self, unit: int, *, may_wait: bool) -> Codes | None:
        """Return an order, or None to retry once the unit in the way has an order."""
        ranking = self._rank_nodes(unit)
        while True:
            chosen = _pick(ranking, self.rng)
            node = ranking[chosen][1]
            if node == unit:
                return _HOLDS
            target = self.net.province[node]
            friend = self.standing.get(target)
            if friend is not None and friend not in self.orders and may_wait:
                return None
            if order := self._order_into(unit, node, friend):
                return order
            del ranking[chosen]

    def _order_into(self, unit: int, node: int, friend: int | None) -> Codes | None:
        """Return a move to `node`, support for a friendly unit there, or None if neither helps."""
        target = self.net.province[node]
        rivals = self.competition[target]
        if friend is not None:
            order = self.orders.get(friend)
            if order is None:
                return None
            if order[0] != MOVE:
                return (SUPPORT_HOLD, target, 0) if rivals > 1 else None
        if target in self.arriving:
            return self._support_move(target) if rivals > 0 else None
        self.arriving[target] = unit, node
        return MOVE, 0, self.net.place[node]

    def _support_move(self, target: int) -> Codes:
        mover, node = self.arriving[target]
        return SUPPORT_MOVE, self.net.province[mover], self.net.place[node]

    def _best_support(self, unit: int) -> Codes | None:
        """Return support for the most valuable move or unit nearby that needs it, if any."""
        best: tuple[float, Codes] | None = None
        for target in self.net.reach[unit]:
            rivals = self.competition[target]
            move, friend = self.arriving.get(target), self.standing.get(target)
            if move is not None and rivals > 0 and move[0] != unit:
                option = self.worth[move[1]], self._support_move(target)
            elif friend is not None and rivals > 1 and self.orders[friend][0] != MOVE:
                option = self.worth[friend] + 1, (SUPPORT_HOLD, target, 0)
            else:
                continue
            if best is None or option[0] > best[0]:
                best = option
        return best[1] if best else None


class GreedyBot:
    """Sends each unit to the most valuable place within reach, with a little randomness."""

    name = "greedy"

    def orders(
        self, board: Board, position: Position, power: Power, rules: RuleSet, rng: random.Random
    ) -> Sequence[Order]:
        """Return the orders of `power`; the same for the same state of `rng`."""
        net, state = net_of(board), pack_state(board, position)
        number = net.table.power_of[power]
        planned = plan_orders(net, state, number, values_of(net, state, number), rng)
        orders = [
            read_order(net.table, state, *planned[node], net.province[node])
            for node in sorted(planned)
        ]
        if state[PHASE] in ADJUSTMENT_PHASES:
            owed = adjustments_owed(board, position, power)
            orders += [Waive(power)] * (owed - len(orders))
        return orders
