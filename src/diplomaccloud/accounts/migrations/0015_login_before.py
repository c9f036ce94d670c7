from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds what is shown of a log-in until its day is over, and the order of sign-ups."""

    dependencies = [("accounts", "0014_data_export")]

    operations = [
        migrations.RemoveIndex(model_name="user", name="user_newest"),
        migrations.AddField(
            model_name="user", name="login_before", field=models.DateTimeField(null=True)
        ),
        migrations.AddIndex(
            model_name="user",
            index=models.Index(fields=["guest", "date_joined", "folded_name"], name="user_joined"),
        ),
    ]
