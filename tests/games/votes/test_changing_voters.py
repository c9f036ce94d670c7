"""Votes when players leave, join, are eliminated or surrender while they are open."""

import pytest
from django.utils import timezone
from tests.games.cast_pages import life, log_of
from tests.games.steps import (
    DAY,
    HOUR,
    ballot,
    call_vote,
    due,
    game,
    phase,
    remove_centers,
    remove_units,
    save,
    vote_with_orders,
)
from tests.scenes import scene

from diplomaccloud.accounts.models import User
from diplomaccloud.games.master.actions import change_time
from diplomaccloud.games.news.read import read_acts
from diplomaccloud.games.seats.actions import remove_player, resign, take_seat
from diplomaccloud.games.table.errors import WrongMoment
from diplomaccloud.games.table.log_models import LogEntry
from diplomaccloud.games.table.models import Game, Seat, Tenure
from diplomaccloud.games.table.phase_models import Submission
from diplomaccloud.games.turn.turn import lock_phase
from diplomaccloud.games.votes.actions import cast_ballot, withdraw_vote
from diplomaccloud.games.votes.models import Ballot, Vote
from diplomaccloud.games.votes.wording import Question


@pytest.fixture
@scene
def three(cast):
    """The game of Alice and Bob, with Charlie in Italy."""
    now = timezone.now()
    Tenure.objects.filter(seat__power="ITALY").update(until_at=now)
    Submission.objects.filter(seat__power="ITALY").delete()
    Seat.objects.filter(power="ITALY").update(bot="", vacated_at=now)
    take_seat(slug=cast.slug, user_id=cast.charlie, power="ITALY", now=now)
    return cast


def leave(cast, who, now=None):
    resign(slug=cast.slug, user_id=cast.user_id(who), now=now or timezone.now())


def take(cast, who, power):
    return take_seat(slug=cast.slug, user_id=cast.user_id(who), power=power, now=timezone.now())


class TestSuccessors:
    def test_who_lost_a_seat_is_told_and_not_who_lost_it_before(self, cast, agree):
        agree(missed={"limit": 1, "substitute": ""})
        save(cast, "bob")
        due(cast)
        take(cast, "charlie", "AUSTRIA")
        save(cast, "bob")
        due(cast)
        entries = LogEntry.objects.filter(
            kind="left", data__seat=game().seats.get(power="AUSTRIA").pk
        )
        keys = list(entries.order_by("pk").values_list("pk", flat=True))
        acts = read_acts(keys)
        assert [acts[key].person for key in keys] == [cast.alice, cast.charlie]

    def test_a_leaver_s_yes_does_not_count_for_the_successor(self, cast):
        call_vote(cast, "alice", "draw")
        leave(cast, "alice")
        assert game().status == "running"
        take(cast, "charlie", "AUSTRIA")
        vote = Vote.objects.get()
        ballot(cast, "bob", vote)
        assert game().status == "running"
        ((_, seen),) = life(cast, "charlie").votes.open
        assert (seen.agreed, seen.asked, seen.own, seen.may_vote) == (1, 2, None, True)
        assert "You voted" not in cast.client("charlie").get(cast.url()).content.decode()
        ballot(cast, "charlie", vote)
        assert game().status == "finished"

    def test_both_ballots_of_a_seat_are_stored(self, cast):
        vote = call_vote(cast, "alice", "draw")
        leave(cast, "alice")
        take(cast, "charlie", "AUSTRIA")
        ballot(cast, "charlie", vote, yes=False)
        rows = Ballot.objects.order_by("pk").values_list("tenure__user", "yes")
        assert list(rows) == [(cast.alice, True), (cast.charlie, False)]

    def test_a_player_who_comes_back_votes_again(self, cast):
        call_vote(cast, "alice", "draw")
        leave(cast, "alice")
        take(cast, "alice", "AUSTRIA")
        ballot(cast, "bob", Vote.objects.get())
        assert game().status == "running"

    def test_the_question_of_a_leaver_stays_open_and_only_its_asker_withdraws_it(self, three):
        vote = call_vote(three, "alice", "draw")
        ballot(three, "bob", vote)
        leave(three, "alice")
        diana = User.objects.create_user("Diana", password="a long enough word")
        now = timezone.now()
        take_seat(slug=three.slug, user_id=diana.pk, power="AUSTRIA", now=now)
        known = {"slug": three.slug, "sequence": 1, "vote_id": vote.pk, "now": now}
        with pytest.raises(WrongMoment, match="no open vote to withdraw"):
            withdraw_vote(user_id=diana.pk, **known)
        assert Vote.objects.get().open
        ballot(three, "charlie", vote)
        cast_ballot(user_id=diana.pk, yes=True, **known)
        assert game().status == "finished"


