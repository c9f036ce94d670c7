"""A game with damaged data is suspended; its players read why, and all other games continue."""

import datetime as dt
import logging
from dataclasses import replace

import pytest
from django.utils import timezone

from diplomaccloud.games.creation.actions import create_game
from diplomaccloud.games.deadlines.actions import credit_outage, end_pauses, suspend_game
from diplomaccloud.games.lobby.actions import join_game, start_game
from diplomaccloud.games.master.actions import change_time
from diplomaccloud.games.seats.actions import resign
from diplomaccloud.games.table.log_models import LogEntry
from diplomaccloud.games.table.models import Game, StoredRules
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.turn.claims import lock_due_phases
from diplomaccloud.games.votes.actions import close_expired_votes, open_vote
from diplomaccloud.games.votes.models import Vote
from diplomaccloud.games.votes.wording import Question, Terms
from diplomaccloud.maps.models import StoredChart
from diplomaccloud.worker.health import check_health
from diplomaccloud.worker.models import Heartbeat
from diplomaccloud.worker.worker import Worker

HOUR = dt.timedelta(hours=1)
NONSENSE = {"v": "nonsense"}
IMPOSSIBLE_UNIT = {"kind": "A", "power": "ATLANTIS", "province": "XYZ"}


@pytest.fixture
def pair(cast, plan):
    """The game of the cast, to be damaged, and a second game of the same people."""
    now = timezone.now()
    options = replace(plan.options, missed=replace(plan.options.missed, limit=0))
    game = create_game(
        plan=replace(plan, options=options),
        creator_id=cast.alice,
        now=now,
        slug="bbbbbbbbbb",
        code="x",
        seed="x",
    )
    join_game(slug=game.slug, user_id=cast.bob, now=now)
    start_game(slug=game.slug, user_id=cast.alice, now=now)
    return cast, game


def find_damaged(cast):
    return Phase.objects.filter(game_id=cast.game_id, processed_at=None)


def make_due(adjudicate_after=dt.timedelta()):
    now = timezone.now() - dt.timedelta(seconds=1)
    Phase.objects.update(opens_at=now, due_at=now, adjudicate_at=now + adjudicate_after)


def damage_position(cast):
    find_damaged(cast).update(position=NONSENSE)


def damage_units(cast):
    position = find_damaged(cast).values_list("position", flat=True).get()
    find_damaged(cast).update(position={**position, "units": [IMPOSSIBLE_UNIT]})


def damage_rules(cast):
    damaged = StoredRules.objects.create(digest="damaged", rules=NONSENSE)
    Game.objects.filter(pk=cast.game_id).update(rule_set=damaged)


def damage_options(cast):
    options = Game.objects.values_list("options", flat=True).get(pk=cast.game_id)
    Game.objects.filter(pk=cast.game_id).update(options={**options, "schedule": NONSENSE})


def damage_map(cast):
    chart = StoredChart.objects.create(
        content_hash="0" * 64, name="Torn", players=7, provinces=75, centers=34, text="{}",
        created_at=timezone.now(),
    )  # fmt: skip
    Game.objects.filter(pk=cast.game_id).update(chart=chart)


def damage_pause(cast):
    phase = find_damaged(cast).get()
    LogEntry.objects.create(
        game=phase.game, phase=phase, kind="paused", key="x", text="x", at=timezone.now(),
        data={"moved": 7},
    )  # fmt: skip


DAMAGE = [damage_position, damage_units, damage_rules, damage_options]


def suspended():
    return set(Game.objects.exclude(suspended_reason="").values_list("slug", flat=True))


