"""How a game ended, and why some countries have no share in the result."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from diplomaccloud.games.presenters.seats import Seats, SeatView
from diplomaccloud.games.viewpoint import GameReader
from diplomaccloud.games.viewpoint.ending import Excluded
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.victory import Measure
from diplomaccloud.schedule.descriptions import join_words

_ONE = {
    Excluded.SURRENDERED: "{names}, which surrendered",
    Excluded.LEFT: "{names}, whose player left",
    Excluded.UNPLAYED: "{names}, which nobody played",
    Excluded.NO_UNITS: "{names}, which had no units left",
}
_SEVERAL = _ONE | {Excluded.LEFT: "{names}, whose players left"}


@dataclass(frozen=True, slots=True)
class EndingView:
    """How the game ended; `shares` says who shares the victory and who does not, if needed."""

    winners: tuple[SeatView, ...]
    reason: str
    year: int
    shares: str = ""


def present_ending(reader: GameReader, seats: Seats) -> EndingView | None:
    """Return how the game ended; None if it is not over."""
    ending = reader.read_ending()
    if ending is None:
        return None
    winners = tuple(
        seat
        for facts, seat in zip(reader.seats, seats.all, strict=True)
        if ending.winners.intersection(facts.powers)
    )
    last = reader.phase_names[-1].phase if reader.phase_names else reader.position.phase
    shares = _describe_shares(reader, seats, winners, ending.excluded)
    return EndingView(winners, ending.reason, last.year, shares)


def _describe_shares(
    reader: GameReader,
    seats: Seats,
    winners: Sequence[SeatView],
    excluded: Sequence[tuple[Power, Excluded]],
) -> str:
    """Return who shares the victory and who does not, if a player might expect a share.

    With a single winner, those are the countries that were as strong as the winner.
    """
    if not winners or not excluded:
        return ""
    if len(winners) > 1:
        sharing = join_words([seat.country for seat in winners])
        groups = _describe_groups(excluded, seats)
        return f"{sharing} share it. Not included: {'; '.join(groups)}."
    rivals = [
        (power, reason)
        for power, reason in excluded
        if _is_as_strong(seats.by_power[power], winners[0], reader.game.measure)
    ]
    return f"Not counted: {'; '.join(_describe_groups(rivals, seats))}." if rivals else ""


def _describe_groups(excluded: Iterable[tuple[Power, Excluded]], seats: Seats) -> list[str]:
    """Return `Austria and Italy, whose players left`, one text for each reason."""
    groups: dict[Excluded, list[str]] = {reason: [] for reason in Excluded}
    for power, reason in excluded:
        groups[reason].append(seats.by_power[power].country)
    return [
        (_SEVERAL if len(names) > 1 else _ONE)[reason].format(names=join_words(names))
        for reason, names in groups.items()
        if names
    ]


def _is_as_strong(seat: SeatView, winner: SeatView, measure: Measure) -> bool:
    if measure is Measure.PIECES:
        return seat.units >= winner.units
    return seat.centers >= winner.centers
