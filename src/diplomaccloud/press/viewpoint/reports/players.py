"""The players of a game whom a person can report, by their countries."""

from dataclasses import dataclass

from diplomaccloud.games.table.errors import GameCanceled, NoSuchGame, WrongMoment
from diplomaccloud.games.table.models import Seat, Status, Tenure
from diplomaccloud.games.visibility.read import Viewer, find_game, is_canceled
from diplomaccloud.press.models import Report


@dataclass(frozen=True, slots=True)
class PlayerChoice:
    """A seat by its first power; `is_reported` while the viewer's report of it is open."""

    power: str
    country: str
    is_reported: bool


def read_player_choices(slug: str, viewer: Viewer) -> tuple[str, tuple[PlayerChoice, ...]]:
    """Return the world and the seats whose players the viewer can report.

    These are all seats that a person holds or held, except the viewer's own. Raises `NoSuchGame`,
    or `WrongMoment` before the start.
    """
    game = find_game(slug, viewer)
    if game is None:
        raise GameCanceled if is_canceled(slug) else NoSuchGame
    if game.status == Status.FORMING:
        raise WrongMoment("This game has not started yet.")
    tenures = Tenure.objects.filter(seat__game=game).exclude(user=None).order_by("pk")
    last = dict(tenures.values_list("seat", "user"))
    open_reports = Report.objects.filter(
        reporter=viewer.user_id or 0, case__game=game, case__open=True
    )
    reported = set(open_reports.values_list("case__seat", flat=True))
    seats: list[Seat] = game.seat_list
    return game.world, tuple(
        PlayerChoice(seat.power or "", seat.country_name, seat.pk in reported)
        for seat in seats
        if seat.pk in last and last[seat.pk] != viewer.user_id
    )
