"""Index the last login, by which lists of people are sorted."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Index the last login."""

    dependencies = [("accounts", "0006_name_skeletons_filled")]

    operations = [
        migrations.AddIndex("user", models.Index(fields=["last_login"], name="user_last_login")),
    ]
