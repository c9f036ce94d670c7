"""Conference maps: drawing them on a game's board, saving and showing them, and using them."""

from collections.abc import Callable, Mapping
from functools import cache
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from diplomaccloud.accounts.models import User
from diplomaccloud.games.page.page import present_frame
from diplomaccloud.games.results.read import read_phase_names, read_processed
from diplomaccloud.games.table.errors import SeatIsReady
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.table.views import AddedView, GameNotes, game_page
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.maps.map_styles import find_theme
from diplomaccloud.press.conversations.forms import read_number
from diplomaccloud.press.conversations.page import Desk, link_board
from diplomaccloud.press.conversations.read import PressReader
from diplomaccloud.press.conversations.views import read_desk
from diplomaccloud.press.maps import page
from diplomaccloud.press.maps.actions import add_map_orders, make_map
from diplomaccloud.press.maps.content import MAX_STEPS, load_content
from diplomaccloud.press.maps.read import MapFacts, list_own_maps, read_map
from diplomaccloud.press.table.addresses import MapPlace, parse_address
from diplomaccloud.press.table.errors import NoSuchConversation, NoSuchMap
from diplomaccloud.press.table.rules import Moment
from diplomaccloud.sandbox.address import MAX_LENGTH
from diplomaccloud.sandbox.engine import SandboxState, open_position
from diplomaccloud.sandbox.situation import Links, Situation, View
from diplomaccloud.sandbox.views import Host, answer_board, answer_why
from diplomaccloud.schedule.timer import Refused
from diplomaccloud.shared.responses import render_page, see_other

_PRIVATE = "private, max-age=600"
_WRONG: Mapping[type, str] = {NoSuchMap: "parent", NoSuchConversation: "to"}
"""The form field that each refusal is about."""


