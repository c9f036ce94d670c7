"""Adjudicates one phase: turns a position and orders into results and the next position."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from diplomaccloud.judge.adjustments import adjust, powers_adjusting, write_result
from diplomaccloud.judge.board import Board, Power, ProvinceCode, province_of
from diplomaccloud.judge.checks import describe, require_text
from diplomaccloud.judge.geography import Geography, geography
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.judge.kernel.values import Closed, Separation, Verdict
from diplomaccloud.judge.legality.reader import (
    PhaseOrders,
    Reader,
    Refusal,
    accept_needless_convoys,
    separate_orders,
)
from diplomaccloud.judge.messages.values import Place
from diplomaccloud.judge.orders import (
    AdjustmentOrder,
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
    is_order,
    power_of,
)
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import (
    Position,
    change_owners,
    copy_centers,
    require_arguments,
    require_possible_retreats,
    require_sound_units,
)
from diplomaccloud.judge.reasons.statements import explain_results
from diplomaccloud.judge.results import Ending, LazyResults, OrderResult, Outcome, Resolution
from diplomaccloud.judge.rules import DEFAULT, RuleSet, Victory, find_rules
from diplomaccloud.judge.units import Unit
from diplomaccloud.judge.victory import centers_gained, find_ending, most_pieces

# Looking up an enum member takes three times as long as looking up a constant.
_MOVEMENT, _RETREATS, _ADJUSTMENTS = Stage
_BY_CENTERS, _BY_PIECES = Victory.CENTERS, Victory.PIECES

_make_position = KERNEL.builder(Position)
_make_resolution = KERNEL.builder(Resolution)


def adjudicate(
    board: Board,
    position: Position,
    orders: Iterable[Order],
    rules: RuleSet | str = DEFAULT,
    *,
    seed: str = "",
) -> Resolution:
    """Return the results of `orders` and the next position; no order ever raises an error.

    An order that is illegal, or is not for a unit of its power, gets a void result. A unit
    without a legal order holds, or is disbanded. A unit with several different legal orders
    counts as having none (DATC 4.D.3), unless `rules` say which counts. If there are too many
    adjustments, the first possible ones count, unless `rules` prefer the last. Otherwise the
    sequence of the orders does not matter. `rules` is the name of an edition or a `RuleSet`, and
    `seed` is used where the rules draw lots.

    Anything that is not an order, such as text, gets a void result for an `InvalidOrder`, after all
    others. Raises `PositionError` if a unit cannot be where it is or where it may retreat to (see
    `position.problems(board)`), and `TypeError` if the board, the position or the rules have the
    wrong type.
    """
    require_text("seed", seed)
    rules = find_rules(rules)
    listed: Iterable[Order] = orders
    if not isinstance(orders, (list, tuple)):
        listed = list(orders) if isinstance(orders, Iterable) else [orders]
    try:
        return _adjudicate_phase(board, position, listed, rules, seed)
    except (AttributeError, TypeError):
        # The types are not checked first, because they are almost always right.
        require_arguments(board, position)
        valid, refused = separate_orders(board, listed)
        if not refused:
            raise
    resolution = _adjudicate_phase(board, position, valid, rules, seed)
    return replace(resolution, results=(*resolution.results, *refused))


def _adjudicate_phase(
    board: Board, position: Position, orders: Iterable[Order], rules: RuleSet, seed: str
) -> Resolution:
    stage = position.phase.stage
    if stage == _MOVEMENT:
        return _adjudicate_movement(board, position, orders, rules)
    if stage == _RETREATS:
        return _adjudicate_retreats(board, position, orders, rules)
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
    if position.dislodged:
        require_possible_retreats(board, position)
    centers = position.centers if position.phase.ends_year else None
    judged = KERNEL.resolve_listed(board, position.units, listed, rules, centers)
    if isinstance(judged, Verdict):
        return complete_movement(board, position, listed, rules, judged)
    if judged is not None and judged.refused is not None:
        return _refuse_unclear(board, position, rules, judged, judged.refused)
    return _read_and_decide(board, position, listed, rules, judged)


def complete_movement(
    board: Board,
    position: Position,
    orders: Sequence[Order],
    rules: RuleSet,
    verdict: Verdict,
) -> Resolution:
    """Return the resolution of legal `orders` according to the kernel's `verdict`."""
    arguments = board, rules, position.units, orders, verdict.dislodged
    results = LazyResults(verdict.outcomes, partial(explain_results, *arguments))
    return _resolve_movement(board, position, rules, verdict, results)


