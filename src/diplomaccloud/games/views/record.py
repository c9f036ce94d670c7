"""Downloads of a game's record, and the public keys of the site."""

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from diplomaccloud.games.errors import NoSuchGame
from diplomaccloud.games.presenters.game_page import present_summary
from diplomaccloud.games.presenters.rules import SHOWS_ORDER
from diplomaccloud.games.presenters.seats import present_seats
from diplomaccloud.games.viewpoint.chain import list_keys, read_keys
from diplomaccloud.games.views.responses import read_game
from diplomaccloud.games.views.streams import send_lines


@never_cache
@require_safe
def record_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the hash of the record's last line, and how to check the record."""
    reader = read_game(request, slug)
    view, own = present_summary(reader, present_seats(reader)), reader.own_number
    context = {
        "view": view,
        "may_download_own": reader.game.is_signed_in and reader.has_played(),
        "own_number": own,
        "proof": own.proof.replace("\n", "\\n") if own else "",
        "shows_order": SHOWS_ORDER if reader.game.shows_order else "",
    }
    return render(request, "games/record/record.html", context)


@never_cache
@require_safe
def record(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Send the record of the game, the same bytes to everyone, for `diplomaccloud replay`."""
    return send_lines(request, read_game(request, slug).dump_record(), f"{slug}.jsonl")


@never_cache
@require_safe
def own_record(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Send the record of the game with the viewer's own receipts."""
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("games:record-page", args=[slug]))
    reader = read_game(request, slug)
    if reader.record_end is None:
        raise NoSuchGame
    return send_lines(request, reader.dump_record(own=True), f"{slug}-receipts.jsonl")


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
