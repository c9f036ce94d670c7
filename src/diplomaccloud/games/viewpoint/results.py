"""What the pages of one game show, each read by one function."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.safestring import SafeString, mark_safe

from diplomaccloud.atlas.render import render_orders
from diplomaccloud.games.errors import NoSuchGame, TooMuchText
from diplomaccloud.games.models import OrderRow, Status
from diplomaccloud.games.presenters.drafts import AheadView, KeptCopy
from diplomaccloud.games.presenters.game_page import GameView
from diplomaccloud.games.presenters.game_status import LogPage
from diplomaccloud.games.presenters.report import current_overlay
from diplomaccloud.games.presenters.results import PhaseReport
from diplomaccloud.games.viewpoint.conditional_orders import ahead_of
from diplomaccloud.games.viewpoint.game import report_of, view_of
from diplomaccloud.games.viewpoint.history import find_phase, history_of
from diplomaccloud.games.viewpoint.log import log_page
from diplomaccloud.games.viewpoint.receipts import ReceiptsPage, receipts_of, receipts_page
from diplomaccloud.games.viewpoint.table import Table
from diplomaccloud.games.viewpoint.visibility import Viewer
from diplomaccloud.games.viewpoint.why import explain_in_phase
from diplomaccloud.games.viewpoint.written_orders import written_in
from diplomaccloud.judge.legality.order_entry import OrderTextTooLong, read_orders


def game_view(slug: str, viewer: Viewer, *, code: str = "", draft: str = "") -> GameView:
    """Return the game as it is now; raise `NoSuchGame` for whoever may not see it.

    `draft` names the one of the viewer's drafts to show, the live one if there is none such.
    """
    return view_of(Table(slug, viewer, code=code, draft=draft), drawn=True)


def compared(slug: str, viewer: Viewer, draft: str) -> tuple[GameView, SafeString]:
    """Return the game with one of the viewer's drafts, and the picture of the live one's orders.

    Raises `NoSuchGame` unless the viewer has such a draft beside the live one.
    """
    table = Table(slug, viewer, draft=draft)
    if not draft or table.sheet.live:
        raise NoSuchGame
    live = table.live_sheet.orders
    overlay = current_overlay(table.chart, table.position, live, table.colours)
    return view_of(table, drawn=True), overlay


def plain_view(slug: str, viewer: Viewer) -> GameView:
    """Return the game without picture and order form; raise `NoSuchGame`."""
    return view_of(Table(slug, viewer), drawn=False)


def phase_view(
    slug: str, viewer: Viewer, sequence: int, why: int | None = None
) -> tuple[GameView, PhaseReport]:
    """Return the game and one processed phase of it; raise `NoSuchGame` if there is none.

    `why` is the number of an order that is explained there.
    """
    table = Table(slug, viewer)
    phase, links = find_phase(table, sequence)
    found = report_of(table, phase, drawn=True, links=links)
    orders = list(OrderRow.objects.live_in(phase).select_related("draft"))
    return view_of(table, drawn=False), replace(
        found,
        history=history_of(table, phase),
        receipts=receipts_of(table, phase),
        written=written_in(table, phase, orders),
        why=None if why is None else explain_in_phase(phase, orders, why),
    )


def log_view(slug: str, viewer: Viewer, page: int) -> tuple[GameView, LogPage]:
    """Return the game and one page of its public log; raise `NoSuchGame`."""
    table = Table(slug, viewer)
    return view_of(table, drawn=False), log_page(table, page)


def receipts_view(slug: str, viewer: Viewer, sequence: int | None) -> tuple[GameView, ReceiptsPage]:
    """Return the game and the receipts of one of its phases, of the last if none is named."""
    table = Table(slug, viewer)
    return view_of(table, drawn=False), receipts_page(table, sequence)


def own_orders(slug: str, viewer: Viewer) -> KeptCopy:
    """Return a copy of the viewer's own orders that count in the open phase, to keep."""
    table = Table(slug, viewer)
    sheet, you = table.live_sheet, table.you
    if you is None or sheet.saved_at is None:
        raise NoSuchGame
    saved = f"saved {sheet.saved_at:%Y-%m-%d %H:%M:%S} UTC"
    phase = table.position.phase
    title = f"{table.game.world} ({slug}), {phase.title}, {you.country}, {saved}"
    return KeptCopy(str(phase), title, sheet.text)


def own_ahead(slug: str, viewer: Viewer) -> AheadView:
    """Return what the viewer has written ahead; raise `NoSuchGame` where nothing can be."""
    ahead = ahead_of(Table(slug, viewer))
    if ahead is None:
        raise NoSuchGame
    return ahead


def sketch(slug: str, viewer: Viewer, *, choices: Sequence[str], sheet: str) -> SafeString:
    """Return orders that the viewer thinks of as the map would draw them; nothing is saved.

    Lines that would be refused are left out. Raises `NoSuchGame` for whoever cannot order.
    """
    table = Table(slug, viewer)
    if table.mine is None or table.game.status != Status.RUNNING:
        raise NoSuchGame
    try:
        reading = read_orders(
            table.board,
            table.position,
            table.my_powers,
            choices=choices,
            text=sheet,
            rules=table.game.rules,
        )
    except OrderTextTooLong as error:
        raise TooMuchText(str(error)) from error
    drawn = render_orders(table.chart, table.position, reading.orders, table.colours)
    return mark_safe(drawn)  # noqa: S308 - drawn by us


def state_of(slug: str, viewer: Viewer) -> dict[str, object]:
    """Return the little that a page asks for when it cannot listen: nothing of it is secret."""
    table = Table(slug, viewer)
    running = table.game.status == Status.RUNNING and table.phase is not None
    return {
        "version": table.version,
        "phase": table.phase.sequence if table.phase else 0,
        "status": table.game.status,
        "due_at": table.phase.due_at.isoformat() if running and table.phase else None,
        "seats": [{"power": seat.power, "ready": seat.ready} for seat in table.seats],
    }
