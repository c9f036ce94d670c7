"""Explains the orders of one phase with a tree of causes for each, built on demand.

A movement phase is decided only once, even if all of its orders are explained, and again for each
unit of which a tree asks what would have happened if it had held; see `reasons.facts`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice

from diplomaccloud.judge.adjudication import adjudicate, orders_followed
from diplomaccloud.judge.adjustments import (
    adjustments_owed,
    build_sites,
    distance_home,
    removal_order,
)
from diplomaccloud.judge.board import Board, Location, Power, ProvinceCode, province_of
from diplomaccloud.judge.geography import Geography, geography
from diplomaccloud.judge.legality.reader import (
    PhaseOrders,
    accept_needless_convoys,
    separate_orders,
)
from diplomaccloud.judge.messages.values import Message, Parameter, Place, PowerName, UnitDistance
from diplomaccloud.judge.orders import Build, Order, Retreat, Waive, power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Dislodged, Position, require_sound_units
from diplomaccloud.judge.reasons.facts import decide_phase
from diplomaccloud.judge.reasons.rulebook import Source, datc, rule, section
from diplomaccloud.judge.reasons.statements import add_dislodgment, find_message
from diplomaccloud.judge.reasons.trees import build_tree
from diplomaccloud.judge.reasons.values import Cause, Explanation, Topic
from diplomaccloud.judge.results import OrderResult, Outcome
from diplomaccloud.judge.rules import DEFAULT, Removal, RuleSet, find_rules
from diplomaccloud.judge.units import Unit

Key = Unit | str
Explain = Callable[[], Explanation]


class Explanations(Mapping[Key, Explanation]):
    """The explanations of one phase by unit, each built when it is first looked up.

    The key of a waived build, or of a void order that is not for a unit of its power, is the power
    and the text, such as `FRANCE WAIVE`; from the second on, a number follows.
    """

    def __init__(self, explained: Iterable[tuple[Order, Explain]]) -> None:
        self._explain: dict[Key, Explain] = {}
        self._made: dict[Key, Explanation] = {}
        for order, explain_this in explained:
            self._explain[self._free_key(order)] = explain_this

    def _free_key(self, order: Order) -> Key:
        if not isinstance(order, Waive) and order.unit not in self._explain:
            return order.unit
        text = f"{power_of(order)} {order}"
        number = 2
        key = text
        while key in self._explain:
            key = f"{text} {number}"
            number += 1
        return key

    def __getitem__(self, key: Key) -> Explanation:
        if key not in self._made:
            self._made[key] = self._explain[key]()
        return self._made[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._explain)

    def __len__(self) -> int:
        return len(self._explain)


def explain(
    board: Board,
    position: Position,
    orders: Iterable[Order],
    rules: RuleSet | str = DEFAULT,
    *,
    seed: str = "",
) -> Explanations:
    """Return an explanation for every result that `adjudicate` gives for the same orders.

    No order ever raises an error. The sentence of each explanation is the reason in its result.
    Raises `PositionError` if a unit cannot be where it is.
    """
    return Explanations(_explain_phase(board, position, orders, find_rules(rules), seed))


def explain_order(
    board: Board,
    position: Position,
    orders: Iterable[Order],
    number: int,
    rules: RuleSet | str = DEFAULT,
    *,
    seed: str = "",
) -> Explanation | None:
    """Return the explanation of result `number`, counted from 0, among those of `adjudicate`.

    Returns `None` if there are fewer results. The other results are not computed.
    """
    explained = _explain_phase(board, position, orders, find_rules(rules), seed)
    for _, explain_this in islice(explained, number, number + 1):
        return explain_this()
    return None


def _explain_phase(
    board: Board, position: Position, orders: Iterable[Order], rules: RuleSet, seed: str
) -> Iterator[tuple[Order, Explain]]:
    """Yield the order of every result with a function that explains it, citing its edition."""
    for order, explain_this in _explain_results(board, position, orders, rules, seed):
        yield order, partial(_cite_edition, explain_this, rules)


def _cite_edition(explain_this: Explain, rules: RuleSet) -> Explanation:
    return explain_this().cite_edition(rules)


def _explain_results(
    board: Board, position: Position, orders: Iterable[Order], rules: RuleSet, seed: str
) -> Iterator[tuple[Order, Explain]]:
    """Yield the order of every result with a function that explains it by the 2000 rulebook."""
    valid, refused = separate_orders(board, orders)
    match position.phase.stage:
        case Stage.MOVEMENT:
            yield from _MovementExplainer(board, position, valid, rules).list_explanations()
        case Stage.RETREATS:
            yield from _explain_retreats(board, position, valid, rules)
        case Stage.ADJUSTMENTS:
            yield from _explain_adjustments(board, position, valid, rules, seed)
    for result in refused:
        yield result.order, partial(_explain_void, geography(board), result)


class _MovementExplainer:
    """Explains the results of a movement phase."""

    def __init__(
        self, board: Board, position: Position, orders: Iterable[Order], rules: RuleSet
    ) -> None:
        self._names = geography(board)
        self._orders = PhaseOrders(board, position, orders, rules)
        self._units = position.units
        self._followed = orders_followed(position, self._orders)
        try:
            self._phase = decide_phase(board, rules, position.units, self._followed)
        except ValueError:
            require_sound_units(board, position)
            raise
        verdict = self._phase.verdict
        accept_needless_convoys(board, self._orders, self._followed, verdict)
        self._dislodged = {dislodged.unit: dislodged for dislodged in verdict.dislodged}

    def list_explanations(self) -> Iterator[tuple[Order, Explain]]:
        """Yield the order of each result, in sequence, with a function that explains it."""
        for number, unit in enumerate(self._units):
            refusal = self._orders.refusal_of(unit)
            order: Order = self._followed[number] if refusal is None else refusal.order
            yield order, partial(self._explain_unit, number, refusal)
        for result in self._orders.void:
            yield result.order, partial(_explain_void, self._names, result)

    def _explain_unit(self, number: int, refusal: OrderResult | None) -> Explanation:
        """Return the explanation of the unit's order, or of its `refusal` if it was refused."""
        unit = self._units[number]
        tree = build_tree(self._phase, number)
        order: Order = self._followed[number]
        outcome = self._phase.verdict.outcomes[number]
        message, sources = tree.message, tree.sources
        left_out = {Topic.DECISIVE}
        if refusal is not None:
            # The unit holds because its order was refused.
            order, outcome, message = refusal.order, refusal.outcome, find_message(refusal)
            sources = (datc("4.E.1"),)
            if unit in self._dislodged:
                message = add_dislodgment(refusal, tree.message)
                sources += tree.sources
            left_out.add(Topic.CALM)
        elif outcome is Outcome.HOLD and self._is_implicit(unit):
            sources += (datc("4.D.9"),)
        causes = [cause for cause in tree.causes if cause.topic not in left_out]
        if (dislodged := self._dislodged.get(unit)) is not None:
            causes.append(self._explain_retreat_options(number, dislodged))
        causes += [cause for cause in tree.causes if cause.topic is Topic.DECISIVE]
        cause = Cause(tree.topic, message, sources, tree.unit, causes=tuple(causes))
        return Explanation(order, outcome, cause, self._names)

    def _is_implicit(self, unit: Unit) -> bool:
        return self._orders.order_of(unit) is None or self._orders.is_implied(unit)

    def _explain_retreat_options(self, number: int, dislodged: Dislodged) -> Cause:
        phase = self._phase
        rivals = {
            code: [phase.units[rival] for rival in phase.rivals.get(code, ())]
            for code in phase.verdict.standoffs
        }
        by_convoy = phase.facts[phase.facts[number].dislodger].by_convoy
        return _explain_retreat_options(
            phase.board,
            dislodged,
            phase.verdict.units,
            rivals,
            attacker_place_open=bool(by_convoy) and phase.rules.retreat_to_convoyed_attacker,
        )


