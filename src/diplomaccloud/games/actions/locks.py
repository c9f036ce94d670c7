"""The one lock of a game, which every verb takes first, and the questions asked under it."""

import datetime as dt
from collections.abc import Callable

from diplomaccloud.games.errors import (
    DeadlinePassed,
    NoSuchGame,
    NotYourSeat,
    Refused,
    WrongMoment,
)
from diplomaccloud.games.models import Game, Phase, Seat, Status
from diplomaccloud.games.options.options import Watch
from diplomaccloud.judge.phases import Phase as JudgePhase

NOTHING = "nothing was changed"
"""What has become of an act that came too late, unless its verb says more."""

Now = dt.datetime | Callable[[], dt.datetime]
"""The time of an act: an instant, or a clock to read once its game is locked."""


def lock_game(slug: str) -> Game:
    """Return the game, locked until the transaction ends; raise `NoSuchGame`."""
    game = Game.objects.select_for_update().filter(slug=slug).first()
    if game is None:
        raise NoSuchGame
    return game


def time_of(now: Now) -> dt.datetime:
    """Return the time of an act, asked with the game locked.

    What others did while the act waited for the lock came before it, so that a time read before
    the wait would be too early. Only for what meets a deadline does the time of asking count.
    """
    return now if isinstance(now, dt.datetime) else now()


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
    hidden = game.private or (game.options.watch is Watch.PLAYERS and game.status != Status.FORMING)
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


def mastered(slug: str, user_id: int, sequence: int) -> tuple[Game, Phase]:
    """Return the game, locked, and its newest phase, which its master's act was meant for."""
    game = lock_game(slug)
    master_of(game, user_id)
    return game, meant_for(game, sequence)


def running(game: Game) -> None:
    """Raise `WrongMoment` unless the game is under way."""
    if game.status != Status.RUNNING:
        raise WrongMoment("This can be done while a game is under way.")


def meant_for(game: Game, sequence: int, lost: str = NOTHING) -> Phase:
    """Return the newest phase if it is the one that an act was meant for.

    Else raise `DeadlinePassed`: the act had to wait while the phase was processed, and must not
    be done in the next. `lost` says what was not done. A number is never used twice in a game,
    so it tells the lines of a roll-back apart too.
    """
    phase = game.newest_phase()
    if phase is None:
        raise WrongMoment("This game has not started yet.")
    if phase.sequence != sequence:
        raise DeadlinePassed(_too_late(game, sequence, lost))
    phase.game = game
    return phase


def open_phase_for(game: Game, sequence: int, now: dt.datetime, lost: str = NOTHING) -> Phase:
    """Return the phase `sequence` if orders for it are still taken; raise `DeadlinePassed`."""
    phase = meant_for(game, sequence, lost)
    if game.status != Status.RUNNING and not phase.processed_at:
        # A vote may have ended it in the midst of a phase.
        raise WrongMoment("This game is over: nothing was changed.")
    if phase.locked_at or phase.processed_at or phase.due_at <= now:
        raise DeadlinePassed(_too_late(game, sequence, lost))
    if game.alarm:
        raise WrongMoment("This game is paused until a fault in it is mended.")
    return phase


def _too_late(game: Game, sequence: int, lost: str) -> str:
    phase, newest = game.phases.filter(sequence=sequence).first(), game.newest_phase()
    if phase is None:
        return f"There is no such phase; {lost}."
    how, at = _over(phase)
    text = f"{_title(phase)} was {how} on {at.day} {at:%b} at {at:%H:%M} UTC; {lost}."
    if game.status == Status.FINISHED:
        return f"{text} The game is over."
    return f"{text} It is {_title(newest)} now." if newest and newest != phase else text


def _over(phase: Phase) -> tuple[str, dt.datetime]:
    """Return what ended the phase, or closed its orders, and when."""
    if phase.superseded_at:
        return "rolled back", phase.superseded_at
    if phase.processed_at:
        return "resolved", phase.processed_at
    return "closed", phase.locked_at or phase.due_at


def _title(phase: Phase) -> str:
    return JudgePhase.parse(phase.name).title