def _refuse_unclear(
    board: Board, position: Position, rules: RuleSet, separation: Separation, refused: Iterable[int]
) -> Resolution:
    """Return the resolution of orders when every order that is not in the list is refused.

    The reasons for the refusals are found together with all other reasons.
    """
    verdict = KERNEL.resolve_rest(separation, ())
    if verdict is None:
        raise AssertionError("orders in the list are not for the units of the position")
    outcomes = [*verdict.outcomes, *[Outcome.VOID] * separation.foreign]
    for i in refused:
        outcomes[i] = Outcome.VOID
    for i, army in separation.needless:
        is_dislodged = any(entry.unit == position.units[i] for entry in verdict.dislodged)
        lost = is_dislodged and verdict.outcomes[army] is Outcome.NOPATH
        outcomes[i] = Outcome.DISRUPTED if lost else Outcome.CONVOYED
    read = partial(_read_refused, board, position, rules, separation, verdict)
    arguments = board, rules, position.units, separation.followed, verdict.dislodged
    explain = partial(explain_results, *arguments, read_orders=read)
    results = LazyResults(tuple(outcomes), explain)
    return _resolve_movement(board, position, rules, verdict, results)


def _read_refused(
    board: Board, position: Position, rules: RuleSet, separation: Separation, verdict: Verdict
) -> PhaseOrders:
    phase_orders = _read_unclear(board, position, rules, separation)
    followed = orders_followed(position, phase_orders)
    accept_needless_convoys(board, phase_orders, followed, verdict)
    return phase_orders


def _read_unclear(
    board: Board, position: Position, rules: RuleSet, separation: Separation
) -> PhaseOrders:
    legal = [order for order in separation.followed if order is not None]
    return PhaseOrders(board, position, separation.unclear, rules, legal)


def _resolve_movement(
    board: Board, position: Position, rules: RuleSet, verdict: Verdict, results: LazyResults
) -> Resolution:
    dislodged = verdict.dislodged
    left = tuple([entry for entry in dislodged if entry.retreats]) if dislodged else ()
    lost = tuple([entry.unit for entry in dislodged if not entry.retreats]) if dislodged else ()
    after = _make_position(position.phase, verdict.units, position.centers, left)
    upcoming, gained, ending = _find_next_position(
        board, after, rules, leads=verdict.leads, closed=verdict.closed
    )
    return _make_resolution(results, upcoming, dislodged, lost, verdict.standoffs, gained, ending)


def _read_and_decide(
    board: Board,
    position: Position,
    orders: Sequence[Order],
    rules: RuleSet,
    separation: Separation | None,
) -> Resolution:
    """Return the resolution of orders that are read as leniently as the rules allow."""
    if separation is None:
        require_sound_units(board, position)
        phase_orders = PhaseOrders(board, position, orders, rules)
        followed = orders_followed(position, phase_orders)
        verdict = KERNEL.resolve(board, position.units, followed, rules, checked=False)
    else:
        phase_orders = _read_unclear(board, position, rules, separation)
        followed = orders_followed(position, phase_orders)
        units = zip(followed, separation.followed, strict=True)
        rest = [order for order, known in units if known is None]
        verdict = KERNEL.resolve_rest(separation, rest)
    if verdict is None:
        raise AssertionError("the kernel decides the legal orders of a sound position")
    accept_needless_convoys(board, phase_orders, followed, verdict)
    outcomes = list(verdict.outcomes)
    for refused, refusal in phase_orders.list_refusals():
        for i, unit in enumerate(position.units):
            if unit.location == refused.location:
                outcomes[i] = refusal.outcome
    outcomes += [Outcome.VOID] * len(phase_orders.void)
    arguments = board, rules, position.units, followed, verdict.dislodged
    explain = partial(explain_results, *arguments, read_orders=lambda: phase_orders)
    results = LazyResults(tuple(outcomes), explain)
    return _resolve_movement(board, position, rules, verdict, results)


_MOVEMENT_ORDERS = (Hold, Move, SupportHold, SupportMove, Convoy)


def orders_followed(position: Position, phase_orders: PhaseOrders) -> list[MovementOrder]:
    """Return the order that each unit follows in a movement phase: its legal order, or a hold."""
    orders = ((unit, phase_orders.order_of(unit)) for unit in position.units)
    return [order if isinstance(order, _MOVEMENT_ORDERS) else Hold(unit) for unit, order in orders]


# Retreats and adjustments.


