"""The one lock of a game, which every verb takes first, and the questions asked under it."""

import datetime as dt

from diplomaccloud.games.errors import (
    DeadlinePassed,
    NoSuchGame,
    NotYourSeat,
    Refused,
    WrongMoment,
)
from diplomaccloud.games.models import Game, Phase, Seat, Status
from diplomaccloud.games.options import Watch
from diplomaccloud.games.records import open_phase_of, options_of
from diplomaccloud.judge.phases import Phase as JudgePhase


def lock_game(slug: str) -> Game:
    """Return the game, locked until the transaction ends; raise `NoSuchGame`."""
    game = Game.objects.select_for_update().filter(slug=slug).first()
    if game is None:
        raise NoSuchGame
    return game


def seat_in(game: Game, user_id: int) -> Seat:
    """Return the person's seat; raise `NotYourSeat`, or `NoSuchGame` if the game is private."""
    seats = game.seats.select_related("game__chart").defer("game__chart__text")
    seat = seats.filter(user_id=user_id).first()
    if seat is None:
        raise stranger(game, "You do not play in this game.")
    # The map comes with the seat: a lock on the game must not lock what others play on too.
    game.chart = seat.game.chart
    seat.game = game
    return seat


def stranger(game: Game, text: str) -> Refused:
    """Return what to tell a person who does not belong to the game: nothing if it is hidden."""
    hidden = game.private or (
        options_of(game).watch is Watch.PLAYERS and game.status != Status.FORMING
    )
    return NoSuchGame() if hidden else NotYourSeat(text)


def makers_only(game: Game, user_id: int, text: str) -> None:
    """Raise unless the person made the game; a player is told `text`."""
    if game.creator_id != user_id:
        raise NotYourSeat(text) if seat_of(game, user_id) else stranger(game, text)


def seat_of(game: Game, user_id: int) -> Seat | None:
    """Return the person's seat, None for whoever has none."""
    return game.seats.filter(user_id=user_id).first()


def master_of(game: Game, user_id: int) -> None:
    """Raise `NotYourSeat` unless the person is the game's master, `NoSuchGame` if it is hidden."""
    if game.master_id is None or game.master_id != user_id:
        text = "Only the game master can do this."
        raise NotYourSeat(text) if seat_of(game, user_id) else stranger(game, text)


def open_phase_for(game: Game, sequence: int, now: dt.datetime) -> Phase:
    """Return the phase `sequence` if orders for it are still taken; raise `DeadlinePassed`."""
    phase = open_phase_of(game)
    if phase is None:
        raise WrongMoment("This game has not started yet.")
    if game.status != Status.RUNNING:
        # A vote may have ended it in the midst of a phase.
        raise WrongMoment("This game is over: nothing was changed.")
    if phase.sequence != sequence or phase.locked_at or phase.processed_at or phase.due_at <= now:
        raise DeadlinePassed(_too_late(game.phases.filter(sequence=sequence).first()))
    if game.alarm:
        raise WrongMoment("This game is paused until a fault in it is mended.")
    phase.game = game
    return phase


def _too_late(phase: Phase | None) -> str:
    if phase is None:
        return "There is no such phase: nothing was changed."
    title = JudgePhase.parse(phase.name).title
    return f"Too late: {title} is closed. Nothing was changed."
