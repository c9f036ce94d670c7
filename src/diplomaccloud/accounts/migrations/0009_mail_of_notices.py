"""Two more kinds of mail: notices, and the question whether they may be sent."""

from django.db import migrations, models

_KINDS = ("reset request", "reset link", "notices", "confirmation")


class Migration(migrations.Migration):
    """Change the choices, which no database stores."""

    dependencies = [("accounts", "0008_guests")]

    operations = [
        migrations.AlterField(
            "outgoingmail",
            "kind",
            models.CharField(
                choices=[(kind, kind.title()) for kind in _KINDS],
                max_length=20,
            ),
        ),
    ]
