"""Deadline and log on the pages of a game, and the secrets they keep."""

import re

import pytest
from django.utils import timezone
from tests.games.cast_pages import EVERYBODY, MASTERS_ACTS, SECRET, life, log_of, post
from tests.games.steps import DAY, HOUR, ballot, call_vote, names_in, phase, save

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.log_models import LogEntry
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.project import admin_site


class TestClock:
    def test_at_the_latest_or_exactly(self, cast):
        assert life(cast, "alice").clock_words.bound == "at the latest"
        Phase.objects.update(fixed_deadline=True)
        clock = life(cast, "alice").clock_words
        assert clock.bound == "exactly at"
        assert re.fullmatch(r"\w+, \w+ \d+, exactly at \d\d:\d\d UTC", clock.when)

    def test_closed_and_not_yet_adjudicated(self, cast):
        now = timezone.now()
        Phase.objects.update(opens_at=now - DAY, due_at=now - HOUR, adjudicate_at=now + HOUR)
        face = life(cast, "alice").clock_words.faces[0]
        assert (face.state, face.at) == ("closed", phase().adjudicate_at)
        page = cast.client("alice").get(cast.url()).content
        assert b"Orders are closed. Adjudication:" in page
        Phase.objects.update(adjudicate_at=now)
        assert life(cast, "alice").clock.state == "due"

    def test_a_pause_says_until_when_and_how_it_ends(self, cast):
        ballot(cast, "bob", call_vote(cast, "alice", "pause", length=DAY))
        status = life(cast, "nobody")
        assert status.clock.state == "paused"
        assert status.clock_words.ends == "A vote can end it sooner."
        assert "UTC" in status.clock_words.until
        ballot(cast, "bob", call_vote(cast, "alice", "resume"))
        assert life(cast, "nobody").clock.state == "open"

    @pytest.mark.every_database
    def test_a_pause_is_seen_behind_a_long_log(self, cast):
        ballot(cast, "bob", call_vote(cast, "alice", "pause", length=DAY))
        for number in range(60):
            entry = LogEntry.objects.get(kind="paused")
            LogEntry.objects.create(
                game=entry.game,
                phase=entry.phase,
                kind="reprimand",
                key=f"r{number}",
                text="Rude.",
                at=entry.at,
            )
        assert life(cast, "nobody").clock.state == "paused"
        assert log_of(cast).pages == 3
        page = cast.client("nobody").get(cast.url("log/")).content.decode()
        assert "Page 1 of 3" in page
        assert 'rel="next"' in page
        assert log_of(cast, page=3).lines[-1].kind == "paused"


class TestLog:
    def test_everybody_reads_reasons_newest_first(self, table):
        for number, reason in enumerate(("Holidays.", "More holidays.")):
            data = {"question": "extend", "length": 3600, "key": f"k{number}", "reason": reason}
            assert post(table, "charlie", "master/time/", **data).status_code == 303
        for who in EVERYBODY:
            lines = log_of(table, who).lines
            assert [line.reason for line in lines] == ["More holidays.", "Holidays."]
            assert lines[0].author == "Charlie"
            assert b"More holidays." in table.client(who).get(table.url()).content

    def test_an_anonymous_game_names_nobody(self, table, agree):
        agree(anonymous=True)
        data = {"question": "extend", "length": 3600, "key": "k", "reason": "Holidays."}
        post(table, "charlie", "master/time/", **data)
        post(table, "alice", "resign/")
        for who in EVERYBODY:
            body = table.client(who).get(table.url("log/")).content.decode()
            others = {"Alice", "Bob", "Charlie"} - {who.capitalize()}
            assert not names_in(body, others)
            assert "the game master" in body
            page = table.client(who).get(table.url()).content.decode()
            # The page header links to the viewer's own page.
            assert set(re.findall(r"/people/(\w+)/", page)) <= {who.capitalize()}
            assert "Missed" not in page

    def test_the_site_is_named_if_it_is_game_master(self, cast):
        assert cast.client("nobody").get(cast.url("log/")).context["master"] == "the site"
        assert b"Game master: the site." in cast.client("nobody").get(cast.url()).content


LIFE = ["log/", "master/", "resign/", "phases/1/", "?page=2", "/people/Alice/", "/games/"]


class TestSecrecy:
    @pytest.fixture
    def secret(self, table):
        save(table, "alice", SECRET)
        post(table, "alice", "draw-vote/", phase=1, vote="surrender", sure="1")
        call_vote(table, "alice", "extend", length=DAY)
        return table

    @pytest.mark.parametrize("who", ["bob", "charlie", "nobody"])
    def test_no_page_tells_orders_or_votes(self, secret, who):
        client = secret.client(who)
        for rest in LIFE:
            url = rest if rest.startswith("/") else secret.url(rest)
            for headers in ({}, {"HX-Request": "true"}):
                body = client.get(url, headers=headers).content.decode()
                assert SECRET not in body, rest
                assert "Austria surrenders" not in body, rest
                assert 'value="surrender" checked' not in body, rest
                assert "You voted yes" not in body, rest

    @pytest.mark.parametrize("who", ["charlie", "nobody"])
    def test_a_private_game_does_not_exist_for_strangers(self, secret, who):
        Game.objects.update(private=True, master=None)
        client = secret.client(who)
        for rest in ("log/", "log/?page=2", "master/", "resign/"):
            answer = client.get(secret.url(rest))
            assert answer.status_code in ((404,) if who == "charlie" else (302, 404)), rest
            assert b"Testland" not in answer.content
        if who == "charlie":
            data = {
                "phase": 1,
                "to": 1,
                "vote": "draw",
                "vote_id": 1,
                "answer": "yes",
                "question": "extend",
                "length": 86400,
                "power": "AUSTRIA",
                "bot": "hold",
                "key": "k",
                "reason": "Why not.",
            }
            acts = [f"master/{act}/" for act in MASTERS_ACTS]
            for rest in (
                "draw-vote/",
                "votes/",
                "votes/answer/",
                "resign/",
                "take-over/",
                "bot/",
                *acts,
            ):
                assert client.post(secret.url(rest), data).status_code == 404, rest

    def test_staff_see_no_more_than_strangers(self, secret):
        Game.objects.update(master=None)
        urls = [secret.url(rest) for rest in ("", "log/", "centers/", "state/")]
        client = secret.client("charlie")
        before = [client.get(url).context for url in urls[:3]]
        User.objects.filter(pk=secret.charlie).update(is_staff=True, is_superuser=True)
        client = secret.client("charlie")
        for url, seen in zip(urls[:3], before, strict=True):
            answer = client.get(url)
            assert answer.context["view"] == seen["view"]
            assert SECRET not in answer.content.decode()
        for rest in ("master/", "resign/"):
            assert client.get(secret.url(rest)).status_code == 404
        data = {"reason": "I am staff.", "phase": 1}
        assert client.post(secret.url("master/preview/"), data).status_code == 403
        # Administration asks for a second factor first, and shows no orders even then.
        assert client.get("/admin/").status_code == 302
        assert not LogEntry.objects.filter(kind="looked").exists()

    def test_administration_has_no_rows_that_would_show_orders_unlogged(self):
        registered = {model._meta.label for model in admin_site.site._registry}
        assert registered == {"accounts.User", "games.Game", "press.Case"}
