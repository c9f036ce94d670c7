"""The record of a game: a heading, then one line for each phase with its orders and results.

See `docs/protocol.md`, "Game records".
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.codec.boards import board_to_json
from diplomaccloud.judge.codec.reader import Json
from diplomaccloud.judge.codec.values import rules_to_json
from diplomaccloud.judge.orders import Order, power_of
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.protocol.request import Request, position_to_request
from diplomaccloud.judge.protocol.words import words_of
from diplomaccloud.judge.results import Resolution
from diplomaccloud.judge.rules import RuleSet
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.judge.version import __version__

RECORD = "diplomaccloud game"
VERSION = 1

Played = tuple[Position, tuple[Order, ...], Resolution]
"""A finished phase: the position, the orders, and the resolution."""


@lru_cache(maxsize=16)
def board_hash(board: Board) -> str:
    """Return the SHA-256 of the board's canonical JSON, in hexadecimal digits."""
    text = json.dumps(board_to_json(board), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


Written = Mapping[Power, Mapping[str, str]]
"""The original texts of each power's orders, by canonical text."""


def dump_record(
    board: Board,
    rules: RuleSet,
    phases: Iterable[Played],
    *,
    name: str = "",
    seed: str = "",
    seeds: Mapping[str, str] | None = None,
    written: Mapping[str, Written] | None = None,
) -> Iterator[str]:
    """Yield the lines of a game's record, without line breaks.

    The heading names the standard board, and contains any other board in full. `seeds` has the
    seeds of phases that don't use the heading's seed, and `written` has the orders as players wrote
    them, both by the phase's short name.
    """
    standard = board == standard_board()
    heading: Json = {
        "record": RECORD,
        "v": VERSION,
        "engine": __version__,
        "id": name,
        "map": "standard" if standard else board_to_json(board),
        "map_hash": board_hash(board),
        "rules": {key: value for key, value in rules_to_json(rules).items() if key != "v"},
        "seed": seed,
    }
    yield _dump(heading)
    for position, orders, resolution in phases:
        line = _phase(board, rules, position, orders, resolution)
        when = str(position.phase)
        if when in (seeds or {}):
            line["seed"] = (seeds or {})[when]
        typed = (written or {}).get(when)
        if typed:
            line["written"] = {power: dict(texts) for power, texts in typed.items()}
        yield _dump(line)


def _phase(
    board: Board,
    rules: RuleSet,
    position: Position,
    orders: Iterable[Order],
    resolution: Resolution,
) -> Json:
    texts: dict[str, list[str]] = {}
    for order in orders:
        texts.setdefault(power_of(order), []).append(str(order))
    return {
        **position_to_request(position),
        "orders": texts,
        "results": words_of(Request(board, rules, position), resolution)[0],
        "next": position_to_request(resolution.next),
    }


def _dump(value: Json) -> str:
    return json.dumps(value, separators=(",", ":"))
