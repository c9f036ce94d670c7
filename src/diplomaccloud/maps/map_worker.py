"""The map worker: a process that makes maps for web requests within a time limit.

The generator uses a whole CPU and loads numerical libraries, so it must not run in a process that
serves pages. The first request starts the worker, which keeps running for later ones. It makes one
map at a time and is killed if a map takes too long.

Run as a program, this module is the worker: it prints a line when it is ready, then reads requests
as lines of JSON and answers each with a line: the chart as written by `atlas.chartfile`, or the
option that does not fit, or `-`, and the reason for not making a map. It also simplifies charts
that are too heavy to be drawn as they are (`plain_charts`).
"""

import json
import os
import sys
from dataclasses import asdict, dataclass

from diplomaccloud.atlas.chartfile import dump_chart, load_chart
from diplomaccloud.judge.drawing.chart import Chart
from diplomaccloud.maps.factory import NoMapError, load_generator, make_map
from diplomaccloud.maps.line_worker import LineWorker, WorkerBusy, WorkerSlow
from diplomaccloud.maps.plain_charts import make_plain

MAX_SECONDS = 12.0
"""How many seconds a request may wait for a map."""
_MAX_QUICK_PROVINCES, _USUAL_PROVINCES = 110, 11
"""The size of the largest map that is made while a request waits, and the usual one per player."""
_PLAIN = "plain"
"""The key of a request to simplify a chart."""
_BUSY = "Other maps are being made right now. Try again in a few seconds."


class BusyError(NoMapError):
    """The worker is busy with other requests."""


class TooSlowError(NoMapError):
    """The map was not finished within the time limit."""


@dataclass(frozen=True, slots=True)
class MapRequest:
    """The options of a new map; `None` leaves the choice to the generator."""

    seed: str
    players: int = 7
    provinces: int | None = None
    sea: float | None = None
    landform: str | None = None
    homes: str = "varied"

    @property
    def is_large(self) -> bool:
        """Whether the map may take longer than a request may wait."""
        return (self.provinces or _USUAL_PROVINCES * self.players) > _MAX_QUICK_PROVINCES


@dataclass(frozen=True, slots=True)
class PlainText:
    """The file of a simplified chart, and why it is not exact; blank if it is."""

    text: str
    lost: str


class MapWorker(LineWorker):
    """The web server's handle for the worker process."""

    def __init__(self, seconds: float = MAX_SECONDS) -> None:
        """Prepare a worker; its process starts with the first request."""
        super().__init__("diplomaccloud.maps.map_worker", seconds)

    def make_plain(self, text: str) -> PlainText:
        """Return what is drawn in place of a heavy chart, given as its file; raise `BusyError`."""
        try:
            answer = self.ask(json.dumps({_PLAIN: text}))
        except (WorkerBusy, WorkerSlow, OSError) as error:
            raise BusyError(_BUSY) from error
        return PlainText(**json.loads(answer))

    def make(self, map_request: MapRequest) -> Chart:
        """Return the map for a request; raise `NoMapError`, `BusyError` or `TooSlowError`."""
        try:
            answer = self.ask(json.dumps(asdict(map_request)))
        except WorkerBusy as error:
            raise BusyError(_BUSY) from error
        except WorkerSlow as error:
            raise TooSlowError(
                f"The map was not finished within {self._seconds:.0f} seconds. Choose fewer "
                "provinces, or try again when the server is less busy."
            ) from error
        except OSError as error:
            raise NoMapError("The map could not be made. Try again.") from error
        kind, _, text = answer.partition(" ")
        if kind != "chart":
            option, _, reason = text.partition(" ")
            raise NoMapError(reason, option.removeprefix("-"))
        return load_chart(json.loads(text))


MAP_WORKER = MapWorker()


def serve() -> None:
    """Answer requests from standard input, one at a time, until it ends."""
    os.nice(5)  # pages are more urgent than maps
    load_generator()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        asked = json.loads(line)
        if _PLAIN in asked:
            plain = make_plain(load_chart(asked[_PLAIN]))
            answer = json.dumps(asdict(PlainText(dump_chart(plain.chart), plain.lost)))
            sys.stdout.write(f"{answer}\n")
            sys.stdout.flush()
            continue
        request = MapRequest(**asked)
        try:
            chart = make_map(
                request.seed,
                request.players,
                provinces=request.provinces,
                sea=request.sea,
                landform=request.landform,
                homes=request.homes,
            )
            answer = f"chart {json.dumps(dump_chart(chart))}"
        except NoMapError as error:
            answer = f"none {error.option or '-'} {' '.join(str(error).split())}"
        sys.stdout.write(answer + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
