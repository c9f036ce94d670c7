"""What a game master who plays asks of the other players, and what they decide."""

import json

import pytest
from django.utils import timezone
from tests.games.all_actions import ACTIONS
from tests.games.steps import DAY, HOUR, ballot, due, game, phase, save
from tests.scenes import scene

from diplomaccloud.accounts.models import User
from diplomaccloud.games.deadlines.actions import suspend_game
from diplomaccloud.games.master.actions import ask_players
from diplomaccloud.games.seats.actions import resign, take_seat
from diplomaccloud.games.table.errors import (
    BadValue,
    NotYourSeat,
    PlayersDecide,
    Refused,
    WrongMoment,
)
from diplomaccloud.games.table.log_models import LogEntry, RecordLine
from diplomaccloud.games.table.models import Game, Seat, Tenure
from diplomaccloud.games.table.phase_models import Attendance, Draft, Submission
from diplomaccloud.games.votes import actions as decisions
from diplomaccloud.games.votes.actions import cast_ballot, open_vote, withdraw_vote
from diplomaccloud.games.votes.models import Vote
from diplomaccloud.games.votes.wording import Question, RemovalCause, Terms


def seat_person(cast, user_id, power):
    """Let a person take over the seat of a bot."""
    now = timezone.now()
    Tenure.objects.filter(seat__power=power, until_at=None).update(until_at=now)
    Submission.objects.filter(seat__power=power).delete()
    Draft.objects.filter(seat__power=power).update(live=None)
    Seat.objects.filter(power=power).update(bot="", vacated_at=now)
    take_seat(slug=cast.slug, user_id=user_id, power=power, now=now)


@pytest.fixture
@scene
def three(cast):
    """The game of Alice, who is its game master, Bob in Turkey and Charlie in Italy."""
    seat_person(cast, cast.charlie, "ITALY")
    Game.objects.update(master_id=cast.alice)
    return cast


@pytest.fixture
@scene
def six(three):
    """The same with Dora, Emil and Fay in England, France and Germany."""
    for name, power in (("Dora", "ENGLAND"), ("Emil", "FRANCE"), ("Fay", "GERMANY")):
        seat_person(three, User.objects.create_user(name).pk, power)
    due(three)
    return three


def ask(cast, question, *, who="alice", now=None, **terms):
    return ask_players(
        slug=cast.slug,
        user_id=cast.user_id(who),
        sequence=phase().sequence,
        question=Question(question),
        terms=Terms(reason="It is time.", **terms),
        now=now or timezone.now(),
    )


def agree_all(cast, vote, now=None):
    for who in ("bob", "charlie"):
        if Vote.objects.get(pk=vote.pk).open:
            ballot(cast, who, vote, now=now)
    return Vote.objects.get(pk=vote.pk).outcome


def act(cast, name, who="alice", **terms):
    known = {"slug": cast.slug, "sequence": phase().sequence, "reason": "It is time."}
    known |= {"user_id": cast.user_id(who), "now": timezone.now()} | terms
    return ACTIONS[name](**known)


ACTS = {
    "change_time": {"question": Question.EXTEND, "length": DAY, "key": "k"},
    "force_phase": {"key": "k"},
    "remove_player": {"power": "TURKEY"},
    "seat_bot": {"power": "TURKEY", "bot": "hold"},
    "roll_back": {"to": 1},
    "roll_forward": {},
    "try_again": {"key": "k"},
}


