"""Store each rule set once, and let games and phases refer to it."""

import hashlib
import json
from typing import Any

from django.db import migrations

_TABLES = ("games_game", "games_phase")
_AT_ONCE = 50


def fill(apps: Any, editor: Any) -> None:
    """Store the JSON of each rule set as it is, and set the references in one pass for many."""
    stored = apps.get_model("games", "StoredRules")
    as_text = "rules::text" if editor.connection.vendor == "postgresql" else "rules"
    with editor.connection.cursor() as cursor:
        for table in _TABLES:
            cursor.execute(f"SELECT DISTINCT {as_text} FROM {table}")  # noqa: S608 our own names
            texts = [text for (text,) in cursor.fetchall()]
            digests = {text: _store(stored, text) for text in texts}
            for start in range(0, len(texts), _AT_ONCE):
                _refer(cursor, table, as_text, digests, texts[start : start + _AT_ONCE])


def _store(stored: Any, text: str) -> str:
    rules = json.loads(text)
    plain = json.dumps(rules, sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(plain.encode()).hexdigest()
    stored.objects.get_or_create(digest=digest, defaults={"rules": rules})
    return digest


def _refer(
    cursor: Any, table: str, as_text: str, digests: dict[str, str], texts: list[str]
) -> None:
    cases = " ".join("WHEN %s THEN %s" for _ in texts)
    marks = ", ".join("%s" for _ in texts)
    cursor.execute(
        f"UPDATE {table} SET rule_set_id = CASE {as_text} {cases} END"  # noqa: S608 our own names
        f" WHERE {as_text} IN ({marks})",
        [*(value for text in texts for value in (text, digests[text])), *texts],
    )


class Migration(migrations.Migration):
    """Store each rule set once, and let games and phases refer to it."""

    dependencies = [("games", "0017_rule_sets")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
