"""How a game ended, and which countries still on the board don't share in the result."""

from dataclasses import dataclass
from enum import StrEnum

from diplomaccloud.games.models import MIN_PEOPLE, Unrated
from diplomaccloud.games.viewpoint.rows import GameRows
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.draw_votes import players_left

__all__ = ["MIN_PEOPLE", "Excluded", "GameEnding", "Unrated", "read_ending"]


class Excluded(StrEnum):
    """Why a country that is still on the board does not share in the result."""

    SURRENDERED = "surrendered"
    LEFT = "left"
    UNPLAYED = "unplayed"
    NO_UNITS = "no units"


@dataclass(frozen=True, slots=True)
class GameEnding:
    """The winning powers, the reason, and the excluded powers in board order with their reasons."""

    winners: frozenset[Power]
    reason: str
    excluded: tuple[tuple[Power, Excluded], ...]


def read_ending(rows: GameRows) -> GameEnding | None:
    """Return how the game ended, or None if it is not over."""
    ending = rows.game.ending
    if ending is None:
        return None
    winners = frozenset(ending.winners)
    return GameEnding(winners, ending.reason, tuple(_read_excluded(rows, winners).items()))


def _read_excluded(rows: GameRows, winners: frozenset[Power]) -> dict[Power, Excluded]:
    if rows.phase is None:
        return {}
    position = rows.position
    surrendered = {p for p, why in rows.phase.civil_disorder.items() if why == "surrendered"}
    votes = rows.phase.log.filter(kind="votes").order_by("-pk").first()
    surrendered |= {Power(power) for power in votes.data["surrendered"]} if votes else set()
    vacant = {p for row in rows.seats if row.vacated_at for p in rows.powers_at(row)}
    idle = rows.game.idle_powers_at(rows.played_in)
    left = set(players_left(position)) - winners
    excluded = {}
    for power in (info.power for info in rows.board.powers if info.power in left):
        if power in surrendered:
            excluded[power] = Excluded.SURRENDERED
        elif power in vacant:
            excluded[power] = Excluded.LEFT
        elif power in idle:
            excluded[power] = Excluded.UNPLAYED
        elif not position.units_of(power) and not position.dislodged_of(power):
            excluded[power] = Excluded.NO_UNITS
    return excluded
