"""The check worker: a process that reads and checks the map files that people upload.

The check of a drawing needs a numerical library, and seconds of a whole CPU, so it must not be done
in a process that serves pages.

Run as a program, this module is the worker: it prints a line when it is ready, then reads files as
lines of Base64 and answers each with a line of JSON: the chart, or its faults.
"""

import json
import os
import sys
from base64 import b64decode, b64encode
from typing import Final

from diplomaccloud.atlas.chartfile import ChartError, check_chart, dump_chart, load_chart
from diplomaccloud.atlas.validation.schemas import Fault
from diplomaccloud.judge.drawing.chart import Chart
from diplomaccloud.maps.line_worker import LineWorker, WorkerBusy, WorkerSlow

MAX_SECONDS: Final = 30.0
"""How long a file may take: the largest takes a few seconds of an idle CPU."""


class NotCheckedError(RuntimeError):
    """The file could not be checked now; the message is for the person who has uploaded it."""


class CheckWorker(LineWorker):
    """The web server's handle for the worker process."""

    def __init__(self) -> None:
        """Prepare a worker; its process starts with the first request."""
        super().__init__("diplomaccloud.maps.check_worker", MAX_SECONDS)

    def check(self, content: bytes) -> Chart:
        """Return the chart in a file; raise `ChartError` with all faults, or `NotCheckedError`."""
        try:
            answer = json.loads(self.ask(b64encode(content).decode()))
        except WorkerBusy as error:
            raise NotCheckedError(
                "Other map files are being checked right now. Try again in a few seconds."
            ) from error
        except WorkerSlow as error:
            raise NotCheckedError(
                "Checking this file takes too long. Simplify its lines, or try again later."
            ) from error
        except OSError as error:
            raise NotCheckedError("The file could not be checked. Try again.") from error
        if "chart" not in answer:
            raise ChartError([Fault(*fault) for fault in answer["faults"]], answer["unlisted"])
        return load_chart(answer["chart"])


CHECK_WORKER = CheckWorker()


def serve() -> None:
    """Answer requests from standard input, one at a time, until it ends."""
    os.nice(5)  # pages are more urgent
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        try:
            answer: dict[str, object] = {"chart": dump_chart(check_chart(b64decode(line)))}
        except ChartError as error:
            faults = [(fault.path, fault.message) for fault in error.faults]
            answer = {"faults": faults, "unlisted": error.unlisted}
        sys.stdout.write(f"{json.dumps(answer)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
