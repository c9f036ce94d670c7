from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("press", "0019_audit_of_games"),
    ]

    operations = [
        migrations.AlterField(
            model_name="inspection",
            name="what",
            field=models.CharField(
                choices=[
                    ("conversation", "Conversation"),
                    ("name", "Name"),
                    ("signals", "Signals"),
                ],
                max_length=12,
            ),
        ),
    ]
