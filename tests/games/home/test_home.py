"""The home page: in which games it is a person's turn, and why."""

import re

import pytest
from django.utils import timezone
from tests.games.hall.test_cards import be_ready
from tests.games.steps import asked, ballot, call_vote, game, save

from diplomaccloud.accounts.models import User
from diplomaccloud.games.home.read import read_home
from diplomaccloud.games.lobby.actions import invite
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.visibility.read import Viewer

ORDERS = ("A VIE H", "A BUD H", "F TRI H")


def turn_of(cast, who):
    """Return what waits for a person in the only game besides orders; None if nothing waits."""
    games = read_home(Viewer(cast.user_id(who))).turn
    return games[0].waiting if games else None


class TestOrders:
    def test_until_all_are_saved_it_is_the_players_turn(self, cast):
        assert turn_of(cast, "alice") == ()
        save(cast, "alice", *ORDERS[:2])
        assert turn_of(cast, "alice") == ()
        save(cast, "alice", *ORDERS)
        assert turn_of(cast, "alice") is None

    def test_who_is_ready_owes_nothing(self, cast):
        be_ready(cast, "alice")
        assert turn_of(cast, "alice") is None

    def test_the_heading_the_title_and_the_navigation_say_in_how_many_games(self, cast):
        page = cast.client("alice").get("/").content.decode()
        assert re.search(r"<title>\s*\(1\) ", page)
        assert re.search(r"<h2[^>]*>[^<]* · 1</h2>", page)
        assert re.search(r'Home <span class="count">1<', page)
        save(cast, "alice", *ORDERS)
        page = cast.client("alice").get("/").content.decode()
        assert not re.search(r"<title>\s*\(", page)
        assert not re.search(r"Home <span", page)


def test_an_invitation_waits(forming, people):
    def is_waiting():
        return bool(read_home(Viewer(people["charlie"])).turn)

    assert not is_waiting()
    name = User.objects.get(pk=people["charlie"]).screen_name
    invite(slug=forming.slug, user_id=people["alice"], name=name, now=timezone.now())
    assert is_waiting()


class TestVotes:
    def test_a_vote_waits_for_those_who_have_not_answered(self, cast):
        save(cast, "alice", *ORDERS)
        vote = call_vote(cast, "bob", "draw")
        assert turn_of(cast, "alice") == ("Vote open",)
        assert turn_of(cast, "bob") == ()
        assert turn_of(cast, "charlie") is None
        ballot(cast, "alice", vote, yes=False)
        assert turn_of(cast, "alice") is None

    def test_a_player_without_a_country_is_not_asked(self, cast):
        call_vote(cast, "bob", "draw")
        power = Seat.objects.get(user=cast.alice).power
        Phase.objects.update(civil_disorder=[power])
        assert turn_of(cast, "alice") is None


class TestQueries:
    def test_more_games_take_no_more_queries(self, cast, plan):
        def count():
            return len(asked(lambda: read_home(Viewer(cast.alice))))

        call_vote(cast, "bob", "draw")
        count()
        one = count()
        first = game()
        columns = [field.attname for field in Game._meta.concrete_fields if not field.primary_key]
        for number in range(9):
            values = {name: getattr(first, name) for name in columns}
            copy = Game.objects.create(**values | {"slug": "bcdefghjkm"[number] * 10})
            Seat.objects.create(game=copy, user_id=cast.alice, power="AUSTRIA", number=1)
        assert len(read_home(Viewer(cast.alice)).lobby.yours) == 10
        assert count() == one


@pytest.mark.parametrize("who", ["charlie", "nobody"])
def test_nothing_waits_for_a_person_without_games(cast, who):
    call_vote(cast, "bob", "draw")
    home = read_home(Viewer(cast.user_id(who)))
    assert (home.turn, home.rest) == ((), ())
