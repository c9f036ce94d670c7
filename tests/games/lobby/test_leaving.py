"""Leaving a game and taking over a seat on the pages, and how a profile shows it."""

import re

import pytest
from django.utils import timezone
from tests.games.browsing import Browser
from tests.games.cast_pages import life, log_of, post
from tests.games.steps import DAY, HOUR, ballot, call_vote, due, phase, save

from diplomaccloud.games.results.actions import find_differences
from diplomaccloud.games.seats.actions import resign
from diplomaccloud.games.table.models import REMOVED, Game, Seat, Tenure
from diplomaccloud.games.table.phase_models import Attendance, Phase

pytestmark = pytest.mark.every_database


class TestLeaving:
    def test_one_is_asked_and_the_seat_is_offered(self, cast):
        assert b"Leave game permanently" in cast.client("alice").get(cast.url("resign/")).content
        assert Seat.objects.filter(user=cast.alice).exists()
        assert post(cast, "alice", "resign/").url == "/games/"
        ((seat, *_),) = life(cast, "charlie").vacant
        assert (seat.country, seat.centers, seat.units) == ("Austria", 3, 3)
        assert life(cast, "charlie").can_take
        view = cast.client("bob").get(cast.url()).context["view"]
        assert [seat.country for seat in view.seats if seat.is_vacant] == ["Austria"]
        state = cast.client("bob").get(cast.url("state/")).json()
        assert [seat["power"] for seat in state["seats"] if seat["vacant"]] == ["AUSTRIA"]
        assert not life(cast, "bob").can_take
        (offer,) = cast.client("charlie").get("/games/").context["vacancies"]
        assert (offer.title, offer.country.name, offer.country.centers) == (
            "Testland",
            "Austria",
            3,
        )
        assert post(cast, "charlie", "take-over/", power="AUSTRIA").status_code == 303
        assert Seat.objects.get(power="AUSTRIA").user_id == cast.charlie
        assert cast.client("alice").get("/games/").context["vacancies"] == ()

    def test_who_left_is_offered_the_old_seat_alone_and_who_was_removed_none(self, cast):
        post(cast, "alice", "resign/")
        post(cast, "bob", "resign/")

        def offered(name):
            offers = cast.client(name).get("/games/").context["vacancies"]
            return {offer.country.name for offer in offers}

        assert offered("charlie") == {"Austria", "Turkey"}
        assert (offered("alice"), offered("bob")) == ({"Austria"}, {"Turkey"})
        Tenure.objects.filter(user=cast.alice).update(left=REMOVED)
        assert (offered("alice"), offered("bob")) == (set(), {"Turkey"})

    def test_a_private_seat_asks_for_the_code_and_is_not_listed(self, cast):
        Game.objects.update(private=True)
        post(cast, "alice", "resign/")
        assert cast.client("charlie").get("/games/").context["vacancies"] == ()
        assert post(cast, "charlie", "take-over/", power="AUSTRIA", code="no").status_code == 404
        data = {"power": "AUSTRIA", "code": "letmein222"}
        assert post(cast, "charlie", "take-over/", **data).status_code == 303

    def test_who_is_sent_the_address_of_a_private_game_can_take_its_vacant_seat(self, cast):
        Game.objects.update(private=True)
        address = cast.url("?code=letmein222")
        assert cast.client("charlie").get(address).status_code == 404
        post(cast, "bob", "resign/")
        assert cast.client("charlie").get(cast.url("?code=no")).status_code == 404
        assert address in cast.client("alice").get(cast.url()).content.decode()
        volunteer = Browser(cast.client("charlie"))
        volunteer.open(address)
        volunteer.send("/take-over/")
        assert Seat.objects.get(power="TURKEY").user_id == cast.charlie

    def test_who_left_a_private_game_may_look_at_it_and_come_back(self, cast):
        Game.objects.update(private=True)
        due(cast)
        post(cast, "bob", "resign/")
        left = Browser(cast.client("bob"))
        assert left.open(cast.url("phases/1/")).status_code == 200
        left.open(cast.url())
        left.send("/take-over/")
        assert Seat.objects.get(power="TURKEY").user_id == cast.bob

    def test_who_was_removed_may_look_and_is_offered_nothing(self, table):
        Game.objects.update(private=True)
        post(table, "charlie", "master/remove/", power="TURKEY", reason="Rude.")
        removed = Browser(table.client("bob"))
        assert removed.open(table.url()).status_code == 200
        assert not removed.forms("/take-over/")
        assert "You were removed from this game." in removed.text
        assert removed.open("/games/").context["vacancies"] == ()

    def test_a_volunteer_reads_how_much_time_is_left_and_can_ask_for_more(self, cast):
        post(cast, "bob", "resign/")
        volunteer = Browser(cast.client("charlie"))
        volunteer.open(cast.url())
        assert "Orders are due in 23 hours 59 minutes." in volunteer.text
        assert "need not order in this phase" not in volunteer.text
        row = phase()
        row.opens_at -= 9 * DAY
        row.due_at = row.adjudicate_at = timezone.now() + HOUR
        row.save()
        volunteer.open(cast.url())
        assert "need not order in this phase" in volunteer.text
        former = Browser(cast.client("bob"))
        former.open(cast.url())
        assert "Orders are due in" in former.text
        assert "need not order in this phase" not in former.text
        address = post(cast, "charlie", "take-over/", power="TURKEY", more_time="1").url
        assert address == cast.url("?ask=extend#votes-drawer")
        page = cast.client("charlie").get(address).content.decode()
        assert re.search(r'id="votes-drawer"\s+open>', page)
        call_vote(cast, "charlie", "extend", length=HOUR)

    def test_the_maker_seats_a_bot_and_says_why(self, cast):
        resign(slug=cast.slug, user_id=cast.bob, now=timezone.now())
        assert life(cast, "alice").can_seat_bot
        data = {"power": "TURKEY", "bot": "hold"}
        assert post(cast, "alice", "bot/", **data).status_code == 400
        assert post(cast, "alice", "bot/", reason="Nobody came.", **data).status_code == 303
        assert Seat.objects.get(power="TURKEY").bot == "hold"
        assert log_of(cast).lines[0].reason == "Nobody came."

    def test_who_left_may_come_back_to_the_same_country_only(self, cast):
        post(cast, "alice", "resign/")
        post(cast, "bob", "resign/")
        former = Browser(cast.client("alice"))
        former.open(cast.url())
        (offer,) = former.forms("/take-over/")
        assert offer.data(None)["power"] == ["AUSTRIA"]
        assert "You played another country" in former.text
        (offer,) = former.open("/games/").context["vacancies"]
        assert offer.country.name == "Austria"
        assert "You played another country" not in cast.client("charlie").get(cast.url()).text
        assert post(cast, "alice", "take-over/", power="TURKEY").status_code == 403
        assert post(cast, "alice", "take-over/", power="AUSTRIA").status_code == 303
        assert [one.left for one in Tenure.objects.filter(user=cast.alice)] == ["resigned", ""]

    def test_the_maker_who_left_is_still_the_maker(self, cast):
        post(cast, "alice", "resign/")
        assert cast.client("alice").get(cast.url()).status_code == 200
        assert life(cast, "alice").can_seat_bot
        assert life(cast, "alice").votes is None


