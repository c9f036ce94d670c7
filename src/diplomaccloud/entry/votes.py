"""Votes written with the orders, DRAW and SURRENDER, and how they end a game.

Source: the errata of document 2, "Ending the game in a draw", "… in surrender", "… in
surrender to an alliance"; the 2000 rulebook, "Object of the Game", for draws by agreement.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from diplomaccloud.judge.board import Power
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Ending


class Vote(StrEnum):
    """A vote that a player writes with the orders."""

    DRAW = "draw"
    SURRENDER = "surrender"


@dataclass(frozen=True, slots=True)
class Count:
    """The result of a turn's votes.

    Powers in `surrendered` are out of the game and in civil disorder from now on, whether or not
    the game ends. `draws` are the powers that voted for a draw, which all players may see;
    `against` is the number of the others that neither did nor surrendered.
    """

    surrendered: tuple[Power, ...]
    draws: tuple[Power, ...]
    ending: Ending | None
    against: int = 0


def count_votes(
    players: Collection[Power],
    votes: Mapping[Power, Vote],
    disorder: Collection[Power] = (),
    *,
    together: Collection[Collection[Power]] = (),
) -> Count:
    """Return the result of the `votes` of the powers still in the game.

    `players` are the powers not yet eliminated. Those in `disorder` (resigned, surrendered, or in
    civil disorder for any reason) do not count and get no share, however many centers they own.
    If all remaining powers surrender, they tie. If all but one surrender, or only one is left,
    that power wins alone. If all powers that do not surrender vote for a draw, they share it.
    Otherwise the game continues without the powers that surrendered. `together` groups the powers
    that one player has: a player with all the remaining powers is the last one.
    """
    standing = sorted(set(players) - set(disorder))
    surrendered = tuple(p for p in standing if votes.get(p) is Vote.SURRENDER)
    draws = tuple(p for p in standing if votes.get(p) is Vote.DRAW)
    left = tuple(p for p in standing if p not in surrendered)
    gone = surrendered or disorder
    ending = None
    if surrendered and not left:
        ending = Ending.of(surrendered, "all_surrendered")
    elif gone and _are_one(left, together):
        ending = Ending.of(left, "last_one_left")
    elif draws and draws == left:
        ending = Ending.of(left, "surrendered_to_alliance" if surrendered else "agreed_with_orders")
    return Count(surrendered, draws, ending, against=len(left) - len(draws))


def _are_one(left: tuple[Power, ...], together: Collection[Collection[Power]]) -> bool:
    return len(left) == 1 or any(left and set(left) <= set(powers) for powers in together)


def players_left(position: Position) -> tuple[Power, ...]:
    """Return the powers that have pieces on the board or own a center, sorted.

    A power with neither is eliminated: it has no vote and no share in a draw.
    """
    pieces = [*position.units, *(entry.unit for entry in position.dislodged)]
    return tuple(sorted({*position.centers.values(), *(unit.power for unit in pieces)}))


def agreed_draw(position: Position, disorder: Collection[str] = ()) -> Ending:
    """Return a draw by agreement, shared by all powers with pieces that are not in `disorder`."""
    pieces = [*position.units, *(entry.unit for entry in position.dislodged)]
    winners = tuple(sorted({unit.power for unit in pieces} - set(disorder)))
    return Ending.of(winners, "agreed_draw")