def _adjudicate_retreats(
    board: Board, position: Position, orders: Iterable[Order], rules: RuleSet
) -> Resolution:
    require_sound_units(board, position)
    phase_orders = PhaseOrders(board, position, orders, rules)
    given = {
        entry.unit: order
        for entry in position.dislodged
        if isinstance(order := phase_orders.order_of(entry.unit), Retreat | Disband)
    }
    results: list[OrderResult] = []
    units, destroyed = [*position.units], []
    for unit in [entry.unit for entry in position.dislodged]:
        result = _resolve_retreat(geography(board), unit, given)
        if isinstance(result.order, Retreat) and result.outcome is Outcome.RETREATED:
            units.append(unit.at(result.order.to))
        else:
            destroyed.append(unit)
        results.append(phase_orders.refusal_of(unit) or result)
    after = replace(position, units=tuple(units), dislodged=())
    upcoming, gained, ending = _find_next_position(board, after, rules)
    return Resolution(
        results=(*results, *phase_orders.void),
        next=upcoming,
        destroyed=tuple(destroyed),
        gained=gained,
        ending=ending,
    )


def _resolve_retreat(
    names: Geography, unit: Unit, given: Mapping[Unit, Retreat | Disband]
) -> OrderResult:
    """Return the result for one unit; `given` has the legal orders of all dislodged units.

    Units that retreat to the same province are all disbanded.
    """
    order = given.get(unit)
    if order is None:
        key = "disbanded_without_order"
        return write_result(names, Disband(unit), Outcome.DISBANDED, key, implicit=True)
    if isinstance(order, Disband):
        return write_result(names, order, Outcome.DISBANDED, "disbanded_as_ordered")
    goal = province_of(order.to)
    others = tuple(
        other.unit
        for other in given.values()
        if isinstance(other, Retreat) and other != order and province_of(other.to) == goal
    )
    if not others:
        return write_result(names, order, Outcome.RETREATED, "retreated", place=Place(order.to))
    key, place = "retreats_collided", Place(goal)
    collided = write_result(names, order, Outcome.DISBANDED, key, units=others, place=place)
    return replace(collided, by=tuple(sorted({other.province for other in others})))


def _adjudicate_adjustments(
    board: Board, position: Position, orders: Iterable[Order], rules: RuleSet, seed: str
) -> Resolution:
    require_sound_units(board, position)
    reader = Reader(board, position, rules)
    legal: dict[Power, list[AdjustmentOrder]] = {}
    void: list[OrderResult] = []
    for order in orders:
        if not is_order(order):
            raise TypeError(f"expected an order, not {describe(order)}")
        try:
            read = reader.read(power_of(order), order)
        except Refusal as refusal:
            void.append(OrderResult(order, Outcome.VOID, refusal.sentence))
            continue
        if isinstance(read, Build | Disband | Waive):
            legal.setdefault(power_of(order), []).append(read)
    results = [
        result
        for power in sorted(powers_adjusting(board, position))
        for result in adjust(board, position, power, legal.get(power, ()), rules, seed=seed)
    ]
    done = [result.order for result in results if result.outcome is not Outcome.VOID]
    built = {order.unit for order in done if isinstance(order, Build)}
    destroyed = {order.unit for order in done if isinstance(order, Disband)}
    after = replace(position, units=tuple({*position.units, *built} - destroyed))
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
    board: Board,
    after: Position,
    rules: RuleSet,
    *,
    leads: bool = True,
    closed: Closed | None = None,
) -> tuple[Position, Gained, Ending | None]:
    """Return the next position with work to do, the centers gained, and the ending, if any.

    `after` is the position at the end of its phase. `leads` says whether a power may have most of
    the pieces. `closed` is the result of `close_year`, if it is known.
    """
    ending = most_pieces(board, after) if leads and rules.victory is _BY_PIECES else None
    units, centers, dislodged = after.units, after.centers, after.dislodged
    phase = after.phase.next_phase(retreats=bool(dislodged))
    if phase.stage != _ADJUSTMENTS:
        return _make_position(phase, units, centers, dislodged), (), ending
    closed = closed or KERNEL.close_year(board, units, centers) or _close_year(board, after)
    gained, won, adjusts = closed
    if gained:
        centers = change_owners(copy_centers(centers), gained)
    if won and rules.victory is _BY_CENTERS:
        ending = find_ending(board, centers, after.phase.turn_title)
    if not adjusts:
        phase = phase.next_phase()
    return _make_position(phase, units, centers, dislodged), gained, ending


def _close_year(board: Board, after: Position) -> Closed:
    """Do the work of `close_year` for positions that the kernel does not support."""
    gained = centers_gained(board, after.units, after.centers)
    after = replace(after, centers={**after.centers, **dict(gained)})
    won = find_ending(board, after.centers, "") is not None
    return gained, won, bool(powers_adjusting(board, after))
