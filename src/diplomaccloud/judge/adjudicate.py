"""Adjudicates one phase: from a position and orders to results and the next position."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from diplomaccloud.judge.adjustments import adjust, powers_adjusting, removal_order
from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.kernel.values import Verdict, adjudicate_legal
from diplomaccloud.judge.legality.phase_orders import PhaseOrders
from diplomaccloud.judge.legality.reader import Reader, Refusal
from diplomaccloud.judge.movement.resolver import resolve
from diplomaccloud.judge.movement.state import MovementState
from diplomaccloud.judge.movement.verdicts import build_verdict
from diplomaccloud.judge.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
    power_of,
)
from diplomaccloud.judge.phases import Season, Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.reasons.results import MovementResults
from diplomaccloud.judge.results import Ending, OrderResult, Outcome, Resolution
from diplomaccloud.judge.retreats import resolve_retreats
from diplomaccloud.judge.rules import DEFAULT, RuleSet, Victory
from diplomaccloud.judge.units import Unit
from diplomaccloud.judge.victory import centers_gained, find_ending, most_pieces


def adjudicate(
    board: Board,
    position: Position,
    orders: Iterable[Order],
    rules: RuleSet = DEFAULT,
    *,
    seed: str = "",
) -> Resolution:
    """Return the results of `orders` and the next position; never raise, whatever they are.

    An order that is illegal, or is not for a unit of its power, becomes a void result. A unit
    without a legal order holds, or is disbanded. A unit with several different legal orders
    counts as having none (DATC 4.D.3), unless `rules` say which counts. If there are too many
    adjustments, the first possible ones count, unless `rules` prefer the last. In every other
    way the sequence of the orders does not matter. `seed` is used where the rules draw lots.
    """
    match position.phase.stage:
        case Stage.MOVEMENT:
            return _adjudicate_movement(board, position, orders, rules)
        case Stage.RETREATS:
            return _adjudicate_retreats(board, position, orders, rules)
        case Stage.ADJUSTMENTS:
            return _adjudicate_adjustments(board, position, orders, rules, seed)


def powers_to_order(board: Board, position: Position) -> frozenset[Power]:
    """Return the powers that have something to order in this phase."""
    match position.phase.stage:
        case Stage.MOVEMENT:
            return frozenset(unit.power for unit in position.units)
        case Stage.RETREATS:
            return frozenset(entry.unit.power for entry in position.dislodged)
        case Stage.ADJUSTMENTS:
            return powers_adjusting(board, position)


# Movement.


def _adjudicate_movement(
    board: Board, position: Position, orders: Iterable[Order], rules: RuleSet
) -> Resolution:
    listed = list(orders)
    verdict = adjudicate_legal(board, position.units, listed, rules)
    if verdict is not None:
        return complete_movement(board, position, listed, rules, verdict)
    verdict, results = _read_and_decide(board, position, listed, rules)
    return _resolve_movement(board, position, rules, verdict, results)


def complete_movement(
    board: Board,
    position: Position,
    orders: Sequence[Order],
    rules: RuleSet,
    verdict: Verdict,
) -> Resolution:
    """Return the resolution of legal `orders` that the kernel decided as in `verdict`."""
    results = MovementResults(
        verdict.outcomes,
        board=board,
        rules=rules,
        units=position.units,
        orders=orders,
        decided=verdict,
    )
    return _resolve_movement(board, position, rules, verdict, results)


def _resolve_movement(
    board: Board, position: Position, rules: RuleSet, verdict: Verdict, results: MovementResults
) -> Resolution:
    left = tuple([entry for entry in verdict.dislodged if entry.retreats])
    after = Position.in_order(position.phase, verdict.units, position.centers, left)
    position, gained, ending = _find_next_position(board, after, rules)
    return Resolution(
        results=results,
        next=position,
        dislodged=verdict.dislodged,
        destroyed=tuple([entry.unit for entry in verdict.dislodged if not entry.retreats]),
        standoffs=verdict.standoffs,
        gained=gained,
        ending=ending,
    )


def _read_and_decide(
    board: Board, position: Position, orders: Iterable[Order], rules: RuleSet
) -> tuple[Verdict, MovementResults]:
    """Return the decision on orders read as leniently as the rules allow, with the refusals."""
    phase_orders = PhaseOrders(board, position, orders, rules)
    followed = orders_followed(position, phase_orders)
    verdict = adjudicate_legal(board, position.units, followed, rules, checked=False)
    movement: MovementState | None = None
    if verdict is None:
        movement = resolve(board, rules, followed)
        verdict = build_verdict(movement)
    refused = [phase_orders.refusal_of(unit) is not None for unit in position.units]
    outcomes = [
        Outcome.VOID if void else outcome
        for void, outcome in zip(refused, verdict.outcomes, strict=True)
    ]
    outcomes += [Outcome.VOID] * len(phase_orders.void)
    results = MovementResults(
        tuple(outcomes),
        board=board,
        rules=rules,
        units=position.units,
        orders=followed,
        decided=movement or verdict,
        phase_orders=phase_orders,
    )
    return verdict, results


_MOVEMENT = (Hold, Move, SupportHold, SupportMove, Convoy)


def orders_followed(position: Position, phase_orders: PhaseOrders) -> list[MovementOrder]:
    """Return the order that each unit of a movement phase follows: its legal one, or to hold."""
    given: list[MovementOrder] = []
    for unit in position.units:
        order = phase_orders.order_of(unit)
        given.append(order if isinstance(order, _MOVEMENT) else Hold(unit))
    return given


# Retreats and adjustments.


def _adjudicate_retreats(
    board: Board, position: Position, orders: Iterable[Order], rules: RuleSet
) -> Resolution:
    phase_orders = PhaseOrders(board, position, orders, rules)
    given: dict[Unit, Retreat | Disband] = {}
    for entry in position.dislodged:
        order = phase_orders.order_of(entry.unit)
        if isinstance(order, Retreat | Disband):
            given[entry.unit] = order
    retreats = resolve_retreats(board, position, given)
    results = [
        phase_orders.refusal_of(entry.unit) or result
        for entry, result in zip(position.dislodged, retreats.results, strict=True)
    ]
    after = replace(position, units=(*position.units, *retreats.retreated), dislodged=())
    upcoming, gained, ending = _find_next_position(board, after, rules)
    return Resolution(
        results=(*results, *phase_orders.void),
        next=upcoming,
        destroyed=retreats.destroyed,
        gained=gained,
        ending=ending,
    )


def _adjudicate_adjustments(
    board: Board, position: Position, orders: Iterable[Order], rules: RuleSet, seed: str
) -> Resolution:
    reader = Reader(board, position, rules)
    legal: dict[Power, list[Build | Disband | Waive]] = {}
    void: list[OrderResult] = []
    for order in orders:
        try:
            read = reader.read(power_of(order), order)
        except Refusal as refusal:
            void.append(OrderResult(order, Outcome.VOID, refusal.sentence))
            continue
        if isinstance(read, Build | Disband | Waive):
            legal.setdefault(power_of(order), []).append(read)
    results: list[OrderResult] = []
    units = set(position.units)
    destroyed: list[Unit] = []
    for power in sorted(powers_to_order(board, position)):
        queue = partial(removal_order, board, position, power, rules, seed)
        done = adjust(board, position, power, legal.get(power, ()), queue, rules=rules)
        results += done.results
        destroyed += done.removed
        units = (units - set(done.removed)) | set(done.built)
    after = replace(position, units=tuple(units))
    upcoming, gained, ending = _find_next_position(board, after, rules)
    return Resolution(
        results=(*results, *void),
        next=upcoming,
        destroyed=tuple(sorted(destroyed)),
        gained=gained,
        ending=ending,
    )


# What comes next.


Gained = tuple[tuple[ProvinceCode, Power], ...]


def _find_next_position(
    board: Board, after: Position, rules: RuleSet
) -> tuple[Position, Gained, Ending | None]:
    """Return the next position with work to do, the centers gained, and the ending, if any.

    `after` is the position at the end of the phase that it names.
    """
    ending = most_pieces(board, after) if rules.victory is Victory.PIECES else None
    phase = after.phase.next_phase()
    if phase.stage is Stage.RETREATS and not after.dislodged:
        phase = phase.next_phase()
    if phase.stage is not Stage.ADJUSTMENTS:
        return after.at(phase), (), ending
    gained = centers_gained(board, after.units, after.centers)
    upcoming = after.at(phase, dict(gained))
    if rules.victory is Victory.CENTERS:
        ending = find_ending(board, upcoming.centers, f"{Season.FALL.word} {phase.year}")
    if not powers_adjusting(board, upcoming):
        upcoming = upcoming.at(phase.next_phase())
    return upcoming, gained, ending
