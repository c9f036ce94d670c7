"""`manage recount`: compare the figures of people and games with the facts."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from diplomaccloud.games.results.actions import find_differences, recount_in_background


class Command(BaseCommand):
    """Recount everything that is stored beside the facts that it follows from."""

    help = (
        "Recounts the figures of people, the versions of games and other stored counts, and "
        "lists those that differ. The site can keep running."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options."""
        parser.add_argument("--repair", action="store_true", help="store the correct values")
        parser.add_argument(
            "--background", action="store_true", help="let a worker count, and log what differs"
        )

    def handle(self, *_args: object, **options: bool) -> None:
        """List what differs; without `--repair`, fail if anything does."""
        if options["background"]:
            recount_in_background.enqueue(1, options["repair"])
            self.stdout.write(
                "A worker counts now. It logs what differs, and at the end “recount finished”."
            )
            return
        count = 0
        for difference in find_differences(repair=options["repair"]):
            count += 1
            self.stdout.write(str(difference))
        if not count:
            self.stdout.write("All stored figures are correct.")
        elif options["repair"]:
            values = "1 value" if count == 1 else f"{count} values"
            self.stdout.write(f"{values} repaired.")
        else:
            verb = "differs" if count == 1 else "differ"
            values = "1 stored value" if count == 1 else f"{count} stored values"
            raise CommandError(
                f"{values} {verb} from the facts. "
                "Repair with `diplomaccloud manage recount --repair`."
            )
