"""Draws requests to every door of the judge, and writes a digest of the answers.

    .venv/bin/python -m judge.tests.answers

writes `answers.txt` again after a change that is meant to change answers; look at what else the
tests say first. One request in ten is damaged. The answers are complete: outcomes, reasons with
their keys, trees of causes, texts, errors, protocol lines and batches.
"""

import hashlib
import io
import json
import random
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from typing import Any

from judge.tests.cases import HERE
from judge.tests.grids import grid_board
from judge.tests.scenes import (
    CROSSINGS,
    KNOTS,
    MOVEMENT_SWITCHES,
    RARE,
    generated_boards,
    name_seas,
    random_knot,
    random_orders,
    random_position,
)

from diplomaccloud import judge
from diplomaccloud.judge import batch
from diplomaccloud.judge.explain import explain
from diplomaccloud.judge.orders import Convoy, Move, Order, SupportMove, Waive, power_of
from diplomaccloud.judge.protocol import serve_lines
from diplomaccloud.judge.protocol.requests import position_to_request

PATH = HERE / "answers.txt"
GROUPS, SIZE = 200, 100
"""The number of digests, and of requests behind each."""

EUROPE = judge.standard_board()
BOARDS = [EUROPE, EUROPE, EUROPE, *generated_boards(), grid_board(8, 6)]
EDITIONS = list(judge.EDITIONS.values())


def write_digest(group: int) -> str:
    """Return the digest of the answers to the requests of a group."""
    digest = hashlib.sha256()
    for number in range(SIZE):
        rng = random.Random(f"{group} {number}")
        digest.update(answer_request(rng, damaged=number % 10 == 7).encode())
    return digest.hexdigest()[:16]


def answer_request(rng: random.Random, *, damaged: bool) -> str:
    """Return the answer to a request drawn at random, as JSON."""
    board = rng.choice(BOARDS)
    position, orders = _draw_scene(board, rng)
    rules = _draw_rules(rng)
    door = rng.choice(DOORS)
    if damaged and rng.random() < 0.5:
        orders, door = [*orders, *rng.sample(_BAD_ORDERS, 2)], _adjudicate
    elif damaged and position.units:
        double = replace(position.units[0], power=judge.Power("NOBODY"))
        position = replace(position, units=(*position.units, double))
    try:
        answer = door(Request(board, position, orders, rules, rng))
    except (ValueError, TypeError) as error:
        answer = [type(error).__name__, str(error)]
    return json.dumps(dump(answer), separators=(",", ":"))


_BAD_ORDERS: list[Any] = [None, 5, "A PAR - BUR", Move, ["A PAR H"], Waive(judge.Power("NOBODY"))]


# Requests.


def _draw_scene(board: judge.Board, rng: random.Random) -> tuple[judge.Position, list[Order]]:
    """Return a position of any phase, and orders of which some are illegal or missing."""
    orders: list[Order] = []
    if board is EUROPE and rng.random() < 0.3:
        orders += name_seas(random_knot(board, rng, [*KNOTS, *CROSSINGS, *RARE], most=5), rng)
        phase = judge.Phase.parse("F1903M")
        position = judge.Position(phase, tuple(order.unit for order in orders), {})
    else:
        most = min(34, len(board.provinces) - 1)
        position = random_position(board, rng, rng.randint(1, most), rng.choice([2, 3, 7]))
        orders += random_orders(board, position, rng)
    dice = rng.random()
    if dice < 0.15:
        position = judge.adjudicate(board, position, orders).next
    elif dice < 0.3:
        position = replace(position, phase=judge.Phase.parse("W1903A"))
    if dice < 0.3:
        legal = judge.legal_orders(board, position)
        orders = rng.sample(legal, min(len(legal), 12))
    return position, _disturb(board, position, orders, rng)


def _disturb(
    board: judge.Board, position: judge.Position, orders: list[Order], rng: random.Random
) -> list[Order]:
    places = [*board.locations(judge.UnitKind.ARMY), *board.locations(judge.UnitKind.FLEET)]
    disturbed = []
    for order in orders:
        dice = rng.random()
        if dice > 0.15 or isinstance(order, Waive) or not position.units:
            disturbed.append(order)
        elif dice < 0.03:
            disturbed.append(Move(order.unit, rng.choice(places), via_convoy=dice < 0.015))
        elif dice < 0.06:
            disturbed.append(
                SupportMove(order.unit, rng.choice(position.units), rng.choice(places))
            )
        elif dice < 0.09:
            goal = rng.choice(board.provinces).code
            disturbed.append(Convoy(order.unit, rng.choice(position.units), goal))
        elif dice < 0.12:
            power = rng.choice(board.powers).power
            disturbed += [order, replace(order, unit=replace(order.unit, power=power))]
    return disturbed


