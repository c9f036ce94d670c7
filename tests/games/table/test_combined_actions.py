"""Combinations of actions: endings, departures, rollbacks, and players with several powers."""

import pytest
from django.utils import timezone
from tests.games.steps import DAY, HOUR, ballot, call_vote, due, game, phase, save, vote_with_orders
from tests.scenes import scene

from diplomaccloud.games.bots.actions import move_bots
from diplomaccloud.games.conditional_orders.actions import save_conditional_orders
from diplomaccloud.games.deadlines.actions import try_again
from diplomaccloud.games.lobby.actions import leave_game
from diplomaccloud.games.master import rollback
from diplomaccloud.games.master.actions import change_time, force_phase, preview_results, reprimand
from diplomaccloud.games.orders.actions import save_orders, set_ready, unset_ready
from diplomaccloud.games.seats import actions as seats_actions
from diplomaccloud.games.seats.actions import name_country, remove_player, seat_bot, take_seat
from diplomaccloud.games.table.errors import NoSuchGame, NotYourSeat, Refused, WrongMoment
from diplomaccloud.games.table.log_models import Event, LogEntry
from diplomaccloud.games.table.models import Game, Seat, Tenure
from diplomaccloud.games.table.phase_models import (
    Attendance,
    ConditionalOrders,
    OrderRow,
    Phase,
    Submission,
)
from diplomaccloud.games.turn.claims import advance, claim_phase
from diplomaccloud.games.turn.turn import lock_phase, process_phase
from diplomaccloud.games.votes import actions as votes_actions
from diplomaccloud.games.votes.actions import cast_ballot, open_vote, withdraw_vote
from diplomaccloud.games.votes.wording import Question, Terms


def resign(cast, who):
    seats_actions.resign(slug=cast.slug, user_id=cast.user_id(who), now=timezone.now())


def take(cast, who, power):
    user_id = cast.user_id(who)
    take_seat(slug=cast.slug, user_id=user_id, power=power, now=timezone.now())


def roll_back(table, to):
    known = {"slug": table.slug, "user_id": table.charlie, "now": timezone.now()}
    return rollback.roll_back(sequence=phase().sequence, to=to, reason="A mistake.", **known)


def roll_forward(table):
    known = {"slug": table.slug, "user_id": table.charlie, "now": timezone.now()}
    return rollback.roll_forward(sequence=phase().sequence, reason="It was right.", **known)


LATE_ACTS = {
    "orders": lambda k: save_orders(**k, sequence=1, choices=["A VIE H"], sheet=""),
    "being ready": lambda k: set_ready(**k, sequence=1),
    "being ready no more": lambda k: unset_ready(**k, sequence=1),
    "a plan": lambda k: save_conditional_orders(
        **k, sequence=1, text="if two gained: A VIE, A BUD"
    ),
    "a vote with orders": lambda k: votes_actions.vote_with_orders(**k, sequence=1, vote="draw"),
    "a vote": lambda k: open_vote(**k, sequence=1, question=Question.DRAW, terms=Terms()),
    "a ballot": lambda k: cast_ballot(**k, sequence=1, vote_id=1, yes=True),
    "a vote taken back": lambda k: withdraw_vote(**k, sequence=1, vote_id=1),
    "resigning": lambda k: seats_actions.resign(**k),
    "taking a seat": lambda k: take_seat(**k, power="TURKEY"),
    "leaving": lambda k: leave_game(**k),
    "a name": lambda k: name_country(**k, country="Danubia"),
}
MASTERS_ACTS = {
    "time": lambda k: change_time(
        **k, sequence=1, question=Question.EXTEND, length=HOUR, reason="r", key="k"
    ),
    "force": lambda k: force_phase(**k, sequence=1, reason="r", key="k"),
    "release": lambda k: try_again(**k, sequence=1, reason="r", key="k"),
    "look": lambda k: preview_results(**k, sequence=1, reason="r"),
    "remove": lambda k: remove_player(**k, sequence=1, power="TURKEY", reason="r"),
    "reprimand": lambda k: reprimand(**k, sequence=1, power="TURKEY", reason="r"),
    "bot": lambda k: seat_bot(**k, sequence=1, power="TURKEY", bot="hold", reason="r"),
}


