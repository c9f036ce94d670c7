"""`manage rotatekey`: sign records and receipts with a new key."""

from django.core.management.base import BaseCommand
from django.utils import timezone

from diplomaccloud.games.table.record_lines import rotate_key


class Command(BaseCommand):
    """Retire the site's signing key and create a new one."""

    help = "Creates a new key to sign records and receipts; older signatures stay valid."

    def handle(self, *_args: object, **_options: object) -> None:
        """Create the key and print its id."""
        key = rotate_key(now=timezone.now())
        self.stdout.write(f"The site now signs with key {key.key_id}.")
