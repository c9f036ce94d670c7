"""Votes, and DRAW and SURRENDER written with the orders."""

from importlib import import_module
from typing import get_args

import pytest
from django.utils import timezone
from tests.games.browsing import Browser
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
from tests.schedule.test_moves import ALL_READY

from diplomaccloud.api.votes import QuestionGiven
from diplomaccloud.games.orders.actions import set_ready
from diplomaccloud.games.table.errors import DeadlinePassed, NotYourSeat, Refused, WrongMoment
from diplomaccloud.games.table.log_models import Event, LogEntry
from diplomaccloud.games.table.models import Seat
from diplomaccloud.games.table.phase_models import Phase, Submission
from diplomaccloud.games.turn.turn import call_roll
from diplomaccloud.games.votes import actions as votes
from diplomaccloud.games.votes import page, wording
from diplomaccloud.games.votes.actions import withdraw_vote
from diplomaccloud.games.votes.models import Vote
from diplomaccloud.games.votes.wording import Question

DRAW_VOTES = "Votes for a draw: "


def test_every_question_has_a_sentence_and_an_act_and_can_be_asked():
    import_module("diplomaccloud.games.master.actions")  # has acts of its own
    missing = [f"{each}: sentence" for each in Question if each not in wording._QUESTIONS]
    missing += [f"{each}: act" for each in Question if each not in votes._ACTS]
    asked = [each for each in Question if not each.is_masters]
    missing += [f"{each}: label" for each in asked if each not in page._LABELS]
    offered = get_args(QuestionGiven.model_fields["question"].annotation)
    missing += [f"{each}: API" for each in asked if each not in offered]
    assert not missing, missing


class TestPauses:
    @pytest.mark.parametrize("by", ["a vote", "the game master"])
    def test_once_it_ends_the_turn_rolls_over_if_all_were_ready_in_it(self, table, by):
        ballot(table, "bob", call_vote(table, "alice", "pause", length=DAY))
        now = timezone.now() + HOUR
        for who in ("alice", "bob"):
            set_ready(
                slug=table.slug, user_id=table.user_id(who), sequence=phase().sequence, now=now
            )
        assert phase().due_at > now
        if by == "a vote":
            ballot(table, "bob", call_vote(table, "alice", "resume", now=now), now=now)
        else:
            master = Browser(table.client("charlie"))
            master.open(table.url("master/"))
            master.send("master/time/", where={"question": "resume"}, reason="We are back.")
        assert phase().due_at <= now
        assert game().log.latest("pk").text == ALL_READY


