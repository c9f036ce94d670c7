"""Tasks that were waiting before an upgrade are run after it."""

from importlib import import_module

import pytest
from django.apps import apps
from django.utils.module_loading import import_string
from django_tasks_db.models import DBTaskResult

from diplomaccloud.games.people.actions import finish_departure

migration = import_module("diplomaccloud.games.migrations.0008_task_paths")


@pytest.mark.parametrize("present", migration.MOVED.values())
def test_a_moved_task_is_where_its_rows_say(present):
    assert import_string(present).module_path == present


@pytest.mark.django_db
def test_a_waiting_task_gets_its_present_path():
    (former,) = (path for path in migration.MOVED if path.endswith("finish_departure"))
    finish_departure.enqueue(1, removed=False)
    DBTaskResult.objects.update(task_path=former)
    migration.rename_tasks(apps, None)
    assert DBTaskResult.objects.get().task_path == migration.MOVED[former]
