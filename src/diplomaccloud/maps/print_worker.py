"""The print worker: a process that makes PDF files and large pictures for web requests.

A poster takes seconds of a whole CPU, so it must not be drawn in a process that serves pages, and
new maps must not wait for it. Like the map worker, it works on one request at a time.

Run as a program, this module is the worker: it prints a line when it is ready, then reads requests
as lines of JSON, as `write_request` writes them, and answers each with the file in Base64.
"""

import json
import os
import sys
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import replace

from diplomaccloud.atlas.chartfile import dump_chart, load_chart
from diplomaccloud.atlas.printing.pdf import render_large_png, render_sheet
from diplomaccloud.atlas.printing.sheets import Content, Past, Sheet
from diplomaccloud.judge.codec import (
    position_from_json,
    position_to_json,
    resolution_from_json,
    resolution_to_json,
)
from diplomaccloud.judge.drawing.decoration import Decoration

PICTURE = "picture"
"""What is asked for instead of a sheet: a PNG as wide as files may be."""

_TEXTS = ("title", "deadline", "imprint", "style")


def write_request(kind: str, content: Content, colors: Mapping[str, str]) -> str:
    """Return the line that asks for a sheet or `PICTURE`; `colors` replace those of the map."""
    decided = content.resolution
    return json.dumps(
        {
            "kind": kind,
            "decoration": content.decoration,
            "chart": dump_chart(content.chart),
            "colors": dict(colors),
            "position": position_to_json(content.position),
            "resolution": resolution_to_json(decided) if decided else None,
            "past": [
                [position_to_json(past.position), resolution_to_json(past.resolution)]
                for past in content.past
            ],
            **{name: getattr(content, name) for name in _TEXTS},
        },
        sort_keys=True,
    )


def answer_request(line: str) -> bytes:
    """Return the file that a line asks for."""
    asked = json.loads(line)
    chart = load_chart(asked["chart"])
    chart = replace(chart, palette={**chart.palette, **asked["colors"]})
    decided = asked["resolution"]
    content = Content(
        chart,
        position_from_json(asked["position"]),
        resolution_from_json(decided) if decided else None,
        past=tuple(
            Past(position_from_json(position), resolution_from_json(resolution))
            for position, resolution in asked["past"]
        ),
        decoration=Decoration(asked["decoration"]),
        **{name: asked[name] for name in _TEXTS},
    )
    if asked["kind"] == PICTURE:
        return render_large_png(content)
    (pdf,) = render_sheet(Sheet(asked["kind"]), content)
    return pdf


def serve() -> None:
    """Answer requests from standard input, one at a time, until it ends."""
    os.nice(5)  # pages are more urgent than posters
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        sys.stdout.write(b64encode(answer_request(line)).decode() + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
