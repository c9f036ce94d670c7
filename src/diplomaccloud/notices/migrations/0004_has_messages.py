from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("notices", "0003_new_indexes")]

    operations = [
        migrations.AddField(
            model_name="destination",
            name="has_messages",
            field=models.BooleanField(db_default=True, default=True),
        ),
    ]
