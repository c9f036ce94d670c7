"""The pages of one game."""

from collections.abc import Sequence
from dataclasses import replace

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from diplomaccloud.atlas.render import render_orders
from diplomaccloud.games import events
from diplomaccloud.games.colours import offered
from diplomaccloud.games.desk import slots_for, unit_title
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
from diplomaccloud.games.shown import (
    Desk,
    EndingView,
    GameHeader,
    GameView,
    Guest,
    Ink,
    PhaseReport,
    PowerBoard,
    Slot,
    UnitLine,
)
from diplomaccloud.games.viewpoint.agreed import rules_in_words
from diplomaccloud.games.viewpoint.names import creator_name
from diplomaccloud.games.viewpoint.table import Table, Viewer, invited_games
from diplomaccloud.judge.adjustments import adjustments_owed
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.orders import Order, power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.units import Unit
from diplomaccloud.maps.gallery import picture_of


def game_view(slug: str, viewer: Viewer, *, code: str = "") -> GameView:
    """Return the game as it is now; raise `NoSuchGame` for whoever may not see it."""
    return view_of(Table(slug, viewer, code=code), drawn=True)


def plain_view(slug: str, viewer: Viewer) -> GameView:
    """Return the game without picture and order form; raise `NoSuchGame`."""
    return view_of(Table(slug, viewer), drawn=False)


def phase_view(slug: str, viewer: Viewer, sequence: int) -> tuple[GameView, PhaseReport]:
    """Return the game and one processed phase of it; raise `NoSuchGame` if there is none."""
    table = Table(slug, viewer)
    phase = table.processed.filter(sequence=sequence).first()
    if phase is None:
        raise NoSuchGame
    return view_of(table, drawn=False), _report(table, phase, drawn=True)


def sketch(slug: str, viewer: Viewer, *, choices: Sequence[str], sheet: str) -> SafeString:
    """Return orders that the viewer thinks of as the map would draw them; nothing is saved.

    Lines that would be refused are left out. Raises `NoSuchGame` for whoever cannot order.
    """
    table = Table(slug, viewer)
    if table.mine is None or table.game.status != Status.RUNNING:
        raise NoSuchGame
    board = table.board
    reading = read_orders(board, table.position, table.my_powers, choices=choices, sheet=sheet)
    drawn = render_orders(table.chart, table.position, reading.orders, table.colours)
    return mark_safe(drawn)  # noqa: S308 - drawn by us


def state_of(slug: str, viewer: Viewer) -> dict[str, object]:
    """Return the little that a page asks for when it cannot listen: nothing of it is secret."""
    table = Table(slug, viewer)
    running = table.game.status == Status.RUNNING and table.phase is not None
    return {
        "version": events.version_of(table.game.pk),
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
        desk=_desk(table) if drawn else None,
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
        ending=_ending(table),
        rules=rules_in_words(game) if forming or not drawn else (),
        idle=tuple(table.flags[power].country for power in idle_powers(game, table.position.phase)),
        guests=_guests(table) if forming and maker else (),
        inks=_inks(table) if drawn else (),
        masked=table.masked,
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
        version=events.version_of(game.pk),
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
    return current_overlay(table.chart, table.position, table.own_orders, table.colours)


def _recent(table: Table) -> tuple[PhaseReport, ...]:
    """Return the reports of the last movement phase and of what followed it, oldest first."""
    if not table.links:
        return ()
    movements = [link.sequence for link in table.links if link.name.endswith(Stage.MOVEMENT.value)]
    since = max(movements, default=0)
    phases = table.processed.filter(sequence__gte=since)
    return tuple(_report(table, phase, drawn=False) for phase in phases.order_by("sequence"))


def _report(table: Table, phase: Phase, *, drawn: bool) -> PhaseReport:
    link = next(link for link in table.links if link.sequence == phase.sequence)
    return report(
        Processed(link, position_of(phase), resolution_of(phase)),
        table.chart,
        picture_of(table.game.chart.content_hash, table.chart),
        flags=table.flags,
        links=table.links,
        colours=table.colours,
        drawn=drawn,
    )


def _desk(table: Table) -> Desk | None:
    if table.mine is None or table.phase is None or table.game.status != Status.RUNNING:
        return None
    if table.you is not None and table.you.eliminated:
        return None
    submission = table.submissions.get(table.mine.pk)
    must_order = bool(table.ordering.intersection(table.my_powers))
    heading, hint = _heading(table)
    return Desk(
        heading=heading if must_order else "Nothing to order",
        hint=hint if must_order else "Nothing to do in this phase: the others are still ordering.",
        slots=_slots(table) if must_order else (),
        sheet="\n".join(str(order) for order in table.own_orders),
        ready=submission is not None and submission.ready_at is not None,
        saved_at=submission.saved_at if submission else None,
        must_order=must_order,
    )


def _slots(table: Table) -> tuple[Slot, ...]:
    powers = table.my_powers
    return tuple(
        replace(slot, key=slot.unit or f"{power} {slot.key}", power=table.flags[power].country)
        if len(powers) > 1
        else slot
        for power in powers
        for slot in slots_for(table.board, table.position, power, _own(table, power))
    )


def _own(table: Table, power: Power) -> list[Order]:
    return [order for order in table.own_orders if power_of(order) == power]


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


def _heading(table: Table) -> tuple[str, str]:
    match table.position.phase.stage:
        case Stage.MOVEMENT:
            return "Orders", "A unit without an order holds."
        case Stage.RETREATS:
            return "Retreats", "A dislodged unit without an order is disbanded."
        case Stage.ADJUSTMENTS:
            return _adjusting(table)


def _adjusting(table: Table) -> tuple[str, str]:
    owed = [adjustments_owed(table.board, table.position, power) for power in table.my_powers]
    builds, disbands = sum(n for n in owed if n > 0), -sum(n for n in owed if n < 0)
    build = f"You may build {_count(builds)} in your vacant home centers."
    disband = f"You must disband {_count(disbands)}."
    if builds and disbands:
        return "Builds and disbands", f"{build} {disband}"
    return ("Builds", build) if builds else ("Disbands", disband)


def _count(number: int) -> str:
    return "one unit" if number == 1 else f"{number} units"


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


def _ending(table: Table) -> EndingView | None:
    ending = table.game.ending
    if ending is None:
        return None
    winners = set(ending["winners"])
    return EndingView(
        winners=tuple(
            seat
            for seat in table.seats
            if winners.intersection([part.power for part in seat.parts] or [seat.power])
        ),
        reason=ending["reason"],
        year=table.ended.year,
    )
