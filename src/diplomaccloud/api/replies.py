"""Answers as JSON."""

from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from pydantic import BaseModel

from diplomaccloud.games.deadlines.read import ClockState, read_clock
from diplomaccloud.games.table.read import Reader

JSON: Final = "application/json"
FOREVER: Final = "max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class File:
    """An answer that is not JSON."""

    media_type: str


SVG: Final = File("image/svg+xml")
PNG: Final = File("image/png")
LINES: Final = File("application/jsonl; charset=utf-8")


def reply(answer: BaseModel, *, status: int = 200) -> HttpResponse:
    """Return a JSON response with this body."""
    return HttpResponse(answer.model_dump_json(), status=status, content_type=JSON)


def is_known(request: HttpRequest, etag: str) -> bool:
    """Return whether the caller already has this version."""
    known = request.headers.get("If-None-Match", "")
    return any(part.strip().removeprefix("W/") == etag for part in known.split(","))


def not_modified(etag: str) -> HttpResponse:
    """Return the answer that the caller's version is current."""
    return HttpResponseNotModified(headers={"ETag": etag})


def find_tag(reader: Reader) -> str:
    """Return the ETag of a game's public state; it includes the clock, which changes over time."""
    clock = read_clock(reader)
    state = "" if clock is None or clock.state is ClockState.OPEN else f"-{clock.state.value}"
    return f'"{reader.version}{state}"'
