"""Games whose limit for outages is less than a minute get the default of five minutes.

A blank field was stored as zero, and then every lateness counted as an outage: each missed turn was
excused.
"""

from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

DEFAULT_SECONDS, MIN_SECONDS = 300, 60


def repair_limits(apps: StateApps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Store the default in the options of games with a limit that is too small."""
    games = apps.get_model("games", "Game").objects
    keys = games.order_by("pk").values_list("pk", flat=True)
    for key in list(keys.filter(options__schedule__caps__credit_after__lt=MIN_SECONDS)):
        options: dict[str, Any] = games.values_list("options", flat=True).get(pk=key)
        options["schedule"]["caps"]["credit_after"] = DEFAULT_SECONDS
        games.filter(pk=key).update(options=options)


class Migration(migrations.Migration):
    """Repair the limits that were stored as zero."""

    dependencies = [("games", "0010_questions_of_masters")]

    operations = [migrations.RunPython(repair_limits, migrations.RunPython.noop)]
