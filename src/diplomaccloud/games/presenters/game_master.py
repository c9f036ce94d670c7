"""The page of the game master."""

import secrets
from dataclasses import dataclass

from diplomaccloud.games.errors import NoSuchGame
from diplomaccloud.games.presenters.results import list_phases
from diplomaccloud.games.presenters.seats import Seats
from diplomaccloud.games.presenters.votes import LengthChoice, VoteView, list_lengths, present_vote
from diplomaccloud.games.viewpoint import GameReader


@dataclass(frozen=True, slots=True)
class GameMasterView:
    """What a game master can do now.

    `key` makes a form that is sent twice act once. With `asks`, the other players decide on every
    act but a reprimand, and `requests` are the open questions to them. `people` are the power,
    country and player of each seat of another person; `back` are the number and title of each
    phase to go back to, newest first.
    """

    key: str
    plays: bool
    asks: bool
    requests: tuple[VoteView, ...]
    paused: bool
    extensions: tuple[LengthChoice, ...]
    pauses: tuple[LengthChoice, ...]
    people: tuple[tuple[str, str, str], ...]
    back: tuple[tuple[int, str], ...]
    forward: bool


def present_game_master(reader: GameReader, seats: Seats) -> GameMasterView:
    """Return what the game master can do; raise `NoSuchGame` for other viewers."""
    require_master(reader)
    caps = reader.game.options.schedule.caps
    return GameMasterView(
        key=secrets.token_hex(8),
        plays=reader.has_played(),
        asks=reader.must_ask_players(),
        requests=tuple(present_vote(vote, seats) for vote in reader.read_requests()),
        paused=reader.clock is not None and reader.clock.paused_until is not None,
        extensions=list_lengths(caps.extension),
        pauses=list_lengths(caps.pause),
        people=tuple(
            (seat.power, seat.country, seat.player)
            for seat in seats.all
            if seat.power and seat.held and not seat.is_bot and not seat.is_you
        ),
        back=tuple((link.sequence, link.title) for link in reversed(list_phases(reader))),
        forward=reader.can_restore(),
    )


def require_master(reader: GameReader) -> None:
    """Raise `NoSuchGame` unless the viewer is the game master."""
    if not reader.game.is_master:
        raise NoSuchGame
