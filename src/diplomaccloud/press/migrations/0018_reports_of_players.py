import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0001_squashed_0028_event_order"),
        ("press", "0017_returned_seat"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="case",
            name="person",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="case",
            name="seat",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="games.seat",
            ),
        ),
        migrations.AlterField(
            model_name="case",
            name="message",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="cases",
                to="press.message",
            ),
        ),
        migrations.AlterField(
            model_name="report",
            name="grounds",
            field=models.CharField(
                choices=[
                    ("abuse", "Insults or harassment"),
                    ("threat", "A threat outside the game"),
                    ("cheating", "Cheating: several accounts, or a deal outside the game"),
                    ("private", "Personal data about someone"),
                    ("spam", "Spam or advertising"),
                    ("accounts", "One person with two accounts"),
                    ("throwing", "Throws the game: plays for another player to win"),
                    ("outside", "Talks outside an anonymous game"),
                    ("other", "Something else"),
                ],
                max_length=12,
            ),
        ),
        migrations.AlterField(
            model_name="report",
            name="message",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="press.message",
            ),
        ),
        migrations.AlterField(
            model_name="textreport",
            name="grounds",
            field=models.CharField(
                choices=[
                    ("abuse", "Insults or harassment"),
                    ("threat", "A threat outside the game"),
                    ("cheating", "Cheating: several accounts, or a deal outside the game"),
                    ("private", "Personal data about someone"),
                    ("spam", "Spam or advertising"),
                    ("accounts", "One person with two accounts"),
                    ("throwing", "Throws the game: plays for another player to win"),
                    ("outside", "Talks outside an anonymous game"),
                    ("other", "Something else"),
                ],
                max_length=12,
            ),
        ),
    ]
