"""Plans the greedy bot's orders for one power and phase, as numbers.

Places are nodes of a `Net`; an order is a code, target and goal as in `kernel.layout`.
"""

import random
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter

from diplomaccloud.bots.net import NODE_BITS, Net
from diplomaccloud.bots.values import Values
from diplomaccloud.judge.kernel.layout import (
    BUILD,
    DISBAND,
    HEAD,
    HOLD,
    MOVE,
    POWER_SHIFT,
    RETREAT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    build_sites,
)

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


def plan_moves(
    net: Net, units: Iterable[int], values: Values, rng: random.Random
) -> dict[int, Codes]:
    """Return an order for each of a power's units; units are given as nodes."""
    planner = _Planner(net, sorted(units), values, rng)
    planner.choose_orders()
    planner.add_supports()
    return planner.orders


def plan_retreats(
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


def plan_adjustments(
    net: Net, state: Sequence[int], power: int, values: Values, rng: random.Random
) -> dict[int, Codes]:
    """Return the builds or disbands that `power` owes, by node."""
    provinces, worth = net.table.provinces, values.worth
    units = sorted(nodes_of(net, state[HEAD : HEAD + provinces], power))
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


def nodes_of(net: Net, codes: Iterable[int], power: int) -> list[int]:
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

    def choose_orders(self) -> None:
        """Give each unit its first order, going through the units at random."""
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

    def add_supports(self) -> None:
        """Make each unit that would only hold support its most valuable neighbor instead."""
        for unit, order in self.orders.items():
            if order is _HOLDS and (best := self._best_support(unit)):
                self.orders[unit] = best

    def _rank_nodes(self, unit: int) -> Ranking:
        """Return a new ranking of the nodes that `unit` may reach; staying gets a small bonus."""
        ranking = self.options.get(unit)
        if ranking is None:
            worth = self.worth
            ranking = [(worth[node], node) for node in self.net.near[unit]]
            ranking.insert(0, (worth[unit] + 1, unit))
            ranking.sort(key=_by_worth, reverse=True)
            self.options[unit] = ranking
        return ranking.copy()

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
