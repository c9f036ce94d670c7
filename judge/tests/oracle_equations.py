"""The oracle's equations: a slow, separate reading of DATC 5.B for every rule set.

Everything here is a function of which moves succeed: a convoy holds if no move into its sea
succeeds, a path is open if a chain of such fleets leads there, and a support counts unless it
is cut. Each move has an equation that says whether it succeeds, given which others do. All
truth assignments are tried, and those that satisfy every equation are consistent. In a partial
assignment an undecided move is `None`; an equation may then be open too. An army that may go
by sea or by land goes by sea in those assignments in which its convoy holds, so its route is
not guessed: it follows from the moves.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from diplomaccloud.judge.board import Board, Location, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.orders import Convoy, Move, MovementOrder, SupportHold, SupportMove
from diplomaccloud.judge.rules import (
    DEFAULT,
    ConvoyIntent,
    ConvoyPath,
    Paradox,
    RuleSet,
    SupportCoast,
    ViaWithoutConvoy,
)

Truth = bool | None
Span = tuple[int, int]
Moved = dict[ProvinceCode, Truth]

MOST = 12
"""The most moves whose assignments are written out; larger knots are not solved."""


class TooLargeError(Exception):
    """A knot with more assignments than can be enumerated."""


class Table:
    """Legal orders, one for each unit, by the province the unit stands in."""

    def __init__(
        self,
        board: Board,
        orders: Iterable[MovementOrder],
        rules: RuleSet = DEFAULT,
        fixed: Mapping[ProvinceCode, bool] | None = None,
    ) -> None:
        """`fixed` says of armies whether they go by sea, whatever happens to their convoys."""
        self.board, self.rules, self.fixed = board, rules, fixed or {}
        self.orders = {order.unit.province: order for order in orders}
        self.moves = {
            province: province_of(order.to)
            for province, order in self.orders.items()
            if isinstance(order, Move)
        }
        self.power = {province: order.unit.power for province, order in self.orders.items()}
        self.into: dict[ProvinceCode, list[ProvinceCode]] = {}
        for start, goal in self.moves.items():
            self.into.setdefault(goal, []).append(start)
        self.fleets = {army: self._carriers(army) for army in self.moves}
        self.chains = {army: self._chains(army) for army in self.moves}
        self.sailing = {army for army in self.moves if self._sails(army)}
        self.either = {army for army in self.sailing if self._falls_back(army)}
        self.afoot = {f: a for a in self.sailing for f in self.fleets[a]}
        self.backers = {p: [s for s in self.orders if self._backs(s, p)] for p in self.orders}

    def try_moves(
        self,
        moved: Mapping[ProvinceCode, Truth],
        sunk: Collection[ProvinceCode] = (),
        stuck: Collection[ProvinceCode] = (),
    ) -> "Trial":
        """Return what follows if `moved` is true."""
        return Trial(self, moved, sunk, stuck)

    def _carriers(self, army: ProvinceCode) -> list[ProvinceCode]:
        if self.orders[army].unit.kind is UnitKind.FLEET:
            return []
        return [
            province
            for province, order in self.orders.items()
            if isinstance(order, Convoy)
            and order.target.province == army
            and order.to == self.moves[army]
            and self._may_carry(province, army)
        ]

    def _may_carry(self, fleet: ProvinceCode, army: ProvinceCode) -> bool:
        """Whether the seas that the army's order names allow the fleet on its route (4.A.6)."""
        order, rule = self.orders[army], self.rules.convoy_path
        assert isinstance(order, Move)
        free = rule is ConvoyPath.IGNORED or (rule is ConvoyPath.ALLOWED and not order.path)
        return free or fleet in order.path

    def _chains(self, army: ProvinceCode) -> list[frozenset[ProvinceCode]]:
        """Every set of fleets that leads to the goal and has no fleet too many."""
        fleets, found = self.fleets[army], list[frozenset[ProvinceCode]]()
        if len(fleets) > MOST:
            raise TooLargeError
        for size in range(1, len(fleets) + 1):
            for some in combinations(fleets, size):
                chain = frozenset(some)
                if not any(less <= chain for less in found) and self._leads(army, chain):
                    found.append(chain)
        return found

    def _leads(self, army: ProvinceCode, chain: frozenset[ProvinceCode]) -> bool:
        touches = self.board.fleet_provinces
        reached = {sea for sea in chain if army in touches[Location(sea)]}
        for _ in chain:
            reached |= {s for s in chain if any(s in touches[Location(r)] for r in reached)}
        return any(self.moves[army] in touches[Location(sea)] for sea in reached)

    def _sails(self, army: ProvinceCode) -> bool:
        order = self.orders[army]
        if not isinstance(order, Move) or order.unit.kind is UnitKind.FLEET:
            return False
        goal = self.moves[army]
        if goal not in self.board.army_neighbors[army]:
            return True
        if army in self.fixed:
            return self.fixed[army]
        via = self.rules.via_without_convoy is ViaWithoutConvoy.HOLD or bool(self.chains[army])
        meant = order.via_convoy and via
        shown_by = set(self.fleets[army])
        if self.rules.intent_needs_chain:
            shown_by = {fleet for chain in self.chains[army] for fleet in chain}
        own = any(self.power[fleet] == self.power[army] for fleet in shown_by)
        whole = bool(self.chains[army])
        swap = self.moves.get(goal) == army
        own_swap = swap and self.power[goal] == self.power[army]
        return {
            ConvoyIntent.VIA: meant,
            ConvoyIntent.OWN_FLEET_OR_VIA: meant or own,
            ConvoyIntent.WHOLE_CONVOY_OR_VIA: meant or (whole and own),
            ConvoyIntent.OWN_ORDERS: whole and (meant or own or own_swap),
            ConvoyIntent.SWAP: whole and swap,
            ConvoyIntent.EITHER_ROUTE: whole,
        }[self.rules.convoy_intent]

    def _falls_back(self, army: ProvinceCode) -> bool:
        """Whether the army goes by land if its convoy fails."""
        rules = self.rules
        remains = rules.convoy_intent in {ConvoyIntent.SWAP, ConvoyIntent.EITHER_ROUTE}
        near = self.moves[army] in self.board.army_neighbors[army]
        return near and army not in self.fixed and (rules.land_behind_convoy or remains)

    def _backs(self, supporter: ProvinceCode, target: ProvinceCode) -> bool:
        order, move = self.orders[supporter], self.orders[target]
        if isinstance(order, SupportHold):
            return order.target.province == target and not isinstance(move, Move)
        if not isinstance(order, SupportMove) or not isinstance(move, Move):
            return False
        named = order.to in {move.to, Location(province_of(move.to))}
        if self.rules.support_coast is SupportCoast.IGNORED:
            named = province_of(order.to) == province_of(move.to)
        there = target not in self.sailing - self.either or bool(self.chains[target])
        return order.target.province == target and named and there


