"""Answers one request: what became of every order, why, and what comes next."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from diplomaccloud.judge.adjudicate import adjudicate
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.explain import explain as grow
from diplomaccloud.judge.jsonread import Json
from diplomaccloud.judge.kernel.values import decide_listed
from diplomaccloud.judge.notation import NotationError, ordered_unit, parse_order, parse_sheet
from diplomaccloud.judge.orders import Order, Waive, power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.protocol.canonical import Canonical
from diplomaccloud.judge.protocol.request import (
    Boards,
    Request,
    only_standard,
    position_to_request,
    read_request,
)
from diplomaccloud.judge.reading import Reader, Refusal
from diplomaccloud.judge.results import OrderResult, Outcome, Resolution
from diplomaccloud.judge.rules import Pick
from diplomaccloud.judge.units import Unit

LONGEST_ECHO = 300
"""How much of an order that cannot be read is sent back, in characters."""

MOST_EXPLAINED = 100
"""The most units on a board for which trees are grown; each asks what would be without others."""

_BEGINS_WITH_UNIT = re.compile(r"[AF] [A-Z0-9]{1,6}(/[A-Z]{2})?(?= )", re.ASCII)


def answer(request: object, boards: Boards = only_standard, *, explain: bool = False) -> Json:
    """Return the answer to `request`, a JSON value; `{"id", "error"}` if it is no request.

    Never raises for any value. `boards` finds the board that `map` stands for and may raise
    `ValueError`. `explain` adds `trees` even if the request does not ask for them.
    """
    name = id_of(request)
    try:
        asked = read_request(request, boards)
    except ValueError as error:
        return {"id": name, "error": str(error)}
    sheet = Orders(asked)
    resolution = adjudicate(asked.board, asked.position, sheet.orders, asked.rules, seed=asked.seed)
    told = {"id": name} | _told(asked, sheet, resolution)
    few = len(asked.position.units) <= MOST_EXPLAINED
    if (explain or asked.explain) and few:
        told["trees"] = _trees(asked, sheet)
    return told


def id_of(request: object) -> object:
    """Return the `id` of a request if it is a short text or a number, else None."""
    value = request.get("id") if isinstance(request, dict) else None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    short = isinstance(value, str | int | float) and len(str(value)) <= LONGEST_ECHO
    return value if short else None


class Orders:
    """The orders of a request: those that could be read, and those refused."""

    def __init__(self, asked: Request) -> None:
        self.orders: list[Order] = []
        self.errors: list[Json] = []
        self.unread: dict[str, str] = {}
        """Units by their text whose order could not be read, and why."""
        self._asked = asked
        self._reader = Reader(asked.board, asked.position, asked.rules)
        moving = asked.position.phase.stage is Stage.MOVEMENT
        self._canonical = Canonical(asked.board, asked.position, asked.rules) if moving else None
        self._texts: dict[Order, str] = {}
        self._refused: set[Order] = set()
        self._meant: dict[Unit, set[Order]] = {}
        if self._all_listed():
            return
        for power, text in asked.orders:
            self._read(power, text)
        adjusting = asked.position.phase.stage is Stage.ADJUSTMENTS
        if not adjusting and asked.rules.several_orders is Pick.NONE:
            self._note_contradictions()

    def refuse(self, power: str, text: str, message: str) -> None:
        """Note that an order was refused."""
        sent = text[:LONGEST_ECHO]
        self.errors.append({"power": power[:64], "order": sent, "message": message})

    def refuse_late(self, result: OrderResult) -> None:
        """Note that adjudication refused an order, if reading it has not done so already."""
        text = self._texts.get(result.order, str(result.order))
        if result.order not in self._refused:
            self.refuse(power_of(result.order), text, result.reason)

    def _all_listed(self) -> bool:
        """Take the orders if all are in canonical text and as listed; return whether they are."""
        asked = self._asked
        if self._canonical is None:
            return False
        found: list[Order] = []
        for power, text in asked.orders:
            order = self._canonical.read(text, Power(power))
            if order is None:
                return False
            found.append(order)
        if decide_listed(asked.board, asked.position.units, found, asked.rules) is None:
            return False
        self.orders = found
        return True

    def _read(self, name: str, text: str) -> None:
        power = Power(name)
        if power not in self._asked.board.power_info:
            self.refuse(name, text, f"There is no power {name[:24]!r} on this board.")
            return
        try:
            order = self._canonical.read(text, power) if self._canonical else None
            self._take(power, text, order or self._parsed(power, text))
        except NotationError as error:
            self._read_sheet(power, text, str(error))

    def _parsed(self, power: Power, text: str) -> Order:
        asked = self._asked
        return parse_order(text, asked.board, asked.position, power, rules=asked.rules)

    def _read_sheet(self, power: Power, text: str, why: str) -> None:
        """Read a text that is no single order; `why` is what is wrong with it as one."""
        asked = self._asked
        sheet = parse_sheet(text, asked.board, asked.position, power, rules=asked.rules)
        for order in sheet.orders:
            self._take(power, str(order), order)
        if not sheet.orders and len(sheet.errors) < 2:
            self.refuse(power, text, why)
            self._note_unread(power, text, why)
            return
        for error in sheet.errors:
            self.refuse(power, error.text, error.message)
            self._note_unread(power, error.text, error.message)

    def _take(self, power: Power, text: str, order: Order) -> None:
        self.orders.append(order)
        self._texts.setdefault(order, text)
        try:
            meant = self._reader.read(power, order)
        except Refusal as refusal:
            self.refuse(power, text, str(refusal))
            self._refused.add(order)
            return
        if not isinstance(meant, Waive):
            self._meant.setdefault(meant.unit, set()).add(meant)

    def _note_unread(self, power: Power, text: str, why: str) -> None:
        board, position = self._asked.board, self._asked.position
        if position.phase.stage is not Stage.ADJUSTMENTS:
            unit = ordered_unit(text, board, position, power)
            if unit is not None:
                self.unread.setdefault(str(unit), why)
        elif begins := _BEGINS_WITH_UNIT.match(text):
            self.unread.setdefault(begins.group(), why)

    def _note_contradictions(self) -> None:
        for unit, orders in self._meant.items():
            if len(orders) > 1:
                texts = "; ".join(sorted(map(str, orders)))
                self.refuse(unit.power, texts, f"{unit} was given different orders.")


def _told(asked: Request, sheet: Orders, resolution: Resolution) -> Json:
    told: Json = {
        "results": {},
        "dislodged": dict(_driven(asked.position, resolution)),
        "next": position_to_request(resolution.next),
        "why": {},
        "errors": sheet.errors,
    }
    told["results"], told["why"] = words_of(asked, resolution, sheet)
    if resolution.ending is not None:
        ending = resolution.ending
        told["ending"] = {"winners": list(ending.winners), "reason": ending.reason}
    return told


def words_of(
    asked: Request, resolution: Resolution, sheet: Orders | None = None
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the word and the reason for each unit ordered."""
    sheet = Orders(asked) if sheet is None else sheet
    match asked.position.phase.stage:
        case Stage.MOVEMENT:
            told = _of_units(asked.position.units, sheet, resolution, Outcome.VOID)
        case Stage.RETREATS:
            out = [one.unit for one in asked.position.dislodged]
            told = _of_units(out, sheet, resolution, Outcome.DISBANDED)
        case Stage.ADJUSTMENTS:
            told = _of_adjustments(asked.board, sheet, resolution)
    words = {key: outcome.value for key, (outcome, _) in told.items()}
    return words, {key: reason for key, (_, reason) in told.items()}


