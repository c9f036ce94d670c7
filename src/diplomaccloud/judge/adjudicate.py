"""Adjudicates one phase: from a position and orders to results and the next position."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from diplomaccloud.judge.adjustments import adjust, adjustments_owed, removal_order
from diplomaccloud.judge.board import Board, Power, ProvinceCode
from diplomaccloud.judge.movement.battle import Battle
from diplomaccloud.judge.movement.explain import Explainer
from diplomaccloud.judge.movement.resolver import resolve
from diplomaccloud.judge.movement.strengths import prevent_strength
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
from diplomaccloud.judge.phases import Phase, Season, Stage
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.reading import Reader, Refusal
from diplomaccloud.judge.results import OrderResult, Outcome, Resolution
from diplomaccloud.judge.retreats import resolve_retreats, retreat_options
from diplomaccloud.judge.rules import DEFAULT, RuleSet, Victory
from diplomaccloud.judge.sheets import Sheet
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
    """Return what becomes of `orders`; never raises, whatever they are.

    An order that is illegal, or for no unit of its power, becomes a void result; a unit
    without a legal order holds, or is disbanded. A unit with several different legal orders
    counts as having none (DATC 4.D.3), unless `rules` say which counts. Of adjustments the
    first possible ones count, unless `rules` prefer the last. The order in which orders stand
    matters for nothing else. `seed` matters only where the rules draw lots.
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
            return frozenset(one.unit.power for one in position.dislodged)
        case Stage.ADJUSTMENTS:
            present = {*position.centers.values(), *(unit.power for unit in position.units)}
            return frozenset(p for p in present if adjustments_owed(board, position, p))


# Movement.


def _adjudicate_movement(
    board: Board, position: Position, orders: Iterable[Order], rules: RuleSet
) -> Resolution:
    sheet = Sheet(board, position, orders, rules)
    battle = resolve(board, rules, orders_followed(position, sheet))
    drivers = [battle.dislodger(i) for i in range(len(battle.units))]
    results = _movement_results(battle, sheet, drivers)
    standoffs = find_standoffs(battle)
    units, dislodged = _after_moves(battle, drivers, standoffs, rules)
    after = replace(
        position, units=units, dislodged=tuple(one for one in dislodged if one.retreats)
    )
    ended = Resolution(
        results=(*results, *sheet.void),
        next=after,
        dislodged=dislodged,
        destroyed=tuple(one.unit for one in dislodged if not one.retreats),
        standoffs=standoffs,
    )
    return _go_on(board, ended, rules)


_MOVEMENT = (Hold, Move, SupportHold, SupportMove, Convoy)


def orders_followed(position: Position, sheet: Sheet) -> list[MovementOrder]:
    """Return the order that each unit of a movement phase follows: its legal one, or to hold."""
    given: list[MovementOrder] = []
    for unit in position.units:
        order = sheet.order_of(unit)
        given.append(order if isinstance(order, _MOVEMENT) else Hold(unit))
    return given


def _movement_results(
    battle: Battle, sheet: Sheet, drivers: Sequence[int | None]
) -> list[OrderResult]:
    explainer = Explainer(battle)
    results = []
    for i, unit in enumerate(battle.units):
        refusal = sheet.refusal_of(unit)
        implicit = refusal is None and (sheet.order_of(unit) is None or sheet.is_implied(unit))
        result = explainer.result(i, drivers[i], implicit)
        if refusal is not None:
            result = replace(refusal, by=result.by)
        results.append(result)
    return results


def find_standoffs(battle: Battle) -> tuple[ProvinceCode, ...]:
    """Return the provinces that a standoff left empty, sorted; nobody may retreat there."""
    held = {battle.provinces[i] for i, moved in enumerate(battle.moves) if not moved}
    return tuple(
        sorted(
            goal
            for goal, rivals in battle.rivals.items()
            if goal not in held
            and not any(battle.moves[i] for i in rivals)
            and any(prevent_strength(battle, i)[0] for i in rivals)
        )
    )


def _after_moves(
    battle: Battle,
    drivers: Sequence[int | None],
    standoffs: Sequence[ProvinceCode],
    rules: RuleSet,
) -> tuple[tuple[Unit, ...], tuple[Dislodged, ...]]:
    """Return the units where they now stand, and those driven out with their retreats."""
    units: list[Unit] = []
    driven: list[tuple[Unit, int]] = []
    for i, unit in enumerate(battle.units):
        order, driver = battle.orders[i], drivers[i]
        if battle.moves[i] and isinstance(order, Move):
            units.append(unit.at(order.to))
        elif driver is None:
            units.append(unit)
        else:
            driven.append((unit, driver))
    closed = {unit.province for unit in units}.union(standoffs)
    dislodged = []
    for unit, driver in driven:
        source: ProvinceCode | None = battle.provinces[driver]
        if battle.by_convoy(driver) and rules.retreat_to_convoyed_attacker:
            source = None
        options = retreat_options(battle.board, unit, source, closed)
        dislodged.append(Dislodged(unit, battle.provinces[driver], options))
    dislodged.sort(key=lambda one: one.unit)
    return tuple(units), tuple(dislodged)


# Retreats and adjustments.


def _adjudicate_retreats(
    board: Board, position: Position, orders: Iterable[Order], rules: RuleSet
) -> Resolution:
    sheet = Sheet(board, position, orders, rules)
    given: dict[Unit, Retreat | Disband] = {}
    for one in position.dislodged:
        order = sheet.order_of(one.unit)
        if isinstance(order, Retreat | Disband):
            given[one.unit] = order
    results, saved, lost = resolve_retreats(board, position, given)
    refusals = {one.unit: sheet.refusal_of(one.unit) for one in position.dislodged}
    told = []
    for one, result in zip(position.dislodged, results, strict=True):
        refusal = refusals[one.unit]
        told.append(result if refusal is None else refusal)
    after = replace(position, units=(*position.units, *saved), dislodged=())
    ended = Resolution(results=(*told, *sheet.void), next=after, destroyed=tuple(lost))
    return _go_on(board, ended, rules)


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
            void.append(OrderResult(order, Outcome.VOID, str(refusal)))
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
    ended = Resolution(results=(*results, *void), next=after, destroyed=tuple(sorted(destroyed)))
    return _go_on(board, ended, rules)


# What comes next.


def _go_on(board: Board, ended: Resolution, rules: RuleSet) -> Resolution:
    """Return `ended` with its next position moved on to the next phase with work to do."""
    position = ended.next
    if rules.victory is Victory.PIECES:
        ended = replace(ended, ending=most_pieces(board, position))
    phase = position.phase.following()
    if phase.stage is Stage.RETREATS:
        if position.dislodged:
            return replace(ended, next=replace(position, phase=phase))
        phase = phase.following()
    if phase.stage is not Stage.ADJUSTMENTS:
        return replace(ended, next=replace(position, phase=phase))
    return _close_year(board, ended, phase, rules)


def _close_year(board: Board, ended: Resolution, winter: Phase, rules: RuleSet) -> Resolution:
    position = ended.next
    gained = centers_gained(board, position.units, position.centers)
    centers = {**position.centers, **dict(gained)}
    position = replace(position, phase=winter, centers=centers)
    if not powers_to_order(board, position):
        position = replace(position, phase=winter.following())
    ending = ended.ending
    if rules.victory is Victory.CENTERS:
        ending = find_ending(board, centers, f"{Season.FALL.word} {winter.year}")
    return replace(ended, next=position, gained=gained, ending=ending)
