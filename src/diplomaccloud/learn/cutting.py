"""The small boards of lessons, which a process cuts out of the standard map.

Cutting needs a numerical library, which processes that serve pages do not load. Run as a program,
this module is the process: it prints a line when it is ready, then reads names of boards as lines
and answers each with the chart.
"""

import base64
import copyreg
import pickle
import sys
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from diplomaccloud.judge.drawing.chart import Chart, Window
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.maps.line_worker import LineWorker, WorkerBusy, WorkerSlow

CUTS: Mapping[str, tuple[Window, tuple[str, ...], int | None]] = {
    "germany": (Window(420, 290, 770, 650), ("BUD", "WAR"), None),
    "burgundy": (Window(225, 465, 605, 790), ("BRE", "VEN"), None),
    "channel": (
        Window(205, 225, 600, 625),
        ("BER", "MUN", "CLY", "LVP", "BRE", "PIC", "SKA"),
        None,
    ),
    "west": (Window(225, 465, 605, 790), ("VEN", "TUS", "TYR", "KIE", "WAL", "LON"), 4),
    "alps": (Window(300, 480, 700, 790), ("ADR",), None),
}
"""The small boards by name: the part of the standard map that each shows, the provinces of it that
are out of play, and how many centers win if it is not the usual number."""

_CUTTER = LineWorker("diplomaccloud.learn.cutting", 30.0)


def cut_apart(name: str) -> Chart:
    """Return the chart of a small board; raise `KeyError` if there is none of this name."""
    if name not in CUTS:
        raise KeyError(name)
    try:
        answer = _CUTTER.ask(name)
    except (WorkerBusy, WorkerSlow, OSError):
        return cut_chart(name)
    chart: Chart = pickle.loads(base64.b64decode(answer))  # noqa: S301 from our own process
    return chart


def cut_chart(name: str) -> Chart:
    """Return the same in this process."""
    from diplomaccloud.atlas.crop import crop_chart  # noqa: PLC0415 see above

    window, without, victory_centers = CUTS[name]
    chart = crop_chart(
        standard_chart(), window, "Small board", without=without, victory_centers=victory_centers
    )
    # Enlarged this much, hills are blurred and hide the borders that a lesson is about.
    return replace(chart, relief=None)


def freeze(values: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    """Return values that a chart has, which cannot be pickled as they are."""
    return MappingProxyType(values)


def serve() -> None:
    """Answer requests from standard input, one at a time, until it ends."""
    # By its full name: this module is `__main__` here.
    from diplomaccloud.learn.cutting import freeze  # noqa: PLC0415

    copyreg.pickle(MappingProxyType, lambda mapping: (freeze, (dict(mapping),)))
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        chart = pickle.dumps(cut_chart(line.strip()))
        sys.stdout.write(f"{base64.b64encode(chart).decode()}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
