"""Records of the judge, the arena and the site: reads versions 1 and 2, writes version 1."""

from collections.abc import Iterator, Mapping, Sequence

from diplomaccloud.judge.codec import Json, Node
from diplomaccloud.judge.exchange.steps import ExchangeError, give_orders
from diplomaccloud.judge.game import Game
from diplomaccloud.judge.protocol.records import dump_record
from diplomaccloud.judge.protocol.requests import (
    POSITION_PARTS,
    RecordBoards,
    Request,
    find_difference,
    read_request,
)

_HEADING = ("map", "rules", "seed")


def write_record_game(game: Game, name: str) -> Iterator[str]:
    """Yield the lines of a version 1 record."""
    played = [(turn.position, turn.orders, turn.resolution) for turn in game.turns]
    yield from dump_record(game.board, game.rules, played, name=name, seed=game.seed)


def read_record_games(values: Sequence[tuple[str, object]]) -> Iterator[tuple[str, Game]]:
    """Yield the games of a record; `values` are its JSON values with their places in the file."""
    reading: _Reading | None = None
    for place, value in values:
        if not isinstance(value, dict):
            raise ExchangeError(f"{place or 'value'}: not an object")
        if "record" in value or reading is None:
            if reading is not None:
                yield reading.name, reading.finish(place)
            reading = _Reading(value)
        for where, phase in _list_phases(place, value):
            reading.take(where, phase)
    if reading is not None:
        yield reading.name, reading.finish("the end of the record")


def _list_phases(place: str, value: Json) -> Iterator[tuple[str, Json]]:
    """Yield the phases in an entry, which is a whole record, a phase, or a resolved phase."""
    if "phases" in value:
        try:
            for number, node in enumerate(Node(value)["phases"].items()):
                if not isinstance(node.value, dict):
                    raise node.error("not an object")
                yield " ".join(filter(None, (place, f"phases[{number}]"))), node.value
        except ValueError as error:
            raise ExchangeError(": ".join(filter(None, (place, str(error))))) from error
    elif "record" not in value:
        yield place, value


class _Reading:
    """Reads one game: first the heading, then the phases in order."""

    def __init__(self, heading: Json) -> None:
        name = heading.get("id", "")
        self.name = name[:80] if isinstance(name, str) else ""
        self._heading: Json = {key: heading[key] for key in _HEADING if key in heading}
        self._game: Game | None = None
        self._opened: Mapping[str, object] = {}
        self._boards = RecordBoards()

    def take(self, place: str, entry: Json) -> None:
        """Take a phase of version 1, or a line of version 2."""
        kind = entry.get("kind", "phase")
        try:
            if kind in {"rollback", "coin"}:
                raise ExchangeError(f"{place}: a game with a {kind} cannot be converted")
            if kind == "open":
                position = Node(entry)["position"]
                if not isinstance(position.value, dict):
                    raise position.error("not an object")
                self._opened = position.value
            elif kind == "resolve":
                orders = Node(entry)["orders"].value
                self._play(place, {**self._opened, "orders": orders}, entry)
            elif kind == "phase":
                self._play(place, entry, entry)
        except ExchangeError:
            raise
        except ValueError as error:
            raise ExchangeError(f"{place}: {error}") from error

    def _play(self, place: str, entry: Mapping[str, object], result: Json) -> None:
        parts = {key: entry[key] for key in (*POSITION_PARTS, "orders") if key in entry}
        request = read_request({**self._heading, **parts}, self._boards)
        game = self._require_game(request, place)
        give_orders(game, request.texts, f"{place}: orders")
        game.adjudicate()
        if "next" in result:
            self._require_next(place, game, result)

    def _require_game(self, request: Request, place: str) -> Game:
        """Return the game, which must have reached the position of the request."""
        if self._game is None:
            self._game = Game(
                request.board, request.rules, position=request.position, seed=request.seed
            )
        game = self._game
        if find_difference(game.position, request.position):
            raise ExchangeError(
                f"{place}: the phase does not begin where the one before it ended, in {game.phase}"
            )
        return game

    def _require_next(self, place: str, game: Game, entry: Json) -> None:
        parts = {key: Node(entry)["next"][key].value for key in POSITION_PARTS}
        after = read_request({**self._heading, **parts}, self._boards).position
        if part := find_difference(game.position, after):
            raise ExchangeError(f"{place}: next.{part}: the orders lead to another position")

    def finish(self, place: str) -> Game:
        """Return the game; raise `ExchangeError` if it has no phase."""
        if self._game is None:
            raise ExchangeError(f"{place}: the heading before it has no phases")
        return self._game
