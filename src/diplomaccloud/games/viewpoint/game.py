"""The pages of one game."""

from collections.abc import Sequence
from dataclasses import replace

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from diplomaccloud.atlas.render import render_orders
from diplomaccloud.games.colours import offered
from diplomaccloud.games.desk import unit_title
from diplomaccloud.games.errors import NoSuchGame
from diplomaccloud.games.models import Phase, Status
from diplomaccloud.games.options import Start
from diplomaccloud.games.reading import read_orders
from diplomaccloud.games.records import (
    centers_to_win,
    idle_powers,
    players_of,
    position_of,
    resolution_of,
    rules_of,
)
from diplomaccloud.games.report import Processed, current_overlay, report
from diplomaccloud.games.shown import GameHeader, GameView, Guest, Ink
from diplomaccloud.games.shown_life import LogPage
from diplomaccloud.games.shown_papers import AheadView, KeptCopy
from diplomaccloud.games.shown_record import PhaseLink, PhaseReport
from diplomaccloud.games.shown_seats import PowerBoard, UnitLine
from diplomaccloud.games.viewpoint.agreed import rules_in_words
from diplomaccloud.games.viewpoint.ahead import ahead_of
from diplomaccloud.games.viewpoint.desk import desk_of
from diplomaccloud.games.viewpoint.ending import ending_of
from diplomaccloud.games.viewpoint.history import find_phase, history_of
from diplomaccloud.games.viewpoint.life import life_of
from diplomaccloud.games.viewpoint.logbook import log_page
from diplomaccloud.games.viewpoint.names import creator_name
from diplomaccloud.games.viewpoint.ranking import measure_of
from diplomaccloud.games.viewpoint.receipts import ReceiptsPage, receipts_of, receipts_page
from diplomaccloud.games.viewpoint.table import Table, Viewer, invited_games
from diplomaccloud.games.viewpoint.written import written_in
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.units import Unit
from diplomaccloud.maps.gallery import picture_of


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


