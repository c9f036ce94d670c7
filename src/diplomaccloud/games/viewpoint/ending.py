"""How a game ended, and which of the countries still on the board had no part in it."""

from collections.abc import Sequence

from diplomaccloud.games.models import Phase
from diplomaccloud.games.presenters.game_page import EndingView
from diplomaccloud.games.presenters.seats import SeatView
from diplomaccloud.games.viewpoint.table import Table
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.draw_votes import players_left
from diplomaccloud.judge.victory import Measure
from diplomaccloud.schedule.wording import join_words

_WHY = {
    "surrendered": ("which surrendered", "which surrendered"),
    "left": ("whose player left", "whose players left"),
    "idle": ("which nobody played", "which nobody played"),
    "bare": ("which had no units left", "which had no units left"),
}
"""Why a country that is still on the board shares in nothing: said of one, of several."""


def ending_of(table: Table) -> EndingView | None:
    """Return how the game ended; None while it goes on."""
    ending = table.game.ending
    if ending is None:
        return None
    winning = frozenset(ending.winners)
    winners = tuple(
        seat
        for seat in table.seats
        if winning.intersection([part.power for part in seat.parts] or [seat.power])
    )
    return EndingView(winners, ending.reason, table.ended.year, _shares(table, winners, winning))


def _shares(table: Table, winners: Sequence[SeatView], winning: frozenset[Power]) -> str:
    """Return who shares and who does not, if anybody who is out might think to have a part.

    Where one player won, that is whoever had as much of what the game counts.
    """
    out = _left_out(table, winning)
    if not winners or not out:
        return ""
    names = {power: seat.country for power, seat in table.flags.items()}
    if len(winners) > 1:
        sharing = join_words([seat.country for seat in winners])
        return f"{sharing} share it: not {', nor '.join(_groups(out, names))}."
    rivals = {power: why for power, why in out.items() if _rivals(table, power, winners[0])}
    return f"Not counted: {'; '.join(_groups(rivals, names))}." if rivals else ""


def _groups(out: dict[Power, str], names: dict[Power, str]) -> list[str]:
    """Return `Austria and Italy, whose players left`, one for each reason."""
    found = []
    for why, (one, several) in _WHY.items():
        powers = [names[power] for power, reason in out.items() if reason == why]
        if powers:
            found.append(f"{join_words(powers)}, {several if len(powers) > 1 else one}")
    return found


def _left_out(table: Table, winning: frozenset[Power]) -> dict[Power, str]:
    """Return the powers still on the board that had no part in the end, in board order, and why."""
    if table.phase is None:
        return {}
    position = table.position
    surrendered = {p for p, why in table.phase.disorder.items() if why == "surrendered"}
    surrendered |= _surrendered_in(table.phase)
    vacant = {p for row in table.seat_rows if row.vacated_at for p in table.powers_at(row)}
    idle = table.game.idle_powers_at(table.played_in)
    left = set(players_left(position)) - winning
    found = {}
    for power in (info.power for info in table.board.powers if info.power in left):
        bare = not position.units_of(power) and not position.dislodged_of(power)
        whys = (
            ("surrendered", power in surrendered),
            ("left", power in vacant),
            ("idle", power in idle),
            ("bare", bare),
        )
        if why := next((word for word, holds in whys if holds), ""):
            found[power] = why
    return found


def _surrendered_in(phase: Phase) -> set[Power]:
    """Return the powers that surrendered in the phase with which the game ended."""
    told = phase.log.filter(kind="votes").order_by("-pk").first()
    return {Power(power) for power in told.data["surrendered"]} if told else set()


def _rivals(table: Table, power: Power, winner: SeatView) -> bool:
    """Return whether a power had at least as much of what the game counts as the winner."""
    seat = table.flags[power]
    if table.game.measure is Measure.PIECES:
        return seat.units >= winner.units
    return seat.centers >= winner.centers
