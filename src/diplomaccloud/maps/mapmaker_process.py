"""The process that makes, draws and measures maps for a worker: one on each machine.

It starts with the first job and ends a minute after the last, so that numerical libraries are only
in memory while they are used. It is the command `manage mapmaker`, and ends with its worker, too.
"""

import fcntl
import subprocess
from pathlib import Path
from typing import Final

from django.conf import settings

from diplomaccloud.maps.line_worker import LineWorker, WorkerBusy, WorkerSlow
from diplomaccloud.maps.mapmaker import Job, LostError, NotNowError

MAX_SECONDS: Final = 3600.0
"""How long a job may take: the longest take minutes of CPU time, but only what others leave."""
DONE: Final = "done"
FAILED: Final = "failed"
AGAIN: Final = "again"
"""What the process answers: the job is done, must not be tried again, or can be."""


class MapMakerProcess(LineWorker):
    """A worker's handle for the process."""

    def __init__(self) -> None:
        """Prepare the process, which starts with the first job."""
        super().__init__("diplomaccloud", MAX_SECONDS, words=("manage", "mapmaker"))

    def do(self, job: Job) -> bool:
        """Do a job; return False if it must not be tried again.

        Raises `LostError` if the process has ended or takes too long, and `NotNowError` if it could
        not start, or if another worker's process is at work.
        """
        try:
            answer = self.ask(f"{job.task} {job.key}")
        except WorkerBusy as error:
            raise NotNowError(str(error)) from error
        except (WorkerSlow, OSError) as error:
            raise (LostError if self._ready else NotNowError)(str(error)) from error
        if answer == AGAIN:
            raise NotNowError("the database is away")
        return answer == DONE

    def open(self, command: list[str]) -> "subprocess.Popen[bytes]":
        """Start the process; raise `WorkerBusy` if there is one on this machine."""
        directory = Path(settings.DATA_DIR) / "maps"
        directory.mkdir(parents=True, exist_ok=True)
        with (directory / "mapmaker.lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise WorkerBusy from None
            # The process keeps the lock until it ends.
            return subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
                pass_fds=[lock.fileno()],
            )