class TestHoldouts:
    def test_a_vote_is_carried_when_its_last_holdout_resigns(self, three):
        ballot(three, "bob", call_vote(three, "alice", "draw"))
        leave(three, "charlie")
        assert game().status == "finished"
        assert Vote.objects.get().outcome == "carried"
        assert "by a vote of 2 of 2" in LogEntry.objects.get(kind="ended").text

    def test_a_majority_can_be_reached_by_a_removal(self, three):
        master = User.objects.create_user("Diana", password="a long enough word")
        Game.objects.update(master=master)
        before = phase().due_at
        call_vote(three, "alice", "extend", length=DAY)
        leave(three, "charlie")
        assert Vote.objects.get().open, "one of two"
        known = {"reason": "Threats.", "now": timezone.now(), "sequence": 1}
        remove_player(slug=three.slug, user_id=master.pk, power="TURKEY", **known)
        assert phase().due_at == before + DAY

    def test_a_vote_that_lost_its_chance_fails(self, three):
        vote = call_vote(three, "alice", "extend", length=DAY)
        ballot(three, "bob", vote, yes=False)
        leave(three, "charlie")
        assert Vote.objects.get().outcome == "failed"

    def test_missed_turns_that_cost_the_seat_decide_a_vote(self, three, agree):
        agree(missed={"limit": 1, "substitute": ""})
        ballot(three, "bob", call_vote(three, "alice", "draw"))
        for who in ("alice", "bob"):
            save(three, who)
        due(three)
        assert Seat.objects.get(power="ITALY").user is None
        assert game().status == "finished"
        assert phase().name == "F1901M"

    def test_a_substitute_bot_has_no_vote(self, three, agree):
        agree(missed={"limit": 2, "substitute": "hold"})
        ballot(three, "bob", call_vote(three, "alice", "draw"))
        leave(three, "charlie")
        assert Seat.objects.get(power="ITALY").bot == "hold"
        assert game().status == "finished"

    def test_an_eliminated_country_has_no_vote(self, three):
        remove_units("ITALY")
        remove_centers("ITALY")
        vote = call_vote(three, "alice", "cancel")
        ballot(three, "bob", vote)
        assert game().status == "finished"

    def test_a_surrender_decides_a_vote_when_it_takes_effect(self, three):
        ballot(three, "bob", call_vote(three, "alice", "cancel"))
        vote_with_orders({"ITALY": "surrender"})
        due(three)
        assert (game().status, phase().name) == ("finished", "F1901M")

    def test_while_orders_are_closed_a_vote_waits_for_the_next_phase(self, three):
        ballot(three, "bob", call_vote(three, "alice", "cancel"))
        leave(three, "charlie", now=phase().due_at)
        assert game().status == "running"
        due(three)
        assert (game().status, phase().name) == ("finished", "F1901M")

    def test_a_vote_without_voters_fails(self, cast):
        call_vote(cast, "alice", "draw")
        Tenure.objects.filter(user=cast.bob).update(user=None, bot="hold")
        Seat.objects.filter(user=cast.bob).update(user=None, bot="hold")
        leave(cast, "alice")
        assert Vote.objects.get().outcome == "failed"


class TestVotesThatBecameImpossible:
    def test_a_concession_to_a_player_who_has_left(self, three):
        call_vote(three, "alice", "concede", power="TURKEY")
        leave(three, "bob")
        assert Vote.objects.get().outcome == "impossible"
        assert log_of(three).lines[0].text == (
            "A vote was closed because it is no longer possible: Concede the game to Turkey "
            "(1 for, 0 against). The country no longer has a player in the game."
        )

    def test_a_change_that_the_schedule_no_longer_allows(self, table):
        vote = call_vote(table, "alice", "pause", length=HOUR)
        change_time(
            slug=table.slug, user_id=table.charlie, question=Question.PAUSE, length=None,
            reason="Holidays.", key="k", sequence=1, now=timezone.now(),
        )  # fmt: skip
        answered = ballot(table, "bob", vote)
        assert answered.outcome == "impossible"
        assert log_of(table).lines[0].text.endswith("The game is already paused.")

    def test_the_counts_of_a_closed_vote_stay(self, three):
        vote = call_vote(three, "alice", "cancel")
        ballot(three, "bob", vote, yes=False)
        leave(three, "alice")
        ((_, over),) = life(three, "bob").votes.closed
        assert (over.agreed, over.against) == (1, 1)


class TestVotesWithOrders:
    @pytest.mark.parametrize("vote", ["draw", "surrender"])
    def test_a_leaver_s_vote_does_not_bind_the_successor(self, cast, vote):
        vote_with_orders({"AUSTRIA": vote, "TURKEY": "draw"})
        leave(cast, "alice")
        take(cast, "charlie", "AUSTRIA")
        assert life(cast, "charlie").draw_vote == "none"
        assert not Submission.objects.filter(seat__power="AUSTRIA").exists()
        due(cast)
        assert (game().status, phase().civil_disorder) == ("running", {})

    def test_not_even_if_the_orders_were_locked_before(self, cast):
        vote_with_orders({"AUSTRIA": "draw", "TURKEY": "draw"})
        row = phase()
        row.adjudicate_at = row.due_at + HOUR
        row.save()
        assert lock_phase(phase_id=row.pk, now=row.due_at)
        leave(cast, "alice", now=row.due_at)
        take(cast, "charlie", "AUSTRIA")
        due(cast)
        assert game().status == "running"
