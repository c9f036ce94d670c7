"""The status of a game beside its board: deadline, log, votes, vacant seats, game master."""

from dataclasses import dataclass

from diplomaccloud.bots.seats import SEAT_CHOICES
from diplomaccloud.games.presenters.deadline import ClockView, describe_takeover, present_clock
from diplomaccloud.games.presenters.log import LogLineView, present_line
from diplomaccloud.games.presenters.seats import Seats, VacantSeatView, list_vacant, name_master
from diplomaccloud.games.presenters.votes import VotesView, present_votes
from diplomaccloud.games.viewpoint import GameReader
from diplomaccloud.games.viewpoint.deadline import ClockState

_LINES = 3
"""The game page shows this many lines of the log."""


@dataclass(frozen=True, slots=True)
class GameStatus:
    """The status of a game on its pages.

    `draw_vote` is what the viewer wrote with the orders (`none`, `draw`, `surrender`), blank
    for a viewer without a vote. `draw_result` says how votes on a draw ended in the open phase.
    `votes` is None for viewers who do not play. `asks_code` says
    that the viewer needs the game's code to take a seat, and `asks_players` that the other players
    decide whether a bot takes one. `takeover` says how much time a player has who takes over a
    seat now, and `may_extend` that such a player can ask for more.
    """

    clock: ClockView | None
    lines: tuple[LogLineView, ...]
    master: str
    is_master: bool
    votes: VotesView | None
    draw_vote: str
    draw_result: str
    vacant: tuple[VacantSeatView, ...]
    surrendered: bool
    can_take: bool
    takeover: str
    may_extend: bool
    asks_code: bool
    can_resign: bool
    is_last_player: bool
    can_seat_bot: bool
    asks_players: bool
    bots: tuple[tuple[str, str], ...]


def present_status(reader: GameReader, seats: Seats, *, full: bool) -> GameStatus:
    """Return the status of the game; votes and lines of the log only if `full`."""
    game, clock = reader.game, reader.clock
    vacant = list_vacant(reader, seats)
    volunteers = game.is_signed_in and not reader.has_seat and not game.is_master
    runs_game = game.is_master or (game.is_creator and game.master is None)
    return GameStatus(
        clock=present_clock(clock) if clock else None,
        lines=tuple(map(present_line, reader.read_newest_lines(_LINES))) if full else (),
        master=name_master(game.master),
        is_master=game.is_master,
        votes=present_votes(reader, seats) if full else None,
        draw_vote=reader.read_draw_vote(),
        draw_result=_find_draw_result(reader) if full else "",
        vacant=vacant,
        surrendered=reader.has_surrendered,
        can_take=bool(vacant) and volunteers,
        takeover=describe_takeover(clock, returns=reader.has_left) if clock and vacant else "",
        may_extend=clock is not None and clock.state is ClockState.OPEN,
        asks_code=game.private and not (reader.is_running and reader.has_played_vacant),
        can_resign=reader.is_running and reader.has_seat and not reader.has_surrendered,
        is_last_player=reader.is_running and reader.is_last_player,
        can_seat_bot=bool(vacant) and runs_game,
        asks_players=bool(vacant) and runs_game and reader.must_ask_players(),
        bots=SEAT_CHOICES,
    )


def _find_draw_result(reader: GameReader) -> str:
    return reader.draw_results.get(reader.phase.sequence, "") if reader.phase else ""
