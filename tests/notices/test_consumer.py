"""Each event becomes a notice once; secret or old events do not."""

import datetime as dt
import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from tests.games.steps import ballot, call_vote
from tests.notices.steps import consume, deliver_all, kinds_of, open_phase, process

from diplomaccloud.accounts.models import User
from diplomaccloud.games.master.actions import ask_players, change_time, reprimand
from diplomaccloud.games.master.rollback import roll_back, roll_forward
from diplomaccloud.games.news.read import GameName
from diplomaccloud.games.orders.actions import save_orders
from diplomaccloud.games.seats.actions import remove_player, resign, take_seat
from diplomaccloud.games.table.log_models import Event
from diplomaccloud.games.table.models import Game, Seat
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.votes.actions import close_expired_votes, withdraw_vote
from diplomaccloud.games.votes.wording import Question, RemovalCause, Terms
from diplomaccloud.notices import channels, consumer
from diplomaccloud.notices.delivery import compose
from diplomaccloud.notices.models import Delivery, Notice, Reminder
from diplomaccloud.notices.preferences import read_preferences
from diplomaccloud.notices.wording import word_notice

DAY = dt.timedelta(days=1)


def waiting():
    return Event.objects.filter(waiting__in=[True]).count()


def test_the_start_and_each_result_reach_everybody_with_a_seat(cast):
    consume()
    process(cast)
    consume()
    for person in (cast.alice, cast.bob):
        assert kinds_of(person) == ["started", "result"]
    assert kinds_of(cast.charlie) == []
    assert waiting() == 0


def test_a_game_master_who_does_not_play_hears_of_the_results_too(table):
    consume()
    process(table)
    consume()
    assert "result" in kinds_of(table.charlie)


def test_saving_orders_leaves_no_notice_and_nothing_that_waits(quiet_cast):
    before = Notice.objects.count()
    save_orders(
        slug=quiet_cast.slug,
        user_id=quiet_cast.alice,
        sequence=1,
        choices=[],
        sheet="A VIE - GAL",
        now=timezone.now(),
    )
    assert not Event.objects.filter(kind="saved", waiting__in=[True]).exists()
    consume()
    assert Notice.objects.count() == before


def test_the_end_of_a_game_replaces_the_result_of_its_last_phase(quiet_cast):
    from dataclasses import replace

    game = Game.objects.get()
    ends = replace(game.options.ends, turns=1)
    game.options = replace(game.options, ends=ends)
    game.save()
    process(quiet_cast)
    process(quiet_cast)
    consume()
    assert Game.objects.get().status == "finished"
    assert kinds_of(quiet_cast.alice)[-1] == "finished"
    assert kinds_of(quiet_cast.alice).count("finished") == 1


def test_handling_the_same_events_again_writes_nothing_twice(cast):
    consume()
    process(cast)
    consume()
    before = Notice.objects.count()
    Event.objects.filter(seat=None).update(waiting=True)
    consume()
    assert Notice.objects.count() == before


def test_an_error_leaves_the_events_waiting(cast, monkeypatch):
    before = waiting()

    def fail(*_args, **_options):
        raise ZeroDivisionError

    monkeypatch.setattr(consumer, "plan_reminders", fail)
    with pytest.raises(ZeroDivisionError):
        consume()
    assert waiting() == before
    assert not Notice.objects.exists()


def test_a_rollback_and_its_end_are_announced_as_what_they_are(table):
    process(table)
    master = {"slug": table.slug, "user_id": table.charlie, "reason": "A mistake."}
    newest = open_phase(table.slug).sequence
    opened = roll_back(**master, sequence=newest, to=1, now=timezone.now())
    roll_forward(**master, sequence=opened.sequence, now=timezone.now())
    consume()
    back, forward = Notice.objects.filter(user=table.alice, kind="deadline").order_by("pk")
    game = GameName(table.slug, "Testland")
    assert word_notice(back, game).title == "Testland was rolled back"
    assert word_notice(back, game).body.startswith("Orders for ")
    assert word_notice(forward, game).title == "The rollback of Testland was undone"


def test_a_new_deadline_is_announced_and_has_reminders_of_its_own(table):
    consume()
    old = set(Reminder.objects.values_list("due_at", flat=True))
    change_time(
        slug=table.slug,
        user_id=table.charlie,
        sequence=1,
        question=Question.EXTEND,
        length=DAY,
        reason="Holidays.",
        key="press",
        now=timezone.now(),
    )
    consume()
    assert kinds_of(table.alice)[-1] == "deadline"
    due_at = open_phase(table.slug).due_at
    assert set(Reminder.objects.values_list("due_at", flat=True)) == old | {due_at}


