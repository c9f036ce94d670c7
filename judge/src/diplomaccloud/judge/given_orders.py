"""The orders that a game was given in one phase, with the problems in them."""

from collections.abc import Iterable
from dataclasses import dataclass

from diplomaccloud.judge.board import Power, ProvinceCode
from diplomaccloud.judge.codec import Json
from diplomaccloud.judge.geography import NAMELESS
from diplomaccloud.judge.messages.english import render_message
from diplomaccloud.judge.messages.values import Message
from diplomaccloud.judge.orders import Order, Waive
from diplomaccloud.judge.turn import Problem


@dataclass(frozen=True, slots=True)
class GivenOrder:
    """An order as given: `order` if it could be read; `meant` if it is legal, or `message`."""

    power: Power
    text: str
    province: ProvinceCode | None
    order: Order | None = None
    meant: Order | None = None
    message: str = ""


def list_unread(given: Iterable[GivenOrder]) -> tuple[tuple[ProvinceCode, str], ...]:
    """Return the provinces of units with an unreadable order, and what was wrong with it."""
    unread: dict[ProvinceCode, str] = {}
    for entry in given:
        if entry.order is None and entry.province is not None:
            message = Message.of("order_not_read", error=entry.message)
            unread.setdefault(entry.province, render_message(message, NAMELESS))
    return tuple(unread.items())


def find_contradictions(given: Iterable[GivenOrder]) -> list[Problem]:
    """Return a problem for each unit with different legal orders, none of which counts."""
    entries: dict[ProvinceCode, list[GivenOrder]] = {}
    for entry in given:
        if entry.meant is not None and entry.province is not None:
            entries.setdefault(entry.province, []).append(entry)
    problems: list[Problem] = []
    for same in entries.values():
        meant = {entry.meant for entry in same if entry.meant is not None} if same[1:] else ()
        if len(meant) > 1:
            texts = "; ".join(sorted(map(str, meant)))
            unit = next(order.unit for order in meant if not isinstance(order, Waive))
            message = Message.of("different_orders", unit=unit)
            problems.append(Problem(same[0].power, texts, render_message(message, NAMELESS)))
    return problems


def texts_to_json(given: Iterable[GivenOrder]) -> Json:
    """Return the details that canonical orders leave out, in the form of a record.

    `written` has the original texts of orders where they differ from the canonical ones, by power
    and canonical text. `errors` has the orders that could not be read.
    """
    written: dict[str, dict[str, str]] = {}
    errors: list[dict[str, str]] = []
    for entry in given:
        if entry.order is None:
            message = {"power": entry.power, "order": entry.text, "message": entry.message}
            errors.append(message)
        elif entry.text != str(entry.order):
            written.setdefault(entry.power, {})[str(entry.order)] = entry.text
    texts: Json = {}
    if written:
        texts["written"] = written
    if errors:
        texts["errors"] = errors
    return texts