class TestMotions:
    def test_all_must_agree_to_a_draw_and_all_on_the_board_share_it(self, cast):
        vote = call_vote(cast, "alice", "draw")
        assert (vote.open, game().status) == (True, "running")
        ballot(cast, "bob", vote)
        assert game().status == "finished"
        assert len(game().ending.winners) == 7
        assert Vote.objects.get().outcome == "carried"

    def test_a_decision_that_cannot_be_carried_out_is_announced_once(self, cast, monkeypatch):
        def refuse(_decision):
            raise Refused("It is impossible.")

        monkeypatch.setitem(votes._ACTS, Question.DRAW, refuse)
        vote = call_vote(cast, "alice", "draw")
        ballot(cast, "bob", vote)
        assert Vote.objects.get().outcome == "impossible"
        told = Event.objects.filter(kind="motion", key__startswith=f"motion {vote.pk} ")
        assert [event.data["outcome"] for event in told] == ["impossible"]

    def test_one_against_it_ends_the_vote_and_not_the_game(self, cast):
        vote = ballot(cast, "bob", call_vote(cast, "alice", "draw"), yes=False)
        assert (vote.outcome, game().status) == ("failed", "running")
        with pytest.raises(WrongMoment, match="closed"):
            ballot(cast, "bob", vote)

    def test_a_mind_can_be_changed_while_the_vote_is_open(self, cast):
        Seat.objects.filter(power="ITALY").update(user=cast.charlie, bot="")
        vote = call_vote(cast, "alice", "extend", length=DAY)
        ballot(cast, "alice", vote, yes=False)
        ballot(cast, "alice", vote)
        assert Vote.objects.get().open
        assert vote.ballots.count() == 1

    def test_a_concession_is_decided_by_the_others(self, cast):
        vote = call_vote(cast, "alice", "concede", power="TURKEY")
        assert vote.outcome == "carried"
        assert game().ending.winners == ("TURKEY",)

    @pytest.mark.parametrize("power", ["", "ITALY", "NOWHERE"])
    def test_a_concession_goes_to_a_player_in_the_game(self, cast, power):
        with pytest.raises(Refused, match="Choose a country"):
            call_vote(cast, "alice", "concede", power=power)

    def test_a_canceled_game_has_no_winner(self, cast):
        ballot(cast, "bob", call_vote(cast, "alice", "cancel"))
        assert game().ending.winners == ()

    def test_more_than_half_is_enough_for_more_time(self, cast):
        before = phase().due_at
        vote = call_vote(cast, "alice", "extend", length=DAY)
        assert phase().due_at == before
        ballot(cast, "bob", vote)
        assert phase().due_at == phase().adjudicate_at == before + DAY
        entry = LogEntry.objects.get(kind="extended")
        assert "a vote of 2 of 2" in entry.text
        assert entry.by_id is None

    def test_what_is_not_allowed_is_not_put_to_the_vote(self, cast):
        with pytest.raises(Refused, match="3 days"):
            call_vote(cast, "alice", "extend", length=30 * DAY)
        with pytest.raises(Refused, match="Choose a length of time"):
            call_vote(cast, "alice", "extend")
        with pytest.raises(WrongMoment, match="not paused"):
            call_vote(cast, "alice", "resume")

    def test_a_pause_gives_its_time_back_however_it_ends(self, cast):
        now = timezone.now()
        before = phase().due_at
        ballot(cast, "bob", call_vote(cast, "alice", "pause", length=2 * DAY, now=now), now=now)
        assert phase().due_at == before + 2 * DAY
        later = now + HOUR
        ballot(cast, "bob", call_vote(cast, "alice", "resume", now=later), now=later)
        assert phase().due_at == before + HOUR

    def test_nobody_is_ready_out_of_a_pause(self, cast):
        now = timezone.now()
        ballot(cast, "bob", call_vote(cast, "alice", "pause", now=now), now=now)
        for who in (cast.alice, cast.bob):
            assert set_ready(slug=cast.slug, user_id=who, sequence=1, now=now) is None

    def test_one_motion_of_a_kind_is_open_at_a_time(self, cast):
        call_vote(cast, "alice", "draw")
        with pytest.raises(WrongMoment, match="already"):
            call_vote(cast, "bob", "draw")

    def test_a_motion_expires(self, cast, monkeypatch):
        monkeypatch.setattr("diplomaccloud.games.votes.actions.OPEN_FOR", HOUR)
        now = timezone.now()
        vote = call_vote(cast, "alice", "draw", now=now)
        with pytest.raises(WrongMoment, match="closed"):
            ballot(cast, "bob", vote, now=now + HOUR)

    def test_a_vote_to_extend_a_phase_ends_with_it(self, cast):
        vote = call_vote(cast, "alice", "extend", length=DAY)
        due(cast)
        assert Vote.objects.get().outcome == "expired"
        with pytest.raises(WrongMoment, match="closed"):
            ballot(cast, "bob", vote, now=phase().opens_at)

    def test_only_who_opened_a_motion_takes_it_back(self, cast):
        vote, now = call_vote(cast, "alice", "draw"), timezone.now()
        known = {"slug": cast.slug, "sequence": 1, "vote_id": vote.pk, "now": now}
        with pytest.raises(WrongMoment):
            withdraw_vote(user_id=cast.bob, **known)
        withdraw_vote(user_id=cast.alice, **known)
        assert Vote.objects.get().outcome == "withdrawn"

    def test_a_vote_that_was_carried_while_one_waited_cannot_be_taken_back(self, cast, monkeypatch):
        vote, lock = call_vote(cast, "alice", "extend", length=DAY), votes.lock_game

        def carry_first(slug):
            monkeypatch.setattr(votes, "lock_game", lock)
            ballot(cast, "bob", vote)
            return lock(slug)

        monkeypatch.setattr(votes, "lock_game", carry_first)
        with pytest.raises(WrongMoment):
            withdraw_vote(
                slug=cast.slug,
                user_id=cast.alice,
                sequence=1,
                vote_id=vote.pk,
                now=timezone.now(),
            )

    def test_strangers_and_the_beaten_have_no_vote(self, cast):
        with pytest.raises(NotYourSeat):
            call_vote(cast, "charlie", "draw")
        Phase.objects.update(civil_disorder={"AUSTRIA": "surrendered"})
        with pytest.raises(WrongMoment, match="been eliminated"):
            call_vote(cast, "alice", "draw")

    def test_no_vote_passes_once_the_phase_is_due(self, cast):
        vote, late = call_vote(cast, "alice", "draw"), phase().due_at
        with pytest.raises(DeadlinePassed, match=r"closed on .* Your vote was not counted"):
            ballot(cast, "bob", vote, now=late)


