"""Votes on the pages, and draw votes written with the orders."""

import pytest
from django.utils import timezone
from tests.games.browsing import Browser
from tests.games.cast_pages import EVERYBODY, life, log_of, post
from tests.games.steps import DAY, ballot, call_vote, due, phase

from diplomaccloud.games.table.models import Seat
from diplomaccloud.games.table.phase_models import Submission
from diplomaccloud.games.votes.actions import close_expired_votes
from diplomaccloud.games.votes.models import Vote


class TestVotesWithOrders:
    def test_a_draw_is_written_and_taken_back(self, cast):
        assert life(cast, "alice").draw_vote == "none"
        for vote in ("draw", "none"):
            assert post(cast, "alice", "draw-vote/", phase=1, vote=vote).status_code == 303
            assert life(cast, "alice").draw_vote == vote

    def test_who_surrenders_is_asked_again(self, cast):
        asked = post(cast, "alice", "draw-vote/", phase=1, vote="surrender")
        assert (asked.status_code, asked.templates[0].name) == (200, "games/votes/surrender.html")
        assert not Submission.objects.filter(draw_vote="surrender").exists()
        post(cast, "alice", "draw-vote/", phase=1, vote="surrender", sure="1")
        assert life(cast, "alice").draw_vote == "surrender"

    def test_all_are_told_when_the_orders_are_carried_out_and_nobody_before(self, cast):
        pages = [cast.client(who).get(cast.url()).context["view"] for who in EVERYBODY[1:]]
        post(cast, "alice", "draw-vote/", phase=1, vote="draw")
        after = [cast.client(who).get(cast.url()).context["view"] for who in EVERYBODY[1:]]
        assert after == pages
        due(cast)
        for who in EVERYBODY:
            page = cast.client(who).get(cast.url("phases/1/"))
            told = page.context["report"].draw_result
            assert "Austria" in told
            assert "6 of 7" in told
            assert told in page.content.decode()
            assert told in cast.client(who).get(cast.url()).content.decode()

    def test_a_draw_that_was_voted_down_is_on_the_desk_and_in_the_results(self, cast):
        ballot(cast, "bob", call_vote(cast, "alice", "draw"), yes=False)
        told = life(cast, "alice").draw_result
        assert "1 for, 1 against" in told
        assert told in cast.client("charlie").get(cast.url()).content.decode()
        due(cast)
        assert not life(cast, "alice").draw_result
        for page in (cast.url(), cast.url("phases/1/")):
            assert told in cast.client("charlie").get(page).content.decode()

    def test_a_country_that_surrendered_orders_nothing_and_has_no_vote(self, cast):
        post(cast, "alice", "draw-vote/", phase=1, vote="surrender", sure="1")
        due(cast)
        view = cast.client("alice").get(cast.url()).context["view"]
        assert (view.status.surrendered, view.status.draw_vote, view.order_form.must_order) == (
            True,
            "",
            False,
        )
        assert not view.status.can_resign
        assert "Austria surrendered" in log_of(cast).lines[0].text
        assert cast.client("alice").get(cast.url("resign/")).status_code == 404

    @pytest.mark.parametrize(
        ("who", "data", "status"),
        [
            ("alice", {"phase": 1, "vote": "win"}, 400),
            ("alice", {"phase": 2, "vote": "draw"}, 409),
            ("alice", {"vote": "draw"}, 400),
            ("charlie", {"phase": 1, "vote": "draw"}, 403),
            ("nobody", {"phase": 1, "vote": "draw"}, 403),
        ],
        ids=["no such vote", "another phase", "no phase", "a stranger", "a visitor"],
    )
    def test_what_is_refused(self, cast, who, data, status):
        assert post(cast, who, "draw-vote/", **data).status_code == status
        assert not Submission.objects.exclude(draw_vote="").exists()


