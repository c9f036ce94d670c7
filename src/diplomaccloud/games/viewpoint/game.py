"""One game in full: everything that a viewer may see of it now."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from diplomaccloud.games.models import Phase, Status
from diplomaccloud.games.options.colors import offered
from diplomaccloud.games.options.options import Start
from diplomaccloud.games.presenters.game_page import GameHeader, GameView, Guest, Ink, Inkwell
from diplomaccloud.games.presenters.order_form import unit_title
from diplomaccloud.games.presenters.report import Processed, current_overlay, report
from diplomaccloud.games.presenters.results import PhaseLink, PhaseReport
from diplomaccloud.games.presenters.seats import PowerBoard, UnitLine
from diplomaccloud.games.viewpoint.agreed import rules_in_words
from diplomaccloud.games.viewpoint.desk import desk_of
from diplomaccloud.games.viewpoint.ending import ending_of
from diplomaccloud.games.viewpoint.life import life_of
from diplomaccloud.games.viewpoint.names import creator_name
from diplomaccloud.games.viewpoint.table import Table
from diplomaccloud.games.viewpoint.visibility import invited_games
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.units import Unit
from diplomaccloud.maps.gallery import build_map_picture


def view_of(table: Table, *, drawn: bool) -> GameView:
    """Return the game as `table` finds it, without picture and order form unless `drawn`."""
    game, mine = table.game, table.mine
    forming = game.status == Status.FORMING
    empty = len(game.players) - len(table.seat_rows)
    signed_in = table.viewer.user_id is not None
    maker = signed_in and table.viewer.user_id == game.creator_id
    masters = signed_in and table.viewer.user_id == game.master_id
    detail_url = reverse("games:detail", args=[game.slug])
    private_suffix = f"?code={game.code}" if game.private else ""
    return GameView(
        header=_header(table),
        seats=table.seats,
        you=table.you,
        picture=build_map_picture(game.chart.content_hash, table.chart),
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
        idle=tuple(table.flags[power].country for power in game.idle_powers_at(table.played_in)),
        guests=_guests(table) if forming and maker else (),
        inkwells=_inkwells(table) if drawn else (),
        masked=table.masked,
        ranked_by=game.measure.value,
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
        edition=game.rules.name,
        private=game.private,
        creator=creator_name(game),
        victory_centers=game.centers_to_win,
        end_year=table.options.ends.last_year,
        version=table.version,
        aside=bool(game.alarm),
        orders_url=address("orders"),
        ready_url=address("ready"),
        sketch_url=address("preview"),
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
    shown = [link.sequence for link in table.links if link.sequence >= since]
    phases = table.game.phases.filter(sequence__in=shown)
    return tuple(report_of(table, phase, drawn=False) for phase in phases.order_by("sequence"))


def report_of(
    table: Table, phase: Phase, *, drawn: bool, links: Sequence[PhaseLink] | None = None
) -> PhaseReport:
    """Return a processed phase as reported to the viewer; `links` are the phases of its line."""
    links = table.links if links is None else links
    link = table.link(phase.sequence, phase.name)
    return report(
        Processed(link, phase.position, phase.resolution),
        table.chart,
        build_map_picture(table.game.chart.content_hash, table.chart),
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
        if seat.held or seat.units or seat.centers
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


def _inkwells(table: Table) -> tuple[Inkwell, ...]:
    """Return the colours that each of the viewer's powers may have."""
    mine = table.mine
    if mine is None or table.game.status != Status.RUNNING:
        return ()
    found = []
    for power in table.my_powers:
        others = [color for other, color in table.colours.items() if other != power]
        chosen = mine.colors.get(power)
        inks = tuple(Ink(color, name, color == chosen) for color, name in offered(others))
        found.append(Inkwell(table.flags[power], inks))
    return tuple(found)
