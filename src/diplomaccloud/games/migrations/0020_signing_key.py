"""Make the key that the site signs with, so that its first save does not show on a page."""

from django.db import migrations

from diplomaccloud.games.migrations._first_key import make_first_key


class Migration(migrations.Migration):
    """The list of public keys is the same before and after the first orders are saved."""

    dependencies = [("games", "0019_rule_sets_required")]

    operations = [migrations.RunPython(make_first_key, migrations.RunPython.noop)]
