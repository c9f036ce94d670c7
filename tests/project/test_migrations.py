import datetime as dt
from io import StringIO

from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from diplomaccloud.games.models import Game, Phase, Seat
from diplomaccloud.games.options.options import Options
from diplomaccloud.games.records import live_orders
from diplomaccloud.schedule import Interval, Lengths

NOW = dt.datetime(2030, 3, 1, 12, tzinfo=dt.UTC)
MINUTE = dt.timedelta(minutes=1)


def test_the_migrations_make_what_the_models_say(db):
    out = StringIO()
    call_command("makemigrations", check=True, dry_run=True, stdout=out)
    assert out.getvalue() == "No changes detected\n"


def test_django_finds_nothing_wrong(db):
    call_command("check", fail_level="WARNING")


def test_a_running_game_of_the_first_release_goes_on(transactional_db):
    executor = MigrationExecutor(connection)
    executor.migrate([("games", "0001_first")])
    old = executor.loader.project_state([("games", "0001_first")]).apps
    person = old.get_model("accounts", "User").objects.create(username="Alice")
    chart = old.get_model("maps", "StoredChart").objects.create(
        content_hash="0" * 64, name="Old", players=7, provinces=75, centers=34, created_at=NOW
    )
    game = old.get_model("games", "Game").objects.create(
        slug="old", world="Old", chart=chart, status="running", rules={}, movement_seconds=60,
        retreat_seconds=120, build_seconds=180, end_year=1910, fill_with="hold", code="x",
        seed="s", creator=person, created_at=NOW, started_at=NOW,
    )  # fmt: skip
    seat = old.get_model("games", "Seat").objects.create(game=game, power="ITALY", user=person)
    phase = old.get_model("games", "Phase").objects.create(
        game=game, sequence=1, name="S1901M", position={}, rules={}, engine="1", opens_at=NOW,
        due_at=NOW, processed_at=NOW, results={},
    )  # fmt: skip
    old.get_model("games", "OrderRow").objects.create(
        phase=phase, seat=seat, unit="A ROM", written="A ROM H", canonical={}, saved_at=NOW
    )

    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    options = Options.from_json(Game.objects.get().options)
    assert options.schedule.plan == Interval(Lengths(MINUTE, 2 * MINUTE, 3 * MINUTE))
    assert (options.fill_with, options.ends.last_year) == ("hold", 1910)
    assert [row.unit for row in live_orders(Phase.objects.get())] == ["A ROM"]
    assert Phase.objects.get().locked_at == NOW
    assert Seat.objects.get().tenures.get().user_id == person.pk
