"""The picture worker: a process that turns drawings into pixels for web servers and workers.

The libraries for that, and what they leave in memory, take 30 MB, so processes that run all day
leave it to this one, which ends seconds after the last picture. Processes that end soon, such as
commands and the mapmaker, draw by themselves.

Run as a program, this module is the worker: it prints a line when it is ready, then reads requests
as lines of JSON, each a function's name and arguments, and answers with the files in Base64, or
with a reason.
"""

import json
import os
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from diplomaccloud.atlas import png
from diplomaccloud.judge.drawing.png import PictureError
from diplomaccloud.maps import thumbnails
from diplomaccloud.maps.line_worker import LineWorker, WorkerBusy, WorkerSlow

MAX_SECONDS: Final = 30.0
"""How long a picture may take, even on a busy machine. Most take less than half a second."""
_REST_SECONDS: Final = 10.0
"""How long the process is kept without requests: starting it takes only a tenth of a second."""
_MAX_REQUESTS: Final = 16
"""How many pictures may be asked for at once: a page of the gallery shows eight."""
_FUNCTIONS: Final[Mapping[str, Callable[..., bytes | list[bytes]]]] = {
    function.__name__: function
    for function in (png.render_png, thumbnails.compress_card, thumbnails.compress_thumbnails)
}
_FILES, _REASON = "files", "reason"
"""The words with which answers begin."""


class PictureWorker(LineWorker):
    """The handle for the process, of a process that lets it draw."""

    def __init__(self, seconds: float = MAX_SECONDS) -> None:
        """Prepare a worker; its process starts with the first picture, if it `is_used`."""
        module = "diplomaccloud.maps.picture_worker"
        super().__init__(module, seconds, rest=_REST_SECONDS, most=_MAX_REQUESTS)
        self.is_used = False

    def draw(self, name: str, *words: object) -> list[bytes]:
        """Return what one of the functions returns; raise `PictureError`.

        If the process cannot be used now, this one draws.
        """
        if self.is_used:
            with suppress(WorkerBusy, OSError):
                try:
                    return _read_answer(self.ask(json.dumps([name, *words])))
                except WorkerSlow:
                    raise PictureError(f"not drawn within {self._seconds:.0f} seconds") from None
        return _draw(name, *words)


PICTURE_WORKER: Final = PictureWorker()


def render_png(svg: str, width: int) -> bytes:
    """Return the drawing as a PNG, `width` pixels wide; raise `PictureError`."""
    return PICTURE_WORKER.draw("render_png", svg, width)[0]


def compress_card(svg: str, width: int) -> bytes:
    """Return the drawing as `thumbnails.compress_card` does; raise `PictureError`."""
    return PICTURE_WORKER.draw("compress_card", svg, width)[0]


def compress_thumbnails(svg: str, sizes: Sequence[tuple[int, int]]) -> list[bytes]:
    """Return the drawing as `thumbnails.compress_thumbnails` does; raise `PictureError`."""
    return PICTURE_WORKER.draw("compress_thumbnails", svg, sizes)


def _draw(name: str, *words: Any) -> list[bytes]:
    drawn = _FUNCTIONS[name](*words)
    return [drawn] if isinstance(drawn, bytes) else drawn


def _read_answer(answer: str) -> list[bytes]:
    word, _, rest = answer.partition(" ")
    if word != _FILES:
        raise PictureError(rest)
    return [b64decode(file) for file in rest.split(" ")]


def serve() -> None:
    """Answer requests from standard input, one at a time, until it ends."""
    os.nice(5)  # pages are more urgent than pictures
    answer = "ready"
    while True:
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            return
        try:
            answer = " ".join([_FILES, *(b64encode(f).decode() for f in _draw(*json.loads(line)))])
        except PictureError as error:
            answer = f"{_REASON} {' '.join(str(error).split())}"


if __name__ == "__main__":
    serve()