@dataclass
class Trial:
    """What follows if `moved` is true; `sunk` fleets do not convoy and `stuck` units stay."""

    table: Table
    moved: Mapping[ProvinceCode, Truth]
    sunk: Collection[ProvinceCode] = ()
    stuck: Collection[ProvinceCode] = ()
    forced: Mapping[ProvinceCode, bool] = field(default_factory=dict)

    def force(self, afloat: Mapping[ProvinceCode, bool]) -> "Trial":
        """Return the same with other answers about fleets."""
        return replace(self, forced=afloat)

    def into(self, province: ProvinceCode) -> Sequence[ProvinceCode]:
        return self.table.into.get(province, ())

    def afloat(self, fleet: ProvinceCode) -> Truth:
        if fleet in self.forced:
            return self.forced[fleet]
        if fleet in self.sunk:
            return False
        fates = [self.moved[attacker] for attacker in self.into(fleet)]
        if True in fates:
            return False
        return None if None in fates else True

    def path(self, army: ProvinceCode, without: ProvinceCode | None = None) -> Truth:
        if army not in self.table.sailing or army in self.table.either:
            return True
        return self.carried(army, without)

    def sails(self, army: ProvinceCode) -> Truth:
        """Whether the army goes by sea, though perhaps in vain."""
        if army not in self.table.either:
            return army in self.table.sailing
        return self.carried(army)

    def head_on(self, move: ProvinceCode) -> Truth:
        """Whether another unit comes the other way, neither of them by convoy."""
        goal = self.table.moves[move]
        if self.table.moves.get(goal) != move:
            return False
        return _not(_any([self.sails(move), self.sails(goal)]))

    def carried(self, army: ProvinceCode, without: ProvinceCode | None = None) -> Truth:
        """Whether the convoy of the army holds."""
        named = self.table.chains[army]
        chains = [[self.afloat(f) for f in chain] for chain in named if without not in chain]
        if self.table.rules.any_route_disrupts:
            return _all(fate for chain in chains for fate in chain) if chains else False
        return _any(_all(chain) for chain in chains)

    def spared(self, attacker: ProvinceCode, supporter: ProvinceCode) -> Truth:
        """Whether a printed paradox rule keeps the attack from cutting the support."""
        table, order = self.table, self.table.orders[supporter]
        sails = self.sails(attacker)
        if sails is False or order.unit.kind is UnitKind.ARMY:
            return False
        assert isinstance(order, SupportHold | SupportMove)
        attack = isinstance(order, SupportMove)
        sea = province_of(order.to) if isinstance(order, SupportMove) else order.target.province
        match table.rules.paradox:
            case Paradox.RULE_1982:
                return _all([sails, sea in table.afoot and self.sails(table.afoot[sea])])
            case Paradox.RULE_1971:
                by_fleet = order.target.kind is UnitKind.FLEET
                return sails if attack and by_fleet and table.afoot.get(sea) == attacker else False
            case Paradox.RULE_2000 if attack and table.afoot.get(sea) == attacker:
                return _not(self.path(attacker, without=sea))
        return False

    def given(self, supporter: ProvinceCode) -> Truth:
        table, order = self.table, self.table.orders[supporter]
        assert isinstance(order, SupportHold | SupportMove)
        into = order.target.province
        if isinstance(order, SupportMove):
            into = province_of(order.to)
        verdict: Truth = True
        for attacker in self.into(supporter):
            spared = self.spared(attacker, supporter)
            foreign = table.power[attacker] != table.power[supporter]
            aside: Truth = attacker != into
            if not aside and table.rules.convoyed_attack_cuts:
                aside = self.sails(attacker)
            cuts = _all([aside, foreign or table.rules.own_attack_cuts_support])
            arrives = _all([cuts, self.path(attacker)])
            hit = _any([self.moved[attacker], arrives])
            verdict = _all([verdict, _not(_all([_not(spared), hit]))])
        return verdict

    def strength(self, target: ProvinceCode, against: str | None = None) -> Span:
        table = self.table
        backers = [b for b in table.backers[target] if table.power[b] != against]
        fates = [self.given(b) for b in backers]
        low = 1 + sum(fate is True for fate in fates)
        high = 1 + sum(fate is not False for fate in fates)
        if against is not None and table.rules.own_attack_void:
            own = _any(self.given(b) for b in table.backers[target] if b not in backers)
            if own is not False:
                return 0, 0 if own else high
        return low, high

    def attack(self, move: ProvinceCode) -> Span:
        table, goal = self.table, self.table.moves[move]
        path = self.path(move)
        if path is False:
            return 0, 0
        leaves: Truth = True
        if goal in table.orders:
            leaves = _all([_not(self.head_on(move)), self.moved.get(goal, False)])
        spans = []
        if leaves is not False:
            spans.append(self.strength(move))
        if leaves is not True:
            own = table.power[goal] == table.power[move]
            spans.append((0, 0) if own else self.strength(move, against=table.power[goal]))
        low, high = min(s[0] for s in spans), max(s[1] for s in spans)
        return (low if path else 0), high

    def defend(self, goal: ProvinceCode, move: ProvinceCode) -> Span:
        """Return the strength of the unit in `goal` in a head-to-head battle with `move`."""
        return self.strength(goal)

    def hold(self, province: ProvinceCode) -> Span:
        if province not in self.table.orders:
            return 0, 0
        if province in self.table.moves:
            fate = self.moved[province]
            return (1 if fate is False else 0), (0 if fate else 1)
        return self.strength(province)

    def prevent(self, move: ProvinceCode) -> Span:
        table, goal = self.table, self.table.moves[move]
        path = self.path(move)
        opposed = self.head_on(move)
        if table.rules.dislodged_never_prevents:
            opposed = _all([table.moves.get(goal) == move, _not(self.moved[move])])
        beaten = _all([opposed, self.moved.get(goal, False)])
        if path is False or beaten is True:
            return 0, 0
        low, high = self.strength(move)
        return (low if path and beaten is False else 0), high

    def wins(self, move: ProvinceCode) -> Truth:
        if move in self.stuck:
            return False
        goal = self.table.moves[move]
        meets = self.head_on(move)
        met = [] if meets is False else [self.defend(goal, move)]
        met += [] if meets else [self.hold(goal)]
        spans = [(min(span[0] for span in met), max(span[1] for span in met))]
        spans += [self.prevent(other) for other in self.into(goal) if other != move]
        low, high = self.attack(move)
        if high <= max(span[0] for span in spans):
            return False
        return True if low > max(span[1] for span in spans) else None

    def consistent(self) -> bool:
        return all(self.wins(move) is self.moved[move] for move in self.table.moves)


def _not(truth: Truth) -> Truth:
    return None if truth is None else not truth


def _any(truths: Iterable[Truth]) -> Truth:
    listed = list(truths)
    return True if True in listed else None if None in listed else False


def _all(truths: Iterable[Truth]) -> Truth:
    return _not(_any(_not(truth) for truth in truths))
