"""Make the key that the site signs with, so that its first save does not show on a page."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.utils import timezone

from diplomaccloud.record.signatures import make_key


def make_first_key(apps: StateApps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Make a key unless the site has one."""
    keys = apps.get_model("games", "SigningKey").objects
    if not keys.exists():
        key = make_key()
        keys.create(
            key_id=key.key_id, public=key.public, private=key.private, created_at=timezone.now()
        )


class Migration(migrations.Migration):
    """The list of public keys is the same before and after the first orders are saved."""

    dependencies = [("games", "0019_rule_sets_required")]

    operations = [migrations.RunPython(make_first_key, migrations.RunPython.noop)]