def _draw_rules(rng: random.Random) -> judge.RuleSet:
    if rng.random() < 0.5:
        return rng.choice(EDITIONS)
    switch = rng.choice([field for field in fields(judge.RuleSet) if field.name != "name"])
    kind = type(switch.default)
    values = MOVEMENT_SWITCHES.get(switch.name, (False, True) if kind is bool else tuple(kind))
    return replace(judge.EDITIONS["2000"], **{switch.name: rng.choice(values)})  # type: ignore[arg-type]


# Doors.


@dataclass(frozen=True)
class Request:
    """What a door is asked; `rng` draws what only this door needs."""

    board: judge.Board
    position: judge.Position
    orders: list[Order]
    rules: judge.RuleSet
    rng: random.Random


def _adjudicate(asked: Request) -> object:
    return judge.adjudicate(
        asked.board, asked.position, asked.orders, asked.rules, seed=str(asked.rng.random())
    )


def _explain(asked: Request) -> object:
    return {
        str(key): told.to_json()
        for key, told in explain(asked.board, asked.position, asked.orders, asked.rules).items()
    }


def _list_legal(asked: Request) -> object:
    power = asked.rng.choice(asked.board.powers).power
    reasons = [
        judge.why_illegal(asked.board, asked.position, power, order, asked.rules)
        for order in asked.orders
    ]
    return judge.legal_orders(asked.board, asked.position, None, asked.rules), reasons


def _read(asked: Request) -> object:
    """Write the orders in every notation, spoil some, and read them as a sheet."""
    answers: list[object] = []
    for power in {power_of(order): None for order in asked.orders}:
        own = [order for order in asked.orders if power_of(order) == power]
        write = asked.rng.choice(
            [lambda order, *_: str(order), judge.to_daide, judge.to_webdiplomacy]
        )
        texts = []
        for order in own:
            text = write(order, asked.board, asked.position)
            at = asked.rng.randrange(len(text)) if asked.rng.random() < 0.2 else len(text)
            texts.append(text[:at] + text[at + 1 :])
        sheet = asked.rng.choice(["\n", ", ", "; ", "\n- "]).join(texts)
        answers.append(
            judge.parse_sheet(sheet, asked.board, asked.position, power, rules=asked.rules)
        )
    return answers


def _serve(asked: Request) -> object:
    texts: dict[str, list[str]] = {}
    for order in asked.orders:
        texts.setdefault(power_of(order), []).append(str(order))
    edition = (
        asked.rules.name if asked.rng.random() < 0.5 else {"paradox": str(asked.rules.paradox)}
    )
    request = position_to_request(asked.position) | {
        "orders": texts,
        "rules": edition,
        "explain": True,
    }
    line = json.dumps(request)
    if asked.rng.random() < 0.1:
        line = line[: asked.rng.randrange(len(line))]
    sink = io.BytesIO()
    serve_lines(io.BytesIO(line.encode()), sink, lambda _: asked.board)
    return sink.getvalue().decode()


def _play(asked: Request) -> object:
    game = judge.Game(asked.board, asked.rules, position=asked.position)
    for order in asked.orders:
        game.order(power_of(order), order)
    turn = game.adjudicate()
    told = {key: [turn[key], turn.explain(key)] for key in turn}
    stored = game.to_json()
    again = judge.Game.from_json(json.dumps(stored))
    return told, stored, again.position == game.position, game.position.to_text()


def _pack(asked: Request) -> object:
    states = batch.pack([asked.position], asked.board)
    rows = batch.random_orders(states, array("Q", [asked.rng.getrandbits(60)]), asked.board)
    judged = batch.adjudicate(states, rows, asked.rules, asked.board)
    legal = batch.legal_orders(states, asked.board)
    return (
        judged,
        legal,
        batch.pack_orders([asked.position], [asked.orders], asked.board, asked.rules),
    )


DOORS: list[Callable[[Request], object]] = [
    _adjudicate,
    _explain,
    _list_legal,
    _read,
    _serve,
    _play,
    _pack,
]


# Answers.


def dump(value: Any) -> object:
    """Return an answer as JSON values, with the types of its parts."""
    parts: Iterable[Any]
    match value:
        case Enum():
            return value.value
        case None | str() | int() | float():
            return value
        case Mapping():
            return {str(key): dump(part) for key, part in value.items()}
        case judge.NotationError():
            parts = [value.message]
        case judge.OrderResult():
            parts = [value.order, value.outcome, value.why, value.message]
        case judge.Resolution():
            parts = [value.results, value.next, value.dislodged, value.destroyed]
            parts += [value.standoffs, value.gained, value.ending]
        case _ if is_dataclass(value):
            shown = (field.name for field in fields(value) if field.repr)
            parts = [type(value).__name__, *(getattr(value, name) for name in shown)]
        case _:
            parts = value
    return [dump(part) for part in parts]


def write_digests() -> Iterator[str]:
    """Yield the lines of the file."""
    for group in range(GROUPS):
        yield f"{write_digest(group)}\n"


def main() -> None:
    """Write the file."""
    PATH.write_text("".join(write_digests()), encoding="utf-8")


if __name__ == "__main__":
    main()
