"""`manage worker`: process due phases and run background tasks until stopped."""

import datetime as dt
import signal
from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import BaseCommand

from diplomaccloud import __version__
from diplomaccloud.games.actions import LEASE
from diplomaccloud.metrics import publish_metrics
from diplomaccloud.notices.sending import NoticesThread
from diplomaccloud.worker.background import BackgroundThread
from diplomaccloud.worker.figures import register_figures
from diplomaccloud.worker.thinking import ThinkingThread
from diplomaccloud.worker.worker import Worker


class Command(BaseCommand):
    """Run one worker."""

    help = "Processes due phases and runs background tasks until stopped (SIGTERM or Ctrl-C)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options."""
        parser.add_argument("--pause", type=float, default=1.0, help="seconds between rounds")
        parser.add_argument(
            "--lease",
            type=float,
            default=LEASE.total_seconds(),
            help="seconds for which a phase is claimed",
        )

    def handle(self, *_args: object, **options: float) -> None:
        """Run until a signal arrives."""
        worker = Worker(pause=options["pause"], lease=dt.timedelta(seconds=options["lease"]))
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: worker.stop())
        if publish_metrics(settings.METRICS, role="worker", release=__version__):
            register_figures()
        background = BackgroundThread(pause=options["pause"])
        notices = NoticesThread(pause=options["pause"])
        background.start()
        notices.start()
        thinking = ThinkingThread(now=worker.now, pause=options["pause"])
        thinking.start()
        worker.run()
        thinking.stop()
        notices.stop()
        background.stop()
