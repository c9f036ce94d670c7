"""`manage moderator`: appoint a moderator, dismiss one, or list them."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from diplomaccloud.games.table.errors import Refused
from diplomaccloud.press.moderation.actions import appoint_moderator
from diplomaccloud.press.moderation.read import list_moderators


class Command(BaseCommand):
    """Appoint or dismiss a moderator, with a line in the audit."""

    help = "Appoints a moderator, who judges reports; without a name, lists the moderators."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument("name", nargs="?", default="", help="screen name")
        parser.add_argument("--dismiss", action="store_true", help="end the appointment")

    def handle(self, *_args: object, name: str, dismiss: bool, **_options: object) -> None:
        """Appoint, dismiss or list moderators."""
        if not name:
            for known in list_moderators():
                self.stdout.write(known)
            return
        try:
            changed = appoint_moderator(
                name=name, appointed=not dismiss, by=None, now=timezone.now()
            )
        except Refused as error:
            raise CommandError(str(error)) from error
        state = "not a moderator" if dismiss else "a moderator"
        when = "now" if changed else "already"
        self.stdout.write(f"{name} is {state} {when}.")
