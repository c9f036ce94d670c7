"""People get the skeletons of their names; of names that look alike, the oldest has it."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from diplomaccloud.accounts.screen_names import make_skeleton

_BATCH = 500


def fill_skeletons(apps: StateApps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Fill the column; people whose names look like an older person's, or like none, keep NULL."""
    people = apps.get_model("accounts", "User").objects
    taken = set(people.exclude(name_skeleton=None).values_list("name_skeleton", flat=True))
    changed = []
    for person in people.filter(name_skeleton=None).only("pk", "username").order_by("pk"):
        skeleton = make_skeleton(person.username)
        if skeleton and skeleton not in taken:
            taken.add(skeleton)
            person.name_skeleton = skeleton
            changed.append(person)
    people.bulk_update(changed, ["name_skeleton"], batch_size=_BATCH)


class Migration(migrations.Migration):
    """Fill the column of `0005_name_skeleton`."""

    dependencies = [("accounts", "0005_name_skeleton")]

    operations = [migrations.RunPython(fill_skeletons, migrations.RunPython.noop)]