class TestTheEnd:
    @pytest.fixture
    @scene
    def over(self, table):
        """A draw agreed on in the middle of a phase, which stays open."""
        ballot(table, "bob", call_vote(table, "alice", "draw"))
        assert game().status == "finished"
        assert phase().processed_at is None
        return table

    @pytest.mark.parametrize("act", LATE_ACTS.values(), ids=LATE_ACTS)
    def test_a_finished_game_refuses_what_players_do(self, over, act):
        before = (
            OrderRow.objects.count(),
            Submission.objects.count(),
            ConditionalOrders.objects.count(),
        )
        with pytest.raises(WrongMoment):
            act({"slug": over.slug, "user_id": over.alice, "now": timezone.now()})
        after = (
            OrderRow.objects.count(),
            Submission.objects.count(),
            ConditionalOrders.objects.count(),
        )
        assert after == before

    @pytest.mark.parametrize("act", MASTERS_ACTS.values(), ids=MASTERS_ACTS)
    def test_and_what_its_master_does(self, over, act):
        with pytest.raises(WrongMoment):
            act({"slug": over.slug, "user_id": over.charlie, "now": timezone.now()})

    def test_a_phase_claimed_before_the_vote_is_not_processed_after_it(self, table):
        late = phase().adjudicate_at
        known = {"game_id": table.game_id, "owner": "w", "now": late}
        claimed = claim_phase(**known)
        ballot(table, "bob", call_vote(table, "alice", "draw"))
        ending = game().ending
        assert not process_phase(phase_id=claimed, owner="w", now=late)
        assert not lock_phase(phase_id=claimed, now=late)
        assert (game().ending, Phase.objects.count()) == (ending, 1)
        assert Event.objects.filter(kind="finished").count() == 1


class TestSeveralPowers:
    @pytest.fixture
    def pairs(self, cast, monkeypatch):
        """Alice plays Austria and Italy; Bob plays Turkey and Russia."""
        players = (("AUSTRIA", "ITALY"), ("TURKEY", "RUSSIA"), ("ENGLAND", "FRANCE"), ("GERMANY",))
        monkeypatch.setattr(Game, "players_at", lambda *_: players)
        Seat.objects.filter(power__in=("ITALY", "RUSSIA", "FRANCE")).update(power=None)
        return cast

    def test_a_concession_makes_all_powers_of_a_seat_win(self, pairs):
        call_vote(pairs, "bob", "concede", power="AUSTRIA")
        assert game().ending.winners == ("AUSTRIA", "ITALY")
        assert "Austria and Italy" in game().ending.reason

    def test_missing_both_powers_is_one_turn_missed(self, pairs):
        saved = save(pairs, "bob", "A CON H")
        assert not saved.problems, saved
        due(pairs)
        rows = Attendance.objects.values_list("seat__power", "ordered")
        assert dict(rows) == {"AUSTRIA": False, "TURKEY": True}

    def test_grace_names_the_player_once(self, pairs, agree):
        agree(schedule={**game().options.to_json()["schedule"], "grace": 3600})
        save(pairs, "bob", "A CON H")
        assert due(pairs) == 0
        assert "Austria and Italy" in LogEntry.objects.get(kind="grace").text
        assert due(pairs) == 1


class TestConceding:
    def test_nobody_concedes_to_oneself_alone(self, cast):
        resign(cast, "bob")
        with pytest.raises(Refused, match="No other player"):
            call_vote(cast, "alice", "concede", power="AUSTRIA")
        assert game().status == "running"

    def test_it_names_the_country_as_its_player_does(self, cast):
        Seat.objects.filter(power="TURKEY").update(country="Anatolia")
        call_vote(cast, "alice", "concede", power="TURKEY")
        assert "to Anatolia" in game().ending.reason


class TestTheSiteAway:
    def test_nobody_missed_a_turn_that_closed_late(self, cast):
        for _ in range(3):
            due(cast, 2 * HOUR)
        assert Seat.objects.filter(user=cast.alice).exists()
        assert set(Attendance.objects.values_list("excused", flat=True)) == {True}

    def test_a_little_late_excuses_nobody(self, cast):
        due(cast, HOUR / 60)
        assert not Attendance.objects.filter(excused=True).exists()
        assert Attendance.objects.filter(ordered=False).count() == 2

    def test_orders_that_closed_in_time_are_judged_late_without_excuse(self, cast):
        lock_phase(phase_id=phase().pk, now=phase().due_at)
        due(cast, 5 * HOUR)
        assert not Attendance.objects.filter(excused=True).exists()

    def test_grace_is_counted_from_when_it_is_back(self, cast, agree):
        agree(schedule={**game().options.to_json()["schedule"], "grace": 3600})
        back = phase().adjudicate_at + 5 * HOUR
        assert due(cast, 5 * HOUR) == 0
        assert phase().due_at == back + HOUR


