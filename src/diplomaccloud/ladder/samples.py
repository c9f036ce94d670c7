"""Sample games for the ladder, read from arena records."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from diplomaccloud.atlas.chartfile import dump_chart, hash_text
from diplomaccloud.atlas.standard import standard_chart
from diplomaccloud.judge.adjudication import adjudicate
from diplomaccloud.judge.codec.reader import CodecError, Node
from diplomaccloud.judge.legality.order_entry import read_orders
from diplomaccloud.judge.orders import Order
from diplomaccloud.judge.phases import Phase
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.protocol.request import read_position
from diplomaccloud.judge.rules import DEFAULT
from diplomaccloud.ladder.published import MAX_SAMPLES, Sample, SamplePhase, SampleSeat
from diplomaccloud.sandbox.engine import SandboxError, encode_state, open_position

BOARD: Final = standard_chart().board


def read_samples(path: Path) -> list[Sample]:
    """Return the games in a record, up to the number that are published.

    Raises `CodecError` for any other file, and for a map other than the standard one, which is the
    only one that every site has in its sandbox.
    """
    with path.open(encoding="utf-8") as lines:
        return list(_read_games(lines))


def _read_games(lines: Iterable[str]) -> Iterator[Sample]:
    game: list[Node] = []
    count = 0
    for number, line in enumerate(lines, start=1):
        try:
            node = Node(json.loads(line), f"line {number}")
        except (ValueError, RecursionError) as error:
            raise CodecError(f"line {number} is not JSON: {error}") from error
        game.append(node)
        if node["kind"].value == "seal":
            yield _read_game(game)
            game, count = [], count + 1
        if count == MAX_SAMPLES:
            return


def _read_game(lines: list[Node]) -> Sample:
    map_hash = hash_text(dump_chart(standard_chart()))
    if lines[0]["map"].value != "standard":
        raise lines[0]["map"].error("not the standard map, the only one with sample games")
    if len(lines) == 1:
        raise lines[0].error("a game without a draw of seats")
    seats = {
        power.line(): seat["bot"].line()
        for seat in lines[1]["seats"].items()
        for power in seat["powers"].items()
    }
    phases: list[SamplePhase] = []
    position: Position | None = None
    for node in lines:
        if node["kind"].value == "open" and position is None:
            position = _read_next(node["position"], None, ())
        elif node["kind"].value == "resolve" and position is not None:
            texts = [text.line() for own in _list_values(node["orders"]) for text in own.items()]
            powers = tuple(info.power for info in BOARD.powers)
            reading = read_orders(BOARD, position, powers, choices=texts, text="", rules=DEFAULT)
            orders = reading.orders
            try:
                state = open_position(BOARD, position, orders, DEFAULT.name)
                board = encode_state(state, BOARD, map_hash)
            except SandboxError as error:
                raise node.error(f"the sandbox cannot show it: {error}") from error
            phases.append(SamplePhase(str(position.phase), board))
            position = _read_next(node["next"], position, orders)
    if position is None:
        raise lines[0].error("a game without a phase")
    counts = {power: sum(o == power for o in position.centers.values()) for power in seats}
    most = max(counts, key=lambda power: counts[power])
    winner = most if counts[most] >= BOARD.victory_centers else ""
    return Sample(
        map_hash,
        winner,
        tuple(SampleSeat(power, bot, counts[power]) for power, bot in seats.items()),
        tuple(phases),
    )


def _list_values(node: Node) -> list[Node]:
    return [value for _, value in node.entries()]


def _read_next(node: Node, before: Position | None, orders: Sequence[Order]) -> Position:
    """Return the position at `node`; `before` and its orders show who dislodged whom."""
    position = read_position(node, Phase.parse(node["phase"].line()), BOARD)
    if before is None or before.phase == position.phase or not position.dislodged:
        return position
    after = adjudicate(BOARD, before, orders, DEFAULT, seed="").next
    return after if after.phase == position.phase else position
