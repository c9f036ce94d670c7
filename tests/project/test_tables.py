"""The tables that all databases of the tests are copied from are those of this checkout."""

from pathlib import Path

from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from tests import scenes, tables

from diplomaccloud.games.table.log_models import SigningKey


def test_no_migration_is_missing(db):
    executor = MigrationExecutor(connection)
    assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []


def test_what_decides_about_tables_names_them(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "ROOT", tmp_path)
    names = {tables.read_digest.__wrapped__()}
    for path in ("games/migrations/0001_first.py", "press/models/letters.py", "maps/models.py"):
        file = tmp_path / "src/diplomaccloud" / path
        file.parent.mkdir(parents=True)
        for text in ("1", "2"):
            file.write_text(text)
            names.add(tables.read_digest.__wrapped__())
    assert len(names) == 7


def test_old_tables_go(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "FOLDER", tmp_path)
    monkeypatch.setattr(tables, "migrate_elsewhere", lambda target, _: Path(target).touch())
    for number in range(5):
        monkeypatch.setattr(tables, "read_digest", lambda number=number: str(number))
        made = tables.find_file()
        assert made == tmp_path / f"{number}.sqlite3"
    assert {path.name for path in tmp_path.glob("*.sqlite3")} > {"4.sqlite3"}
    assert len(list(tmp_path.glob("*.sqlite3"))) == tables.KEPT


def test_the_first_rows_are_there_after_a_test_that_empties_the_tables(transactional_db):
    before = scenes.read_tables()
    assert SigningKey.objects.exists()
    # As Django does after such a test; restarted keys would come before those of known scenes.
    call_command("flush", interactive=False, verbosity=0, reset_sequences=False)
    assert not SigningKey.objects.exists()
    scenes.stage.restore_first_rows()
    assert scenes.read_tables() == before
