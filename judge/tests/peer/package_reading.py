"""How the package `diplomacy` departs from the rules, as another reading of the oracle's equations.

What our edition decides differently is explained only if the equations, with one or more of the
habits below, lead to exactly the units and retreats of the package. Which convoys fail is taken
from its answer; all that follows must then come true.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, product

from judge.tests.oracle import Judgment, judge_table
from judge.tests.oracle_equations import Span, Table, TooLargeError, Trial, Truth
from judge.tests.oracle_run import list_facts

from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.adjustments import adjustments_owed, distance_home
from diplomaccloud.judge.board import Board, ProvinceCode, UnitKind, province_of
from diplomaccloud.judge.orders import Move, MovementOrder, Order, SupportMove
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.rules import EDITIONS

RETREATS, CONVOYS, CUTS, VIA, HEADS = "retreats", "convoys", "cuts", "via", "heads"
WALKS, COASTS, TIES = "walks", "coasts", "ties"
HABITS = {
    RETREATS: "A unit dislodged by a convoyed army is offered every adjacent province, also those"
    " that are occupied or that a standoff left empty. It cannot go to those that are occupied.",
    CONVOYS: "Whether a convoy fails is decided before the moves: if the strongest attack on a"
    " fleet is that of another power, the fleet counts as dislodged, also if that attack then"
    " fails, because own units take part in it, a third unit wins, or the army cuts its support.",
    CUTS: "An army may cut a support though its convoy fails, if the package finds out later.",
    VIA: 'A support for a move "via convoy" counts even against a unit of its own power.',
    HEADS: "In a head-to-head battle, a support by the power of one of the two units does not"
    " count for the other unit, not even in defense.",
    WALKS: "An army ordered to an adjacent province goes by land if its convoy fails, unless its"
    ' order says "via convoy", or if the convoy holds only because another army that is convoyed'
    " cuts a support.",
    COASTS: "An army's support for a fleet that names another coast than the fleet does not count;"
    " a fleet's support does.",
    TIES: "Of units that are equally far from home, civil disorder removes the one whose short name"
    " comes first.",
}
"""What the package does and our edition does not, by the name of the habit."""

Outcome = tuple[frozenset[str], Mapping[str, frozenset[str]]]
"""The units after a movement phase, and the retreats of each dislodged unit that has any."""


class PackageTable(Table):
    """Orders with the package's answers about convoys, and its habits."""

    def __init__(
        self,
        board: Board,
        orders: Iterable[MovementOrder],
        habits: Collection[str],
        carried: Mapping[ProvinceCode, bool],
        walking: Collection[ProvinceCode],
        cut: Collection[ProvinceCode],
    ) -> None:
        """`carried` says which convoys hold; the armies in `walking` go by land.

        The supports of the units in `cut` are cut if an army of a failed convoy attacks them.
        """
        self.habits, self.answers, self.cut = habits, carried, cut
        fixed = dict.fromkeys(walking, False)
        super().__init__(board, orders, EDITIONS["diplomacy package"], fixed)

    def try_moves(
        self,
        moved: Mapping[ProvinceCode, Truth],
        sunk: Collection[ProvinceCode] = (),
        stuck: Collection[ProvinceCode] = (),
    ) -> Trial:
        """Return what follows if `moved` is true, with the habits."""
        return _PackageTrial(self, moved, sunk, stuck)

    def _backs(self, supporter: ProvinceCode, target: ProvinceCode) -> bool:
        order, move = self.orders[supporter], self.orders[target]
        if isinstance(order, SupportMove) and isinstance(move, Move) and COASTS in self.habits:
            by_army = order.unit.kind is UnitKind.ARMY
            if by_army and order.to not in {move.to, province_of(move.to)}:
                return False
        return super()._backs(supporter, target)


