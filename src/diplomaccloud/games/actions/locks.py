"""The one lock of a game, which every verb takes first, and the questions asked under it."""

import datetime as dt

from diplomaccloud.games.errors import DeadlinePassed, NoSuchGame, NotYourSeat, WrongMoment
from diplomaccloud.games.models import Game, Phase, Seat
from diplomaccloud.games.records import open_phase_of
from diplomaccloud.judge.phases import Phase as JudgePhase


def lock_game(slug: str) -> Game:
    """Return the game, locked until the transaction ends; raise `NoSuchGame`."""
    game = Game.objects.select_for_update().filter(slug=slug).first()
    if game is None:
        raise NoSuchGame
    return game


def seat_in(game: Game, user_id: int) -> Seat:
    """Return the person's seat; raise `NotYourSeat`, or `NoSuchGame` if the game is private."""
    seat = game.seats.filter(user_id=user_id).first()
    if seat is None:
        raise NoSuchGame if game.private else NotYourSeat("You do not play in this game.")
    seat.game = game
    return seat


def master_of(game: Game, user_id: int) -> None:
    """Raise `NotYourSeat` unless the person is the game's master."""
    if game.master_id is None or game.master_id != user_id:
        raise NotYourSeat("Only the game master can do this.")


def open_phase_for(game: Game, sequence: int, now: dt.datetime) -> Phase:
    """Return the phase `sequence` if orders for it are still taken; raise `DeadlinePassed`."""
    phase = open_phase_of(game)
    if phase is None:
        raise WrongMoment("This game has not started yet.")
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