def _explain_void(names: Geography, result: OrderResult) -> Explanation:
    cause = Cause(Topic.RESULT, find_message(result), (datc("4.E.1"),))
    return Explanation(result.order, result.outcome, cause, names)


def _explain_retreats(
    board: Board, position: Position, orders: Iterable[Order], rules: RuleSet
) -> Iterator[tuple[Order, Explain]]:
    results = adjudicate(board, position, orders, rules).results
    for number, result in enumerate(results):
        if number < len(position.dislodged):
            dislodged = position.dislodged[number]
            yield (
                result.order,
                partial(_explain_retreat, board, position, rules, dislodged, result),
            )
        else:
            yield result.order, partial(_explain_void, geography(board), result)


def _explain_adjustments(
    board: Board, position: Position, orders: Iterable[Order], rules: RuleSet, seed: str
) -> Iterator[tuple[Order, Explain]]:
    for result in adjudicate(board, position, orders, rules, seed=seed).results:
        yield result.order, partial(_explain_adjustment, board, position, rules, seed, result)


# Retreats and adjustments.


_RETREATS = section("Retreat and Disbanding Phase")
_WINTER = section("Gaining and Losing Units Phase")
_DISORDER = section("Civil Disorder")


def _explain_retreat_options(
    board: Board,
    dislodged: Dislodged,
    units: Sequence[Unit],
    rivals: Mapping[ProvinceCode, Sequence[Unit]],
    *,
    attacker_place_open: bool = False,
) -> Cause:
    """Return a node about a dislodged unit's retreats, with a node for each barred place.

    `units` are on the board after the moves. `rivals` are the units that bounced in a province that
    was left empty, if known. `attacker_place_open` says that the unit may retreat to where its
    attacker came from.
    """
    unit = dislodged.unit
    if dislodged.retreats:
        places = tuple(Place(place) for place in dislodged.retreats)
        message = Message.of("retreat_options", unit=unit, places=places)
    else:
        message = Message.of("no_retreat", unit=unit)
    near = sorted(geography(board).places[unit.kind].get(unit.location, ()))
    units_at = {standing.province: standing for standing in units}
    barred = None if attacker_place_open else dislodged.by
    causes = tuple(
        _explain_place(dislodged, place, barred, units_at, rivals)
        for place in near
        if place not in dislodged.retreats or province_of(place) == dislodged.by
    )
    return Cause(Topic.RETREAT, message, (_RETREATS,), unit, causes=causes)


