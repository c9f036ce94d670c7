"""`manage release SLUG`: resume a suspended game."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from diplomaccloud.games.deadlines.actions import resume_game
from diplomaccloud.games.table.errors import Refused


class Command(BaseCommand):
    """Resume one game."""

    help = "Resumes a game that was suspended after an error."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the argument."""
        parser.add_argument("slug", help="the last part of the game's URL")

    def handle(self, *_args: object, **options: str) -> None:
        """Resume it."""
        try:
            resume_game(slug=options["slug"], now=timezone.now)
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
