"""Opening a phase: its row, its deadline, its event."""

import datetime as dt

from diplomaccloud import __version__
from diplomaccloud.games import deadlines, events
from diplomaccloud.games.models import Game, Phase, Seat
from diplomaccloud.games.records import board_of, lengths_of
from diplomaccloud.judge.adjudicate import powers_to_order
from diplomaccloud.judge.board import Board, Power
from diplomaccloud.judge.codec import position_to_json
from diplomaccloud.judge.position import Position


def people_to_order(game: Game, board: Board, position: Position) -> list[Seat]:
    """Return the seats of people who have something to order in `position`."""
    powers = powers_to_order(board, position)
    return [seat for seat in game.seats.exclude(user=None) if Power(seat.power or "") in powers]


def open_phase(*, game: Game, position: Position, sequence: int, now: dt.datetime) -> Phase:
    """Return the new phase, within the caller's transaction; due at once if it waits for nobody."""
    people = people_to_order(game, board_of(game), position)
    due = deadlines.due_at(now, position.phase.stage, lengths_of(game), people=bool(people))
    phase = Phase.objects.create(
        game=game,
        sequence=sequence,
        name=str(position.phase),
        position=position_to_json(position),
        rules=game.rules,
        engine=__version__,
        map_hash=game.chart.content_hash,
        opens_at=now,
        due_at=due,
    )
    data: dict[str, object] = {"phase": phase.name, "due_at": due.isoformat()}
    events.record(game=game, kind="opened", key=f"opened {sequence}", now=now, data=data)
    return phase
