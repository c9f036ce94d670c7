"""Games as JSON: a version 1 record in one object, with the orders given for the current phase.

See `docs/library.md` and, for records, `docs/protocol.md`.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from diplomaccloud.judge.board import Board, ProvinceCode
from diplomaccloud.judge.codec import CodecError, Json, Node, board_from_json, read_phase
from diplomaccloud.judge.given_orders import GivenOrder, texts_to_json
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.protocol.answers import read_json
from diplomaccloud.judge.protocol.records import RECORD, VERSION, dump_record
from diplomaccloud.judge.protocol.requests import (
    Request,
    only_standard,
    position_to_request,
    read_position,
    read_request,
)

if TYPE_CHECKING:
    from diplomaccloud.judge.game import Game

MAX_PHASES = 10_000


def game_to_json(
    game: "Game", given: Sequence[Iterable[GivenOrder]], given_now: Iterable[GivenOrder]
) -> Json:
    """Return `game` as a JSON object; `given` has the orders given in each turn."""
    played = [(turn.position, turn.orders, turn.resolution) for turn in game.turns]
    lines = list(dump_record(game.board, game.rules, played, seed=game.seed))
    heading, *phases = (cast("Json", json.loads(line)) for line in lines)
    for phase, orders in zip(phases, given, strict=True):
        phase.update(texts_to_json(orders))
    now = {
        **position_to_request(game.position),
        "orders": {power: list(texts) for power, texts in game.orders.items()},
        **texts_to_json(given_now),
    }
    start = game.turns[0].position if game.turns else game.position
    attackers = {entry.unit.province: entry.by for entry in start.dislodged if entry.by}
    if attackers:
        # Only at the start of a game are they unknown from the previous phase.
        [*phases, now][0]["attackers"] = attackers
    return {**heading, "phases": phases, "now": now}


def game_from_json(data: object) -> "Game":
    """Return the game that `data` describes; see `Game.from_json`."""
    from diplomaccloud.judge.game import Game  # noqa: PLC0415 it writes games with this module

    if isinstance(data, str):
        data = data.encode(errors="surrogatepass")
    if isinstance(data, bytes | bytearray):
        try:
            data = read_json(bytes(data))
        except ValueError as error:
            raise CodecError(str(error)) from error
    node = Node(data)
    if node["record"].value != RECORD or node["v"].value != VERSION:
        raise CodecError(f"record: not a {RECORD!r} of version {VERSION}")
    heading: Json = {key: node[key].value for key in ("map", "rules", "seed") if key in node}
    entries = [*node["phases"].items(most=MAX_PHASES), node["now"]]
    boards = _Boards()
    game: Game | None = None
    for number, entry in enumerate(entries):
        is_last = number == len(entries) - 1
        path = "now" if is_last else f"phases[{number}]"
        try:
            request = _read_entry(heading, entry, boards)
            if game is None:
                start = _read_attackers(entry, request.position)
                game = Game(request.board, request.rules, position=start, seed=request.seed)
            _give_orders(game, request, entry)
            if not is_last:
                _adjudicate(game, entry, request.board)
        except CodecError as error:
            # Paths of the parts of a phase start at the phase; parts of a list have no path.
            message = str(error)
            raise CodecError(
                message if message.startswith(path) else f"{path}.{message}"
            ) from error
        except ValueError as error:
            raise CodecError(f"{path}: {error}") from error
    if game is None:
        raise CodecError("now: missing")
    return game


class _Boards:
    """Finds the board of a record: the standard board, or the one in its heading."""

    def __init__(self) -> None:
        self._board: Board | None = None

    def __call__(self, value: object) -> Board:
        if not isinstance(value, dict):
            return only_standard(value)
        if self._board is None:
            self._board = board_from_json(value)
        return self._board


def _read_entry(heading: Json, entry: Node, boards: _Boards) -> Request:
    """Return a phase as a request; `heading` has the map, the rules and the seed."""
    if not isinstance(entry.value, dict):
        raise entry.error("not an object")
    return read_request({**heading, **entry.value}, boards)


def _give_orders(game: "Game", request: Request, entry: Node) -> None:
    """Check that the game has reached this phase, and give its orders."""
    if position_to_request(request.position) != position_to_request(game.position):
        raise CodecError(f"phase: does not begin where the one before it ended, in {game.phase}")
    texts: dict[str, list[str]] = {}
    for power, text in request.orders:
        texts.setdefault(power, []).append(text)
    for power, orders in texts.items():
        try:
            game.order(power, orders)
        except ValueError as error:
            raise CodecError(f"orders: {error}") from error
    for key, written in entry["written"].entries() if "written" in entry else ():
        with _blaming(key):
            typed = {order.text(): text.text() for order, text in written.entries()}
            game.restore_texts(key.text(), typed)
    for refused in entry["errors"].items() if "errors" in entry else ():
        text, message = refused["order"].text(), refused["message"].text()
        with _blaming(refused["power"]):
            game.restore_problem(refused["power"].text(), text, message)


def _read_attackers(entry: Node, position: Position) -> Position:
    """Return `position` with the origins of dislodged units' attackers, where they are stored."""
    if "attackers" not in entry:
        return position
    came = {place.word(): source.word() for place, source in entry["attackers"].entries()}
    dislodged = tuple(
        replace(unit, by=ProvinceCode(came.get(unit.unit.province, "")))
        for unit in position.dislodged
    )
    return replace(position, dislodged=dislodged)


@contextmanager
def _blaming(node: Node) -> Iterator[None]:
    """Make an error about an unknown power name `node`."""
    try:
        yield
    except CodecError:
        raise
    except ValueError as error:
        raise node.error(str(error)) from error


def _adjudicate(game: "Game", entry: Node, board: Board) -> None:
    game.adjudicate()
    if "next" not in entry:
        return
    after: Position = read_position(entry["next"], read_phase(entry["next"]["phase"]), board)
    if position_to_request(after) != position_to_request(game.position):
        raise CodecError("next: the orders lead to another position")
