"""The record of every kind of game passes its verification, and misses nothing that happened."""

import random

import pytest
from django.db.transaction import atomic
from django.utils import timezone
from tests.cast import Cast
from tests.games.all_actions import ACTIONS
from tests.games.records import lines, verify
from tests.games.steps import DAY, HOUR, begun, due, game, phase
from tests.scenes import scene

from diplomaccloud.accounts.models import User
from diplomaccloud.bots.kernel import SLOW_KERNEL
from diplomaccloud.games.lobby.actions import join_game, start_game
from diplomaccloud.games.master.actions import ask_players
from diplomaccloud.games.orders.actions import save_orders, set_ready
from diplomaccloud.games.results.actions import finish_game
from diplomaccloud.games.seats import actions as seats_actions
from diplomaccloud.games.seats.actions import take_seat
from diplomaccloud.games.table.errors import Refused, WrongMoment
from diplomaccloud.games.table.lock import lock_game
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.options import Missed
from diplomaccloud.games.table.phase_models import OrderRow, Phase
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.games.turn.thinking import think_for_bots
from diplomaccloud.games.turn.turn import lock_phase
from diplomaccloud.games.votes import actions as decisions
from diplomaccloud.games.votes.actions import cast_ballot, open_vote
from diplomaccloud.games.votes.models import Vote
from diplomaccloud.games.votes.wording import Question, Terms
from diplomaccloud.judge.results import Ending
from diplomaccloud.setups import setups

ORDERS = {"AUSTRIA": "A VIE - GAL", "TURKEY": "A CON - BUL"}


@pytest.fixture
@scene
def four(forming):
    """A running game of Alice, its master, and Bob and Charlie, who play with four bots."""
    now = timezone.now()
    for user_id in (forming.bob, forming.charlie):
        join_game(slug=forming.slug, user_id=user_id, now=now)
    start_game(slug=forming.slug, user_id=forming.alice, now=now)
    advance(game_id=forming.game_id, owner="test", now=now)
    Game.objects.update(master_id=forming.alice)
    return forming


@pytest.fixture
def dora(people):
    return User.objects.create_user("Dora", password="a long enough word").pk


def power_of(cast, who):
    return game().seats.get(user=cast.user_id(who)).power


def later(hours=1):
    return phase().opens_at + hours * HOUR


def save(cast, user_id, *choices, now=None, sheet=""):
    return save_orders(
        slug=cast.slug,
        user_id=user_id,
        sequence=phase().sequence,
        choices=choices,
        sheet=sheet,
        now=now or later(),
    )


def hold_all(cast, user_id, now=None):
    """Save HOLD for all units of a person."""
    seat = game().seats.get(user=user_id)
    row = phase()
    units = [unit for power in row.powers_of(seat) for unit in row.position.units_of(power)]
    return save(cast, user_id, *(f"{unit} H" for unit in units), now=now)


def ask(cast, question, now=None, **terms):
    return ask_players(
        slug=cast.slug,
        user_id=cast.alice,
        sequence=phase().sequence,
        question=Question(question),
        terms=Terms(reason="It is time.", **terms),
        now=now or later(),
    )


def agree_all(cast, vote, now=None, people=("bob", "charlie")):
    for who in people:
        if Vote.objects.get(pk=vote.pk).open:
            cast_ballot(
                slug=cast.slug,
                user_id=cast.user_id(who),
                sequence=phase().sequence,
                vote_id=vote.pk,
                yes=True,
                now=now or later(),
            )
    return Vote.objects.get(pk=vote.pk).outcome


def resign(cast, who, now=None):
    seats_actions.resign(slug=cast.slug, user_id=cast.user_id(who), now=now or later())


def take(cast, user_id, power, now=None):
    take_seat(slug=cast.slug, user_id=user_id, power=power, now=now or later())


def lock_an_hour_early(cast):
    """Lock the orders of the open phase an hour before they are adjudicated."""
    row = phase()
    row.adjudicate_at = row.due_at + HOUR
    row.save(update_fields=["adjudicate_at"])
    assert lock_phase(phase_id=row.pk, now=row.due_at)


def verify_all(cast):
    for who in ("nobody", "alice", "bob", "charlie"):
        report = verify(cast, who)
    return report


