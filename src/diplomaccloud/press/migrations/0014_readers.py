from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("press", "0013_texts")]

    operations = [
        migrations.AddIndex(
            model_name="membership",
            index=models.Index(fields=["conversation", "user"], name="membership_reader"),
        ),
    ]
