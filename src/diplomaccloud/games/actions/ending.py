"""Ending a game."""

import datetime as dt

from diplomaccloud.games.actions import events, record_lines
from diplomaccloud.games.actions.figures import counted_again
from diplomaccloud.games.models import WITHDRAWN, Game, Status
from diplomaccloud.judge.results import Ending


def finish_game(game: Game, ending: Ending, now: dt.datetime) -> None:
    """End the game, in the caller's transaction; an open phase stays as it is."""
    with counted_again(game):
        game.status = Status.FINISHED
        game.finished_at = now
        game.ending = ending
        game.save(update_fields=["status", "finished_at", "ending"])
        game.seats.update(finished_at=now)
        game.phases.filter(open=True).update(open=None)
    withdraw_votes(game, now)
    record_lines.add_end(game, ending, now)
    # A game that was rolled back may end more than once.
    events.record(game=game, kind="finished", key=f"finished {game.branch}", now=now)


def reopen_game(game: Game, now: dt.datetime) -> None:
    """Reopen a game on its new branch and withdraw its votes, in the caller's transaction.

    The row is updated in one statement, because database triggers allow undoing an end only
    together with a new branch.
    """
    withdraw_votes(game, now)
    game.status, game.finished_at, game.ending, game.suspended_reason = (
        Status.RUNNING,
        None,
        None,
        "",
    )
    game.save(update_fields=["status", "finished_at", "ending", "suspended_reason", "branch"])
    game.seats.update(finished_at=None)


def withdraw_votes(game: Game, now: dt.datetime) -> None:
    """Withdraw the open votes of a game, in the caller's transaction."""
    for vote in game.votes.filter(open=True):
        vote.close(WITHDRAWN, now)
        record_lines.add_vote(vote, WITHDRAWN, now)
