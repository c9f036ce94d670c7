"""The pages of a game's record and receipts, its downloads, and the public keys of the site."""

from collections.abc import AsyncIterator, Iterable, Iterator
from itertools import islice
from typing import Final

from asgiref.sync import sync_to_async
from django.contrib.auth.views import redirect_to_login
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from diplomaccloud.games.record.page import SHOWS_ORDER, present_receipts
from diplomaccloud.games.record.read import (
    dump_record,
    find_own_number,
    list_keys,
    read_keys,
    read_record_end,
)
from diplomaccloud.games.seats.page import present_seats
from diplomaccloud.games.seats.read import has_played
from diplomaccloud.games.table.errors import NoSuchGame
from diplomaccloud.games.table.forms import MAX_SEQUENCE
from diplomaccloud.games.table.views import read_game, show_page


@never_cache
@require_safe
def record_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the hash of the record's last line, and how to check the record."""
    reader = read_game(request, slug)
    own_number = find_own_number(reader)
    context = {
        "may_download_own": reader.game.is_signed_in and has_played(reader),
        "own_number": own_number,
        "proof": own_number.proof.replace("\n", "\\n") if own_number else "",
        "shows_order": SHOWS_ORDER if reader.game.shows_order else "",
    }
    return show_page(request, reader, "games/record/record.html", context)


@never_cache
@require_safe
def record(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Send the record of the game, the same bytes to everyone, for `diplomaccloud replay`."""
    return send_lines(request, dump_record(read_game(request, slug)), f"{slug}.jsonl")


@never_cache
@require_safe
def own_record(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Send the record of the game with the viewer's own receipts."""
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("games:record-page", args=[slug]))
    reader = read_game(request, slug)
    if read_record_end(reader) is None:
        raise NoSuchGame
    return send_lines(request, dump_record(reader, with_receipts=True), f"{slug}-receipts.jsonl")


@never_cache
@require_safe
@vary_on_headers("Accept")
def keys(request: HttpRequest) -> HttpResponse:
    """Show the public keys that seals and receipts are signed with; programs get them as JSON."""
    if request.get_preferred_type(["application/json", "text/html"]) != "text/html":
        return HttpResponse(read_keys(), content_type="application/json")
    return render(request, "games/record/keys.html", {"keys": list_keys()})


@never_cache
@require_safe
def keys_file(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - the signature of a view
    """Send the public keys as a file for `diplomaccloud replay`."""
    return HttpResponse(read_keys(), content_type="application/json")


_LINES_AT_ONCE: Final = 200


def send_lines(request: HttpRequest, lines: Iterable[str], name: str) -> StreamingHttpResponse:
    """Return a response that reads the lines while it is sent, as the file `name`."""
    chunks = _chunk(lines)
    return StreamingHttpResponse(
        _pull(chunks) if isinstance(request, ASGIRequest) else chunks,
        content_type="application/jsonl; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _chunk(lines: Iterable[str]) -> Iterator[bytes]:
    remaining = iter(lines)
    while chunk := list(islice(remaining, _LINES_AT_ONCE)):
        yield "".join(f"{line}\n" for line in chunk).encode()


async def _pull(chunks: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the chunks, each read in the thread of the request."""
    read = sync_to_async(lambda: next(chunks, b""))
    while chunk := await read():
        yield chunk


@never_cache
@require_safe
def receipts(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the receipts of a locked phase, and how to check one."""
    text = request.GET.get("phase", "")
    plain = text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_SEQUENCE))
    reader = read_game(request, slug)
    page = present_receipts(reader, present_seats(reader), int(text) if plain else None)
    return show_page(request, reader, "games/record/receipts.html", {"page": page})
