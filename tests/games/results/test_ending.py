"""The page of a finished game: who left, who shares the result and who does not."""

import pytest
from django.utils import timezone
from tests.games.steps import (
    ballot,
    call_vote,
    change_position,
    due,
    game,
    names_in,
    phase,
    remove_units,
    save,
    vote_with_orders,
)

from diplomaccloud.games.seats import actions as seats_actions
from diplomaccloud.games.seats.actions import remove_player
from diplomaccloud.games.table.models import Seat, Status

BOTS = "England, France, Germany, Italy and Russia"


def resign(cast, who):
    known = {"slug": cast.slug, "user_id": cast.user_id(who)}
    seats_actions.resign(**known, now=timezone.now())


def remove(cast, who):
    power = Seat.objects.get(user=cast.user_id(who)).power
    remove_player(
        slug=cast.slug,
        user_id=cast.charlie,
        sequence=phase().sequence,
        power=power,
        reason="Rude.",
        now=timezone.now(),
    )


def ended(cast, who="nobody"):
    page = cast.client(who).get(cast.url())
    return page.context["view"], page.content.decode()


def player_of(view, power):
    return next(seat.player for seat in view.seats if seat.power == power)


@pytest.mark.every_database
class TestWhoLeft:
    @pytest.mark.parametrize(
        ("leave", "expected"),
        [(resign, "left by Bob in Fall 1901"), (remove, "Bob, removed in Fall 1901")],
    )
    def test_the_ranking_names_who_left_and_when(self, table, leave, expected):
        due(table)
        leave(table, "bob")
        assert player_of(ended(table)[0], "TURKEY") == "nobody"
        call_vote(table, "alice", "draw")
        view, page = ended(table)
        assert player_of(view, "TURKEY") == expected
        assert expected in page
        assert ">nobody<" not in page

    def test_who_gave_no_orders_has_abandoned_it(self, cast, agree):
        agree(missed={"limit": 1, "substitute": ""})
        save(cast, "alice", "A VIE H")
        due(cast)
        assert Seat.objects.get(power="TURKEY").vacated_at
        call_vote(cast, "alice", "draw")
        assert player_of(ended(cast)[0], "TURKEY") == "abandoned by Bob in Spring 1901"

    def test_who_took_the_seat_over_stands_there(self, table):
        resign(table, "bob")
        Seat.objects.filter(power="TURKEY").update(bot="greedy", vacated_at=None)
        call_vote(table, "alice", "draw")
        assert player_of(ended(table)[0], "TURKEY") == "Greedy bot"

    def test_an_anonymous_game_names_them_once_it_is_over(self, table, agree):
        agree(anonymous=True)
        resign(table, "bob")
        assert not names_in(ended(table)[1], ["Bob"])
        call_vote(table, "alice", "draw")
        assert player_of(ended(table)[0], "TURKEY") == "left by Bob in Spring 1901"


class TestWhoShares:
    def test_nothing_more_is_said_where_all_share(self, cast):
        ballot(cast, "bob", call_vote(cast, "alice", "draw"))
        assert ended(cast)[0].ending.shares == ""

    @pytest.mark.parametrize(
        ("how", "expected"),
        [
            ("motion", f"Austria, {BOTS} share it. Not included: Turkey, whose player left."),
            ("orders", f"Austria, {BOTS} share it. Not included: Turkey, whose player left."),
        ],
    )
    def test_a_country_whose_player_left_does_not(self, table, how, expected):
        resign(table, "bob")
        if how == "motion":
            call_vote(table, "alice", "draw")
        else:
            vote_with_orders({"AUSTRIA": "draw"})
            due(table)
        view, page = ended(table)
        assert view.ending.shares == expected
        assert expected in page

    def test_nor_does_one_that_surrendered_at_the_end(self, cast):
        vote_with_orders({"AUSTRIA": "draw", "TURKEY": "surrender"})
        due(cast)
        shares = ended(cast)[0].ending.shares
        assert shares.endswith("share it. Not included: Turkey, which surrendered.")

    def test_nor_one_that_surrendered_before(self, cast):
        vote_with_orders({"TURKEY": "surrender"})
        due(cast)
        call_vote(cast, "alice", "draw")
        shares = ended(cast)[0].ending.shares
        assert shares.endswith("share it. Not included: Turkey, which surrendered.")

    def test_nor_one_without_units(self, table):
        resign(table, "bob")
        remove_units("ITALY")
        call_vote(table, "alice", "draw")
        assert ended(table)[0].ending.shares == (
            "Austria, England, France, Germany and Russia share it. Not included: Turkey, "
            "whose player left; Italy, which had no units left."
        )

    def test_a_surrender_that_was_never_counted_stays_secret(self, table):
        Seat.objects.filter(power="ITALY").update(user=table.charlie, bot="")
        vote_with_orders({"TURKEY": "surrender"})
        ballot(table, "charlie", ballot(table, "bob", call_vote(table, "alice", "draw")))
        assert game().status == Status.FINISHED
        assert "surrender" not in ended(table)[1]

    def test_beside_a_winner_only_who_had_as_much_is_explained(self, table):
        resign(table, "bob")
        Seat.objects.filter(power="ITALY").update(user=table.charlie, bot="")
        call_vote(table, "alice", "concede", power="ITALY")
        # Three centers each: a reader might wonder who ranks first.
        assert ended(table)[0].ending.shares == "Not counted: Turkey, whose player left."

    def test_a_winner_who_had_more_needs_no_word(self, table):
        resign(table, "bob")
        remove_units("TURKEY")
        centers = phase().position.centers
        change_position(centers={k: v for k, v in centers.items() if k != "ANK"})
        Seat.objects.filter(power="ITALY").update(user=table.charlie, bot="")
        call_vote(table, "alice", "concede", power="ITALY")
        assert ended(table)[0].ending.shares == ""
