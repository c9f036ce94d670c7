import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0016_shown_times"),
    ]

    operations = [
        migrations.CreateModel(
            name="LoginMark",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("browser", models.CharField(blank=True, max_length=32)),
                ("network", models.CharField(blank=True, max_length=32)),
                ("mail", models.CharField(blank=True, max_length=32)),
                ("at", models.DateTimeField(db_index=True)),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["user", "at"], name="mark_of_person")],
            },
        ),
    ]
