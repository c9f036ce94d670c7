"""`manage rotatekey`: sign records and receipts with a new key."""

from django.core.management.base import BaseCommand
from django.utils import timezone

from diplomaccloud.games import actions


class Command(BaseCommand):
    """Retire the signing key of the site and make a new one."""

    help = "Signs records and receipts with a new key from now on; older signatures stay valid."

    def handle(self, *_args: object, **_options: object) -> None:
        """Make the key and print its id."""
        key = actions.rotate_key(now=timezone.now())
        self.stdout.write(f"The site signs with key {key.key_id} now.")
