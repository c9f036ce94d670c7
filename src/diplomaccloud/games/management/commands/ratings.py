"""`manage ratings`: compute all ratings of people again, from the finished games."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from diplomaccloud.games.ratings.actions import compare_ratings


class Command(BaseCommand):
    """Compute the ratings of people from the start, and compare them with the stored ones."""

    help = (
        "Computes all ratings of people again, from the finished games, and replaces the stored "
        "ones. With --check, only lists the rows that differ. The site can keep running."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the option."""
        parser.add_argument("--check", action="store_true", help="list differences, change nothing")

    def handle(self, *_args: object, check: bool, **_options: object) -> None:
        """List the rows that differ; with `--check`, fail if any does."""
        differences = compare_ratings(repair=not check)
        for line in differences:
            self.stdout.write(line)
        if not differences:
            self.stdout.write("All stored ratings are correct.")
        elif check:
            raise CommandError(
                "The stored ratings differ from the games. Replace them with "
                "`diplomaccloud manage ratings`."
            )
        else:
            self.stdout.write("The stored ratings were replaced.")