def test_only_a_player_who_was_removed_hears_of_it(table):
    consume()
    remove_player(
        slug=table.slug,
        user_id=table.charlie,
        sequence=1,
        power="TURKEY",
        reason="Insults.",
        now=timezone.now(),
    )
    consume()
    assert kinds_of(table.bob)[-1] == "seat"
    assert "seat" not in kinds_of(table.alice) + kinds_of(table.charlie)


def test_a_reprimand_reaches_the_player_alone(table):
    consume()
    reprimand(
        slug=table.slug,
        user_id=table.charlie,
        sequence=1,
        power="AUSTRIA",
        reason="Insults.",
        now=timezone.now(),
    )
    consume()
    assert kinds_of(table.alice)[-1] == "seat"
    assert "seat" not in kinds_of(table.bob)


def test_each_destination_that_wants_it_gets_a_delivery(cast, add):
    hook, push = add("alice", "webhook"), add("alice", "push", "https://push.example/1")
    add("alice", "slack", "https://hooks.slack.com/services/x", confirmed_at=None)
    add("bob", "discord", off_at=timezone.now())
    consume()
    assert {row.destination_id for row in Delivery.objects.all()} == {hook.pk, push.pk}


def test_history_costs_nothing(cast):
    def count_queries():
        Event.objects.filter(kind="opened").update(waiting=True)
        with CaptureQueriesContext(connection) as queries:
            consumer.consume_events(now=timezone.now())
        return len(queries)

    consume()
    few = count_queries()
    game = Game.objects.get()
    Event.objects.bulk_create(
        Event(game=game, kind="old", key=f"old {number}", created_at=timezone.now())
        for number in range(2000)
    )
    assert count_queries() == few


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="servers scan tables of few rows")
@pytest.mark.django_db
def test_waiting_events_and_due_deliveries_are_found_by_an_index():
    queries = {
        "event_waiting": Event.objects.filter(waiting__in=[True]).order_by("pk")[:9],
        "delivery_due": Delivery.objects.filter(state="waiting", due_at__lte=timezone.now())[:9],
        "notices_reminder_at": Reminder.objects.filter(at__lte=timezone.now()).order_by("at"),
        "notice_news": Notice.objects.filter(user=1, read_at=None, number=None)[:100],
    }
    for index, query in queries.items():
        assert index in query.explain(), index


def test_games_of_guests_have_no_notices(cast):
    from diplomaccloud.accounts.models import User

    User.objects.filter(pk__in=[cast.alice, cast.bob]).update(guest=True)
    consume()
    assert not Notice.objects.exists()
    assert not Reminder.objects.exists()
    assert Phase.objects.exists()


