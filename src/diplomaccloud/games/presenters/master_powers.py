"""What a game master may do, in plain sentences for people who are about to join."""

from dataclasses import dataclass

from diplomaccloud.games.presenters.seats import name_master
from diplomaccloud.games.viewpoint import GameReader
from diplomaccloud.games.viewpoint.votes import MIN_REMOVERS

_PLAYING = (
    "The game master plays too, so these things happen only if the other players agree in a vote: "
    "extending or pausing a phase, ending it early, letting a bot play a vacant country, and "
    "resuming a suspended game.",
    "A vote on removing a player needs a cause: the player missed a turn lately, a moderator "
    f"confirmed abuse, or the player wants it. Two thirds of the others, and at least "
    f"{MIN_REMOVERS}, must agree, and the player concerned sees the vote at once.",
    "Going back to an earlier phase, or undoing that, requires every other player to agree.",
    "The game master cannot vote on these questions. A player to be removed votes only on the "
    "player's own wish.",
    "The game master never sees other players' orders before they are processed, and may "
    "reprimand a player in the public log.",
    "While the game master is the only person in the game, no vote is needed.",
)
_NOT_PLAYING = (
    "The game master does not play and may, without a vote, extend or pause a phase, end it early, "
    "remove or reprimand a player, let a bot play a vacant country, resume a suspended game, and "
    "go back to an earlier phase.",
    "The game master may look at the pending orders and their results.",
    "Each of these appears in the public log at once, with a reason that everyone can read. "
    "Extensions and pauses have the same limits as when the players vote on them.",
    "The game master cannot take a country in this game.",
)
_NOBODY = (
    "The site runs the game. No single person can end a phase, remove a player, go back to an "
    "earlier phase or see other players' orders.",
    "The creator of the game may ask the other players to let a bot play a vacant country.",
)


@dataclass(frozen=True, slots=True)
class MasterPowers:
    """Who is game master, and what that person may do, one statement a line."""

    master: str
    statements: tuple[str, ...]


def present_master_powers(reader: GameReader) -> MasterPowers:
    """Return who is game master, and what that person may do."""
    master = name_master(reader.game.master)
    if reader.game.master is None:
        return MasterPowers(master, _NOBODY)
    return MasterPowers(master, _PLAYING if reader.has_playing_master() else _NOT_PLAYING)
