"""What everybody may know of a person."""

import datetime as dt
from itertools import chain

from django.urls import reverse

from diplomaccloud.accounts.logins import describe_login
from diplomaccloud.accounts.models import User
from diplomaccloud.games.errors import NoSuchGame
from diplomaccloud.games.models import Game, Seat, Status, powers_played_by
from diplomaccloud.games.presenters.people import PersonGame, PersonView
from diplomaccloud.games.viewpoint.people import Played, games_of
from diplomaccloud.games.viewpoint.reliability import figures_of
from diplomaccloud.games.viewpoint.visibility import Viewer, visible_games

_SHOWN = 20


def person_view(name: str, viewer: Viewer, *, now: dt.datetime) -> PersonView:
    """Return a person's public profile; raise `NoSuchPerson` if nobody is called so.

    It lists finished games alone, those that the viewer may see, so that nobody learns from
    it who plays in an anonymous one; for the same reason it tells of a login as `logins` does.
    """
    person = User.objects.filter(folded_name=name.lower(), is_active=True).first()
    if person is None:
        raise NoSuchPerson
    seats = _finished_seats(person.pk)
    results = [_result(seat) for seat in seats]
    seen = set(
        visible_games(viewer)
        .filter(pk__in=[seat.game_id for seat in seats])
        .values_list("pk", flat=True)
    )
    return PersonView(
        name=person.screen_name,
        url=reverse("person", args=[person.screen_name]),
        status=person.status,
        since=person.date_joined,
        login=describe_login(person.last_login, now=now),
        reliability=figures_of([person.pk])[person.pk],
        running=games_of([person.pk]).get(person.pk, Played()).running,
        finished=len(seats),
        is_you=person.pk == viewer.user_id,
        won=results.count("won"),
        shared=results.count("shared the victory"),
        games=tuple(
            _line(seat, result)
            for seat, result in zip(seats, results, strict=True)
            if seat.game_id in seen
        )[:_SHOWN],
    )


class NoSuchPerson(NoSuchGame):
    """A person who does not exist."""

    def __init__(self) -> None:
        ValueError.__init__(self, "There is no player of this name.")


def _finished_seats(user_id: int) -> list[Seat]:
    seats = Seat.objects.filter(user=user_id, game__status=Status.FINISHED)
    rows = seats.select_related("game__chart").defer("game__chart__text")
    return list(rows.order_by("-game__finished_at"))


def _result(seat: Seat) -> str:
    game: Game = seat.game
    players = game.players
    # A power that joined somebody by a coin wins with whom it joined.
    winners = set(game.ending.winners if game.ending else ()).intersection(chain(*players))
    played = set(powers_played_by(seat.power, players))
    if not winners & played:
        return "lost" if winners else "finished"
    return "won" if winners <= played else "shared the victory"


def _line(seat: Seat, result: str) -> PersonGame:
    game = seat.game
    if game.finished_at is None:
        raise NoSuchGame
    url = reverse("games:detail", args=[game.slug])
    return PersonGame(game.world, url, seat.country_name, result, game.finished_at)
