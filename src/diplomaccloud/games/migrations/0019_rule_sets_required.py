"""Require the rule set of games and phases, and drop the copies of the rules."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Require the rule set of games and phases, and drop the copies of the rules."""

    dependencies = [("games", "0018_rule_sets_filled")]

    operations = [
        operation
        for model, db_index in (("game", True), ("phase", False))
        for operation in (
            migrations.AlterField(
                model,
                "rule_set",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="+",
                    to="games.storedrules",
                    db_index=db_index,
                ),
            ),
            migrations.RemoveField(model, "rules"),
        )
    ]