class TestMotions:
    def test_one_is_opened_voted_on_and_carried(self, cast):
        before = phase().due_at
        post(cast, "alice", "votes/", question="extend", length=86400)
        ((_, vote),) = life(cast, "bob").votes.open
        assert (vote.agreed, vote.asked, vote.needed) == (1, 2, 2)
        assert (vote.own, vote.may_vote, vote.may_withdraw) == (None, True, False)
        post(cast, "bob", "votes/answer/", vote_id=vote.key, answer="yes")
        assert phase().due_at == before + DAY
        ((_, over),) = life(cast, "bob").votes.closed
        assert over.ending == "was carried"

    def test_each_is_told_what_came_of_it(self, cast):
        caller, voter = Browser(cast.client("alice")), Browser(cast.client("bob"))
        votes = cast.url("parts/votes/")
        caller.open(votes)
        caller.send("/votes/", where={"question": "cancel"})
        assert caller.messages[0].startswith("The vote is open, and you have voted yes.")
        caller.open(votes)
        caller.send("/votes/answer/", button=("answer", "withdraw"))
        caller.open(votes)
        caller.send("/votes/", where={"question": "draw"})
        voter.open(cast.url())
        voter.send("/votes/answer/", button=("answer", "no"))
        assert voter.messages == ["The vote failed."]

    def test_who_voted_how_is_told_to_nobody(self, cast):
        Seat.objects.filter(power="ITALY").update(user=cast.charlie, bot="")
        call_vote(cast, "alice", "draw")
        one = Vote.objects.get()
        ballot(cast, "bob", one)
        ((_, seen),) = life(cast, "charlie").votes.open
        assert (seen.agreed, seen.against, seen.own) == (2, 0, None)
        assert "Alice" not in str(seen)
        assert "Austria" not in str(seen)

    def test_those_who_do_not_play_see_no_open_votes(self, cast):
        call_vote(cast, "alice", "draw")
        for who in ("charlie", "nobody"):
            assert life(cast, who).votes is None

    def test_one_is_taken_back_by_its_caller_alone(self, cast):
        one = call_vote(cast, "alice", "draw")
        assert (
            post(cast, "bob", "votes/answer/", vote_id=one.pk, answer="withdraw").status_code == 409
        )
        post(cast, "alice", "votes/answer/", vote_id=one.pk, answer="withdraw")
        assert "A vote was withdrawn: Draw" in log_of(cast).lines[0].text

    def test_a_read_closes_no_vote_and_the_worker_does(self, cast):
        now = timezone.now()
        call_vote(cast, "alice", "draw", now=now)
        Vote.objects.update(closes_at=now)
        ((_, over),) = life(cast, "bob").votes.closed
        assert over.ending == "expired with too few votes"
        assert Vote.objects.get().open
        assert close_expired_votes(now=now) == 1
        assert Vote.objects.get().outcome == "expired"
        assert close_expired_votes(now=now) == 0

    @pytest.mark.parametrize(
        ("rest", "data"),
        [
            ("votes/", {"question": "win"}),
            ("votes/", {"question": "extend"}),
            ("votes/", {"question": "extend", "length": "-1"}),
            ("votes/", {"question": "extend", "length": "9" * 40}),
            ("votes/", {"question": "concede", "power": "ITALY"}),
            ("votes/answer/", {"vote_id": "x", "answer": "yes"}),
            ("votes/answer/", {"vote_id": "1", "answer": "perhaps"}),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, cast, rest, data):
        assert post(cast, "alice", rest, **data).status_code == 400

    def test_only_what_can_be_is_offered(self, cast):
        kinds = {one.kind for one in life(cast, "alice").votes.questions}
        assert kinds == {"draw", "concede", "cancel", "extend", "pause"}
        ballot(cast, "bob", call_vote(cast, "alice", "pause"))
        kinds = {one.kind for one in life(cast, "alice").votes.questions}
        assert kinds == {"draw", "concede", "cancel", "resume"}
