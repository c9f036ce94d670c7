"""Explains every order of one phase: a tree of causes for each, grown when it is asked for."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from diplomaccloud.judge.adjudicate import adjudicate, orders_followed
from diplomaccloud.judge.board import Board, ProvinceCode
from diplomaccloud.judge.legality.phase_orders import PhaseOrders
from diplomaccloud.judge.movement.resolver import resolve
from diplomaccloud.judge.movement.state import MovementState
from diplomaccloud.judge.orders import Order, Waive, power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.reasons.other_phases import adjustment_cause, retreat_cause, retreat_result
from diplomaccloud.judge.reasons.rulebook import datc
from diplomaccloud.judge.reasons.trees import Forest
from diplomaccloud.judge.reasons.values import Cause, Explanation, Topic
from diplomaccloud.judge.results import OrderResult, Outcome, Resolution
from diplomaccloud.judge.rules import DEFAULT, RuleSet
from diplomaccloud.judge.units import Unit

Key = Unit | str
Maker = Callable[[], Cause]


class Explanations(Mapping[Key, Explanation]):
    """The explanations of one phase by unit, each made when it is first looked up.

    A waived build and a void order for no unit of its power stand under their power and text,
    such as `FRANCE WAIVE`, with a number behind from the second on.
    """

    def __init__(self, results: Iterable[tuple[OrderResult, Maker]]) -> None:
        self._makers: dict[Key, tuple[OrderResult, Maker]] = {}
        self._made: dict[Key, Explanation] = {}
        for result, maker in results:
            self._makers[self._free_key(result.order)] = result, maker

    def _free_key(self, order: Order) -> Key:
        if not isinstance(order, Waive) and order.unit not in self._makers:
            return order.unit
        text = f"{power_of(order)} {order}"
        number = 2
        key = text
        while key in self._makers:
            key = f"{text} {number}"
            number += 1
        return key

    def __getitem__(self, key: Key) -> Explanation:
        if key not in self._made:
            result, maker = self._makers[key]
            self._made[key] = Explanation(result.order, result.outcome, maker())
        return self._made[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


def explain(
    board: Board,
    position: Position,
    orders: Iterable[Order],
    rules: RuleSet = DEFAULT,
    *,
    seed: str = "",
) -> Explanations:
    """Return an explanation for every result that `adjudicate` gives for the same orders.

    Never raises, whatever the orders are. The sentence of each is the reason in its result.
    """
    listed = list(orders)
    resolution = adjudicate(board, position, listed, rules, seed=seed)
    match position.phase.stage:
        case Stage.MOVEMENT:
            phase_orders = PhaseOrders(board, position, listed, rules)
            movement = resolve(board, rules, orders_followed(position, phase_orders))
            return Explanations(_Movement(movement, resolution).makers())
        case Stage.RETREATS:
            return Explanations(_retreats(board, position, resolution, rules))
        case Stage.ADJUSTMENTS:
            return Explanations(_adjustments(board, position, resolution, rules, seed))


class _Movement:
    """Explains the results of a movement phase."""

    def __init__(self, movement: MovementState, resolution: Resolution) -> None:
        self._movement = movement
        self._resolution = resolution
        self._forest = Forest(movement)
        self._out = {one.unit: one for one in resolution.dislodged}

    def makers(self) -> Iterator[tuple[OrderResult, Maker]]:
        size = len(self._movement.units)
        for number, result in enumerate(self._resolution.results):
            if number < size:
                yield result, self._maker(number, result)
            else:
                yield result, _void(result)

    def _maker(self, number: int, result: OrderResult) -> Maker:
        return lambda: self._cause(number, result)

    def _cause(self, number: int, result: OrderResult) -> Cause:
        tree = self._forest.tree(number)
        sources, told = tree.sources, set(Topic) - {Topic.DECISIVE}
        if tree.sentence != result.reason:
            # The unit holds because its order was refused.
            sources = (datc("4.E.1"),)
            told -= {Topic.CALM}
        if result.implicit and result.outcome is Outcome.HOLD:
            sources += (datc("4.D.9"),)
        causes = [one for one in tree.causes if one.topic in told]
        out = self._out.get(self._movement.units[number])
        if out is not None:
            causes.append(self._retreat(number, out))
        causes += [one for one in tree.causes if one.topic is Topic.DECISIVE]
        return Cause(tree.topic, result.reason, sources, tree.unit, causes=tuple(causes))

    def _retreat(self, number: int, out: Dislodged) -> Cause:
        movement = self._movement
        driver = movement.dislodger(number)
        rules = movement.rules
        free = (
            driver is not None and movement.by_convoy(driver) and rules.retreat_to_convoyed_attacker
        )
        rivals: dict[ProvinceCode, list[Unit]] = {
            code: [movement.units[one] for one in movement.rivals.get(code, ())]
            for code in self._resolution.standoffs
        }
        return retreat_cause(movement.board, out, self._resolution.next.units, rivals, free=free)


def _void(result: OrderResult) -> Maker:
    return lambda: Cause(Topic.RESULT, result.reason, (datc("4.E.1"),))


def _retreats(
    board: Board, position: Position, resolution: Resolution, rules: RuleSet
) -> Iterator[tuple[OrderResult, Maker]]:
    for number, result in enumerate(resolution.results):
        if number < len(position.dislodged):
            one = position.dislodged[number]
            free = rules.retreat_to_convoyed_attacker
            yield result, partial(retreat_result, board, position, one, result, free)
        else:
            yield result, _void(result)


def _adjustments(
    board: Board, position: Position, resolution: Resolution, rules: RuleSet, seed: str
) -> Iterator[tuple[OrderResult, Maker]]:
    for result in resolution.results:
        yield result, partial(adjustment_cause, board, position, result, rules, seed)