class TestWhoMustAsk:
    @pytest.mark.parametrize("name", ACTS)
    @pytest.mark.parametrize("left", [False, True], ids=["plays", "has played"])
    def test_a_master_who_plays_or_has_played_decides_nothing_alone(self, three, name, left):
        due(three)
        if left:
            resign(slug=three.slug, user_id=three.alice, now=timezone.now())
        before = LogEntry.objects.count()
        with pytest.raises(PlayersDecide):
            act(three, name, **ACTS[name])
        assert LogEntry.objects.count() == before

    def test_nor_one_whose_seat_was_held_on_a_branch_that_was_left_behind(self, three):
        Game.objects.update(master_id=three.charlie)
        resign(slug=three.slug, user_id=three.charlie, now=timezone.now())
        due(three)
        agree = ask(three, "roll back", who="charlie", to=1)
        for who in ("alice", "bob"):
            ballot(three, who, agree)
        with pytest.raises(PlayersDecide):
            act(three, "force_phase", who="charlie", key="k")

    def test_orders_are_seen_by_no_master_who_plays(self, three):
        save(three, "bob", "A CON - BUL")
        with pytest.raises(NotYourSeat, match="cannot see other players' orders"):
            act(three, "preview_results")
        assert not any("preview" in question.value for question in Question)

    def test_reprimands_need_no_vote(self, three):
        act(three, "reprimand", power="TURKEY")
        assert LogEntry.objects.filter(kind="reprimand").exists()

    def test_a_master_alone_with_bots_asks_nobody(self, cast):
        Game.objects.update(master_id=cast.alice)
        resign(slug=cast.slug, user_id=cast.bob, now=timezone.now())
        act(cast, "seat_bot", power="TURKEY", bot="hold")
        assert act(cast, "force_phase", key="k") == cast.game_id
        with pytest.raises(WrongMoment, match="without asking"):
            ask(cast, "end phase")

    def test_a_master_who_does_not_play_asks_nobody(self, table):
        act(table, "remove_player", who="charlie", power="TURKEY")
        with pytest.raises(WrongMoment, match="without asking"):
            ask(table, "end phase", who="charlie")

    def test_only_the_master_asks(self, three):
        with pytest.raises(NotYourSeat, match="Only the game master"):
            ask(three, "end phase", who="bob")
        with pytest.raises(Refused, match="Only the game master"):
            open_vote(
                slug=three.slug, user_id=three.bob, sequence=1, question=Question.END_PHASE,
                terms=Terms(), now=timezone.now(),
            )  # fmt: skip

    def test_a_creator_who_plays_asks_for_a_bot(self, cast):
        seat_person(cast, cast.charlie, "ITALY")
        resign(slug=cast.slug, user_id=cast.bob, now=timezone.now())
        with pytest.raises(PlayersDecide):
            act(cast, "seat_bot", power="TURKEY", bot="hold")
        with pytest.raises(NotYourSeat):
            ask(cast, "end phase")
        vote = ask(cast, "bot", power="TURKEY", bot="hold")
        ballot(cast, "charlie", vote)
        assert Seat.objects.get(power="TURKEY").bot == "hold"
        text = LogEntry.objects.filter(kind="asked").get().text
        assert text.startswith("The creator of the game asked the other players to vote: Let the")