def _explain_place(
    dislodged: Dislodged,
    location: Location,
    barred: ProvinceCode | None,
    units_at: Mapping[ProvinceCode, Unit],
    rivals: Mapping[ProvinceCode, Sequence[Unit]],
) -> Cause:
    """Return why a place is barred, or why it is open even though the attacker came from there."""
    code, place = province_of(location), Place(location)
    if location in dislodged.retreats:
        message = Message.of("retreat_open_by_convoy", place=place)
        return Cause(Topic.RETREAT, message, (datc("4.A.5"),))
    if code == barred:
        message = Message.of("retreat_barred_attacker", place=place)
    elif code in units_at:
        message = Message.of("retreat_barred_unit", place=place, unit=units_at[code])
    elif powers := dict.fromkeys(PowerName(unit.power) for unit in rivals.get(code, ())):
        message = Message.of("retreat_barred_standoff_between", place=place, powers=tuple(powers))
    else:
        message = Message.of("retreat_barred_standoff", place=place)
    return Cause(Topic.RETREAT, message, (_RETREATS,))


def _explain_retreat(
    board: Board, position: Position, rules: RuleSet, dislodged: Dislodged, result: OrderResult
) -> Explanation:
    """Return the explanation of the result of one dislodged unit in a retreat phase."""
    sources: tuple[Source, ...] = (_RETREATS,)
    if result.outcome is Outcome.VOID:
        sources = (datc("4.E.1"), *sources)
    elif isinstance(result.order, Retreat) and result.outcome is Outcome.DISBANDED:
        sources = (rule(2), *sources)
    options = _explain_retreat_options(
        board,
        dislodged,
        position.units,
        {},
        attacker_place_open=rules.retreat_to_convoyed_attacker,
    )
    cause = Cause(Topic.RESULT, find_message(result), sources, dislodged.unit, causes=(options,))
    return Explanation(result.order, result.outcome, cause, geography(board))


# Adjustments.


def _explain_adjustment(
    board: Board, position: Position, rules: RuleSet, seed: str, result: OrderResult
) -> Explanation:
    """Return the explanation of one build, waiver or disband."""
    order = result.order
    power = power_of(order)
    unit = None if isinstance(order, Waive) else order.unit
    causes = [_explain_balance(board, position, power)]
    if result.outcome is Outcome.DISBANDED and result.implicit:
        causes.append(_explain_removals(board, position, power, rules, seed))
    sources = _find_adjustment_sources(result)
    cause = Cause(Topic.RESULT, find_message(result), sources, unit, causes=tuple(causes))
    return Explanation(result.order, result.outcome, cause, geography(board))


def _find_adjustment_sources(result: OrderResult) -> tuple[Source, ...]:
    match result.outcome:
        case Outcome.WAIVED:
            return (datc("4.D.7"), _WINTER)
        case Outcome.DISBANDED if result.implicit:
            return (_DISORDER, datc("4.D.8"))
        case Outcome.VOID if isinstance(result.order, Build):
            return (datc("4.D.4"), datc("4.D.5"), _WINTER)
        case Outcome.VOID:
            return (datc("4.D.6"), _WINTER)
        case _:
            return (_WINTER,)


def _explain_balance(board: Board, position: Position, power: Power) -> Cause:
    """Return a node about the power's numbers of centers and units, and the consequence."""
    centers, units = len(position.centers_of(power)), len(position.units_of(power))
    owed = adjustments_owed(board, position, power)
    key = "nothing_to_adjust"
    numbers: dict[str, int] = {}
    if owed < 0:
        key, numbers = "must_disband", {"count": -owed}
    elif owed < centers - units:
        free = len(build_sites(board, position, power))
        key = "may_build_in_free_centers" if free else "no_free_center"
        numbers = {"free": free} if free else {}
    elif owed:
        key, numbers = "may_build", {"count": owed}
    named: dict[str, Parameter] = {"power": PowerName(power), "centers": centers, "units": units}
    return Cause(Topic.ADJUSTMENT, Message.of(key, **named, **numbers), (_WINTER,))


def _explain_removals(
    board: Board, position: Position, power: Power, rules: RuleSet, seed: str
) -> Cause:
    """Return a node about the order in which civil disorder removes the power's units."""
    queue = removal_order(board, position, power, rules, seed)
    sources = (_DISORDER, datc("4.D.8"))
    if rules.removal is Removal.RANDOM_2009:
        message = Message.of("removal_by_lot", units=tuple(queue))
        return Cause(Topic.ADJUSTMENT, message, sources)
    count_steps = distance_home(board, position, power, rules.removal)
    units = tuple(UnitDistance(unit, count_steps(unit)) for unit in queue)
    owned = rules.removal is Removal.OWNED_2023
    key = "removal_far_from_centers" if owned else "removal_far_from_home"
    return Cause(Topic.ADJUSTMENT, Message.of(key, units=units), sources)
