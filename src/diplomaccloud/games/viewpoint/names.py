"""The one place where a person in a game gets a name, or none where the game is anonymous.

Until an anonymous game ends nobody sees who plays in it: not on a seat, in the log, a vote, a
list or an address. Whoever makes a page or an answer that names a person of a game asks here.
"""

from diplomaccloud.accounts.models import User
from diplomaccloud.games.actions.seats.resignation import ABANDONED, REMOVED
from diplomaccloud.games.models import Game, Seat, Status, Tenure
from diplomaccloud.games.options.options import Master

SOMEBODY = "a player"
NOBODY = "nobody"
_LEAVERS = {
    REMOVED: "{who}, removed in {when}",
    ABANDONED: "abandoned by {who} in {when}",
}


def is_masked(game: Game) -> bool:
    """Return whether the names of the game's people are hidden for now."""
    return game.status != Status.FINISHED and game.options.anonymous


def holder(row: Seat, *, hidden: bool) -> str:
    """Return who holds a seat: a screen name, a bot, nobody; `hidden` people have no name."""
    if row.user:
        return SOMEBODY if hidden else row.user.screen_name
    return f"{row.bot.capitalize()} bot" if row.bot else NOBODY


def leaver(game: Game, tenure: Tenure, when: str) -> str:
    """Return who gave up a seat that nobody has taken since, and when: for a game that is over."""
    who = author_name(game, tenure)
    return _LEAVERS.get(tenure.left, "left by {who} in {when}").format(who=who, when=when)


def creator_name(game: Game) -> str:
    """Return who made the game; blank where that would tell who plays in it."""
    if is_masked(game) and game.options.master is not Master.CREATOR:
        return ""
    return game.creator.screen_name


def acting_name(game: Game, person: User | None) -> str:
    """Return who did something that the log tells of; blank for the software."""
    if person is None:
        return ""
    if person.pk == game.master_id:
        return "the game master" if is_masked(game) else person.screen_name
    return SOMEBODY if is_masked(game) else person.screen_name


def author_name(game: Game, tenure: Tenure | None) -> str:
    """Return who held a seat when something was written; blank where that is not known."""
    if tenure is None:
        return ""
    if tenure.user is None:
        return f"{tenure.bot.capitalize()} bot"
    return SOMEBODY if is_masked(game) else tenure.user.screen_name