class TestGrace:
    def test_one_shorter_than_a_lease_is_over_when_it_says(self, cast, agree):
        agree(schedule={**game().options.to_json()["schedule"], "grace": 10})
        assert [due(cast), due(cast)] == [0, 1]

    def test_a_new_player_of_the_seat_has_a_grace_too(self, cast, agree):
        agree(
            schedule={**game().options.to_json()["schedule"], "grace": 3600},
            missed={"limit": 0, "substitute": ""},
        )
        due(cast)
        due(cast)
        resign(cast, "alice")
        take(cast, "charlie", "AUSTRIA")
        Tenure.objects.filter(user=cast.charlie).update(since_at=phase().opens_at)
        save(cast, "bob", "A CON H")
        assert due(cast) == 0
        assert (
            LogEntry.objects.filter(kind="grace")
            .latest("pk")
            .text.startswith("Austria missed the deadline")
        )

    def test_a_roll_back_gives_the_grace_back(self, table, agree):
        agree(schedule={**game().options.to_json()["schedule"], "grace": 3600})
        due(table)
        assert due(table) == 1
        roll_back(table, 1)
        assert due(table) == 0
        assert LogEntry.objects.filter(kind="grace").count() == 2

    def test_an_end_by_force_neither_grants_nor_uses_it(self, table, agree):
        agree(schedule={**game().options.to_json()["schedule"], "grace": 3600})
        now = timezone.now()
        force_phase(
            slug=table.slug, user_id=table.charlie, sequence=1, reason="r", key="k", now=now
        )
        assert advance(game_id=table.game_id, owner="t", now=now) == 1
        assert phase().sequence == 2
        assert not LogEntry.objects.filter(kind="grace").exists()
        assert not Attendance.objects.filter(excused=False).exists()
        assert due(table) == 0, "everyone still has a grace period"


class TestSurrender:
    @pytest.fixture
    def given_up(self, table):
        vote_with_orders({"AUSTRIA": "surrender"})
        due(table)
        assert phase().civil_disorder == {"AUSTRIA": "surrendered"}
        return table

    def test_the_seat_is_its_player_s_and_nobody_else_s(self, given_up):
        with pytest.raises(WrongMoment, match="surrendered"):
            resign(given_up, "alice")
        now = timezone.now()
        remove_player(
            slug=given_up.slug,
            user_id=given_up.charlie,
            sequence=phase().sequence,
            power="AUSTRIA",
            reason="r",
            now=now,
        )
        Game.objects.update(master=None, creator=given_up.bob)
        with pytest.raises(WrongMoment, match="surrendered"):
            take(given_up, "charlie", "AUSTRIA")
        with pytest.raises(WrongMoment, match="surrendered"):
            seat_bot(
                slug=given_up.slug,
                user_id=given_up.bob,
                sequence=phase().sequence,
                power="AUSTRIA",
                bot="hold",
                reason="r",
                now=now,
            )

    def test_no_bot_orders_for_it(self, given_up):
        Seat.objects.filter(power="AUSTRIA").update(user=None, bot="random")
        move_bots(phase_id=phase().pk, now=timezone.now())
        assert not OrderRow.objects.live_in(phase()).filter(draft__seat__power="AUSTRIA").exists()

    def test_it_is_told_once_and_missed_by_nobody(self, given_up):
        assert LogEntry.objects.get(kind="votes").data["surrendered"] == ["AUSTRIA"]
        due(given_up)
        assert not Attendance.objects.filter(seat__power="AUSTRIA", phase__sequence=2).exists()


