"""`manage announce`: announce something, change or withdraw it, or list what is announced."""

import datetime as dt
import sys
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from diplomaccloud.announcements.actions import announce, edit, withdraw
from diplomaccloud.announcements.models import Announcement, Audience
from diplomaccloud.games.table.errors import Refused

FOR_DAYS = 7
"""How long an announcement is shown if no end is given."""


def read_time(text: str) -> dt.datetime:
    """Return the time; without a zone, it is in UTC."""
    try:
        at = dt.datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(
            f"{text!r} is not a time. Write 2026-12-24T18:00 (UTC) or 2026-12-24T18:00+01:00.",
        ) from None
    return at if at.tzinfo else at.replace(tzinfo=dt.UTC)


class Command(BaseCommand):
    """Announce, change, withdraw or list."""

    help = "Announces a text in Markdown; without a text, lists the announcements."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument("text", nargs="?", help="Markdown, or - to read it from the input")
        parser.add_argument("--from", dest="starts_at", type=read_time, help="default: now")
        parser.add_argument(
            "--until",
            dest="ends_at",
            type=read_time,
            help=f"default: {FOR_DAYS} days after --from",
        )
        parser.add_argument("--for", dest="audience", choices=Audience.values)
        parser.add_argument(
            "--maintenance",
            type=read_time,
            metavar="TIME",
            help="when maintenance begins",
        )
        parser.add_argument("--edit", type=int, metavar="NUMBER", help="change this announcement")
        parser.add_argument("--withdraw", type=int, metavar="NUMBER", help="show it no longer")

    def handle(self, *_args: object, **options: Any) -> None:
        """Do what was asked."""
        try:
            self._handle(**options)
        except Refused as error:
            raise CommandError(str(error)) from error

    def _handle(
        self,
        *,
        text: str | None,
        edit: int | None,
        withdraw: int | None,
        **options: Any,
    ) -> None:
        if text == "-":
            text = sys.stdin.read()
        if withdraw is not None:
            self._withdraw(withdraw)
        elif edit is not None:
            row = _edit(edit, text, options)
            self.stdout.write(f"Announcement {row.pk} is changed.")
        elif text is not None:
            row = _announce(text, options)
            self.stdout.write(
                f"Announcement {row.pk} is shown until {row.ends_at:%Y-%m-%d %H:%M} UTC.",
            )
        else:
            self._list()

    def _withdraw(self, key: int) -> None:
        changed = withdraw(key=key, now=timezone.now())
        state = "withdrawn now" if changed else "withdrawn already"
        self.stdout.write(f"Announcement {key} is {state}.")

    def _list(self) -> None:
        now = timezone.now()
        for row in Announcement.objects.filter(ends_at__gt=now, withdrawn_at=None).order_by("pk"):
            first = row.text.partition("\n")[0]
            time = (
                f", maintenance at {row.maintenance_at:%Y-%m-%d %H:%M}"
                if row.maintenance_at
                else ""
            )
            self.stdout.write(
                f"{row.pk}: {first}\n   {row.kind} for {row.audience}, from "
                f"{row.starts_at:%Y-%m-%d %H:%M} until {row.ends_at:%Y-%m-%d %H:%M} UTC{time}",
            )


def _announce(text: str, options: dict[str, Any]) -> Announcement:
    starts_at = options["starts_at"] or timezone.now()
    return announce(
        text=text,
        starts_at=starts_at,
        ends_at=options["ends_at"] or starts_at + dt.timedelta(days=FOR_DAYS),
        audience=options["audience"] or Audience.EVERYBODY,
        maintenance_at=options["maintenance"],
    )


def _edit(key: int, text: str | None, options: dict[str, Any]) -> Announcement:
    return edit(
        key=key,
        text=text,
        starts_at=options["starts_at"],
        ends_at=options["ends_at"],
        audience=options["audience"],
        maintenance_at=options["maintenance"],
    )
