"""`manage resettwofactor`: let a person who has lost all passkeys and codes log in again."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.screen_names import make_key
from diplomaccloud.accounts.two_factor import remove_factors


class Command(BaseCommand):
    """Turn off two-factor log-in for a person."""

    help = "Removes a person's passkeys, authenticator app and recovery codes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument("name", help="screen name")

    def handle(self, *_args: object, name: str, **_options: object) -> None:
        """Do what was asked."""
        person = User.objects.filter(folded_name=make_key(name)).first()
        if person is None:
            raise CommandError(f"There is no player called {name}.")
        if not remove_factors(person.pk):
            raise CommandError(f"{person.username} has no two-factor log-in.")
        self.stdout.write(f"{person.username} can now log in with the password alone.")
