"""Opening a phase: its row, its deadline, its event."""

import datetime as dt
from collections.abc import Mapping

from diplomaccloud import __version__
from diplomaccloud.games import events
from diplomaccloud.games.models import Game, Phase, Seat
from diplomaccloud.games.records import board_of, options_of, players_of
from diplomaccloud.games.schedule import deadline
from diplomaccloud.judge.adjudicate import powers_to_order
from diplomaccloud.judge.board import Board
from diplomaccloud.judge.codec import position_to_json
from diplomaccloud.judge.position import Position


def people_to_order(
    game: Game, board: Board, position: Position, disorder: Mapping[str, str] | None = None
) -> list[Seat]:
    """Return the seats of people who have something to order in `position`."""
    powers = {p for p in powers_to_order(board, position) if p not in (disorder or {})}
    people = {
        seat.power or "": seat for seat in game.seats.exclude(user=None).select_related("user")
    }
    return [
        people[played[0]]
        for played in players_of(game, position.phase)
        if played[0] in people and powers.intersection(played)
    ]


def open_phase(
    *,
    game: Game,
    position: Position,
    sequence: int,
    now: dt.datetime,
    disorder: Mapping[str, str] | None = None,
) -> Phase:
    """Return the new phase, within the caller's transaction; due at once if it waits for nobody.

    `disorder` are the powers without a player and why, carried over from the phase before.
    """
    people = people_to_order(game, board_of(game), position, disorder)
    schedule = options_of(game).schedule
    due = deadline(schedule, position.phase.stage, now, first=sequence == 1, people=bool(people))
    phase = Phase.objects.create(
        game=game,
        sequence=sequence,
        line=game.line,
        name=str(position.phase),
        position=position_to_json(position),
        disorder=dict(disorder or {}),
        rules=game.rules,
        engine=__version__,
        map_hash=game.chart.content_hash,
        opens_at=now,
        due_at=due.orders_at,
        adjudicate_at=due.adjudicate_at,
        exact=due.exact,
    )
    data: dict[str, object] = {"phase": phase.name, "due_at": due.orders_at.isoformat()}
    events.record(game=game, kind="opened", key=f"opened {sequence}", now=now, data=data)
    return phase
