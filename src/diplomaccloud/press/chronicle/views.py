"""The chronicle of a finished game: its cover, its chapters, and panels beside the map."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from diplomaccloud.games.results.page import list_phases
from diplomaccloud.games.seats.page import present_seats
from diplomaccloud.games.table.errors import WrongMoment
from diplomaccloud.games.table.panels import GamePanel, PanelLink
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.table.views import redirect_with_message
from diplomaccloud.games.visibility.read import viewer_of
from diplomaccloud.press.chronicle.page import (
    PanelView,
    present_chapter,
    present_cover,
    present_phase,
)
from diplomaccloud.press.chronicle.read import ChronicleReader
from diplomaccloud.press.conversations.views import is_part
from diplomaccloud.press.maps.views import send_picture
from diplomaccloud.press.table.errors import NoSuchMap
from diplomaccloud.shared.responses import page_number

_MAX_COUNTRY = 40


@never_cache
@require_safe
def show_cover(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the cover of a finished game, with links to its chapters."""
    reader = Reader(slug, viewer_of(request.user))
    try:
        chronicle = ChronicleReader(reader)
    except WrongMoment as error:
        return redirect_with_message(request, slug, str(error))
    context = {
        "game": reader.game,
        "indexed": reader.is_public,
        "cover": present_cover(reader, present_seats(reader), chronicle),
        "may_open": reader.has_seat or reader.game.is_master,
    }
    return render(request, "press/chronicle/chronicle.html", context)


@never_cache
@require_safe
def show_chapter(request: HttpRequest, slug: str, chapter: str) -> HttpResponse:
    """Show a page of a chapter; for a script, only its messages."""
    reader = Reader(slug, viewer_of(request.user))
    try:
        chronicle = ChronicleReader(reader)
    except WrongMoment as error:
        return redirect_with_message(request, slug, str(error))
    seats, country = present_seats(reader), _country(request)
    if is_part(request):
        facts = chronicle.chapter(chapter)
        panel = present_phase(
            reader, seats, chronicle, chapter, title=str(facts.phase or ""), country=country
        )
        return render(request, "press/chronicle/_panel.html", {"panel": panel})
    view = present_chapter(
        reader, seats, chronicle, chapter, country=country, page=page_number(request)
    )
    context = {"game": reader.game, "indexed": reader.is_public, "chapter": view}
    return render(request, "press/chronicle/chapter.html", context)


@require_safe
def show_map(request: HttpRequest, slug: str, chapter: str, key: str) -> HttpResponse:
    """Send the small picture of a map attached to an open message."""
    reader = Reader(slug, viewer_of(request.user))
    try:
        facts = ChronicleReader(reader).read_map(chapter, key)
    except WrongMoment as error:
        raise NoSuchMap from error
    return send_picture(request, facts, reader)


def _country(request: HttpRequest) -> str:
    return request.GET.get("country", "")[:_MAX_COUNTRY]


def present_panel(request: HttpRequest, reader: Reader) -> GamePanel | None:
    """Return the panel for a finished game's page: the messages of its last phase."""
    phases = list_phases(reader) if reader.is_finished else ()
    if not phases:
        return None
    url = reverse("games:detail", args=[reader.game.slug])
    panel = _present_phase(request, reader, phases[-1].sequence, title=phases[-1].title, url=url)
    return _build_panel(panel)


def present_phase_panel(request: HttpRequest, reader: Reader, sequence: int) -> GamePanel | None:
    """Return the panel for a past phase's page; None until the game is over."""
    if not reader.is_finished:
        return None
    url = reverse("games:phase", args=[reader.game.slug, sequence])
    panel = _present_phase(request, reader, sequence, title="", url=url)
    current = next(choice for choice in panel.filters if choice.is_current)
    return _build_panel(panel, phase_query=current.url.removeprefix(url))


def _present_phase(
    request: HttpRequest, reader: Reader, sequence: int, *, title: str, url: str
) -> PanelView:
    seats, chronicle, country = present_seats(reader), ChronicleReader(reader), _country(request)
    return present_phase(
        reader, seats, chronicle, str(sequence), title=title, country=country, filter_url=url
    )


def _build_panel(panel: PanelView, *, phase_query: str = "") -> GamePanel:
    return GamePanel(
        key="chronicle",
        title="Chronicle",
        icon="book",
        template="press/chronicle/_panel.html",
        view=panel,
        styles=("press/conversations/press.css", "press/chronicle/chronicle.css"),
        scripts=("press/chronicle/chronicle.js",),
        link=PanelLink("Read as a chronicle", panel.cover_url),
        phase_query=phase_query,
    )
