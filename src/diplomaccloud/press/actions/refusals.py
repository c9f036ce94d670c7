"""Checks of who may send a message where and when, and the texts of refusals."""

import datetime as dt
from typing import Final

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.errors import NoSuchGame, NotYourSeat
from diplomaccloud.games.table.lock import not_a_member_error
from diplomaccloud.press.errors import NoSuchConversation, PressClosed
from diplomaccloud.press.rules import Verdict, Why
from diplomaccloud.press.table import Table, Target, judge_target

GUEST = "Sign up to write to other players. You keep your game."
ONLY_PLAYERS = "Only the players and the game master can write here."
CLOSED: Final = {
    Why.QUIET: "Quiet time has started, so nobody can write until the moves are processed.",
    Why.PAUSED: "The game is paused, so nobody can write until it resumes.",
    Why.ORDERS_CLOSED: "Orders are closed, so nobody can write until the next movement phase.",
    Why.RETREATS: "Nobody can write during retreats. Press reopens with the next movement phase.",
    Why.BUILDS: "Nobody can write during builds. Press reopens with the next movement phase.",
    Why.SUSPENDED: "The game is suspended for now.",
    Why.STARTED: "Countries have been assigned, so this conversation is closed.",
    Why.LEFT: "You no longer play this country, so you cannot write for it.",
    Why.SILENT: "You have been eliminated and can only read until the game ends.",
    Why.VACANT: "This country has no player, so nobody would read your message.",
    Why.LIMITED: (
        "Your press is limited: you can only write notes and messages to the game "
        "master. Your Reports page shows when the limit ends."
    ),
    Why.REFUSED: "This person does not accept personal messages.",
}
"""The reasons for refusing a message, as sentences for its author."""


def refusal(why: Why) -> PressClosed:
    """Return the refusal of a message to a conversation that is closed for now."""
    return PressClosed(f"{CLOSED[why]} Your text was not sent.")


def require_visible(table: Table) -> None:
    """Raise `NoSuchGame` if the game is hidden and the person has no part in it."""
    if table.is_master or table.holders.has_held(table.user_id):
        return
    if isinstance(refused := not_a_member_error(table.game, ONLY_PLAYERS), NoSuchGame):
        raise refused


def require_open(table: Table, target: Target, now: dt.datetime) -> None:
    """Raise unless the person may send a message to the conversation at `now`."""
    verdict, why = judge_target(table, target, table.newest.state_at(table.game, now), now)
    if verdict is Verdict.ABSENT:
        if why is Why.READER:
            raise not_a_member_error(table.game, ONLY_PLAYERS)
        raise NoSuchConversation
    if verdict is Verdict.CLOSED:
        raise refusal(why)
    require_account(table)


def require_account(table: Table) -> None:
    """Raise `NotYourSeat` for guests: their games are deleted later and must have no press."""
    tenure = table.tenure or table.seat
    if tenure is not None and tenure.user is not None and tenure.user.guest:
        raise NotYourSeat(GUEST)


def require_no_guest(user_id: int) -> None:
    """Raise `NotYourSeat` for a guest outside games, since press rows would block the deletion."""
    if User.objects.filter(pk=user_id, guest__in=[True]).exists():
        raise NotYourSeat(GUEST)
