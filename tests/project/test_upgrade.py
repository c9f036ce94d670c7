"""A database that the last commit with all migrations left upgrades; an older one is refused.

A database may have grown from the first release on, so it may have rows that no release would
write today.
"""

import datetime as dt
import hashlib
import re
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.apps.registry import Apps
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from tests.worker.separate_site import connect
from tests.worker.test_backup import empty_database, use

from diplomaccloud.accounts.models import User
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.options import Talk
from diplomaccloud.games.table.phase_models import OrderRow
from diplomaccloud.judge.cli import main
from diplomaccloud.project import doctor as database
from diplomaccloud.project import play
from diplomaccloud.schedule import Interval, Lengths
from diplomaccloud.shared.upgrades import BRIDGE, TOO_OLD

OPERATIONS = Path(__file__).parents[2] / "docs/operations.md"
NOW = dt.datetime(2024, 5, 1, 12, tzinfo=dt.UTC)
NAMES = {"Alice": "allce", "A1ice": None, "..": None, "Bob": "bob"}
"""Screen names, and their skeletons; people whose names looked alike before have none."""
LAST = {
    "accounts": ("0014_data_export", "9e97d807cb276b9b"),
    "api": ("0001_first", "40b3bca215b26fde"),
    "games": ("0001_squashed_0028_event_order", "488d3f1053bed882"),
    "maps": ("0001_squashed_0004_previews", "00243f1816e246fb"),
    "notices": ("0001_squashed_0004_has_messages", "4568e78df776e53f"),
    "press": ("0015_document_changed_at", "bbc9d49c9b0fb46e"),
    "shared": ("0001_initial", "1b611455981e1a8b"),
    "slack": ("0001_first", "e9b20084222a51d2"),
    "worker": ("0001_heartbeat", "70234448fa5d4c7b"),
}
"""The last migration of each app in the commit `BRIDGE`, and what its tables are.

That is the beginning of the SHA-256 digest of the SQL with which Django makes them on SQLite. If a
new Django writes other SQL, take the digests from that commit.
"""
TARGETS = [(app, name) for app, (name, _) in LAST.items()]
REPLACED = {
    "accounts": """0001_first 0002_status 0003_outgoing_mail 0004_screen_name_help
        0005_name_skeleton 0006_name_skeletons_filled 0007_last_login 0008_guests
        0009_mail_of_notices 0010_moderation 0011_login_sessions 0012_kinds_of_mail
        0013_hidden_name""",
    "games": """0001_first 0002_life_rows 0003_life_moved 0004_life_kept 0005_colors
        0006_plain_names 0007_secrets 0008_tenure_of_ballots 0009_votes_filled
        0010_questions_of_masters 0011_outage_limits 0012_record 0013_seat_numbers 0014_figures
        0015_figures_filled 0016_figures_indexed 0017_rule_sets 0018_rule_sets_filled
        0019_rule_sets_required 0020_signing_key 0021_attempts 0022_waiting_room 0023_talk_done
        0024_waiting_events 0025_bot_plans 0026_bot_plan_attempts 0027_bound_plans
        0028_event_order""",
    "maps": "0001_first 0002_certificates 0003_saved_maps 0004_previews",
    "notices": "0001_first 0002_press 0003_new_indexes 0004_has_messages",
    "press": """0001_first 0002_attached 0003_events 0004_proposals 0005_reports 0006_maps
        0007_opening 0008_documents 0009_read_before 0010_bot_talks 0011_reply_attempts
        0012_grounds 0013_texts 0014_readers""",
}
"""The migrations that are gone; Django recorded them with those that replaced them."""
OLDER = {
    "release 0.2.0": {"accounts": "0004", "games": "0006", "maps": "0003"},
    "one step missing": dict.fromkeys(REPLACED, "0028") | {"press": "0013"},
    "not yet seen by the commit": dict.fromkeys(REPLACED, "0028"),
}
"""The last migrations of older databases."""
OLD_OPTIONS = {
    "v": 1,
    "schedule": {
        "v": 1,
        "kind": "interval",
        "early": True,
        "opening": 0,
        "grace": 0,
        "caps": dict.fromkeys(("extension", "extensions", "pause", "pauses", "credit_after"), 300),
        "movement": 60,
        "retreats": 120,
        "adjustments": 180,
        "days": None,
    },
    "setup": "",
    "fill_with": "hold",
    "press": "full",
    "watch": "anyone",
    "anonymous": False,
    "start": "creator",
    "master": "software",
    "ends": {"centers": None, "last_year": 1910, "turns": None, "date": None, "measure": "centers"},
    "missed": {"limit": 0, "substitute": ""},
    "preset": "",
}
"""Options as they were before there was press."""


@pytest.fixture
def recorder(transactional_db):
    """The recorder of migrations; after the test, its rows are as they were."""
    recorder = MigrationRecorder(connection)
    rows = list(recorder.migration_qs)
    yield recorder
    recorder.migration_qs.all().delete()
    recorder.Migration.objects.bulk_create(rows)


def record(recorder, last):
    """Record the replaced migrations of these apps up to a number."""
    for app, number in last.items():
        for name in REPLACED[app].split():
            if name[:4] <= number:
                recorder.record_applied(app, name)


def migrate_to_bridge() -> Apps:
    """Give an empty database the tables of the commit `BRIDGE`, and return the models of then."""
    executor = MigrationExecutor(connection)
    executor.migrate(TARGETS)
    return executor.loader.project_state(TARGETS).apps


