"""Answers requests: the result of every order, the reasons, the trees, and the next position."""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import BinaryIO

from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.codec import Json
from diplomaccloud.judge.explain import explain as explain_orders
from diplomaccloud.judge.geography import Geography, geography
from diplomaccloud.judge.given_orders import MAX_ECHO, GivenOrder
from diplomaccloud.judge.messages.english import render_message
from diplomaccloud.judge.messages.values import Message
from diplomaccloud.judge.orders import Waive
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.protocol.requests import (
    Boards,
    Request,
    RequestOrders,
    only_standard,
    position_to_request,
    read_request,
)
from diplomaccloud.judge.reasons.rulebook import datc
from diplomaccloud.judge.reasons.values import Cause, Topic
from diplomaccloud.judge.results import Outcome, Resolution
from diplomaccloud.judge.units import Unit

MAX_LINE = 16 * 1024 * 1024
"""The longest line that is read, in bytes; it has room for an inline chart."""


def answer(request: object, boards: Boards = only_standard, *, explain: bool = False) -> Json:
    """Return the answer to `request`, a JSON value, or `{"id", "error"}` if it is invalid.

    No value ever raises an error. `boards` finds the board for the value of `map` and may raise
    `ValueError`. `explain` adds `trees` even if the request does not ask for them.
    """
    name = _id_of(request)
    try:
        asked = read_request(request, boards)
    except ValueError as error:
        return {"id": name, "error": str(error)}
    orders = RequestOrders(asked)
    resolution = orders.resolution
    results, why = words_of(asked, resolution, orders)
    answered: Json = {
        "id": name,
        "results": results,
        "dislodged": dict(_describe_dislodged(asked.position, resolution)),
        "next": position_to_request(resolution.next),
        "why": why,
        "errors": orders.list_errors(),
    }
    if resolution.ending is not None:
        ending = resolution.ending
        answered["ending"] = {"winners": list(ending.winners), "reason": ending.reason}
    if explain or asked.explain:
        answered["trees"] = _list_trees(asked, orders, results, why)
    return answered


def _id_of(request: object) -> object:
    """Return the `id` of a request if it is a number or short text, otherwise None."""
    value = request.get("id") if isinstance(request, dict) else None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, int) and value.bit_length() > MAX_ECHO:
        return None
    short = isinstance(value, str | int | float) and len(str(value)) <= MAX_ECHO
    return value if short else None


def _describe_dislodged(position: Position, resolution: Resolution) -> Iterator[tuple[str, Json]]:
    for entry in resolution.dislodged:
        attacker = position.unit_in(entry.by)
        yield (
            str(entry.unit),
            {
                "power": entry.unit.power,
                "by": None if attacker is None else str(attacker),
                "retreats": list(entry.retreats),
            },
        )


# The outcome word, the reason and the tree of causes for each unit.

_WORDS = {outcome: outcome.value for outcome in Outcome}

_WordsByUnit = dict[str, tuple[Outcome, str]]
"""The outcome and the reason, by the unit's text or `WAIVE`."""

_Unread = Mapping[str, GivenOrder]
"""The unreadable orders, by the text of the unit that they are for."""