class TestVotes:
    """A vote is announced to those who may vote, and to the person whom it is about."""

    @pytest.fixture
    def three(self, quiet_cast):
        Seat.objects.filter(power="ITALY").update(user=quiet_cast.charlie, bot="")
        return quiet_cast

    def read(self, user_id, **found):
        return Notice.objects.filter(user=user_id, **found).latest("pk")

    def test_everyone_who_may_vote_hears_the_same_at_the_same_time(self, three):
        call_vote(three, "alice", "draw")
        consume()
        rows = Notice.objects.filter(kind="vote").values_list("user", "data", "created_at", "key")
        assert {user for user, *_ in rows} == {three.alice, three.bob, three.charlie}
        assert len({str(rest) for _, *rest in rows}) == 1

    def test_the_outcome_has_the_counts_and_no_names(self, three):
        vote = call_vote(three, "alice", "draw")
        consume()
        ballot(three, "bob", vote, yes=False)
        consume()
        for user in (three.alice, three.bob, three.charlie):
            notice = self.read(user)
            assert notice.data["outcome"] == "failed"
            text = word_notice(notice, GameName(three.slug, "Testland"))
            assert text.title.startswith("Testland: ")
            assert "1 for, 1 against" in text.body
            assert not any(name in str(notice.data) for name in ("Alice", "Bob", "alice", "bob"))

    @pytest.mark.parametrize("outcome", ["carried", "expired", "withdrawn"])
    def test_every_outcome_is_announced_once(self, three, outcome):
        vote = call_vote(three, "alice", "pause", length=DAY)
        if outcome == "carried":
            ballot(three, "bob", vote)
        elif outcome == "expired":
            close_expired_votes(now=lambda: vote.closes_at)
        else:
            withdraw_vote(
                slug=three.slug,
                user_id=three.alice,
                sequence=1,
                vote_id=vote.pk,
                now=timezone.now(),
            )
        consume()
        assert kinds_of(three.charlie).count("vote") == 1
        assert self.read(three.charlie, kind="vote").data["outcome"] == outcome

    def test_a_draw_that_ends_the_game_is_announced_to_those_who_agreed(self, quiet_cast):
        ballot(quiet_cast, "bob", call_vote(quiet_cast, "alice", "draw"))
        consume()
        assert {"vote", "finished"} <= set(kinds_of(quiet_cast.bob))

    def test_the_player_to_be_removed_hears_of_it_at_once(self, three, add):
        mail = add("bob", "email", "bob@diplomaccloud.example")
        # Two others must be able to vote.
        dora = User.objects.create_user("Dora")
        Seat.objects.filter(power="FRANCE").update(user=dora, bot="")
        Game.objects.update(master=three.alice)
        now = timezone.now()
        ask_players(
            slug=three.slug,
            user_id=three.alice,
            sequence=1,
            question=Question.REMOVE,
            terms=Terms(power="TURKEY", reason="Enough.", cause=RemovalCause.WISH),
            now=now,
        )
        consume(now)
        assert kinds_of(three.bob)[-1] == "vote about you"
        assert kinds_of(three.charlie)[-1] == "vote"
        assert "vote" not in kinds_of(three.alice)
        assert Delivery.objects.get(destination=mail).due_at == now
        text = word_notice(self.read(three.bob), GameName(three.slug, "Testland"))
        assert "about you" in text.body

    def test_a_call_to_a_closed_vote_is_not_sent(self, three, add):
        mail = add("bob", "email", "bob@diplomaccloud.example")
        vote = call_vote(three, "alice", "draw")
        consume()
        notice = self.read(three.bob)
        wishes, now = read_preferences([three.bob])[three.bob], timezone.now()
        assert compose(notice, mail, wishes, now=now)[0] is not None
        ballot(three, "bob", vote, yes=False)
        assert compose(notice, mail, wishes, now=now) == (None, None)

    def test_a_webhook_gets_the_question_and_nobody(self, three, add, monkeypatch):
        add("bob", "webhook")
        sent = []
        monkeypatch.setattr(channels, "post", lambda _address, **call: sent.append(call["body"]))
        now = timezone.now()
        call_vote(three, "alice", "extend", length=DAY)
        consume(now)
        deliver_all(now)
        (body,) = map(json.loads, sent)
        assert body["type"] == "vote.changed"
        assert set(body["data"]) == {"question", "closes_at", "game", "world", "url"}


class TestDepartures:
    """A seat that changes hands is announced to everyone else, without names."""

    def resign(self, cast):
        resign(slug=cast.slug, user_id=cast.bob, now=timezone.now())

    def words(self, user_id, slug):
        notice = Notice.objects.filter(user=user_id, kind="players").latest("pk")
        return word_notice(notice, GameName(slug, "Testland"))

    def test_a_player_who_leaves_and_a_new_one_are_announced(self, quiet_cast, people):
        self.resign(quiet_cast)
        consume()
        assert self.words(quiet_cast.alice, quiet_cast.slug).title == (
            "Testland: Turkey has no player since S1901M"
        )
        assert "players" not in kinds_of(quiet_cast.bob)
        take_seat(
            slug=quiet_cast.slug, user_id=quiet_cast.charlie, power="TURKEY", now=timezone.now()
        )
        consume()
        text = self.words(quiet_cast.alice, quiet_cast.slug)
        assert text.title == "Testland: a new player took Turkey in S1901M"
        assert not any(name in f"{text}".lower() for name in ("bob", "charlie"))
        assert "players" not in kinds_of(quiet_cast.charlie)
        assert kinds_of(quiet_cast.alice).count("players") == 2

    def test_a_player_who_is_removed_hears_it_as_such(self, table):
        consume()
        remove_player(
            slug=table.slug,
            user_id=table.charlie,
            sequence=1,
            power="TURKEY",
            reason="Insults.",
            now=timezone.now(),
        )
        consume()
        assert kinds_of(table.bob)[-1] == "seat"
        assert [kinds_of(user)[-1] for user in (table.alice, table.charlie)] == ["players"] * 2

    def test_a_bot_that_takes_the_seat_at_once_is_one_notice(self, quiet_cast, agree):
        agree(missed={"limit": 0, "substitute": "hold"})
        self.resign(quiet_cast)
        consume()
        assert kinds_of(quiet_cast.alice).count("players") == 1
        assert "a bot took Turkey" in self.words(quiet_cast.alice, quiet_cast.slug).title
