"""`manage mapmaker`: certify maps and make some ahead until killed."""

import fcntl
import os
from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import BaseCommand

from diplomaccloud.maps.mapmaker import MapMaker


class Command(BaseCommand):
    """Runs the mapmaker; a signal ends it at once, which loses nothing."""

    help = "Certifies maps and makes some ahead, at the lowest priority, until it is killed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--rest", type=float, default=15.0, help="seconds between looks")

    def handle(self, *_args: object, **options: float) -> None:
        """Wait until no other mapmaker uses the data directory, then work."""
        os.nice(19)
        directory = settings.DATA_DIR / "maps"
        directory.mkdir(parents=True, exist_ok=True)
        with (directory / "mapmaker.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            MapMaker(rest=options["rest"]).run()
