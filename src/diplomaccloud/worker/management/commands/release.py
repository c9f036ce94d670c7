"""`manage release SLUG`: give a game that was put aside back to the clock."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from diplomaccloud.games import actions
from diplomaccloud.games.errors import Refused


class Command(BaseCommand):
    """Releases one game."""

    help = "Gives a game that was put aside by an alarm back to the clock."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the game."""
        parser.add_argument("slug", help="the last part of the game's address")

    def handle(self, *_args: object, **options: str) -> None:
        """Release it."""
        try:
            actions.release_game(slug=options["slug"], now=timezone.now)
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
