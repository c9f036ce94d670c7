from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("press", "0001_squashed_0014_readers")]

    operations = [
        migrations.AddField(
            model_name="document",
            name="changed_at",
            field=models.DateTimeField(null=True),
        ),
    ]
