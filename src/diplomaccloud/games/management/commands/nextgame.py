"""`manage nextgame`: list the templates of the next games, change one, or remove one."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from diplomaccloud.games.next_game.actions import TemplateGiven, remove_template, save_template
from diplomaccloud.games.next_game.read import list_templates
from diplomaccloud.games.table.errors import Refused

_FIELDS = {
    "title": "the title of the games",
    "map": "`standard`, `new` for a certified world that nobody here has played, or a map's hash",
    "speed": "`evening`, `daily`, `twice` or `mail`",
    "press": "`full`, `public`, `rulebook` or `none`",
    "edition": "the rules, such as `2000`",
}


class Command(BaseCommand):
    """List, save or remove templates."""

    help = "Lists the templates of the next games; with a number, changes that template or adds it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument("slot", nargs="?", type=int, help="the number of the template, from 1")
        parser.add_argument("--remove", action="store_true", help="open no more games from it")
        for name, text in _FIELDS.items():
            parser.add_argument(f"--{name}", help=text)

    def handle(self, *_args: object, slot: int | None, remove: bool, **options: str | None) -> None:
        """Do it, and list the templates."""
        known = {template.slot: template for template in list_templates()}
        now, old = timezone.now(), known.get(slot or 0)
        given = {name: options[name] for name in _FIELDS if options[name] is not None}
        values = {
            "map": "standard",
            "speed": "daily",
            "press": "full",
            "edition": "2000",
            **({name: getattr(old, name) for name in _FIELDS} if old else {"title": ""}),
            **given,
        }
        try:
            if slot is not None and remove:
                remove_template(slot=slot, now=now)
            elif slot is not None:
                save_template(slot=slot, given=TemplateGiven(**values), now=now)
            elif given or remove:
                raise CommandError("Say which template, with a number.")
        except Refused as error:
            raise CommandError(str(error)) from error
        for each in list_templates():
            facts = f"{each.map}, {each.speed}, press {each.press}, rules {each.edition}"
            waiting = each.waiting or "no game yet"
            self.stdout.write(f"{each.slot}. {each.title}: {facts} ({waiting})")
