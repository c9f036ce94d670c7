"""A slow, separate reading of DATC 5.B for every rule set; it shares no code with the resolver.

`oracle_equations` has the equations. `judge_orders` settles the moves that depend on nothing open,
then each smallest set of moves that depends on nothing outside itself: by its only consistent
assignment, else by the rule for circular movement or for paradoxes (5.B.9). Szykman's rule reaches
the convoys whose fate the consistent assignments disagree about, or every convoy of the set if
there are none.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from judge.tests.oracle_equations import MOST, Moved, Table, TooLargeError, Trial

from diplomaccloud.judge.board import Board, ProvinceCode
from diplomaccloud.judge.orders import MovementOrder
from diplomaccloud.judge.rules import DEFAULT, Paradox, RuleSet


@dataclass
class Judgment:
    """Which moves succeed, which fleets the paradox rule sank, and everything that follows."""

    table: Table
    moved: frozenset[ProvinceCode]
    sunk: frozenset[ProvinceCode]
    stuck: frozenset[ProvinceCode]

    @property
    def trial(self) -> Trial:
        fates = {move: move in self.moved for move in self.table.moves}
        return self.table.try_moves(fates, self.sunk, self.stuck)


def judge_orders(
    board: Board, orders: Iterable[MovementOrder], rules: RuleSet = DEFAULT
) -> Judgment:
    """Return which of `orders` succeed: legal orders, one for each unit on `board`."""
    return judge_table(Table(board, orders, rules))


def consistent_routes(
    board: Board, orders: Iterable[MovementOrder], rules: RuleSet
) -> list[Judgment]:
    """Return the judgment of every way to send the armies by sea or by land that comes true.

    Each way is judged as if nobody had a choice. It comes true if every army sent by sea has a
    convoy that holds, and no army sent by land does: another reading of the rule, which asks
    about routes first and about moves then.
    """
    listed = list(orders)
    plain = Table(board, listed, rules)
    either = sorted(plain.either)
    if len(either) > MOST // 2:
        raise TooLargeError
    found = []
    for picks in product((False, True), repeat=len(either)):
        fixed = dict(zip(either, picks, strict=True))
        judged = judge_table(Table(board, listed, rules, fixed))
        if all(_holds(judged, plain, army) == by_sea for army, by_sea in fixed.items()):
            found.append(judged)
    return found


def _holds(judged: Judgment, plain: Table, army: ProvinceCode) -> bool:
    """Return whether the convoy ordered for the army holds, wherever it went."""
    won = {plain.moves[move] for move in judged.moved}
    afloat = {fleet for fleet in plain.fleets[army] if fleet not in won | judged.sunk}
    chains = plain.chains[army]
    if plain.rules.any_route_disrupts:
        return all(chain <= afloat for chain in chains)
    return any(chain <= afloat for chain in chains)


def judge_table(table: Table) -> Judgment:
    """Return which orders of the table succeed, by the equations of the trials that it makes."""
    moved: Moved = dict.fromkeys(table.moves)
    sunk, stuck = set[ProvinceCode](), set[ProvinceCode]()
    while True:
        _follow(table.try_moves(moved, sunk, stuck), moved)
        if None not in moved.values():
            break
        knot = _smallest_knot(table, moved, sunk, stuck)
        _untie(table, moved, sunk, stuck, knot)
    won = frozenset(move for move, fate in moved.items() if fate)
    return Judgment(table, won, frozenset(sunk), frozenset(stuck))


def _follow(trial: Trial, moved: Moved) -> None:
    """Settle, for every move, what open moves can no longer change."""
    grown = True
    while grown:
        grown = False
        for move in moved:
            if moved[move] is None and (fate := trial.wins(move)) is not None:
                moved[move], grown = fate, True


def _assignments(
    moved: Moved, names: Sequence[ProvinceCode]
) -> Iterator[tuple[tuple[bool, ...], Moved]]:
    if len(names) > MOST:
        raise TooLargeError
    for picks in product((False, True), repeat=len(names)):
        yield picks, {**moved, **dict(zip(names, picks, strict=True))}


def _smallest_knot(
    table: Table,
    moved: Moved,
    sunk: Collection[ProvinceCode],
    stuck: Collection[ProvinceCode],
) -> list[ProvinceCode]:
    """Return a smallest set of open moves that no open move outside it affects."""
    names = [move for move, fate in moved.items() if fate is None]
    wins = {
        picks: [table.try_moves(said, sunk, stuck).wins(move) for move in names]
        for picks, said in _assignments(moved, names)
    }
    heeds = [
        {
            other
            for other in range(len(names))
            for picks, fates in wins.items()
            if fates[one] != wins[*picks[:other], not picks[other], *picks[other + 1 :]][one]
        }
        for one in range(len(names))
    ]

    @cache
    def closed(one: int) -> frozenset[int]:
        found = {one}
        while more := {b for a in found for b in heeds[a]} - found:
            found |= more
        return frozenset(found)

    best = min(range(len(names)), key=lambda one: len(closed(one)))
    return [names[one] for one in sorted(closed(best))]


def _untie(
    table: Table,
    moved: Moved,
    sunk: set[ProvinceCode],
    stuck: set[ProvinceCode],
    knot: Sequence[ProvinceCode],
) -> None:
    """Settle `knot`: by its only consistent assignment, or by a rule."""
    trials = [table.try_moves(said, sunk, stuck) for _, said in _assignments(moved, knot)]
    found = [t for t in trials if all(t.wins(move) is t.moved[move] for move in knot)]
    if len(found) == 1:
        moved.update({move: found[0].moved[move] for move in knot})
        return
    convoys = [f for f in table.afoot if f not in sunk]
    if found:
        lost = [f for f in convoys if len({t.afloat(f) for t in found}) > 1]
    else:
        lost = [f for f in convoys if _matters(f, trials, knot)]
    open_moves = [m for m in knot if len({t.moved[m] for t in found}) != 1]
    if lost:
        sunk.update(lost)
        if table.rules.paradox is Paradox.ALL_HOLD:
            stuck.update(open_moves)
            moved.update(dict.fromkeys(open_moves, False))
        return
    turning = [t for t in found if all(t.moved[move] for move in open_moves)]
    assert turning, "a knot that is neither circular movement nor a paradox"
    moved.update({move: turning[0].moved[move] for move in knot})


def _matters(fleet: ProvinceCode, trials: Sequence[Trial], knot: Collection[ProvinceCode]) -> bool:
    """Whether the fleet's fate hangs on the knot and the knot's on the fleet."""
    if len({trial.afloat(fleet) for trial in trials}) == 1:
        return False
    return any(
        t.force({fleet: True}).wins(move) is not t.force({fleet: False}).wins(move)
        for t in trials
        for move in knot
    )


def consistent_moves(
    table: Table, sunk: Collection[ProvinceCode] = ()
) -> list[frozenset[ProvinceCode]]:
    """Return every set of successful moves that agrees with the equations."""
    starts = sorted(table.moves)
    nothing: Moved = dict.fromkeys(starts)
    return [
        frozenset(start for start in starts if said[start])
        for _, said in _assignments(nothing, starts)
        if table.try_moves(said, sunk).consistent()
    ]