# Forms change nothing on the site: as in the sandbox, the response is a new address.
@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def draw(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the game's board for drawing, and apply a posted form."""
    return answer_board(request, _open_host(request, slug))


@never_cache
@require_safe
def draw_why(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Explain the outcome of one order in a phase adjudicated on the board."""
    return answer_why(request, _open_host(request, slug), number)


def _open_host(request: HttpRequest, slug: str) -> Host:
    """Return the board of a game: the open phase, a past one, or the map being changed."""
    reader = Reader(slug, viewer_of(request.user))
    # Loaded only if a page needs the press of the game.
    load_desk = cache(lambda: Desk(PressReader.on_page(reader)))
    sent = {name: request.GET.get(name, "") for name in ("to", "parent")}
    links = Links(
        reader.game.map_hash,
        reader.chart.board,
        host=reverse("press:map-draw", args=[slug]),
        query=tuple((name, text) for name, text in sent.items() if text),
        share_label="Send",
    )
    changed = _find_changed(load_desk(), sent["parent"]) if sent["parent"] else None
    return Host(
        chart=reader.chart,
        links=links,
        start=lambda: _start(request, reader, changed),
        max_steps=MAX_STEPS,
        describe=lambda situation: _describe(reader, load_desk, situation, sent, changed),
    )


def _find_changed(desk: Desk, parent: str) -> MapFacts:
    place = MapPlace.parse(parent)
    if place is None:
        raise NoSuchMap
    try:
        return read_map(desk.press, place)
    except NoSuchConversation as error:
        raise NoSuchMap from error


def _start(request: HttpRequest, reader: Reader, changed: MapFacts | None) -> SandboxState:
    if changed is not None:
        return load_content(changed.content, reader.game.map_hash)
    sequence = read_number(request.GET, "base")
    position = reader.position if sequence is None else read_processed(reader, sequence).position
    # Own orders only on the viewer's request, because the address will contain them.
    shows_own = sequence is None and request.GET.get("own") and reader.has_seat
    orders = reader.live_draft.orders if shows_own else ()
    return open_position(reader.chart.board, position, orders, reader.game.rules.name)


def _describe(
    reader: Reader,
    load_desk: Callable[[], Desk],
    situation: Situation,
    sent: Mapping[str, str],
    changed: MapFacts | None,
) -> Mapping[str, object]:
    """Return the values that the board's templates need in a game."""
    game, is_last = reader.game, situation.view is View.SHARE
    draw_url = reverse("press:map-draw", args=[game.slug])
    address = parse_address(sent["to"]) if sent["to"] else None
    own_url = ""
    if game.is_signed_in and situation.view is View.ORDERS:
        query = {name: text for name, text in sent.items() if text}
        own_url = f"{draw_url}?{urlencode({**query, 'own': '1'})}"
    phases = read_phase_names(reader)[::-1] if situation.view is View.SETUP else ()
    next_url = situation.links.link(situation.text, view=View.SHARE)
    view = {
        "slug": game.slug,
        "world": game.world,
        "login_url": f"{reverse('account_login')}?{urlencode({'next': next_url})}",
        "own_url": own_url,
        "to": sent["to"],
        "to_title": load_desk().names.title(address) if address and is_last else "",
        "parent": sent["parent"],
        "may_save": is_last and load_desk().press.may_write,
        "draw_url": draw_url,
        "summary": page.describe_drawn(situation.state) if is_last else "",
        "phases": [(name.sequence, name.phase.title) for name in phases],
        "difference": page.compare_with(situation, changed.content) if changed and is_last else (),
    }
    return {"draw": view, "bar": "press/maps/_bar.html", "share": "press/maps/_send.html"}


@never_cache
@require_POST
def save(request: HttpRequest, slug: str) -> HttpResponse:
    """Save a map, and open its page, or a composer with it."""
    content, to = request.POST.get("board", ""), request.POST.get("to", "")
    parent = request.POST.get("parent", "")
    place = MapPlace.parse(parent)
    if not isinstance(request.user, User):
        why = "You are logged out, so the map was not saved. Log in, then save it again."
        return _show_refused(request, slug, why, status=403)
    try:
        if parent and place is None:
            raise NoSuchMap
        address = str(parse_address(to)) if to else ""
        number = make_map(
            slug=slug, user_id=request.user.pk, content=content, parent=place, now=timezone.now()
        )
    except Refused as error:
        wrong = _WRONG.get(type(error), "")
        return _show_refused(request, slug, str(error), status=error.status, wrong=wrong)
    if request.POST.get("next") != "send":
        return see_other(reverse("press:map-own", args=[slug, number]))
    if address:
        return see_other(link_board(slug, address, map=number))
    return see_other(f"{reverse('press:new', args=[slug])}?map={number}#composer")


def _show_refused(
    request: HttpRequest, slug: str, why: str, *, status: int, wrong: str = ""
) -> HttpResponse:
    """Return a page that says why a map was not saved, with a link back to the board.

    The link leaves out the `wrong` field.
    """
    sent, names = request.POST, {"to", "parent", "board"} - {wrong}
    query = {name: str(sent[name]) for name in sorted(names) if sent.get(name)}
    if len(query.get("board", "")) > MAX_LENGTH:
        del query["board"]
    given = urlencode({**query, "view": "share"})
    context = {"message": why, "back_url": f"{reverse('press:map-draw', args=[slug])}?{given}"}
    return render_page(request, "press/maps/refused.html", context, status=status, refused=why)


@never_cache
@require_safe
def show_own_maps(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the person's maps in a game."""
    desk = read_desk(request, slug)
    maps = [
        page.present_card(facts, reverse("press:map-own", args=[slug, facts.number]))
        for facts in list_own_maps(desk.press)
    ]
    context = {"maps": maps, "is_over": desk.press.state.moment is Moment.OVER}
    return _show(request, desk, "press/maps/list.html", context)


@never_cache
@require_safe
def show_map(
    request: HttpRequest, slug: str, number: int, members: str | None = None
) -> HttpResponse:
    """Show a map on its own page: the person's own or, with `members`, one in a message."""
    desk, place = read_desk(request, slug), _place(members, number)
    return _show(request, desk, "press/maps/map.html", {"map": _present(desk, place)})


@require_safe
def picture(
    request: HttpRequest, slug: str, number: int, members: str | None = None
) -> HttpResponse:
    """Send the small picture of a map."""
    desk, place = read_desk(request, slug), _place(members, number)
    return send_picture(request, read_map(desk.press, place), desk.reader, cropped=True)


def send_picture(
    request: HttpRequest, facts: MapFacts, reader: Reader, *, cropped: bool = False
) -> HttpResponse:
    """Return the small picture of a map, or of the part of it that has orders and marks."""
    theme = find_theme(request, night=request.GET.get("night") == "1")
    drawn = page.draw_small(facts.content, reader.game.map_hash, theme, cropped=cropped)
    headers = {
        "Cache-Control": _PRIVATE,
        "Vary": "Cookie",
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    }
    return HttpResponse(drawn, content_type="image/svg+xml", headers=headers)


@never_cache
@require_POST
def adopt(request: HttpRequest, slug: str, number: int, members: str | None = None) -> HttpResponse:
    """Add the person's orders on a map to the live ones, and show the board.

    A page of the game with scripts adds them without this.
    """
    place = _place(members, number)
    if not isinstance(request.user, User):
        why = "You are logged out, so your orders were not changed. Log in, then try again."
        return _show_not_added(request, slug, place, why, 403)
    try:
        added = add_map_orders(
            slug=slug,
            user_id=request.user.pk,
            place=place,
            now=timezone.now(),
            confirmed=request.POST.get("confirmed") == "1",
        )
    except (NoSuchConversation, NoSuchMap):
        raise
    except SeatIsReady:
        why = "You are ready. Change your orders?"
        return _show_not_added(request, slug, place, why, SeatIsReady.status, is_question=True)
    except Refused as error:
        return _show_not_added(request, slug, place, str(error), error.status)
    saved = added.saved
    orders = tuple(map(str, saved.orders))
    view = AddedView(orders, saved.problems, added.before, saved.version)
    return game_page(request, slug, GameNotes(added=view))


def _show_not_added(
    request: HttpRequest,
    slug: str,
    place: MapPlace,
    why: str,
    status: int,
    *,
    is_question: bool = False,
) -> HttpResponse:
    desk = read_desk(request, slug)
    context = {"map": _present(desk, place), "why": why, "is_question": is_question}
    return _show(request, desk, "press/maps/map.html", context, status)


def _place(members: str | None, number: int) -> MapPlace:
    return MapPlace(number, None if members is None else parse_address(members))


def _present(desk: Desk, place: MapPlace) -> dict[str, object]:
    facts = read_map(desk.press, place)
    title = desk.names.title(place.address) if place.address else ""
    return page.present_map(desk.reader, facts, place, back_title=title)


def _show(
    request: HttpRequest,
    desk: Desk,
    template: str,
    context: Mapping[str, object],
    status: int = 200,
) -> HttpResponse:
    """Return a page; `why` in the context is the reason of a refusal."""
    shown = {**context, "view": present_frame(desk.reader), "slug": desk.press.slug}
    why = str(context.get("why", ""))
    return render_page(request, template, shown, status=status, refused=why)