class TestVotes:
    def test_the_master_has_no_vote_and_the_others_decide(self, three):
        vote = ask(three, "end phase")
        with pytest.raises(WrongMoment, match="cannot vote on this"):
            ballot(three, "alice", vote)
        ballot(three, "bob", vote)
        assert phase().due_at > timezone.now()
        ballot(three, "charlie", vote)
        assert phase().due_at <= timezone.now()
        texts = LogEntry.objects.order_by("pk").values_list("text", "reason", "by")
        assert list(texts)[-2:] == [
            (
                "The game master asked the other players to vote: End this phase now.",
                "It is time.",
                three.alice,
            ),
            ("Phase ended now by a vote of 2 of 2.", "", None),
        ]

    def test_the_record_says_that_it_was_asked_and_decided(self, six):
        vote = ask(six, "remove", power="TURKEY", cause="missed turns")
        answer(six, vote, "Charlie", "Dora", "Emil")
        texts = [line.text for line in RecordLine.objects.order_by("pk")]
        votes = [json.loads(text) for text in texts if '"remove"' in text]
        assert [vote["state"] for vote in votes] == ["opened", "carried"]
        assert votes[0]["terms"] == {"power": "TURKEY", "cause": "missed turns"}

    def test_a_question_about_the_phase_is_over_with_it(self, three):
        ask(three, "end phase")
        due(three)
        assert Vote.objects.get().outcome == "expired"

    @pytest.mark.parametrize(("question", "length"), [("extend", DAY), ("pause", HOUR)])
    def test_the_deadline_moves_by_the_vote_of_the_others(self, three, question, length):
        before = phase().due_at
        assert agree_all(three, ask(three, question, length=length)) == "carried"
        assert phase().due_at == before + length

    def test_one_question_of_a_kind_is_open_at_a_time(self, three):
        ask(three, "end phase")
        with pytest.raises(WrongMoment, match="already open"):
            ask(three, "end phase")

    def test_the_only_rival_cannot_be_removed(self, cast):
        Game.objects.update(master_id=cast.alice)
        with pytest.raises(WrongMoment, match="At least 2 players besides you"):
            ask(cast, "remove", power="TURKEY", cause="own wish")
        with pytest.raises(WrongMoment, match="Leave the game"):
            ask(cast, "remove", power="AUSTRIA")

    def test_a_removal_does_not_hit_the_successor(self, six):
        diana = User.objects.create_user("Diana", password="a long enough word").pk
        vote = ask(six, "remove", power="TURKEY", cause="missed turns")
        now = timezone.now()
        resign(slug=six.slug, user_id=six.bob, now=now)
        assert Vote.objects.get(pk=vote.pk).outcome == "impossible"
        take_seat(slug=six.slug, user_id=diana, power="TURKEY", now=now)
        assert Seat.objects.get(power="TURKEY").user_id == diana

    def test_going_back_needs_everybody_else(self, three):
        due(three)
        vote = ask(three, "roll back", to=1)
        ballot(three, "bob", vote)
        assert phase().name == "F1901M"
        ballot(three, "charlie", vote)
        assert (phase().name, game().branch) == ("S1901M", 1)
        assert LogEntry.objects.get(kind="rolled back").text == (
            "Rolled back to Spring 1901, Movement, by a vote of 2 of 2."
        )
        assert agree_all(three, ask(three, "forward")) == "carried"
        assert (phase().name, game().branch) == ("F1901M", 0)

    def test_one_no_is_enough_against_going_back(self, three):
        due(three)
        vote = ask(three, "roll back", to=1)
        assert ballot(three, "charlie", vote, yes=False).outcome == "failed"

    def test_a_game_that_is_over_continues_if_everybody_agrees(self, three, agree):
        agree({"last_year": 1901})
        while game().status == "running":
            for who in ("alice", "bob", "charlie"):
                save(three, who)
            due(three)
        assert agree_all(three, ask(three, "roll back", to=1)) == "carried"
        assert game().status == "running"

    def test_a_suspended_game_is_resumed(self, three):
        suspend_game(game_id=three.game_id, reason="Error", now=timezone.now())
        assert agree_all(three, ask(three, "try again")) == "carried"
        assert game().suspended_reason == ""
        with pytest.raises(WrongMoment, match="not suspended"):
            ask(three, "try again")

    def test_a_master_withdraws_a_question_after_leaving(self, three):
        vote = ask(three, "end phase")
        resign(slug=three.slug, user_id=three.alice, now=timezone.now())
        known = {"slug": three.slug, "sequence": 1, "vote_id": vote.pk, "now": timezone.now()}
        with pytest.raises(WrongMoment, match="no open vote"):
            withdraw_vote(user_id=three.bob, **known)
        withdraw_vote(user_id=three.alice, **known)
        assert Vote.objects.get().outcome == "withdrawn"

    def test_the_successor_of_a_master_has_a_vote(self, three):
        vote = ask(three, "end phase")
        resign(slug=three.slug, user_id=three.alice, now=timezone.now())
        diana = User.objects.create_user("Diana", password="a long enough word").pk
        take_seat(slug=three.slug, user_id=diana, power="AUSTRIA", now=timezone.now())
        ballot(three, "bob", vote)
        assert Vote.objects.get().open
        known = {"slug": three.slug, "sequence": 1, "vote_id": vote.pk, "now": timezone.now()}
        assert cast_ballot(user_id=diana, yes=True, **known).outcome == "carried"

    def test_players_who_are_out_decide_if_no_other_is_left(self, three):
        row = phase()
        row.civil_disorder = {"TURKEY": "surrendered", "ITALY": "surrendered"}
        row.save()
        vote = ask(three, "end phase")
        ballot(three, "bob", vote)
        assert Vote.objects.get().open
        ballot(three, "charlie", vote)
        assert Vote.objects.get().outcome == "carried"

    def test_every_question_can_be_carried_out(self):
        assert set(decisions._ACTS) == set(Question)

    def test_an_act_that_is_impossible_is_not_asked(self, three):
        for question, terms, text in [
            ("extend", {}, "Choose a length"),
            ("remove", {"power": "FRANCE", "cause": "own wish"}, "No player holds"),
            ("remove", {"power": "NOWHERE"}, "This game has"),
            ("bot", {"power": "TURKEY", "bot": "hold"}, "taken"),
            ("bot", {"power": "TURKEY", "bot": "nobody"}, "no bot called"),
            ("roll back", {"to": 1}, "already been processed"),
            ("forward", {}, "no rollback"),
            ("draw", {}, "game's page"),
        ]:
            with pytest.raises(Refused, match=text):
                ask(three, question, **terms)
        assert not Vote.objects.exists()