class TestWorker:
    @pytest.mark.parametrize("damage", DAMAGE)
    def test_other_games_are_processed(self, pair, damage):
        cast, game = pair
        make_due()
        damage(cast)
        Worker().run_round()
        assert suspended() == {cast.slug}
        assert game.phases.get(sequence=1).processed_at

    @pytest.mark.parametrize("damage", [damage_position, damage_units])
    def test_orders_of_other_games_are_locked(self, pair, damage):
        cast, game = pair
        make_due(HOUR)
        damage(cast)
        assert lock_due_phases(now=timezone.now()) == 1
        assert suspended() == {cast.slug}
        assert game.phases.get(sequence=1).locked_at

    def test_votes_of_other_games_expire(self, pair):
        cast, game = pair
        now = timezone.now()
        for slug in (cast.slug, game.slug):
            open_vote(
                slug=slug,
                user_id=cast.alice,
                sequence=1,
                question=Question.CANCEL,
                terms=Terms(),
                now=now,
            )
        Vote.objects.update(closes_at=now)
        Vote.objects.filter(game_id=cast.game_id).update(kind="nonsense")
        assert close_expired_votes(now=now + HOUR) == 1
        assert suspended() == {cast.slug}
        # A suspended game is left alone from then on.
        assert close_expired_votes(now=now + HOUR) == 0

    def test_pauses_of_other_games_end(self, pair):
        cast, game = pair
        Game.objects.update(master_id=cast.charlie)
        now = timezone.now()
        for slug in (cast.slug, game.slug):
            change_time(
                slug=slug,
                user_id=cast.charlie,
                question=Question.PAUSE,
                length=HOUR,
                reason="Holidays.",
                key="k",
                now=now,
                sequence=1,
            )
        LogEntry.objects.filter(game_id=cast.game_id, kind="paused").update(data={"moved": 7})
        assert end_pauses(now=now + 2 * HOUR) == 1
        assert suspended() == {cast.slug}

    @pytest.mark.parametrize("damage", [damage_position, damage_options])
    def test_other_games_get_the_time_of_an_outage(self, pair, damage):
        cast, game = pair
        damage(cast)
        now = timezone.now()
        due = game.phases.get().due_at
        credit_outage(away_at=now + HOUR, back_at=now + 5 * HOUR)
        assert game.phases.get().due_at == due + 4 * HOUR

    def test_the_operator_is_told(self, pair, caplog):
        cast, _ = pair
        make_due()
        damage_position(cast)
        with caplog.at_level(logging.ERROR):
            Worker().run_round()
        assert any("game suspended" in record.getMessage() for record in caplog.records)
        Heartbeat.objects.update(seen_at=timezone.now())
        assert check_health(now=timezone.now()).backlog.suspended == 1
        assert "cannot be decoded" in Game.objects.get(pk=cast.game_id).suspended_reason

    def test_no_error_stops_the_worker(self, pair, monkeypatch):
        worker, rounds = Worker(pause=0), []

        def run_round():
            rounds.append(1)
            if len(rounds) == 3:
                worker.stop()
            raise KeyError("not a fault of the database")

        monkeypatch.setattr(worker, "run_round", run_round)
        monkeypatch.setattr("diplomaccloud.worker.worker.close_old_connections", lambda: None)
        worker.run()
        assert len(rounds) == 3


PAGES = ("", "log/", "rules/", "centers/", "statistics/", "receipts/", "phases/1/", "state/")


class TestPages:
    @pytest.mark.parametrize("damage", DAMAGE)
    @pytest.mark.parametrize("who", ["alice", "charlie", "nobody"])
    def test_a_suspended_game_has_a_plain_sentence(self, pair, damage, who):
        cast, _ = pair
        make_due()
        damage(cast)
        Worker().run_round()
        client = cast.client(who)
        client.raise_request_exception = False
        for rest in PAGES:
            page = client.get(cast.url(rest))
            assert page.status_code in (200, 302, 404, 503), rest
            if page.status_code == 503:
                assert "This game is suspended while we fix a problem." in page.content.decode()
        assert client.get(cast.url()).status_code == 503 or damage is damage_units

    def test_a_damaged_game_that_is_not_suspended_yet_has_a_plain_sentence(self, cast):
        damage_position(cast)
        client = cast.client("alice")
        page = client.get(cast.url())
        assert page.status_code == 503
        assert "data that cannot be read" in page.content.decode()
        page = client.get(cast.url(), headers={"HX-Request": "true"})
        assert "data that cannot be read" in page.content.decode()

    def test_a_hidden_game_stays_hidden(self, cast):
        damage_position(cast)
        suspend_game(game_id=cast.game_id, reason="x", now=timezone.now())
        Game.objects.update(private=True)
        client = cast.client("charlie")
        client.raise_request_exception = False
        assert client.get(cast.url()).status_code == 404

    @pytest.mark.parametrize("damage", [*DAMAGE, damage_map, damage_pause])
    @pytest.mark.parametrize("who", ["alice", "charlie", "nobody"])
    def test_lists_of_games_are_shown(self, pair, damage, who):
        cast, game = pair
        Game.objects.filter(pk=game.pk).update(world="Soundland")
        damage(cast)
        client = cast.client(who)
        client.raise_request_exception = False
        for path in ("/", "/games/", "/people/", "/people/Alice/"):
            page = client.get(path)
            assert page.status_code == 200, path
            # The lobby leaves out a person's own games.
            if path == "/" or (path == "/games/" and who != "alice"):
                assert "Testland" in page.content.decode()
                assert "Soundland" in page.content.decode()

    def test_a_vacant_seat_of_a_damaged_game_is_not_offered(self, pair):
        cast, _ = pair
        resign(slug=cast.slug, user_id=cast.bob, now=timezone.now())
        client = cast.client("charlie")
        assert "Turkey" in client.get("/games/").content.decode()
        damage_position(cast)
        page = client.get("/games/")
        assert page.status_code == 200
        assert "Turkey" not in page.content.decode()
