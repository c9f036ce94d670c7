"""Index what lists of games, people's pages and workers ask for."""

from django.db import migrations, models

_OLD = (("game", "game_lists"), ("phase", "phase_due_rows"), ("phase", "phase_lock_rows"))
_NEW = (
    ("game", "game_lists", ["status", "private", "id"]),
    ("game", "game_watchable", ["status", "private", "watchable", "id"]),
    ("game", "game_mastered", ["master", "status", "id"]),
    ("game", "game_codes", ["code"]),
    ("phase", "phase_due_rows", ["open", "adjudicate_at"]),
    ("phase", "phase_lock_rows", ["open", "locked_at", "due_at"]),
    ("seat", "seat_games", ["user", "finished_at", "id"]),
    ("seat", "seat_vacant", ["finished_at", "vacated_at"]),
    ("vote", "vote_late", ["open", "closes_at"]),
)


class Migration(migrations.Migration):
    """Make the indexes after the rows have changed, which is faster."""

    dependencies = [("games", "0015_figures_filled")]

    operations = [
        *(migrations.RemoveIndex(model, name) for model, name in _OLD),
        *(
            migrations.AddIndex(model, models.Index(fields=fields, name=name))
            for model, name, fields in _NEW
        ),
        migrations.AlterField("phase", "open", models.BooleanField(default=True, null=True)),
    ]