def answer(cast, vote, *names, yes=True):
    """Let people answer the vote in turn; return its outcome."""
    for name in names:
        cast_ballot(
            slug=cast.slug, user_id=User.objects.get(username=name).pk, sequence=phase().sequence,
            vote_id=vote.pk, yes=yes, now=timezone.now(),
        )  # fmt: skip
    return Vote.objects.get(pk=vote.pk).outcome


def remove(cast, cause="missed turns", power="TURKEY"):
    return ask(cast, "remove", power=power, cause=cause)


class TestRemovals:
    def test_two_thirds_of_the_others_decide(self, six):
        vote = remove(six)
        for name in ("Alice", "Bob"):
            with pytest.raises(WrongMoment, match="cannot vote on this"):
                answer(six, vote, name)
        assert answer(six, vote, "Charlie", "Dora") == ""
        assert answer(six, vote, "Emil") == "carried"
        entry = LogEntry.objects.get(kind="left")
        assert entry.text == "The player of Turkey was removed by a vote of 3 of 4."
        with pytest.raises(NotYourSeat, match="removed"):
            take_seat(slug=six.slug, user_id=six.bob, power="TURKEY", now=timezone.now())

    def test_two_who_refuse_are_enough_against_it(self, six):
        vote = remove(six)
        assert answer(six, vote, "Charlie", yes=False) == ""
        assert answer(six, vote, "Dora", yes=False) == "failed"

    def test_a_master_and_one_friend_remove_nobody(self, three):
        due(three)
        with pytest.raises(WrongMoment, match="At least 2 players besides you"):
            remove(three)
        assert not Vote.objects.exists()

    def test_two_others_must_agree_both(self, three):
        seat_person(three, User.objects.create_user("Dora").pk, "ENGLAND")
        due(three)
        vote = remove(three)
        assert answer(three, vote, "Charlie") == ""
        assert answer(three, vote, "Dora") == "carried"

    @pytest.mark.parametrize(
        ("cause", "text"),
        [
            ("", "Choose why"),
            ("rudeness", "Choose why"),
            ("missed turns", "has not missed a turn"),
            ("abuse", "No moderator has confirmed"),
        ],
    )
    def test_a_cause_must_be_true(self, six, cause, text):
        Attendance.objects.update(ordered=True)
        with pytest.raises(BadValue, match=text) as refusal:
            remove(six, cause)
        assert refusal.value.name == "cause"
        assert not Vote.objects.exists()

    def test_an_excused_turn_is_no_cause(self, six):
        Attendance.objects.update(excused=True)
        with pytest.raises(BadValue):
            remove(six)

    def test_a_turn_missed_long_ago_is_no_cause(self, six):
        for _ in range(3):
            save(six, "bob")
            due(six)
        with pytest.raises(BadValue):
            remove(six)

    def test_abuse_that_a_moderator_confirmed_is_a_cause(self, six, settings):
        settings.CONFIRMED_ABUSE = f"{__name__}.confirm"
        assert answer(six, remove(six, "abuse"), "Charlie", "Dora", "Emil") == "carried"

    def test_an_own_wish_needs_the_player(self, six):
        vote = remove(six, "own wish")
        assert answer(six, vote, "Charlie", "Dora", "Emil", "Fay") == ""
        assert answer(six, vote, "Bob") == "carried"

    def test_a_player_who_does_not_wish_it_ends_the_vote(self, six):
        vote = remove(six, "own wish")
        assert answer(six, vote, "Charlie", "Dora", "Emil", "Fay") == ""
        assert answer(six, vote, "Bob", yes=False) == "failed"

    def test_a_wish_does_not_replace_the_others(self, six):
        vote = remove(six, "own wish")
        assert answer(six, vote, "Bob", "Charlie", "Dora") == ""
        assert answer(six, vote, "Emil") == "carried"

    def test_a_person_who_joins_later_does_not_vote(self, six):
        vote = remove(six)
        seat_person(six, User.objects.create_user("Greta").pk, "RUSSIA")
        with pytest.raises(WrongMoment, match="cannot vote on this"):
            answer(six, vote, "Greta")
        resign(slug=six.slug, user_id=User.objects.get(username="Fay").pk, now=timezone.now())
        seat_person(six, User.objects.create_user("Hans").pk, "GERMANY")
        with pytest.raises(WrongMoment, match="cannot vote on this"):
            answer(six, vote, "Hans")
        # Two thirds of the four who were asked.
        assert answer(six, vote, "Charlie", "Dora") == ""
        assert answer(six, vote, "Emil") == "carried"

    def test_the_vote_is_over_once_too_few_are_left(self, six):
        vote = remove(six)
        assert answer(six, vote, "Charlie") == ""
        for name in ("Dora", "Emil"):
            assert Vote.objects.get(pk=vote.pk).open
            user = User.objects.get(username=name).pk
            resign(slug=six.slug, user_id=user, now=timezone.now())
        assert Vote.objects.get(pk=vote.pk).outcome == "failed"
        assert Seat.objects.get(power="TURKEY").user_id == six.bob

    def test_an_open_vote_hides_what_moderators_have_decided(self, six):
        remove(six)
        with pytest.raises(WrongMoment, match="already open"):
            ask(six, "remove", power="TURKEY", cause="abuse")

    def test_players_who_are_out_vote_too(self, six):
        row = phase()
        row.civil_disorder = {"ENGLAND": "surrendered", "FRANCE": "surrendered"}
        row.save()
        assert answer(six, remove(six), "Charlie", "Dora", "Emil") == "carried"

    def test_a_vote_of_an_earlier_release_is_closed(self, six):
        vote = remove(six)
        data = {name: vote.data[name] for name in vote.data if name not in ("cause", "voters")}
        Vote.objects.update(data=data)
        page = six.client("charlie").get(six.url()).context["view"]
        assert not page.status.votes.open
        with pytest.raises(WrongMoment, match="closed"):
            answer(six, vote, "Charlie")
        new = remove(six)
        assert Vote.objects.get(pk=vote.pk).outcome == "impossible"
        assert Vote.objects.get(pk=new.pk).open

    def test_the_player_concerned_sees_it_at_once(self, six):
        remove(six)
        for name, is_shown in (("bob", True), ("charlie", False), ("alice", False)):
            page = six.client(name).get(six.url())
            assert page.context["view"].status.votes.facts.about_you == is_shown
            assert ("data-about-you" in page.content.decode()) == is_shown
        assert LogEntry.objects.get(kind="asked").text == (
            "The game master asked the other players to vote: Remove the player of Turkey, who "
            "missed turns."
        )

    def test_the_page_asks_for_the_cause(self, six):
        page = six.client("alice").get(six.url("master/"))
        causes = [cause for cause, _ in page.context["master"].causes]
        assert causes == [cause.value for cause in RemovalCause]
        form = {"phase": "2", "power": "TURKEY", "reason": "He is away.", "cause": "abuse"}
        refused = six.client("alice").post(six.url("master/remove/"), form)
        assert refused.status_code == 400
        assert not Vote.objects.exists()
        sent = six.client("alice").post(
            six.url("master/remove/"), {**form, "cause": "missed turns"}
        )
        assert sent.status_code == 303
        assert Vote.objects.get().terms.cause == "missed turns"


def confirm(game_id, user_id):
    return User.objects.get(pk=user_id).username == "Bob" and game().pk == game_id
