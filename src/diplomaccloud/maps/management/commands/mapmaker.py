"""`manage mapmaker`: the process of `maps.mapmaker_process`, which a worker starts."""

import contextlib
import os
import stat
import sys
import threading
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from django.core.management.base import BaseCommand, CommandError
from django.db import Error, close_old_connections

from diplomaccloud.maps.gallery_file import SHIPPED_MAPS
from diplomaccloud.maps.mapmaker import Job, Task, do_job, open_shipped_maps
from diplomaccloud.maps.mapmaker_process import AGAIN, DONE, FAILED

_LOWEST: Final = 19
_SESSION_PRIORITY: Final = Path("/proc/self/autogroup")


def lower_priority() -> None:
    """Give everything else on the machine priority.

    Linux may share a busy processor evenly between sessions and apply niceness only within each. So
    a process that leads a session also lowers the session's priority.
    """
    os.nice(_LOWEST)
    if os.getsid(0) == os.getpid():
        with contextlib.suppress(OSError):
            _SESSION_PRIORITY.write_text(str(_LOWEST))


class Command(BaseCommand):
    """Do the jobs from standard input, one at a time; end at once when it ends."""

    help = "Makes, draws and measures maps for a worker, which starts it by itself."
    requires_system_checks = ()

    def handle(self, *_args: object, **_options: object) -> None:
        """Say when it is ready, then answer each line, which has a task and a key, with a word."""
        if not stat.S_ISFIFO(os.fstat(sys.stdin.fileno()).st_mode):
            raise CommandError(
                "A worker with the queue `maps` starts the mapmaker when it is needed. "
                "If a service starts it, remove the service."
            )
        lower_priority()
        # The log may go to standard output, where the worker expects nothing but answers.
        answers = os.fdopen(os.dup(1), "w")
        os.dup2(2, 1)
        shipped = open_shipped_maps(SHIPPED_MAPS)
        lines: SimpleQueue[str] = SimpleQueue()
        threading.Thread(target=_read_lines, args=(lines,), daemon=True).start()
        answer = "ready"
        while True:
            answers.write(f"{answer}\n")
            answers.flush()
            task, _, key = lines.get().rstrip("\n").partition(" ")
            try:
                close_old_connections()
                answer = DONE if do_job(shipped, Job(Task(task), key)) else FAILED
            except Error:
                answer = AGAIN


def _read_lines(lines: "SimpleQueue[str]") -> None:
    for line in sys.stdin:
        lines.put(line)
    # The worker has ended, perhaps in the middle of a job.
    os._exit(0)
