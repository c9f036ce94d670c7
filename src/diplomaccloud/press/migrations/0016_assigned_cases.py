import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def _assignment(model_name: str) -> list[migrations.operations.base.Operation]:
    """Return the operations that add who a case is assigned to, and since when."""
    person = models.ForeignKey(
        null=True,
        on_delete=django.db.models.deletion.PROTECT,
        related_name="+",
        to=settings.AUTH_USER_MODEL,
    )
    return [
        migrations.AddField(model_name=model_name, name="assigned_to", field=person),
        migrations.AddField(
            model_name=model_name, name="assigned_at", field=models.DateTimeField(null=True)
        ),
    ]


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("press", "0015_document_changed_at"),
    ]

    operations = [
        *_assignment("case"),
        *_assignment("textcase"),
        migrations.AlterField(
            model_name="auditentry",
            name="act",
            field=models.CharField(
                choices=[
                    ("appointed", "Appointed"),
                    ("dismissed", "Dismissed"),
                    ("assigned", "Assigned"),
                    ("taken", "Taken"),
                    ("returned", "Returned"),
                    ("decided", "Decided"),
                    ("inspected", "Inspected"),
                    ("blanked", "Blanked"),
                    ("hidden", "Hidden"),
                    ("kept", "Kept"),
                    ("restored", "Restored"),
                ],
                max_length=12,
            ),
        ),
    ]
