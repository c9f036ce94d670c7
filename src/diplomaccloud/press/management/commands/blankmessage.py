"""`manage blankmessage`: blank the text of a message, as required by law."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils import timezone

from diplomaccloud.games.table.errors import Refused
from diplomaccloud.press.account import blank_case, blank_message


class Command(BaseCommand):
    """Blank a message and its copies in reports, with a line in the audit."""

    help = (
        "Blanks the text of a message and its copies in reports, if the law requires it. "
        "Identify the message by a report's case, or by its game, conversation and number. "
        "On a database server, only the owner of the tables can do it: see docs/operations.md."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument("--case", default="", help="the last part of the case's address")
        parser.add_argument("--game", default="", help="the last part of the game's address")
        parser.add_argument(
            "--members",
            default="",
            help="everyone, gray, table, countries (FRANCE+ITALY), or two screen names (a+b)",
        )
        parser.add_argument("--number", type=int, default=0, help="counted from the first message")
        parser.add_argument("--reason", required=True, help="why; stored in the audit")

    def handle(
        self,
        *_args: object,
        case: str,
        game: str,
        members: str,
        number: int,
        reason: str,
        **_options: object,
    ) -> None:
        """Blank the message."""
        now = timezone.now()
        try:
            if case:
                blank_case(key=case, reason=reason, now=now)
            else:
                blank_message(slug=game, members=members, number=number, reason=reason, now=now)
        except Refused as error:
            raise CommandError(str(error)) from error
        except DatabaseError as error:
            raise CommandError(
                "The database refused this. Set DIPLOMACCLOUD_OWNER_DATABASE_URL to the address of "
                "the tables' owner."
            ) from error
        self.stdout.write("The message was blanked, and the audit records it.")
