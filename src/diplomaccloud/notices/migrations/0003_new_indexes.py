import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("notices", "0002_press"),
        ("press", "0008_documents"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(fields=["user", "read_at", "number"], name="notice_news"),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(fields=["membership", "number"], name="notice_talk"),
        ),
        migrations.RemoveIndex(model_name="notice", name="notice_unread"),
        migrations.AlterField(
            model_name="notice",
            name="membership",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="press.membership",
            ),
        ),
    ]
