"""Makes the first signing key; the original and the squashed migrations both do so."""

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.utils import timezone

from diplomaccloud.record.signatures import make_key


def make_first_key(apps: StateApps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Make a key unless the site has one."""
    keys = apps.get_model("games", "SigningKey").objects
    if not keys.exists():
        key = make_key()
        keys.create(
            key_id=key.key_id, public=key.public, private=key.private, created_at=timezone.now()
        )