class TestVotesWithOrders:
    @pytest.mark.parametrize(
        ("votes", "expected"),
        [
            (
                {"AUSTRIA": "draw"},
                f"{DRAW_VOTES}Austria. No draw: 6 of 7 countries did not vote for one.",
            ),
            ({"AUSTRIA": "surrender"}, "Austria surrendered and is now in civil disorder."),
            (
                {"AUSTRIA": "surrender", "TURKEY": "surrender"},
                "Austria and Turkey surrendered and are now in civil disorder.",
            ),
        ],
        ids=["one person does not agree", "one surrenders", "bots alone agree to nothing"],
    )
    def test_the_game_goes_on(self, cast, votes, expected):
        vote_with_orders(votes)
        due(cast)
        assert game().status == "running"
        assert LogEntry.objects.get(kind="votes").text == expected

    BOTS = "England, France, Germany, Italy and Russia"

    @pytest.mark.parametrize(
        ("votes", "reason", "expected"),
        [
            (
                {"AUSTRIA": "draw", "TURKEY": "draw"},
                "All agreed on a draw.",
                f"{DRAW_VOTES}Austria and Turkey. The bots agreed: {BOTS}.",
            ),
            (
                {"AUSTRIA": "draw", "TURKEY": "surrender"},
                "The others surrendered to an alliance.",
                f"{DRAW_VOTES}Austria. The bots agreed: {BOTS}. "
                "Turkey surrendered and is now in civil disorder.",
            ),
        ],
        ids=["all people write it", "all people who do not surrender"],
    )
    def test_bots_agree_to_a_draw_as_in_a_vote(self, cast, votes, reason, expected):
        vote_with_orders(votes)
        due(cast)
        assert LogEntry.objects.get(kind="votes").text == expected
        assert game().ending.reason == reason
        surrendered = {power for power, vote in votes.items() if vote == "surrender"}
        powers = set(Seat.objects.values_list("power", flat=True))
        assert set(game().ending.winners) == powers - surrendered

    def test_who_was_beaten_before_is_not_asked(self, cast):
        remove_units("TURKEY")
        remove_centers("TURKEY")
        vote_with_orders({"AUSTRIA": "draw"})
        due(cast)
        assert game().status == "finished"
        assert "TURKEY" not in game().ending.winners

    def test_whose_seat_is_vacant_is_not_asked(self, cast):
        Seat.objects.filter(power="TURKEY").update(user=None, vacated_at=timezone.now())
        vote_with_orders({"AUSTRIA": "draw"})
        due(cast)
        assert game().status == "finished"
        assert "TURKEY" not in game().ending.winners

    def test_what_bots_think_of_it_is_told_nobody_before(self, cast):
        vote_with_orders({"AUSTRIA": "draw", "TURKEY": "draw"})
        assert not Submission.objects.filter(seat__user=None).exclude(draw_vote="").exists()
        assert not LogEntry.objects.filter(kind="votes").exists()

    def test_who_surrenders_takes_no_more_orders_and_is_not_waited_for(self, cast):
        vote_with_orders({"AUSTRIA": "surrender"})
        due(cast)
        assert phase().civil_disorder == {"AUSTRIA": "surrendered"}
        with pytest.raises(WrongMoment, match="surrendered"):
            save(cast, "alice", "A VIE H")
        assert [seat.power for seat in call_roll(phase()).absent] == ["TURKEY"]

    def test_the_last_who_does_not_surrender_wins(self, cast):
        others = set(Seat.objects.values_list("power", flat=True)) - {"TURKEY"}
        vote_with_orders(dict.fromkeys(others, "surrender"))
        due(cast)
        assert game().ending.winners == ("TURKEY",)

    def test_a_vote_is_written_with_the_orders_and_taken_back(self, cast):
        def write(who, vote, now=None):
            votes.vote_with_orders(
                slug=cast.slug,
                user_id=cast.user_id(who),
                sequence=1,
                vote=vote,
                now=now or timezone.now(),
            )

        write("alice", "draw")
        assert Submission.objects.get(seat__power="AUSTRIA").draw_vote == "draw"
        assert [seat.power for seat in call_roll(phase()).absent] == ["TURKEY"]
        write("alice", "")
        assert Submission.objects.get(seat__power="AUSTRIA").draw_vote == ""
        with pytest.raises(Refused, match="DRAW or SURRENDER"):
            write("alice", "win")
        with pytest.raises(NotYourSeat):
            write("charlie", "draw")
        with pytest.raises(DeadlinePassed):
            write("alice", "draw", now=phase().due_at)
