import datetime as dt

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import F
from django.db.models.functions import TruncSecond


def fill_times(apps: StateApps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Show log-ins as before the upgrade, and round sign-ups down to whole seconds."""
    people = apps.get_model("accounts", "User").objects
    people.filter(login_before=None).update(login_before=F("last_login"))
    second = TruncSecond("date_joined", tzinfo=dt.UTC)
    people.exclude(date_joined=second).update(date_joined=second)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0015_login_before")]

    operations = [migrations.RunPython(fill_times, migrations.RunPython.noop)]
