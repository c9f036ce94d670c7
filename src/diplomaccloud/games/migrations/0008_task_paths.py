"""Let tasks that were waiting before modules moved find their functions."""

from typing import Any

from django.db import migrations

MOVED = {
    "diplomaccloud.games.actions.lobby.departure.finish_departure": (
        "diplomaccloud.games.people.actions.finish_departure"
    ),
    "diplomaccloud.games.actions.lobby.departure.leave_unseen_game": (
        "diplomaccloud.games.people.actions.leave_unseen_game"
    ),
    "diplomaccloud.games.actions.recount.recount_in_background": (
        "diplomaccloud.games.results.actions.recount_in_background"
    ),
    "diplomaccloud.press.actions.reports.judgment.finish_return": (
        "diplomaccloud.press.moderation.actions.finish_return"
    ),
    "diplomaccloud.press.actions.reports.stops.pause_unseen_game": (
        "diplomaccloud.press.moderation.actions.pause_unseen_game"
    ),
}
"""The former and the present path of each task that moved."""


def rename_tasks(apps: Any, _schema_editor: object) -> None:
    """Write the present paths into the rows of tasks."""
    rows = apps.get_model("django_tasks_database", "DBTaskResult").objects
    for former, present in MOVED.items():
        rows.filter(task_path=former).update(task_path=present)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0007_unrated_figures"),
        ("django_tasks_database", "0021_conditional_partial_index_ordering"),
    ]

    operations = [migrations.RunPython(rename_tasks, migrations.RunPython.noop)]
