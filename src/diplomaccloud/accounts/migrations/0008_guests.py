"""Mark guests and their last visit, and index lists of people without them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Add two columns, which have defaults in the database, and indexes."""

    dependencies = [("accounts", "0007_last_login")]

    operations = [
        migrations.AddField("user", "guest", models.BooleanField(db_default=False, default=False)),
        migrations.AddField("user", "visited_at", models.DateTimeField(null=True)),
        migrations.AddIndex(
            "user", models.Index(fields=["guest", "folded_name"], name="user_names")
        ),
        migrations.AddIndex(
            "user", models.Index(fields=["guest", "last_login"], name="user_logins")
        ),
        migrations.AddIndex("user", models.Index(fields=["guest", "id"], name="user_newest")),
        migrations.AddIndex(
            "user", models.Index(fields=["guest", "visited_at"], name="user_guests")
        ),
    ]
