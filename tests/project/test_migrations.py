import datetime as dt
from io import StringIO

import pytest
from django.apps.registry import Apps
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import IntegrityError, connection, models
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from diplomaccloud.worker.models import Heartbeat

NOW = dt.datetime(2030, 3, 1, 12, tzinfo=dt.UTC)


def test_the_migrations_make_what_the_models_say(db):
    out = StringIO()
    call_command("makemigrations", check=True, dry_run=True, stdout=out)
    assert out.getvalue() == "No changes detected\n"


def test_django_finds_nothing_wrong(db):
    call_command("check", fail_level="WARNING")


class TestHeartbeatsOfTheClockApp:
    """Until 0.2 the app `worker` was called `clock`."""

    @pytest.fixture
    def old_database(self, transactional_db):
        """The database as the release before 0.2 left it: table, content type, migrations."""
        MigrationExecutor(connection).migrate([("worker", None)])
        recorder = MigrationRecorder(connection)
        with connection.schema_editor() as editor:
            heartbeat = define_old_heartbeat()
            editor.create_model(heartbeat)
        ContentType.objects.filter(app_label="worker").delete()
        kind = ContentType.objects.create(app_label="clock", model="heartbeat")
        recorder.record_applied("clock", "0001_first")
        heartbeat.objects.create(owner="worker 1", seen_at=NOW)
        yield kind
        MigrationExecutor(connection).migrate([("worker", "0001_heartbeat")])

    def test_they_keep_their_rows_and_their_content_type(self, old_database):
        call_command("migrate", verbosity=0)
        assert [(row.owner, row.seen_at) for row in Heartbeat.objects.all()] == [("worker 1", NOW)]
        assert "clock_heartbeat" not in connection.introspection.table_names()
        (kind,) = ContentType.objects.filter(model="heartbeat")
        assert (kind.pk, kind.app_label) == (old_database.pk, "worker")
        applied = MigrationRecorder(connection).applied_migrations()
        assert [key for key in applied if key[0] == "clock"] == []
        Heartbeat.objects.create(owner="worker 2", seen_at=NOW)
        with pytest.raises(IntegrityError):
            Heartbeat.objects.create(owner="worker 2", seen_at=NOW)

    def test_an_interrupted_migration_can_be_repeated(self, old_database):
        call_command("migrate", verbosity=0)
        MigrationRecorder(connection).record_unapplied("worker", "0001_heartbeat")
        call_command("migrate", verbosity=0)
        assert Heartbeat.objects.count() == 1

    def test_a_new_database_gets_an_empty_table(self, transactional_db):
        MigrationExecutor(connection).migrate([("worker", None)])
        assert "worker_heartbeat" not in connection.introspection.table_names()
        call_command("migrate", verbosity=0)
        assert not Heartbeat.objects.exists()


def define_old_heartbeat():
    """Return a model like `Heartbeat` on the old table, in a separate registry."""

    class Heartbeat(models.Model):  # noqa: DJ008
        owner = models.CharField(max_length=40, unique=True)
        seen_at = models.DateTimeField()

        class Meta:
            app_label = "clock"
            apps = Apps()
            db_table = "clock_heartbeat"

    return Heartbeat
