from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0004_submission_tried_at")]

    operations = [
        migrations.AddField(
            model_name="phase",
            name="grace_at",
            field=models.DateTimeField(null=True),
        ),
    ]