_Told = dict[str, tuple[Outcome, str]]


def _of_units(
    units: Iterable[Unit], sheet: Orders, resolution: Resolution, failed: Outcome
) -> _Told:
    """Return what became of each of `units`; one whose order was refused has `failed`."""
    # By province: a refused order may name its unit wrongly.
    standing = {(unit.power, unit.province): unit for unit in units}
    told: _Told = {}
    for result in resolution.results:
        if isinstance(result.order, Waive):
            continue
        named = result.order.unit
        unit = standing.get((named.power, named.province))
        if unit is None:
            continue
        key, outcome, reason = str(unit), result.outcome, result.reason
        if result.implicit and key in sheet.unread:
            outcome, reason = failed, f"The order could not be read: {sheet.unread[key]}."
        elif outcome is Outcome.VOID:
            outcome = failed
        told[key] = outcome, reason
    return told


def _of_adjustments(board: Board, sheet: Orders, resolution: Resolution) -> _Told:
    """Return what became of each unit built or disbanded, of void orders, and of waivers."""
    told: _Told = {}
    waived: Counter[Power] = Counter()
    for result in resolution.results:
        order = result.order
        if result.outcome is Outcome.VOID:
            sheet.refuse_late(result)
        if isinstance(order, Waive):
            waived[order.power] += result.outcome is Outcome.WAIVED
        elif told.get(str(order.unit), _VOID)[0] is Outcome.VOID:
            told[str(order.unit)] = result.outcome, result.reason
    for text, why in sheet.unread.items():
        told.setdefault(text, (Outcome.VOID, f"The order could not be read: {why}."))
    if waivers := [f"{board.power_info[p].name} {n}" for p, n in sorted(waived.items()) if n]:
        told["WAIVE"] = Outcome.WAIVED, f"Builds not taken: {', '.join(waivers)}."
    return told


_VOID = Outcome.VOID, ""


def _trees(asked: Request, sheet: Orders) -> dict[str, object]:
    """Return the tree of causes for each unit on the board, or each adjustment."""
    found = grow(asked.board, asked.position, sheet.orders, asked.rules, seed=asked.seed)
    return {str(key): found[key].to_json() for key in found}


def _driven(position: Position, resolution: Resolution) -> Iterator[tuple[str, Json]]:
    for one in resolution.dislodged:
        attacker = position.unit_in(one.by)
        yield (
            str(one.unit),
            {
                "power": one.unit.power,
                "by": None if attacker is None else str(attacker),
                "retreats": list(one.retreats),
            },
        )