def phase_view(slug: str, viewer: Viewer, sequence: int) -> tuple[GameView, PhaseReport]:
    """Return the game and one processed phase of it; raise `NoSuchGame` if there is none."""
    table = Table(slug, viewer)
    phase, links = find_phase(table, sequence)
    found = _report(table, phase, drawn=True, links=links)
    return view_of(table, drawn=False), replace(
        found,
        history=history_of(table, phase),
        receipts=receipts_of(table, phase),
        written=written_in(table, phase),
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
    reading = read_orders(
        table.board,
        table.position,
        table.my_powers,
        choices=choices,
        sheet=sheet,
        rules=rules_of(table.game),
    )
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


def view_of(table: Table, *, drawn: bool) -> GameView:
    """Return the game as `table` finds it, without picture and order form unless `drawn`."""
    game, mine = table.game, table.mine
    forming = game.status == Status.FORMING
    empty = len(players_of(game)) - len(table.seat_rows)
    signed_in = table.viewer.user_id is not None
    maker = signed_in and table.viewer.user_id == game.creator_id
    masters = signed_in and table.viewer.user_id == game.master_id
    detail_url = reverse("games:detail", args=[game.slug])
    private_suffix = f"?code={game.code}" if game.private else ""
    return GameView(
        header=_header(table),
        seats=table.seats,
        you=table.you,
        picture=picture_of(game.chart.content_hash, table.chart),
        overlay=_overlay(table) if drawn else mark_safe(""),
        desk=desk_of(table) if drawn else None,
        armies=_armies(table) if drawn and not forming else (),
        phases=table.links,
        recent=_recent(table) if drawn else (),
        can_join=forming and signed_in and mine is None and empty > 0 and not masters,
        can_leave=forming and mine is not None and not maker,
        can_start=forming and maker and (empty == 0 or bool(table.options.fill_with)),
        can_manage=forming and maker,
        start_hint=_start_hint(table, empty) if forming else "",
        empty_seats=empty if forming else 0,
        code=game.code if mine or maker else "",
        invite_url=detail_url + private_suffix if mine or maker else "",
        ending=ending_of(table),
        life=life_of(table, whole=drawn),
        rules=rules_in_words(game) if forming or not drawn else (),
        idle=tuple(table.flags[power].country for power in idle_powers(game, table.position.phase)),
        guests=_guests(table) if forming and maker else (),
        inks=_inks(table) if drawn else (),
        masked=table.masked,
        ranked_by=measure_of(game).value,
        invited=forming and (maker or game.pk in invited_games(table.viewer)),
    )


def _header(table: Table) -> GameHeader:
    game, phase, now = table.game, table.phase, table.position.phase

    def address(name: str) -> str:
        return reverse(f"games:{name}", args=[game.slug])

    return GameHeader(
        slug=game.slug,
        url=address("detail"),
        world=game.world,
        map_name=game.chart.name,
        map_url=reverse("maps:detail", args=[game.chart.content_hash]),
        status=game.status,
        phase=str(now),
        phase_title=now.title,
        season=now.season.word,
        year=now.year,
        stage=now.stage.word,
        sequence=phase.sequence if phase else 0,
        due_at=phase.due_at if phase and game.status == Status.RUNNING else None,
        exact=phase is not None and phase.exact,
        edition=rules_of(game).name,
        private=game.private,
        creator=creator_name(game),
        victory_centers=centers_to_win(game),
        end_year=table.options.ends.last_year,
        version=table.version,
        aside=bool(game.alarm),
        orders_url=address("orders"),
        ready_url=address("ready"),
        sketch_url=address("sketch"),
        country_url=address("country"),
        centers_url=address("centers"),
        state_url=address("state"),
        live_url=f"/live/games/{game.slug}",
    )


def _overlay(table: Table) -> SafeString:
    return current_overlay(table.chart, table.position, table.sheet.orders, table.colours)


def _recent(table: Table) -> tuple[PhaseReport, ...]:
    """Return the reports of the last movement phase and of what followed it, oldest first."""
    if not table.links:
        return ()
    movements = [link.sequence for link in table.links if link.name.endswith(Stage.MOVEMENT.value)]
    since = max(movements, default=0)
    phases = table.processed.filter(sequence__gte=since)
    return tuple(_report(table, phase, drawn=False) for phase in phases.order_by("sequence"))


def _report(
    table: Table, phase: Phase, *, drawn: bool, links: Sequence[PhaseLink] | None = None
) -> PhaseReport:
    links = table.links if links is None else links
    link = next(link for link in links if link.sequence == phase.sequence)
    return report(
        Processed(link, position_of(phase), resolution_of(phase)),
        table.chart,
        picture_of(table.game.chart.content_hash, table.chart),
        flags=table.flags,
        links=links,
        colours=table.colours,
        drawn=drawn,
    )


def _armies(table: Table) -> tuple[PowerBoard, ...]:
    board, position = table.board, table.position

    def line(unit: Unit, *, dislodged: bool) -> UnitLine:
        return UnitLine(str(unit), unit_title(board, unit), dislodged)

    return tuple(
        PowerBoard(
            seat,
            tuple(line(unit, dislodged=False) for unit in position.units_of(Power(seat.power)))
            + tuple(line(u.unit, dislodged=True) for u in position.dislodged_of(Power(seat.power))),
            tuple(board.by_code[code].name for code in position.centers_of(Power(seat.power))),
        )
        for seat in table.flags.values()
        if seat.player != "nobody" or seat.units or seat.centers
    )


def _start_hint(table: Table, empty: int) -> str:
    bot = table.options.fill_with
    if empty and table.options.start is Start.FULL:
        return "The game starts by itself when the last seat is taken."
    if empty and bot:
        seats = "One seat is" if empty == 1 else f"{empty} seats are"
        return f"{seats} empty and will be played by the {bot} bot."
    if empty:
        return f"{empty} more must join before the game can start."
    return "Every seat is taken: the game can start."


def _guests(table: Table) -> tuple[Guest, ...]:
    # Whoever is still listed would else have not joined yet: that is not told either.
    here = [] if table.masked else [row.user_id for row in table.seat_rows if row.user_id]
    rows = table.game.invitations.filter(withdrawn_at=None).exclude(user__in=here)
    return tuple(
        Guest(row.user_id, row.user.screen_name)
        for row in rows.select_related("user").order_by("pk")
    )


def _inks(table: Table) -> tuple[Ink, ...]:
    """Return the colours that the viewer's country may have; none with several countries."""
    mine = table.mine
    if mine is None or table.game.status != Status.RUNNING or len(table.my_powers) != 1:
        return ()
    others = [color for power, color in table.colours.items() if power != mine.power]
    return tuple(Ink(color, name, color == mine.color) for color, name in offered(others))
