"""The page of the game master."""

import secrets
from dataclasses import dataclass

from diplomaccloud.games.deadlines.read import read_clock
from diplomaccloud.games.master.read import can_restore, has_playing_master, must_ask_players
from diplomaccloud.games.results.page import list_phases
from diplomaccloud.games.seats.page import Seats
from diplomaccloud.games.seats.read import has_played, read_tenures
from diplomaccloud.games.seats.wording import name_master
from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.votes.page import WordedVote, list_lengths, word_votes
from diplomaccloud.games.votes.read import read_requests
from diplomaccloud.games.votes.wording import MIN_REMOVERS, RemovalCause
from diplomaccloud.schedule import Caps

_CAUSES = {
    RemovalCause.MISSED: "The player missed a turn lately",
    RemovalCause.ABUSE: "A moderator confirmed abuse by the player in this game",
    RemovalCause.WISH: "The player wants to be removed",
}


@dataclass(frozen=True, slots=True)
class LengthForm:
    """A form that moves the deadline: its question, its label and button, and the lengths to offer.

    `suffix` makes its key differ from those of the page's other forms.
    """

    question: str
    suffix: str
    label: str
    lengths: tuple[tuple[int, str], ...]
    button: str


@dataclass(frozen=True, slots=True)
class GameMasterView:
    """What a game master can do now.

    `key` makes a form that is sent twice act once. With `asks`, the other players decide on every
    action except reprimands, and `requests` are the open questions to them. `length_forms` move the
    deadline. `people` are the power, country and player of each seat of another person,
    `tenures` the tenure and power of everyone, and `causes` the causes of a removal that is put to
    a vote; `back` are the number and title of each phase to go
    back to, newest first.
    """

    key: str
    plays: bool
    asks: bool
    requests: tuple[WordedVote, ...]
    paused: bool
    length_forms: tuple[LengthForm, ...]
    people: tuple[tuple[str, str, str], ...]
    tenures: tuple[tuple[int, str], ...]
    causes: tuple[tuple[str, str], ...]
    back: tuple[tuple[int, str], ...]
    forward: bool


def present_game_master(reader: Reader, seats: Seats) -> GameMasterView:
    """Return what the game master can do; raise `NoSuchGame` for other viewers."""
    require_master(reader)
    asks, clock = must_ask_players(reader), read_clock(reader)
    return GameMasterView(
        key=secrets.token_hex(8),
        plays=has_played(reader),
        asks=asks,
        requests=word_votes(read_requests(reader), seats),
        paused=clock is not None and clock.paused_until is not None,
        length_forms=_list_length_forms(reader.game.options.schedule.caps, asks=asks),
        people=tuple(
            (seat.power, seat.country, seat.player)
            for seat in seats.all
            if seat.power and seat.held and not seat.is_bot and not seat.is_you
        ),
        tenures=read_tenures(reader),
        causes=tuple((cause.value, text) for cause, text in _CAUSES.items()),
        back=tuple((link.sequence, link.title) for link in reversed(list_phases(reader))),
        forward=can_restore(reader),
    )


def _list_length_forms(caps: Caps, *, asks: bool) -> tuple[LengthForm, ...]:
    extend = "Ask the players to extend the deadline" if asks else "Extend deadline"
    pause = "Ask the players to pause the game" if asks else "Pause game"
    extensions, pauses = list_lengths(caps.extension), list_lengths(caps.pause)
    return (
        LengthForm("extend", "e", "Extend this phase by", extensions, extend),
        LengthForm("pause", "p", "Pause for up to", pauses, pause),
    )


def require_master(reader: Reader) -> None:
    """Raise `NoSuchGame` unless the viewer is the game master."""
    if not reader.game.is_master:
        raise NoSuchGame


# What a game master may do, in plain sentences for people who are about to join.


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


def present_master_powers(reader: Reader) -> MasterPowers:
    """Return who is game master, and what that person may do."""
    master = name_master(reader.game.master)
    if reader.game.master is None:
        return MasterPowers(master, _NOBODY)
    return MasterPowers(master, _PLAYING if has_playing_master(reader) else _NOT_PLAYING)