class _PackageTrial(Trial):
    """The equations with the package's habits."""

    table: PackageTable

    def carried(self, army: ProvinceCode, without: ProvinceCode | None = None) -> Truth:
        answer = self.table.answers.get(army)
        return super().carried(army, without) if answer is None else answer

    def strength(self, target: ProvinceCode, against: str | None = None) -> Span:
        order = self.table.orders[target]
        is_via = isinstance(order, Move) and order.via_convoy and target in self.table.sailing
        return super().strength(target, None if is_via and VIA in self.table.habits else against)

    def given(self, supporter: ProvinceCode) -> Truth:
        if supporter in self.table.cut:
            order = self.table.orders[supporter]
            aim = province_of(order.to) if isinstance(order, SupportMove) else supporter
            for army in self.into(supporter):
                if self.table.answers.get(army) is False and army != aim:
                    return False
        return super().given(supporter)

    def defend(self, goal: ProvinceCode, move: ProvinceCode) -> Span:
        if HEADS not in self.table.habits:
            return super().defend(goal, move)
        (least, most), (low, high) = self.strength(goal), self.strength(move)
        ties = least <= high and low <= most
        less, more = self.strength(goal, against=self.table.power[move])
        return (least if ties and least == most == low == high else less), max(more, most * ties)


def explain(
    board: Board,
    orders: Sequence[MovementOrder],
    words: Mapping[str, Sequence[str]],
    outcome: Outcome,
) -> tuple[str, ...] | None:
    """Return the fewest habits that lead to the package's outcome, or `None` if none do.

    `words` are the package's words for the orders, by unit.
    """
    changing = (COASTS, HEADS, VIA, WALKS, CONVOYS, CUTS)
    for habits in chain.from_iterable(combinations(changing, n) for n in range(len(changing) + 1)):
        for table in _list_tables(board, orders, words, habits):
            for offered in (False, True):
                try:
                    judged = judge_table(table)
                except (TooLargeError, AssertionError):
                    continue
                if _read_outcome(judged, offered=offered) == outcome:
                    return (*habits, RETREATS) if offered else habits
    return None


def _list_tables(
    board: Board,
    orders: Sequence[MovementOrder],
    words: Mapping[str, Sequence[str]],
    habits: Collection[str],
) -> Iterator[PackageTable]:
    """Yield the orders with the possible answers about convoys."""
    plain = PackageTable(board, orders, habits, {}, (), ())
    armies = [army for army in sorted(plain.sailing) if plain.chains[army]]
    failed = {army for army in armies if "no convoy" in words.get(f"A {army}", ())}
    carried = {army: army not in failed for army in armies} if CONVOYS in habits else {}
    able = [
        army
        for army in armies
        if WALKS in habits
        and army not in failed
        and plain.moves[army] in board.army_neighbors[army]
    ]
    said = {unit.split()[1][:3] for unit, about in words.items() if "cut" in about}
    cut = said if CUTS in habits else ()
    for walks in product((False, True), repeat=len(able)):
        walking = [army for army, walk in zip(able, walks, strict=True) if walk]
        if bool(walking) is (WALKS in habits):
            yield PackageTable(board, orders, habits, carried, walking, cut)


def _read_outcome(judged: Judgment, *, offered: bool) -> Outcome:
    """Return the outcome; `offered` adds the retreats that only the package offers."""
    facts, orders = list_facts(judged), judged.table.orders
    board, trial = judged.table.board, judged.trial
    retreats: dict[str, frozenset[str]] = {}
    for province, (by, places) in facts["dislodged"].items():  # type: ignore[attr-defined]
        unit = orders[province].unit
        all_near = board.destinations(unit.kind, unit.location)
        if listed := all_near if offered and trial.sails(by) else places:
            retreats[str(unit)] = frozenset(map(str, listed))
    return frozenset(facts["units"]), retreats  # type: ignore[call-overload]


def explain_winter(
    board: Board, position: Position, orders: Sequence[Order], after: frozenset[str]
) -> bool:
    """Return whether the package only removed other units that are as far from home."""
    rules = EDITIONS["diplomacy package"]
    ours = adjudicate(board, position, orders, rules).next
    if not after <= {str(unit) for unit in (*position.units, *ours.units)}:
        return False
    for info in board.powers:
        steps = distance_home(board, position, info.power, rules.removal)
        kept = [unit for unit in position.units_of(info.power) if str(unit) in after]
        left = ours.units_of(info.power)
        if adjustments_owed(board, position, info.power) >= 0:
            if {str(unit) for unit in left} - after:
                return False
        elif sorted((u.kind, steps(u)) for u in kept) != sorted((u.kind, steps(u)) for u in left):
            return False
    return True