class TestLeaversOrders:
    PLAN = "if one gained: A VIE"

    def plan(self, cast, who):
        return save_conditional_orders(
            slug=cast.slug,
            user_id=cast.user_id(who),
            sequence=phase().sequence,
            text=self.PLAN,
            now=timezone.now(),
        )

    def to_winter(self, cast, leave):
        """Austria gains one center in the year; `leave` is called before it builds."""
        save(cast, "alice", "A BUD - SER", "A VIE - BUD")
        due(cast)
        save(cast, "alice", "A SER H")
        self.plan(cast, "alice")
        moved = phase()
        leave()
        Phase.objects.filter(pk=moved.pk).update(due_at=timezone.now() + DAY)
        due(cast)
        return Phase.objects.get(name="W1901A")

    def test_a_plan_is_followed_while_its_writer_has_the_seat(self, cast):
        due_now = self.to_winter(cast, lambda: None)
        assert [str(row.unit) for row in OrderRow.objects.live_in(due_now)] == ["A VIE"]

    def test_a_successor_does_not_follow_it(self, cast):
        def leave():
            resign(cast, "alice")
            take(cast, "charlie", "AUSTRIA")
            # As if it had been written in a phase that is processed.
            ConditionalOrders.objects.create(
                phase=phase(),
                seat=Seat.objects.get(power="AUSTRIA"),
                written=self.PLAN,
                canonical={"v": 1, "text": self.PLAN},
                saved_at=Tenure.objects.get(user=cast.alice).since_at,
            )

        opened = self.to_winter(cast, leave)
        assert not OrderRow.objects.live_in(opened).filter(draft__seat__power="AUSTRIA").exists()

    def test_a_roll_forward_runs_no_orders_of_who_was_removed_meanwhile(self, table):
        due(table)
        save(table, "alice", "A VIE - GAL")
        roll_back(table, 1)
        known = {"slug": table.slug, "user_id": table.charlie, "now": timezone.now()}
        remove_player(sequence=phase().sequence, power="AUSTRIA", reason="Threats.", **known)
        opened = roll_forward(table)
        assert not OrderRow.objects.live_in(opened).filter(draft__seat__power="AUSTRIA").exists()
        assert not opened.submissions.filter(seat__power="AUSTRIA").exists()


class TestRollingBack:
    def miss_until_gone(self, table):
        for _ in range(2):
            save(table, "bob", "A CON H")
            due(table)
        assert Seat.objects.get(power="AUSTRIA").vacated_at

    def test_who_was_gone_for_missing_turns_rolled_back_is_there_again(self, table):
        self.miss_until_gone(table)
        roll_back(table, 1)
        assert Seat.objects.get(power="AUSTRIA").user_id == table.alice
        assert Tenure.objects.get(user=table.alice).until_at is None
        roll_forward(table)
        assert Seat.objects.get(power="AUSTRIA").user is None
        assert Tenure.objects.get(user=table.alice).left == "abandoned"

    def test_a_seat_that_was_taken_stays_taken(self, table):
        self.miss_until_gone(table)
        Seat.objects.filter(power="AUSTRIA").update(bot="hold", vacated_at=None)
        roll_back(table, 1)
        assert Seat.objects.get(power="AUSTRIA").bot == "hold"

    def test_a_worker_s_lease_is_gone_and_its_phase_left_behind(self, table):
        due(table)
        late = phase().adjudicate_at
        claimed = claim_phase(game_id=table.game_id, owner="w", now=late)
        roll_back(table, 1)
        assert Phase.objects.get(pk=claimed).lease_owner == ""
        assert not process_phase(phase_id=claimed, owner="w", now=late)

    def test_open_votes_are_withdrawn_both_ways(self, table):
        due(table)
        one = call_vote(table, "alice", "draw")
        roll_back(table, 1)
        two = call_vote(table, "alice", "draw")
        roll_forward(table)
        for vote in (one, two):
            vote.refresh_from_db()
            assert vote.outcome == "withdrawn"


class TestHiddenGames:
    @pytest.mark.parametrize("act", MASTERS_ACTS.values(), ids=MASTERS_ACTS)
    def test_a_stranger_is_told_nothing_by_a_master_s_act(self, cast, act):
        Game.objects.update(private=True, creator=cast.bob)
        known = {"slug": cast.slug, "now": timezone.now()}
        with pytest.raises(NoSuchGame):
            act({**known, "user_id": cast.charlie})
        with pytest.raises(NotYourSeat):
            act({**known, "user_id": cast.alice})
