"""Explains the orders of one phase with a tree of causes for each, built on demand.

A movement phase is decided only once, even if all of its orders are explained, and again for each
unit of which a tree asks what would have happened if it had held; see `reasons.facts`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice

from diplomaccloud.judge.adjudication import adjudicate, orders_followed
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.geography import Geography, geography
from diplomaccloud.judge.legality.reader import (
    PhaseOrders,
    accept_needless_convoys,
    separate_orders,
)
from diplomaccloud.judge.orders import Order, Waive, power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Dislodged, Position, require_sound_units
from diplomaccloud.judge.reasons.facts import decide_phase
from diplomaccloud.judge.reasons.other_phases import (
    explain_adjustment,
    explain_retreat,
    explain_retreat_options,
    result_message,
)
from diplomaccloud.judge.reasons.rulebook import datc
from diplomaccloud.judge.reasons.trees import build_tree
from diplomaccloud.judge.reasons.values import Cause, Explanation, Topic
from diplomaccloud.judge.results import OrderResult, Outcome
from diplomaccloud.judge.rules import DEFAULT, RuleSet
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
    rules: RuleSet = DEFAULT,
    *,
    seed: str = "",
) -> Explanations:
    """Return an explanation for every result that `adjudicate` gives for the same orders.

    No order ever raises an error. The sentence of each explanation is the reason in its result.
    Raises `PositionError` if a unit cannot be where it is.
    """
    return Explanations(_explain_phase(board, position, orders, rules, seed))


def explain_order(
    board: Board,
    position: Position,
    orders: Iterable[Order],
    number: int,
    rules: RuleSet = DEFAULT,
    *,
    seed: str = "",
) -> Explanation | None:
    """Return the explanation of result `number`, counted from 0, among those of `adjudicate`.

    Returns `None` if there are fewer results. The other results are not computed.
    """
    explained = _explain_phase(board, position, orders, rules, seed)
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
            order, outcome, message = refusal.order, refusal.outcome, result_message(refusal)
            sources = (datc("4.E.1"),)
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
        return explain_retreat_options(
            phase.board,
            dislodged,
            phase.verdict.units,
            rivals,
            attacker_place_open=bool(by_convoy) and phase.rules.retreat_to_convoyed_attacker,
        )


def _explain_void(names: Geography, result: OrderResult) -> Explanation:
    cause = Cause(Topic.RESULT, result_message(result), (datc("4.E.1"),))
    return Explanation(result.order, result.outcome, cause, names)


def _explain_retreats(
    board: Board, position: Position, orders: Iterable[Order], rules: RuleSet
) -> Iterator[tuple[Order, Explain]]:
    names = geography(board)
    results = adjudicate(board, position, orders, rules).results

    def explain_unit(dislodged: Dislodged, result: OrderResult) -> Explanation:
        cause = explain_retreat(
            board,
            position,
            dislodged,
            result,
            attacker_place_open=rules.retreat_to_convoyed_attacker,
        )
        return Explanation(result.order, result.outcome, cause, names)

    for number, result in enumerate(results):
        if number < len(position.dislodged):
            yield result.order, partial(explain_unit, position.dislodged[number], result)
        else:
            yield result.order, partial(_explain_void, names, result)


def _explain_adjustments(
    board: Board, position: Position, orders: Iterable[Order], rules: RuleSet, seed: str
) -> Iterator[tuple[Order, Explain]]:
    names = geography(board)

    def explain_result(result: OrderResult) -> Explanation:
        cause = explain_adjustment(board, position, result, rules, seed)
        return Explanation(result.order, result.outcome, cause, names)

    for result in adjudicate(board, position, orders, rules, seed=seed).results:
        yield result.order, partial(explain_result, result)