@pytest.mark.parametrize("setup", sorted(set(setups()) - {"standard"}))
def test_a_game_of_every_setup(plan, people, setup):
    made = begun(
        plan,
        people["alice"],
        seed="any",
        now=timezone.now(),
        setup=setup,
        fill_with="random",
        missed=Missed(limit=0),
    )
    cast = Cast(made.slug, made.pk, **people)
    for _ in range(4):
        due(cast)
    hold_all(cast, cast.alice)
    due(cast)
    assert verify(cast, "alice").phases == Phase.objects.exclude(processed_at=None).count() >= 4


class TestSeats:
    @pytest.mark.parametrize("substitute", ["", "hold"])
    def test_a_successor_takes_over_and_the_player_comes_back(self, four, dora, agree, substitute):
        agree(missed={"limit": 3, "substitute": substitute})
        power = power_of(four, "bob")
        hold_all(four, four.bob)
        resign(four, "bob")
        if not substitute:
            take(four, dora, power, later(2))
            hold_all(four, dora, later(3))
            seats_actions.resign(slug=four.slug, user_id=dora, now=later(4))
            take(four, four.bob, power, later(5))
        due(four)
        due(four)
        verify_all(four)

    @pytest.mark.parametrize("substitute", ["", "hold"])
    def test_a_player_leaves_between_the_lock_and_the_results(self, four, agree, substitute):
        agree(missed={"limit": 3, "substitute": substitute})
        power = power_of(four, "bob")
        saved = hold_all(four, four.bob)
        lock_an_hour_early(four)
        resign(four, "bob", phase().due_at)
        due(four)
        resolved = lines("resolve")[-1]
        assert sorted(resolved["orders"][power]) == sorted(saved.counts)
        verify_all(four)

    def test_a_player_takes_a_seat_between_the_lock_and_the_results(self, four, dora):
        power = power_of(four, "bob")
        resign(four, "bob")
        lock_an_hour_early(four)
        take(four, dora, power, phase().due_at)
        due(four)
        due(four)
        verify_all(four)

    def test_a_successor_has_not_missed_orders_that_were_locked_before(self, four, dora, agree):
        agree(missed={"limit": 1, "substitute": ""})
        power = power_of(four, "bob")
        resign(four, "bob")
        lock_an_hour_early(four)
        take(four, dora, power, phase().due_at + HOUR / 2)
        due(four)
        assert game().seats.filter(user=dora).exists()
        verify_all(four)

    def test_a_successor_inherits_no_missed_turn(self, four, dora, agree):
        agree(missed={"limit": 2, "substitute": ""})
        power = power_of(four, "bob")
        due(four)
        resign(four, "bob")
        take(four, dora, power, later(2))
        due(four)
        assert game().seats.filter(user=dora).exists()
        due(four)
        assert not game().seats.filter(user=dora).exists()
        verify_all(four)


def roll(cast, direction, **terms):
    """Go back or forward as a master without a seat."""
    master = User.objects.get_or_create(username="Morgan")[0].pk
    Game.objects.update(master_id=master)
    known = {"slug": cast.slug, "user_id": master, "sequence": phase().sequence}
    ACTIONS[direction](**known, reason="A mistake.", now=later(), **terms)
    advance(game_id=cast.game_id, owner="test", now=later())


