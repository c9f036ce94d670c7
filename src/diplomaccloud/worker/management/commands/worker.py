"""`manage worker`: process due phases and run background tasks until stopped."""

import datetime as dt
import signal
from argparse import ArgumentParser
from typing import Final, cast

from django.core.management.base import BaseCommand, CommandError

from diplomaccloud.games.turn.claims import LEASE
from diplomaccloud.maps.picture_worker import PICTURE_WORKER
from diplomaccloud.notices.sending import NoticesThread
from diplomaccloud.shared.round_threads import RoundThread
from diplomaccloud.worker.figures import publish_figures
from diplomaccloud.worker.threads import (
    BackgroundThread,
    MailThread,
    MapThread,
    PictureThread,
    ThinkingThread,
)
from diplomaccloud.worker.worker import Worker

QUEUES: Final = ("clock", "bots", "notices", "maps", "default")
"""The queues that a worker can serve."""


class Command(BaseCommand):
    """Run one worker."""

    # They import all pages, which take 30 MB and are none of a worker's business.
    requires_system_checks = ()
    help = "Processes due phases and runs background tasks until stopped (SIGTERM or Ctrl-C)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options."""
        parser.add_argument("--pause", type=float, default=1.0, help="seconds between rounds")
        lease, about = LEASE.total_seconds(), "seconds for which a worker claims a phase"
        parser.add_argument("--lease", type=float, default=lease, help=about)
        about = "queues to serve (default: all of them)"
        parser.add_argument("--queues", default=",".join(QUEUES), help=about)
        about = "file descriptor to which the worker writes in each round, for a supervisor"
        parser.add_argument("--pulse", type=int, help=about)

    def handle(self, *_args: object, **options: object) -> None:
        """Run until a signal arrives."""
        pause, lease = cast("float", options["pause"]), cast("float", options["lease"])
        queues = set(cast("str", options["queues"]).split(","))
        if unknown := queues - set(QUEUES):
            names = ", ".join(QUEUES)
            raise CommandError(f"There is no queue {min(unknown)!r}. Choose from {names}.")
        pulse = cast("int | None", options["pulse"])
        worker = Worker(pause=pause, lease=dt.timedelta(seconds=lease), pulse=pulse)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: worker.stop())
        publish_figures()
        PICTURE_WORKER.is_used = True
        threads: list[RoundThread] = []
        if "default" in queues:
            threads += [BackgroundThread(pause=pause), PictureThread(pause=pause)]
        if "notices" in queues:
            threads += [MailThread(pause=pause), NoticesThread(pause=pause)]
        if "maps" in queues:
            threads.append(MapThread())
        if "bots" in queues:
            threads.append(ThinkingThread(pause=pause))
        for thread in threads:
            thread.start()
        if "clock" in queues:
            worker.run()
        else:
            worker.wait()
        for thread in reversed(threads):
            thread.stop()
        PICTURE_WORKER.close()
