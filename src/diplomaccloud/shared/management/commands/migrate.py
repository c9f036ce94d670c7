"""`manage migrate`: Django's command, after a check that this release can upgrade the database."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

from diplomaccloud.shared.upgrades import TOO_OLD, is_too_old


class Command(migrate.Command):
    """Refuse a database that is too old before anything changes, or migrate it."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Run Django's command, or raise `CommandError`."""
        connection = connections[options["database"]]
        if is_too_old(MigrationRecorder(connection).applied_migrations()):
            raise CommandError(TOO_OLD)
        super().handle(*args, **options)