def words_of(
    asked: Request, resolution: Resolution, orders: RequestOrders | None = None
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the outcome word and the reason for each ordered unit.

    `orders` has the unreadable orders, if there are any.
    """
    if orders is not None and orders.are_listed:
        # Results are in the order of the units, and no order was refused.
        units = [str(unit) for unit in asked.position.units]
        results = resolution.results
        return (
            {unit: _WORDS[word] for unit, word in zip(units, resolution.outcomes, strict=True)},
            {unit: result.why for unit, result in zip(units, results, strict=True)},
        )
    words = _find_words(asked, resolution, {} if orders is None else orders.unread)
    outcomes = {key: outcome.value for key, (outcome, _) in words.items()}
    return outcomes, {key: reason for key, (_, reason) in words.items()}


def _find_words(asked: Request, resolution: Resolution, unread: _Unread) -> _WordsByUnit:
    position = asked.position
    match position.phase.stage:
        case Stage.MOVEMENT:
            return _list_words(unread, resolution, position.units, Outcome.VOID)
        case Stage.RETREATS:
            units = [entry.unit for entry in position.dislodged]
            return _list_words(unread, resolution, units, Outcome.DISBANDED)
        case Stage.ADJUSTMENTS:
            return _list_adjustments(asked.board, unread, resolution)


def _list_words(
    unread: _Unread, resolution: Resolution, units: Iterable[Unit], failed: Outcome
) -> _WordsByUnit:
    """Return each unit's word and reason; the word is `failed` if its order was refused."""
    # By province, because a refused order may name its unit incorrectly.
    standing = {(unit.power, unit.province): str(unit) for unit in units}
    dislodged = {str(entry.unit) for entry in resolution.dislodged}
    words: _WordsByUnit = {}
    for result in resolution.results:
        if isinstance(result.order, Waive):
            continue
        named = result.order.unit
        key = standing.get((named.power, named.province))
        if key is None:
            continue
        idle = result.implicit and result.outcome in {Outcome.HOLD, Outcome.DISBANDED}
        if idle and key in unread:
            why = unread[key].message
            words[key] = failed, f"{why} {result.why}" if key in dislodged else why
        elif result.outcome is Outcome.VOID:
            words[key] = failed, result.why
        else:
            words[key] = result.outcome, result.why
    return words


def _list_adjustments(board: Board, unread: _Unread, resolution: Resolution) -> _WordsByUnit:
    """Return the words for each unit built or disbanded, for void orders, and for waivers."""
    words: _WordsByUnit = {}
    waived: Counter[Power] = Counter()
    for result in resolution.results:
        order = result.order
        if isinstance(order, Waive):
            waived[order.power] += result.outcome is Outcome.WAIVED
        elif words.get(str(order.unit), (Outcome.VOID, ""))[0] is Outcome.VOID:
            words[str(order.unit)] = result.outcome, result.why
    for text, entry in unread.items():
        words.setdefault(text, (Outcome.VOID, entry.message))
    counts = tuple(f"{board.power_info[p].name} {n}" for p, n in sorted(waived.items()) if n)
    if counts:
        message = Message.of("builds_waived", counts=counts)
        words["WAIVE"] = Outcome.WAIVED, render_message(message, geography(board))
    return words


def _list_trees(
    asked: Request, orders: RequestOrders, results: dict[str, str], why: dict[str, str]
) -> Json:
    """Return the tree of causes for each ordered unit, with the same keys as the results."""
    explanations = explain_orders(
        asked.board, asked.position, orders.orders, asked.rules, seed=asked.seed
    )
    trees: Json = {}
    for key, explained in explanations.items():
        text = str(key)
        tree = explained
        if isinstance(key, Unit) and text in results:
            tree = explained.restate(Outcome(results[text]), why[text])
        written = tree.to_json()
        if tree is not explained and text in orders.unread:
            written["order"] = orders.unread[text].text
        trees[text] = written
    for text, entry in orders.unread.items():
        trees.setdefault(text, _unread_tree(entry, geography(asked.board)))
    return trees


def _unread_tree(entry: GivenOrder, names: Geography) -> Json:
    """Return the tree for an unreadable adjustment, which no other order replaced."""
    message = Message.of("refused", reason=entry.message)
    return {
        "order": entry.text,
        "power": entry.power,
        "outcome": Outcome.VOID.value,
        "sentence": entry.message,
        "paragraph": entry.message,
        "details": [],
        "cause": Cause(Topic.RESULT, message, (datc("4.E.1"),)).to_json(names),
    }


# A stream of requests: one JSON value per input line, one answer per output line, in order.


def serve_lines(
    source: BinaryIO,
    sink: BinaryIO,
    boards: Boards = only_standard,
    *,
    explain: bool = False,
    report: Callable[[Exception], None] | None = None,
) -> None:
    """Answer every line of `source` at once with a line to `sink`, until `source` ends.

    The answer to an invalid or empty line is `{"id", "error"}`. `report` is called with internal
    errors. Only one line at a time is kept in memory.
    """
    for line in lines_of(source):
        answered = _answer_line(line, boards, explain, report)
        sink.write(_ENCODER.encode(answered).encode() + b"\n")
        sink.flush()


def lines_of(source: BinaryIO) -> Iterator[bytes | None]:
    """Yield the lines of `source` without line breaks, or None for a line that is too long."""
    while line := source.readline(MAX_LINE + 1):
        if len(line) <= MAX_LINE or line.endswith(b"\n"):
            yield line.rstrip(b"\r\n")
            continue
        while line and not line.endswith(b"\n"):
            line = source.readline(MAX_LINE)
        yield None


def read_record(source: BinaryIO) -> Iterator[object]:
    """Yield the JSON values of a record: one on each line, or one in the whole file.

    Raises `ValueError` for text that is not JSON; empty lines are skipped.
    """
    for number, line in enumerate(lines_of(source), start=1):
        if line is None:
            raise ValueError(f"line {number} is longer than {MAX_LINE} bytes")
        if not line.strip():
            continue
        try:
            value = read_json(line)
        except ValueError as error:
            if number > 1:
                raise ValueError(f"line {number}: {error}") from error
            yield read_json(line + b"\n" + source.read(MAX_LINE))
            return
        yield value


def _answer_line(
    line: bytes | None,
    boards: Boards,
    explain: bool,
    report: Callable[[Exception], None] | None,
) -> Json:
    if line is None:
        return {"id": None, "error": f"the line is longer than {MAX_LINE} bytes"}
    try:
        request = read_json(line)
    except ValueError as error:
        return {"id": None, "error": str(error)}
    try:
        return answer(request, boards, explain=explain)
    except Exception as error:
        # An internal error in one position must not stop the adjudication of others.
        if report is not None:
            report(error)
        return {"id": _id_of(request), "error": f"internal error: {type(error).__name__}"}


def read_json(text: bytes) -> object:
    """Return the JSON value in `text`; raise `ValueError` if there is none.

    Stricter than `json`: duplicate keys, `NaN` and `Infinity` are refused.
    """
    try:
        return DECODER.decode(text.decode("utf-8-sig"))
    except RecursionError:
        raise ValueError("not JSON: nested too deep") from None
    except ValueError as error:
        # Python's message is about an interpreter setting, which does not help the sender.
        too_long = str(error).startswith("Exceeds the limit")
        what = "a number too long" if too_long else str(error)[:200]
        raise ValueError(f"not JSON: {what}") from error


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"{twice[:40]!r} appears twice in one object")
    return members


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a number")


DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_constant)
_ENCODER = json.JSONEncoder(separators=(",", ":"))
