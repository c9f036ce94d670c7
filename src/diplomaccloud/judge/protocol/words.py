"""The word and the reason for each unit of a request, and the tree behind them."""

from collections import Counter
from collections.abc import Iterable

from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.codec.reader import Json
from diplomaccloud.judge.explain import explain
from diplomaccloud.judge.geography import Geography, geography
from diplomaccloud.judge.messages.english import render_message
from diplomaccloud.judge.messages.values import Message
from diplomaccloud.judge.orders import Waive
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.protocol.request import Request
from diplomaccloud.judge.protocol.request_text import RequestOrders, Unread
from diplomaccloud.judge.reasons.rulebook import datc
from diplomaccloud.judge.reasons.values import Cause, Topic
from diplomaccloud.judge.results import OrderResult, Outcome, Resolution
from diplomaccloud.judge.units import Unit

_WORDS = {outcome: outcome.value for outcome in Outcome}


def words_of(
    asked: Request, resolution: Resolution, orders: RequestOrders | None = None
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the word and the reason for each unit ordered."""
    orders = RequestOrders(asked) if orders is None else orders
    if orders.are_listed:
        # Each result is of the unit in its place, and none is of a refused order.
        units = [str(unit) for unit in asked.position.units]
        results = resolution.results
        return (
            {unit: _WORDS[word] for unit, word in zip(units, resolution.outcomes, strict=True)},
            {unit: result.reason for unit, result in zip(units, results, strict=True)},
        )
    words = _find_words(asked, resolution, orders)
    outcomes = {key: outcome.value for key, (outcome, _) in words.items()}
    return outcomes, {key: reason for key, (_, reason) in words.items()}


_WordsByUnit = dict[str, tuple[Outcome, str]]
"""The word and the reason by the text of the unit, or `WAIVE`."""


def _find_words(asked: Request, resolution: Resolution, orders: RequestOrders) -> _WordsByUnit:
    match asked.position.phase.stage:
        case Stage.MOVEMENT:
            return _Units(orders, resolution).find_words(asked.position.units, Outcome.VOID)
        case Stage.RETREATS:
            out = [entry.unit for entry in asked.position.dislodged]
            return _Units(orders, resolution).find_words(out, Outcome.DISBANDED)
        case Stage.ADJUSTMENTS:
            return _of_adjustments(asked.board, orders, resolution)


class _Units:
    """The words of units that moved or retreated."""

    def __init__(self, orders: RequestOrders, resolution: Resolution) -> None:
        self._orders = orders
        self._results = [
            (result.order.unit, result)
            for result in resolution.results
            if not isinstance(result.order, Waive)
        ]

    def find_words(self, units: Iterable[Unit], failed: Outcome) -> _WordsByUnit:
        """Return the word and the reason of each of `units`; `failed` if its order was refused."""
        # By province: a refused order may name its unit wrongly.
        standing = {(unit.power, unit.province): unit for unit in units}
        words: _WordsByUnit = {}
        for named, result in self._results:
            unit = standing.get((named.power, named.province))
            if unit is not None:
                key = str(unit)
                words[key] = self._of(result, key, failed)
        return words

    def _of(self, result: OrderResult, key: str, failed: Outcome) -> tuple[Outcome, str]:
        idle = result.implicit and result.outcome in {Outcome.HOLD, Outcome.DISBANDED}
        if idle and key in self._orders.unread:
            return failed, self._orders.unread[key].sentence
        if result.outcome is not Outcome.VOID:
            self._orders.accept_needless(result.order)
            return result.outcome, result.reason
        return failed, result.reason


def _of_adjustments(board: Board, orders: RequestOrders, resolution: Resolution) -> _WordsByUnit:
    """Return the words of each unit built or disbanded, of void orders, and of waivers."""
    words: _WordsByUnit = {}
    waived: Counter[Power] = Counter()
    for result in resolution.results:
        order = result.order
        if result.outcome is Outcome.VOID:
            orders.refuse_late(result)
        if isinstance(order, Waive):
            waived[order.power] += result.outcome is Outcome.WAIVED
        elif words.get(str(order.unit), _VOID)[0] is Outcome.VOID:
            words[str(order.unit)] = result.outcome, result.reason
    for text, unread in orders.unread.items():
        words.setdefault(text, (Outcome.VOID, unread.sentence))
    counts = tuple(f"{board.power_info[p].name} {n}" for p, n in sorted(waived.items()) if n)
    if counts:
        message = Message.of("builds_waived", counts=counts)
        words["WAIVE"] = Outcome.WAIVED, render_message(message, geography(board))
    return words


_VOID = Outcome.VOID, ""


def trees_of(asked: Request, resolution: Resolution, orders: RequestOrders) -> Json:
    """Return the tree of causes for each unit ordered, under the same words as the results."""
    explanations = explain(asked.board, asked.position, orders.orders, asked.rules, seed=asked.seed)
    words = _find_words(asked, resolution, orders)
    trees: Json = {}
    for key, explained in explanations.items():
        text = str(key)
        tree = explained
        if isinstance(key, Unit) and text in words:
            tree = explained.restate(*words[text])
        trees[text] = tree.to_json()
        if tree is not explained and text in orders.unread:
            trees[text] = {**tree.to_json(), "order": orders.unread[text].text}
    for text, unread in orders.unread.items():
        trees.setdefault(text, _unread_tree(unread, geography(asked.board)))
    return trees


def _unread_tree(unread: Unread, names: Geography) -> Json:
    """Return the tree of an adjustment that could not be read: no unit followed another order."""
    return {
        "order": unread.text,
        "power": unread.power,
        "outcome": Outcome.VOID.value,
        "sentence": unread.sentence,
        "paragraph": unread.sentence,
        "details": [],
        "cause": Cause(
            Topic.RESULT, Message.of("refused", reason=unread.sentence), (datc("4.E.2"),)
        ).to_json(names),
    }
