"""`manage mapmaker`: draw, certify and make maps until killed."""

import contextlib
import fcntl
import os
from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand

from diplomaccloud.maps.gallery_file import SHIPPED_MAPS
from diplomaccloud.maps.mapmaker import MapMaker
from diplomaccloud.metrics import publish_metrics
from diplomaccloud.version import __version__

_LOWEST = 19
_SESSION_PRIORITY = Path("/proc/self/autogroup")


def lower_priority() -> None:
    """Give everything else on the machine priority.

    Linux may share a busy processor evenly between sessions and apply niceness only within each. So
    a process that leads a session, such as those of `play`, also lowers the session's priority.
    """
    os.nice(_LOWEST)
    if os.getsid(0) == os.getpid():
        with contextlib.suppress(OSError):
            _SESSION_PRIORITY.write_text(str(_LOWEST))


class Command(BaseCommand):
    """Run the mapmaker. A signal ends it immediately, without losing anything."""

    help = "Draws and certifies maps and makes new ones in advance, at the lowest priority."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options."""
        parser.add_argument(
            "--rest", type=float, default=15.0, help="seconds to wait when there is nothing to do"
        )

    def handle(self, *_args: object, **options: float) -> None:
        """Wait until no other mapmaker uses the data directory, then run."""
        lower_priority()
        directory = settings.DATA_DIR / "maps"
        directory.mkdir(parents=True, exist_ok=True)
        with (directory / "mapmaker.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            publish_metrics(settings.METRICS, role="mapmaker", release=__version__)
            MapMaker(rest=options["rest"], shipped=SHIPPED_MAPS).run()
