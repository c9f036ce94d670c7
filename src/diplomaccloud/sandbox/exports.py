"""A sandbox as files: pictures with their limits, texts, a judge request and a record."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from diplomaccloud.judge.board import Board
from diplomaccloud.judge.codec import board_to_json
from diplomaccloud.judge.drawing.chart import Chart
from diplomaccloud.judge.drawing.overlay import render_map
from diplomaccloud.judge.drawing.theme import Theme
from diplomaccloud.judge.orders import power_of
from diplomaccloud.judge.protocol import dump_record
from diplomaccloud.judge.protocol.requests import position_to_request
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.maps.library import PERIOD, QuotaError
from diplomaccloud.maps.picture_worker import render_png
from diplomaccloud.sandbox.engine import SEED, SandboxState, replay, write_orders, write_position
from diplomaccloud.shared.database_cache import count

PNG_WIDTH = 1200
"""The width of an exported PNG in pixels. Drawing time is proportional to the area."""


def draw_svg(chart: Chart, state: SandboxState, theme: Theme) -> str:
    """Return the position with its orders as a standalone SVG.

    Without orders, the last adjudicated phase is drawn with its results.
    """
    timeline = replay(chart.board, state)
    if state.orders or not timeline.phases:
        title = f"{chart.world}: {timeline.position.phase.title}"
        return render_map(
            chart, timeline.position, theme, orders=state.orders, title=title, marks=state.marks
        )
    played = timeline.phases[-1]
    return render_map(
        chart,
        played.position,
        theme,
        results=played.resolution.results,
        dislodged=played.resolution.dislodged,
        standoffs=played.resolution.standoffs,
        title=f"{chart.world}: {played.position.phase.title}",
        marks=state.marks,
    )


def draw_png(chart: Chart, state: SandboxState, theme: Theme) -> bytes:
    """Return the picture of `draw_svg` as a PNG."""
    return render_png(draw_svg(chart, state, theme), PNG_WIDTH)


def dump_orders(board: Board, state: SandboxState) -> str:
    """Return the orders as order sheets; without orders, those of the last phase."""
    timeline = replay(board, state)
    if state.orders or not timeline.phases:
        return write_orders(board, timeline.position, state.orders)
    return write_orders(board, timeline.phases[-1].position, timeline.phases[-1].orders)


def dump_request(board: Board, state: SandboxState) -> str:
    """Return the position with its orders as a request in the judge's protocol."""
    position = replay(board, state).position
    orders: dict[str, list[str]] = {}
    for order in state.orders:
        orders.setdefault(power_of(order), []).append(str(order))
    options = {"rules": state.edition, "orders": orders, "seed": SEED}
    request = {**position_to_request(position), **options}
    if board != standard_board():
        request["map"] = board_to_json(board)
    return json.dumps(request, separators=(",", ":")) + "\n"


def dump_phases(board: Board, state: SandboxState) -> str:
    """Return the adjudicated phases as a game record, which `diplomaccloud replay` checks."""
    played = replay(board, state).phases
    phases = ((phase.position, phase.orders, phase.resolution) for phase in played)
    lines = dump_record(board, state.rules, phases, name="sandbox", seed=SEED)
    return "".join(f"{line}\n" for line in lines)


TEXTS: Final[Mapping[str, Callable[[Board, SandboxState], str]]] = {
    "position.txt": lambda board, state: write_position(board, replay(board, state).position),
    "orders.txt": dump_orders,
    "request.json": dump_request,
    "record.jsonl": dump_phases,
}
"""What writes each text file."""

MAX_PICTURES = 40
"""How many pictures an IP address may export in a period."""

MAX_PNGS = 12
"""How many of them may be PNGs: each takes seconds."""

_PNG_SLOT = threading.BoundedSemaphore(1)


class PictureBusyError(RuntimeError):
    """Another PNG is being drawn; the message is for the visitor."""


def count_picture(address: str, *, png: bool) -> None:
    """Count a picture for an IP address; raise `QuotaError` if the limit is reached."""
    kind, limit = ("PNG pictures", MAX_PNGS) if png else ("pictures", MAX_PICTURES)
    if count(f"sandbox-{kind}-for-{address}".replace(" ", "-"), PERIOD) > limit:
        minutes = PERIOD // 60
        raise QuotaError(f"Limit reached: {limit} {kind} per {minutes} minutes. Try again later.")


@contextmanager
def take_png_slot() -> Iterator[None]:
    """Hold the process's only slot for PNGs; raise `PictureBusyError` if it is taken."""
    if not _PNG_SLOT.acquire(timeout=2):
        raise PictureBusyError(
            "The site is drawing another picture. Try again in a few seconds, or use the SVG."
        )
    try:
        yield
    finally:
        _PNG_SLOT.release()
