"""The outcome word, the reason and the tree of causes for each unit in a request."""

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
    """Return the outcome word and the reason for each ordered unit."""
    orders = RequestOrders(asked) if orders is None else orders
    if orders.are_listed:
        # Results are in the order of the units, and no order was refused.
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
"""The outcome word and the reason, by the unit's text or `WAIVE`."""


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
    """The outcome words of units in movement and retreats."""

    def __init__(self, orders: RequestOrders, resolution: Resolution) -> None:
        self._orders = orders
        self._results = [
            (result.order.unit, result)
            for result in resolution.results
            if not isinstance(result.order, Waive)
        ]

    def find_words(self, units: Iterable[Unit], failed: Outcome) -> _WordsByUnit:
        """Return each unit's word and reason; the word is `failed` if its order was refused."""
        # By province, because a refused order may name its unit incorrectly.
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
    """Return the words for each unit built or disbanded, for void orders, and for waivers."""
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
    """Return the tree of causes for each ordered unit, with the same keys as the results."""
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
    """Return the tree for an unreadable adjustment, which no other order replaced."""
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