@pytest.mark.parametrize("app", LAST)
def test_the_tables_of_the_commit_stay_as_it_made_them(app, tmp_path, django_db_blocker):
    """Old databases have them, so only a later migration may change them."""
    state = MigrationLoader(None).project_state(TARGETS)
    models = state.apps.get_app_config(app).get_models()
    with (
        django_db_blocker.unblock(),
        closing(connect(f"sqlite:///{tmp_path}/site.sqlite3")) as file,
        file.schema_editor(collect_sql=True) as editor,
    ):
        for model in models:
            editor.create_model(model)
    script = "\n".join(editor.collected_sql)
    assert hashlib.sha256(script.encode()).hexdigest()[:16] == LAST[app][1]


@pytest.mark.long
@pytest.mark.real_database
def test_a_database_of_the_last_commit_before_upgrades_with_its_rows(
    tmp_path, subtests, django_db_setup, django_db_blocker
):
    with django_db_blocker.unblock(), empty_database(tmp_path) as url, use(url):
        add_old_rows(migrate_to_bridge())
        record(MigrationRecorder(connection), dict.fromkeys(REPLACED, "0028"))
        call_command("migrate", verbosity=0)
        with subtests.test("the doctor finds no newer release"):
            assert not database._check_migrations().level
        for check in (require_game_goes_on, require_names_kept):
            with subtests.test(check.__name__):
                check()


def add_old_rows(old):
    people = old.get_model("accounts", "User").objects
    alice, *_ = [
        people.create(username=name, name_skeleton=skeleton) for name, skeleton in NAMES.items()
    ]
    chart = old.get_model("maps", "StoredChart").objects.create(
        content_hash="0" * 64, name="Old", players=7, provinces=75, centers=34, created_at=NOW
    )

    def add(model, **columns):
        return old.get_model("games", model).objects.create(**columns)

    rules = add("StoredRules", digest="0" * 64, rules={})
    game = add(
        "Game", slug="first", world="Old", chart=chart, status="running", rule_set=rules, code="x",
        creator=alice, created_at=NOW, started_at=NOW, seed="s", options=OLD_OPTIONS,
    )  # fmt: skip
    seat = add("Seat", game=game, power="ITALY", user=alice, number=1)
    phase = add(
        "Phase", game=game, sequence=1, name="S1901M", position={}, rule_set=rules, engine="1",
        opens_at=NOW, due_at=NOW, adjudicate_at=NOW,
    )  # fmt: skip
    draft = add("Draft", phase=phase, seat=seat, live=True, name="Orders", saved_at=NOW)
    add("OrderRow", draft=draft, unit="A ROM", written="A ROM H", canonical={}, saved_at=NOW)
    vote = add(
        "Vote", game=game, phase=phase, seat=seat, kind="draw", open=True, opened_at=NOW,
        closes_at=NOW,
    )  # fmt: skip
    add("Ballot", vote=vote, seat=seat, yes=True, cast_at=NOW)


def require_game_goes_on():
    game = Game.objects.get(slug="first")
    minute = dt.timedelta(minutes=1)
    assert game.options.schedule.plan == Interval(Lengths(minute, 2 * minute, 3 * minute))
    assert (game.options.ends.last_year, game.options.talk) == (1910, Talk())
    assert (game.record_length, game.record_head) == (0, "")
    phase = game.phases.get()
    assert phase.seed == "s S1901M"
    assert [row.unit for row in OrderRow.objects.live_in(phase)] == ["A ROM"]
    # Nobody knows who cast it.
    assert game.votes.get().ballots.count() == 1
    assert not game.votes.get().ballots.standing().exists()


def require_names_kept():
    people = User.objects.order_by("pk").values_list("username", "name_skeleton")
    assert dict(people) == NAMES
    for person in User.objects.all():
        person.status = "Hello."
        person.save()
    assert dict(people.all()) == NAMES


def read_state(recorder):
    return connection.introspection.table_names(), list(recorder.migration_qs.values())


def test_an_older_database_is_refused_before_anything_changes(recorder, subtests):
    for case, last in OLDER.items():
        with subtests.test(case):
            recorder.migration_qs.filter(app__in=REPLACED).delete()
            record(recorder, last)
            # Nothing else depends on these tables, so Django would make them first.
            recorder.record_unapplied("shared", "0001_initial")
            before = read_state(recorder)
            with pytest.raises(CommandError, match=f"upgrade it with commit {BRIDGE} first"):
                call_command("migrate", verbosity=0)
            assert read_state(recorder) == before
            assert database._check_migrations().level


def test_the_documentation_names_the_commit():
    (section,) = re.findall("## Upgrade\n.*?\n## ", OPERATIONS.read_text(), re.DOTALL)
    assert f"commit {BRIDGE}" in section


@pytest.fixture
def old_file(tmp_path, django_db_blocker):
    """A database file in which only the first migration of games is recorded."""
    path = tmp_path / "site.sqlite3"
    before = connections["default"]
    with django_db_blocker.unblock(), closing(connect(f"sqlite:///{path}")) as old:
        connections["default"] = old
        MigrationRecorder(old).record_applied("games", "0001_first")
        old.close()
        try:
            yield path
        finally:
            connections["default"] = before


def run_migrate():
    with pytest.raises(SystemExit, match="1"):
        main(["manage", "migrate", "--no-input"])


def run_play():
    with pytest.raises(play.StartupError) as error:
        play._prepare()
    sys.stderr.write(str(error.value))


@pytest.mark.parametrize("start", [run_migrate, run_play])
def test_whatever_migrates_says_why_in_a_sentence_and_leaves_an_old_file(old_file, start, capsys):
    content = old_file.read_bytes()
    start()
    told = capsys.readouterr().err.strip().splitlines()[-1]
    assert told.removeprefix("CommandError: ") == TOO_OLD
    assert old_file.read_bytes() == content
