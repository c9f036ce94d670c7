"""The page of the game master."""

import pytest
from django.utils import timezone
from tests.games.browsing import Browser
from tests.games.cast_pages import EVERYBODY, MASTERS_ACTS, SECRET, log_of, post
from tests.games.steps import DAY, ballot, call_vote, due, phase, save

from diplomaccloud.accounts.models import User
from diplomaccloud.games.seats.actions import resign, take_seat
from diplomaccloud.games.table.log_models import LogEntry
from diplomaccloud.games.table.models import Game, Seat, Tenure
from diplomaccloud.games.votes.models import Vote


class TestConsole:
    @pytest.mark.parametrize("who", ["alice", "bob", "nobody"])
    def test_it_is_the_master_s_alone(self, table, who):
        status = 302 if who == "nobody" else 404
        assert table.client(who).get(table.url("master/")).status_code == status
        before = LogEntry.objects.count()
        for act in MASTERS_ACTS:
            data = {
                "reason": "I want to.",
                "question": "pause",
                "key": "k",
                "power": "TURKEY",
                "phase": 1,
                "to": 1,
            }
            assert post(table, who, f"master/{act}/", **data).status_code in (302, 403)
        assert LogEntry.objects.count() == before

    def test_a_button_pressed_twice_acts_once(self, table):
        before = phase().due_at
        page = table.client("charlie").get(table.url("master/"))
        key = page.context["master"].key + "e"
        for _ in range(2):
            data = {"question": "extend", "length": 86400, "key": key, "reason": "Holidays."}
            post(table, "charlie", "master/time/", **data)
        assert phase().due_at == before + DAY

    def test_the_preview_is_drawn_and_logged_and_changes_nothing(self, table):
        save(table, "alice", SECRET)
        assert post(table, "charlie", "master/preview/", reason=" ").status_code == 400
        page = post(table, "charlie", "master/preview/", reason="A question.")
        lines = [line.text for one in page.context["report"].powers for line in one.lines]
        assert SECRET in lines
        assert (phase().sequence, phase().processed_at) == (1, None)
        assert [line.kind for line in log_of(table).lines] == ["looked"]
        for who in ("bob", "nobody"):
            assert SECRET not in table.client(who).get(table.url()).content.decode()

    def test_a_master_who_plays_is_offered_no_look(self, cast):
        Game.objects.update(master_id=cast.alice)
        page = cast.client("alice").get(cast.url("master/"))
        assert page.context["master"].plays
        assert post(cast, "alice", "master/preview/", reason="Please.").status_code == 403
        resign(slug=cast.slug, user_id=cast.alice, now=timezone.now())
        assert post(cast, "alice", "master/preview/", reason="Please.").status_code == 403

    def test_force_reprimand_and_remove(self, table):
        post(table, "charlie", "master/end-phase/", key="f", reason="All wrote to me.")
        assert phase().sequence == 2
        post(table, "charlie", "master/reprimand/", power="TURKEY", reason="Rude.")
        post(table, "charlie", "master/remove/", power="TURKEY", reason="Very rude.")
        assert [line.reason for line in log_of(table).lines[:2]] == ["Very rude.", "Rude."]
        assert Seat.objects.get(power="TURKEY").user is None

    def send_twice(self, table, act, between=lambda: None):
        """Send the form about Turkey's player, and the same again; return both answers."""
        page = Browser(table.client("charlie"))
        page.open(table.url("master/"))
        (form,) = page.forms("/master/reprimand/")
        data = form.data(None) | {"power": "TURKEY", "reason": "Rude.", "cause": "own wish"}
        first = table.client("charlie").post(table.url(f"master/{act}/"), data)
        between()
        return first, table.client("charlie").post(table.url(f"master/{act}/"), data)

    def test_a_reprimand_sent_twice_is_logged_once(self, table):
        answers = self.send_twice(table, "reprimand")
        assert [answer.status_code for answer in answers] == [303, 303]
        assert LogEntry.objects.filter(kind="reprimand").count() == 1

    @pytest.mark.parametrize("act", ["remove", "reprimand"])
    def test_a_form_about_a_player_does_not_affect_a_successor(self, table, act):
        def replace_player():
            if act == "reprimand":
                LogEntry.objects.filter(kind="reprimand").update(key="another")
                resign(slug=table.slug, user_id=table.bob, now=timezone.now())
            take_seat(slug=table.slug, user_id=successor.pk, power="TURKEY", now=timezone.now())

        successor = User.objects.create(username="Dora")
        first, second = self.send_twice(table, act, replace_player)
        assert (first.status_code, second.status_code) == (303, 409)
        assert "Another player has taken this seat." in second.content.decode()
        assert Seat.objects.get(power="TURKEY").user == successor
        assert LogEntry.objects.filter(kind="reprimand").count() == (act == "reprimand")

    def test_nor_does_a_question_to_the_players(self, table):
        Tenure.objects.create(
            seat=Seat.objects.get(power="ITALY"),
            user_id=table.charlie,
            since_at=timezone.now(),
            until_at=timezone.now(),
        )

        def replace_player():
            assert Vote.objects.get().open
            Vote.objects.all().delete()
            resign(slug=table.slug, user_id=table.bob, now=timezone.now())
            take_seat(slug=table.slug, user_id=successor.pk, power="TURKEY", now=timezone.now())

        successor, voter = (User.objects.create(username=name) for name in ("Dora", "Emil"))
        Seat.objects.filter(power="ENGLAND").update(bot="", user=voter)
        first, second = self.send_twice(table, "remove", replace_player)
        assert (first.status_code, second.status_code) == (303, 409)
        assert not Vote.objects.exists()

    def test_a_line_that_was_rolled_back_can_still_be_seen(self, table):
        save(table, "alice", SECRET)
        due(table)
        due(table)
        post(table, "charlie", "master/roll-back/", to=1, reason="A misread order.")
        for who in EVERYBODY:
            page = table.client(who).get(table.url("phases/1/"))
            left = page.context["report"].record.undone_by
            assert left.reason == "A misread order."
            assert page.context["report"].next_url == table.url("phases/2/")
            body = page.content.decode()
            assert SECRET in body
            assert "This phase was rolled back" in body
        assert b"Rolled back to Spring 1901" in table.client("nobody").get(table.url()).content
        post(table, "charlie", "master/roll-forward/", reason="It was right.")
        page = table.client("nobody").get(table.url("phases/1/"))
        assert page.context["report"].record.undone_by is None
        assert phase().name == "W1901A" or phase().name == "S1902M"

    def test_a_finished_game_can_only_be_rolled_back(self, table):
        ballot(table, "bob", call_vote(table, "alice", "draw"))
        page = table.client("charlie").get(table.url("master/"))
        assert page.status_code == 200
        assert b"End phase now" not in page.content
