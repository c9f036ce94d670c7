"""Adding lines to the record of a game: each contains the hash of the line before it.

A transaction writes its lines together at its end, so a turn needs only two statements however
many lines it adds. The game is locked, so its row holds the number and hash of the last line.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from diplomaccloud.games.models import Game, RecordLine
from diplomaccloud.record.chain import Body, ChainLine, make_lines


@dataclass(slots=True)
class _NewLines:
    """The lines that a transaction adds to a game, and the `Game` objects to update with them."""

    games: list[Game] = field(default_factory=list)
    bodies: list[Body] = field(default_factory=list)

    def add(self, games: Iterable[Game], bodies: Iterable[Body]) -> None:
        for game in games:
            if not any(game is known for known in self.games):
                self.games.append(game)
        self.bodies += bodies


_collected: ContextVar[dict[int, _NewLines] | None] = ContextVar("_collected", default=None)


@contextmanager
def lines_written_together() -> Iterator[None]:
    """Collect lines added within the block and write them at its end, unless an error occurs."""
    outer, own = _collected.get(), dict[int, _NewLines]()
    token = _collected.set(own)
    try:
        yield
    finally:
        _collected.reset(token)
    for game_id, new in own.items():
        if outer is None:
            _write(new)
        else:
            outer.setdefault(game_id, _NewLines()).add(new.games, new.bodies)


def add_line(game: Game, body: Body) -> None:
    """Add a line to the record of a locked game, at the end of the transaction.

    Games older than this kind of record get no lines.
    """
    if not game.has_record:
        return
    collected = _collected.get()
    if collected is None:
        # This object may have been read before the game was locked.
        game.refresh_from_db(fields=["record_length", "record_head"])
        _write(_NewLines([game], [body]))
    else:
        collected.setdefault(game.pk, _NewLines()).add([game], [body])


def _write(new: _NewLines) -> None:
    game = new.games[0]
    last = None
    if game.record_length:
        last = ChainLine(game.record_length, "", game.record_head)
    lines = list(make_lines(new.bodies, after=last))
    RecordLine.objects.bulk_create(
        RecordLine(
            game=game, number=line.number, kind=str(body["kind"]), text=line.text, hash=line.hash
        )
        for line, body in zip(lines, new.bodies, strict=True)
    )
    for known in new.games:
        known.record_length, known.record_head = lines[-1].number, lines[-1].hash
    game.save(update_fields=["record_length", "record_head"])
