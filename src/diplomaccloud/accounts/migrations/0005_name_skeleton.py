"""Screen names that look alike are found by a unique column, filled in by the next migration."""

import django.contrib.auth.validators
import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    """Add the column; PostgreSQL wants it filled in another transaction."""

    dependencies = [("accounts", "0004_screen_name_help")]

    operations = [
        migrations.AddField(
            "user",
            "name_skeleton",
            models.CharField(editable=False, max_length=255, null=True, unique=True),
        ),
        migrations.AlterField(
            "user",
            "username",
            models.CharField(
                error_messages={"unique": "This screen name is taken."},
                help_text="2 to 30 characters: letters, digits and . _ - + @",
                max_length=30,
                unique=True,
                validators=[
                    django.contrib.auth.validators.ASCIIUsernameValidator(
                        message="Use only the letters A to Z, digits and . _ - + @ in a screen "
                        "name."
                    ),
                    django.core.validators.MinLengthValidator(2),
                ],
                verbose_name="screen name",
            ),
        ),
    ]
