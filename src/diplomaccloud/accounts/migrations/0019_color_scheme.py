from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0018_relationships")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="color_scheme",
            field=models.CharField(
                blank=True, db_default="", default="", editable=False, max_length=5
            ),
        ),
    ]
