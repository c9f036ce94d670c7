from django.db import migrations, models


class Migration(migrations.Migration):
    """Which maps of a release a site has stored; the mapmaker stores them."""

    dependencies = (("maps", "0002_many_players"),)

    operations = (
        migrations.CreateModel(
            name="ShippedChart",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("content_hash", models.CharField(max_length=64, unique=True)),
                ("created_at", models.DateTimeField()),
            ],
            options={"abstract": False},
        ),
    )