class TestReliability:
    def figures(self, cast, who):
        seats = cast.client("nobody").get(cast.url()).context["view"].seats
        return next(seat.reliability for seat in seats if seat.player == who)

    def test_plain_figures_on_the_seat_and_the_profile(self, cast):
        save(cast, "bob", "A CON H")
        due(cast)
        assert self.figures(cast, "Alice") == "Missed 1 of 1 turn, left 0 of 1 game"
        assert self.figures(cast, "Bob") == "Missed 0 of 1 turn, left 0 of 1 game"
        page = cast.client("nobody").get("/people/alice/").context["person"]
        assert (page.name, page.reliability.summary) == ("Alice", self.figures(cast, "Alice"))

    @pytest.mark.parametrize("change", ["excused", "superseded", "anonymous"])
    def test_what_does_not_count(self, cast, agree, change):
        due(cast)
        match change:
            case "excused":
                Attendance.objects.update(excused=True)
            case "superseded":
                Phase.objects.filter(sequence=1).update(superseded_at=timezone.now())
            case "anonymous":
                agree(anonymous=True)
        list(find_differences(repair=True))
        told = cast.client("nobody").get("/people/Alice/").context["person"].reliability.summary
        anonymous = change == "anonymous"
        assert told == ("" if anonymous else "Missed 0 of 0 turns, left 0 of 1 game")

    def test_running_and_finished_games_are_listed_apart(self, cast):
        page = cast.client("charlie").get("/people/Alice/")
        assert [card.title for card in page.context["view"].running] == ["Testland"]
        assert page.context["profile"].games == ()
        ballot(cast, "bob", call_vote(cast, "alice", "concede", power="AUSTRIA"))
        (one,) = cast.client("charlie").get("/people/Alice/").context["profile"].games
        assert (one.world, one.country, one.outcome) == ("Testland", "Austria", "won")
        Game.objects.update(private=True)
        page = cast.client("charlie").get("/people/Alice/")
        assert b"Testland" not in page.content
        assert page.context["profile"].unrated == 1

    def test_nobody_is_called_so(self, cast):
        assert cast.client("nobody").get("/people/nobody-at-all/").status_code == 404