class TestRollbacks:
    def test_seats_that_changed_on_the_branch_that_is_undone(self, four, agree):
        agree(missed={"limit": 3, "substitute": "random"})
        due(four)
        hold_all(four, four.bob)
        hold_all(four, four.charlie)
        roll(four, "roll_back", to=1)
        resign(four, "bob", later(2))
        roll(four, "roll_forward")
        due(four)
        verify_all(four)

    def test_a_player_who_lost_the_seat_gets_it_back_and_loses_it_again(self, four, agree):
        agree(missed={"limit": 1, "substitute": "random"})
        hold_all(four, four.alice)
        hold_all(four, four.charlie)
        due(four)
        assert not game().seats.filter(user=four.bob).exists()
        hold_all(four, four.alice)
        roll(four, "roll_back", to=1)
        roll(four, "roll_forward")
        hold_all(four, four.charlie)
        due(four)
        verify_all(four)

    def test_a_game_ends_by_vote_goes_back_and_ends_again(self, four):
        due(four)
        hold_all(four, four.bob)
        self.end(four)
        roll(four, "roll_back", to=1)
        due(four)
        self.end(four)
        report = verify_all(four)
        assert report.checked["digests of sealed texts"] == 6
        roll(four, "roll_back", to=3)
        roll(four, "roll_forward")
        assert game().status == "finished"
        verify_all(four)

    def test_a_rollback_is_not_undone_once_the_game_has_ended(self, four):
        due(four)
        roll(four, "roll_back", to=1)
        self.end(four)
        with pytest.raises(WrongMoment, match="has ended"):
            roll(four, "roll_forward")
        verify_all(four)

    def test_what_was_sealed_before_a_rollback_is_revealed_at_the_end(self, four, agree):
        agree(missed={"limit": 0, "substitute": ""})
        due(four)
        due(four)
        roll(four, "roll_back", to=2)
        roll(four, "roll_back", to=1)
        due(four)
        self.end(four)
        revealed = [line["sequence"] for line in lines("reveal")]
        assert revealed == [1, 2, 5]
        verify_all(four)

    @pytest.mark.skipif(bool(SLOW_KERNEL), reason="replay then skips bots that look ahead")
    def test_bots_repeat_few_orders_and_replay_checks_them(self, plan, people, monkeypatch):
        rng = random.Random(1)
        monkeypatch.setattr("secrets.token_hex", lambda count=32: rng.randbytes(count).hex())
        now, bots = timezone.now(), "greedy,dumbbot,level:2,level:3"
        made = begun(plan, people["alice"], seed="s", now=now, fill_with=bots)
        cast = Cast(made.slug, made.pk, **people)
        before = self.let_bots_order(cast)
        due(cast)
        roll(cast, "roll_back", to=1)
        assert phase().branch == 1
        after = self.let_bots_order(cast)
        assert {order.unit for order in before} == {order.unit for order in after}
        assert len(before & after) <= 0.6 * len(before)
        due(cast)
        with atomic():
            finish_game(lock_game(cast.slug), Ending((), "Agreed."), timezone.now())
        assert verify(cast).checked["order sets of bots"] == 12

    def let_bots_order(self, cast):
        """Return the orders of all bots in the open phase."""
        advance(game_id=cast.game_id, owner="test", now=later())
        think_for_bots(owner="test", now=later())
        rows = OrderRow.objects.live_in(phase()).exclude(draft__seat__bot="")
        return {row.canonical for row in rows}

    def end(self, cast):
        vote = open_vote(
            slug=cast.slug,
            user_id=cast.alice,
            sequence=phase().sequence,
            question=Question.DRAW,
            terms=Terms(),
            now=later(),
        )
        assert agree_all(cast, vote) == "carried"
        assert game().status == "finished"


class TestVotes:
    def test_what_the_master_asks_has_a_line_when_it_is_opened(self, four):
        vote = ask(four, "extend", length=DAY)
        assert agree_all(four, vote) == "carried"
        states = [(line["vote"], line["question"], line["state"]) for line in lines("vote")]
        assert states == [(1, "extend", "opened"), (1, "extend", "carried")]
        verify_all(four)

    def test_a_vote_that_turns_out_to_be_impossible_was_not_carried(self, four, monkeypatch):
        vote = ask(four, "extend", length=DAY)

        def refuse(decision):
            raise Refused("It cannot be done.")

        monkeypatch.setitem(decisions._ACTS, Question.EXTEND, refuse)
        assert agree_all(four, vote) == "impossible"
        assert [line["state"] for line in lines("vote")] == ["opened", "impossible"]
        verify_all(four)


class TestReceipts:
    def test_a_server_whose_clock_is_behind_locks_after_the_last_save(self, four):
        now = later()
        for who in ("alice", "bob", "charlie"):
            hold_all(four, four.user_id(who), now=now)
            known = {"slug": four.slug, "user_id": four.user_id(who), "sequence": 1}
            set_ready(**known, now=now - HOUR / 3600)
        assert advance(game_id=four.game_id, owner="test", now=now - HOUR / 3600)
        verify_all(four)

    def test_the_first_save_on_the_site_changes_nothing_that_others_see(self, four):
        pages = ("/keys/", four.url("record.jsonl"))

        def read():
            return [b"".join(four.client("nobody").get(page)) for page in pages]

        before = read()
        hold_all(four, four.bob)
        assert read() == before
        verify_all(four)
