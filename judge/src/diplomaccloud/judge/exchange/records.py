"""Records of the judge, the arena and the site: reads versions 1 and 2, writes version 1."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from itertools import chain

from diplomaccloud.judge.codec import Json, Node, read_phase
from diplomaccloud.judge.exchange.reading import Reading, close_retreats, read_value
from diplomaccloud.judge.game import MAX_PHASES, Game, in_phase, read_attackers, restore_texts
from diplomaccloud.judge.protocol.records import COMPLETED, dump_record
from diplomaccloud.judge.protocol.requests import (
    RecordBoards,
    Request,
    read_position,
    read_request,
)

_HEADING = ("map", "rules", "seed")

_Entry = tuple[int, str, Json | ValueError]
"""A phase, or what is wrong with it; its line, and its path in a record that is one value."""


def write_record_game(game: Game, name: str) -> Iterator[str]:
    """Yield the lines of a version 1 record."""
    played = [(turn.position, turn.orders, turn.resolution) for turn in game.turns]
    yield from dump_record(game.board, game.rules, played, name=name, seed=game.seed)


def read_record_game(
    reading: Reading, entries: Sequence[tuple[int, object]]
) -> Callable[[Reading], object] | None:
    """Read a record, whose `entries` are its JSON values with their lines.

    Returns what reads the rest of the record if phases are left out in it, as in selections of
    phases; the rest is then a game of its own.
    """
    (_, first), *_ = entries
    heading = _require_object(Node(read_value(first)))
    name = heading.get("id", "")
    reading.name = name[:80] if isinstance(name, str) else ""
    parts = {key: heading[key] for key in _HEADING if key in heading}
    return _read_phases(reading, parts, RecordBoards(), chain.from_iterable(map(_list, entries)))


def _list(entry: tuple[int, object]) -> Iterator[_Entry]:
    """Yield the phases in an entry, which is a whole record, a phase, or a resolved phase."""
    line, payload = entry
    try:
        value = _require_object(Node(read_value(payload)))
        if "phases" in value:
            for number, node in enumerate(Node(value)["phases"].items(most=MAX_PHASES)):
                yield line, f"phases[{number}]", _require_object(node)
            if "now" in value:
                yield line, "now", _require_object(Node(value)["now"])
        elif "record" not in value:
            yield line, "", value
    except ValueError as error:
        yield line, "", error


def _require_object(node: Node) -> Json:
    if not isinstance(node.value, dict):
        raise node.error("not an object")
    return node.value


def _read_phases(
    reading: Reading, heading: Json, boards: RecordBoards, entries: Iterator[_Entry]
) -> Callable[[Reading], object] | None:
    opened: Json = {}
    for line, path, entry in entries:
        reading.at = line
        if isinstance(entry, ValueError):
            raise entry
        kind = entry.get("kind", "phase")
        with in_phase(path) if path else nullcontext():
            if kind in {"rollback", "coin"}:
                reading.stop(f"a game with a {kind} cannot be read")
            if kind == "open":
                opened = _require_object(Node(entry)["position"])
            if kind not in {"phase", "resolve"}:
                continue
            parts = {**heading, **entry, **opened}
            request = read_request(parts, boards, may_be_closed=True)
            if _leaves_out(reading, request):
                rest = chain([(line, path, entry)], entries)
                return partial(_read_phases, heading=heading, boards=boards, entries=rest)
            _read_phase(reading, request, entry, is_last=path == "now")
    return None


def _leaves_out(reading: Reading, request: Request) -> bool:
    """Return whether the phases before this one are not in the file."""
    if not reading.is_open or reading.game.ending is not None:
        return False
    theirs, game = request.position, reading.game
    if reading.has_left_out(theirs) or theirs.phase.order <= game.position.phase.order:
        return False
    reading.note(f"the file has no orders for this phase: it goes on with {theirs.phase}", "source")
    return True


def _read_phase(reading: Reading, request: Request, entry: Json, *, is_last: bool) -> None:
    """Compare the position with that of the game, give the orders and adjudicate them."""
    theirs = request.position
    if not reading.is_open:
        start = read_attackers(Node(entry), close_retreats(theirs))
        reading.game = Game(request.board, request.rules, position=start, seed=request.seed)
    game, is_idle = reading.game, reading.has_left_out(theirs)
    if not is_idle:
        if not is_last or game.ending is None:
            reading.require_phase(theirs.phase)
        reading.require_position(theirs)
    gone = tuple(f"{unit} " for unit in reading.require_retreats(theirs))
    if is_idle:
        return
    orders = request.texts
    if gone:
        orders = {p: [t for t in texts if not t.startswith(gone)] for p, texts in orders.items()}
    reading.give(orders)
    restore_texts(game, Node(entry))
    if is_last:
        return
    game.adjudicate()
    if "next" not in entry:
        return
    after = Node(entry)["next"]
    is_over = game.ending is not None and after["phase"].value == COMPLETED
    phase = game.position.phase if is_over else read_phase(after["phase"])
    theirs = read_position(after, phase, request.board, may_be_closed=True)
    if not reading.has_left_out(theirs):
        reading.require_position(theirs)
    noted = len(reading.errors)
    reading.require_retreats(theirs)
    del reading.errors[noted:]  # They are noted where the next phase begins.
