"""Processed phases on their pages: results, pictures, written orders, rollbacks."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.render.overlay import render_orders, render_overlay
from diplomaccloud.games.record.page import ReceiptLine, list_receipts
from diplomaccloud.games.record.read import WrittenOrder
from diplomaccloud.games.results.read import (
    Excluded,
    LogLine,
    OrderExplanation,
    PhaseName,
    PhaseRecord,
    ProcessedPhase,
    Rollback,
    read_draw_results,
    read_ending,
    read_last_turn,
    read_log,
    read_phase,
    read_phase_names,
    read_processed,
)
from diplomaccloud.games.seats.page import Seats
from diplomaccloud.games.seats.read import SeatView
from diplomaccloud.games.seats.wording import name_actor, name_holder, name_master
from diplomaccloud.games.table.errors import NoSuchGame, WrongMoment
from diplomaccloud.games.table.read import Reader
from diplomaccloud.judge.board import Power, ProvinceCode
from diplomaccloud.judge.orders import Hold, Order, power_of
from diplomaccloud.judge.position import Dislodged, Position
from diplomaccloud.judge.results import OrderResult, Resolution
from diplomaccloud.judge.victory import Measure
from diplomaccloud.maps.gallery import MapPicture, build_map_picture
from diplomaccloud.sandbox import explanation
from diplomaccloud.sandbox.animation import Animation, JudgedPhase, animate_phase
from diplomaccloud.sandbox.engine import SandboxError, open_position
from diplomaccloud.sandbox.explanation import ExplanationView, ResultLine, present_result
from diplomaccloud.sandbox.situation import sandbox_url
from diplomaccloud.schedule.descriptions import join_words
from diplomaccloud.shared.remembered import Remembered


@dataclass(frozen=True, slots=True)
class PhaseLink:
    """A processed phase and the URL of its page."""

    sequence: int
    name: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class PowerReport:
    """The results of one power."""

    seat: SeatView
    lines: tuple[ResultLine, ...]


@dataclass(frozen=True, slots=True)
class Gain:
    """A center that changed hands."""

    province: str
    code: str
    seat: SeatView


@dataclass(frozen=True, slots=True)
class WrittenPower:
    """The orders as written for one power, each with the name of its author."""

    seat: SeatView
    lines: tuple[tuple[WrittenOrder, str], ...]


@dataclass(frozen=True, slots=True)
class PhaseReport:
    """A processed phase with everyone's orders, and the URLs of its neighbors.

    `draw_result` says how votes on a draw ended, blank without any. `undone_by` and `rollbacks` are
    those of `PhaseRecord`.
    """

    sequence: int
    name: str
    title: str
    url: str
    overlay: SafeString
    picture: MapPicture
    powers: tuple[PowerReport, ...]
    standoffs: tuple[str, ...]
    gained: tuple[Gain, ...]
    first_url: str
    previous_url: str
    next_url: str
    last_url: str
    number: int
    of: int
    draw_result: str = ""
    undone_by: Rollback | None = None
    rollbacks: tuple[Rollback, ...] = ()
    receipts: tuple[ReceiptLine, ...] = ()
    written: tuple[WrittenPower, ...] = ()
    why: ExplanationView | None = None


def list_phases(reader: Reader) -> tuple[PhaseLink, ...]:
    """Return the processed phases of the current branch, oldest first."""
    return tuple(link_phase(reader, name) for name in read_phase_names(reader))


def link_phase(reader: Reader, name: PhaseName) -> PhaseLink:
    """Return a processed phase with its URL."""
    return _link(reader.game.slug, name)


@lru_cache(maxsize=4096)
def _link(slug: str, name: PhaseName) -> PhaseLink:
    """Return the link, which is made once for all pages of the game."""
    url = reverse("games:phase", args=[slug, name.sequence])
    return PhaseLink(name.sequence, str(name.phase), name.phase.title, url)


def report_turn(
    reader: Reader, seats: Seats, links: Sequence[PhaseLink]
) -> tuple[PhaseReport, ...]:
    """Return the last movement phase and the phases after it without pictures, oldest first."""
    return tuple(
        replace(
            _report(reader, seats, phase, links),
            draw_result=read_draw_results(reader).get(phase.name.sequence, ""),
        )
        for phase in read_last_turn(reader)
    )


def report_phase(
    reader: Reader,
    seats: Seats,
    sequence: int,
    number: int | None = None,
    known: Collection[str] = (),
) -> PhaseReport:
    """Return the page of a processed phase, with an explanation of its order `number` if given.

    `known` are territories that the page has already, as in `render_overlay`. Raises `NoSuchGame`
    if there is no such phase or order.
    """
    record, why = read_phase(reader, sequence, number)
    links = [link_phase(reader, name) for name in record.branch]
    report = _report(reader, seats, record.processed, links)
    return replace(
        report,
        overlay=_draw_results(reader, record.processed, report.title, known),
        draw_result=record.draw_result,
        undone_by=record.undone_by,
        rollbacks=record.rollbacks,
        receipts=list_receipts(record.receipts, seats),
        written=_present_written(record, seats),
        why=present_explanation(why, report.url) if why else None,
    )


def report_results(reader: Reader, seats: Seats, sequence: int) -> PhaseReport:
    """Return a processed phase with its picture and its results alone, without its neighbors.

    Raises `NoSuchGame` if there is no such phase.
    """
    processed = read_processed(reader, sequence)
    link = link_phase(reader, processed.name)
    report = _report(reader, seats, processed, [link])
    return replace(report, overlay=_draw_results(reader, processed, report.title))


def preview_phase(reader: Reader, seats: Seats, resolution: Resolution) -> PhaseReport | None:
    """Return the page that the open phase would have with `resolution`; None before the start."""
    if reader.phase is None:
        return None
    name = PhaseName(reader.phase.sequence, reader.phase.phase)
    link = PhaseLink(name.sequence, str(name.phase), name.phase.title, "")
    processed = ProcessedPhase(name, reader.position, resolution)
    report = _report(reader, seats, processed, [link])
    return replace(report, url="", overlay=_draw_results(reader, processed, link.title))


def draw_position(
    reader: Reader,
    position: Position,
    orders: Sequence[Order],
    results: Sequence[OrderResult] = (),
    known: Collection[str] = (),
) -> SafeString:
    """Return the picture of a position with the viewer's own orders, or with past results.

    `known` are territories that the page has already, as in `render_overlay`. The shapes of
    provinces are left out: the page's script loads them once for each map.
    """
    picture = _Picture(
        map_hash=reader.game.map_hash,
        position=position,
        title=f"{reader.chart.world}: {position.phase.title}",
        colors=tuple(reader.colors.items()),
        known=frozenset(known),
        orders=tuple(orders),
        results=tuple(results),
    )
    return _draw(reader.chart, picture)


@dataclass(frozen=True, slots=True)
class _Picture:
    """What is drawn. The hash stands for the map: comparing charts takes longer than drawing.

    The name of a map can change, and is part of the title.
    """

    map_hash: str
    position: Position
    title: str
    colors: tuple[tuple[str, str], ...]
    known: frozenset[str]
    orders: tuple[Order, ...] = ()
    results: tuple[OrderResult, ...] = ()
    dislodged: tuple[Dislodged, ...] = ()
    standoffs: tuple[ProvinceCode, ...] = ()


_pictures: Remembered[_Picture, SafeString] = Remembered(32)


def _draw(chart: Chart, picture: _Picture) -> SafeString:
    """Return the picture, which is drawn once for everybody who watches a game."""
    return _pictures.find_or_make(picture, lambda: _render_picture(chart, picture))


def _render_picture(chart: Chart, picture: _Picture) -> SafeString:
    drawn = render_overlay(
        chart,
        picture.position,
        orders=picture.orders,
        results=picture.results,
        dislodged=picture.dislodged,
        standoffs=picture.standoffs,
        title=picture.title,
        colors=dict(picture.colors),
        known=picture.known,
        shapes=False,
    )
    return mark_safe(drawn)  # noqa: S308 - drawn by us, names escaped there


def list_past_results(reader: Reader) -> tuple[OrderResult, ...]:
    """Return the results of the last turn that the map shows until the first new order.

    Units that only held are left out: a ring around them would say nothing.
    """
    return tuple(
        result
        for phase in read_last_turn(reader)
        for result in phase.resolution.results
        if not isinstance(result.order, Hold)
    )


def _report(
    reader: Reader, seats: Seats, phase: ProcessedPhase, links: Sequence[PhaseLink]
) -> PhaseReport:
    """Return the results of a phase among `links`, all phases of its branch, oldest first."""
    resolution, by_code = phase.resolution, reader.chart.board.by_code
    place = [link.sequence for link in links].index(phase.name.sequence)
    link = links[place]
    is_last = place + 1 == len(links)
    return PhaseReport(
        sequence=link.sequence,
        name=link.name,
        title=link.title,
        url=link.url,
        overlay=mark_safe(""),
        picture=build_map_picture(reader.game.map_hash, reader.chart),
        powers=tuple(
            PowerReport(seat, lines)
            for power, seat in seats.by_power.items()
            if (lines := _list_results(phase, power))
        ),
        standoffs=tuple(by_code[code].name for code in resolution.standoffs),
        gained=tuple(
            Gain(by_code[code].name, code, seats.by_power[power])
            for code, power in resolution.gained
        ),
        first_url=links[0].url if place else "",
        previous_url=links[place - 1].url if place else "",
        next_url="" if is_last else links[place + 1].url,
        last_url="" if is_last else links[-1].url,
        number=place + 1,
        of=len(links),
    )


def _draw_results(
    reader: Reader,
    phase: ProcessedPhase,
    title: str,
    known: Collection[str] = (),
) -> SafeString:
    picture = _Picture(
        map_hash=reader.game.map_hash,
        position=phase.position,
        title=f"{reader.chart.world}: {title}",
        colors=tuple(reader.colors.items()),
        known=frozenset(known),
        results=tuple(phase.resolution.results),
        dislodged=phase.resolution.dislodged,
        standoffs=phase.resolution.standoffs,
    )
    return _draw(reader.chart, picture)


@lru_cache(maxsize=512)
def _list_results(phase: ProcessedPhase, power: Power) -> tuple[ResultLine, ...]:
    """Return the lines of a power, which are made once for everybody who looks at the phase."""
    return tuple(
        present_result(phase.position, phase.resolution, number)
        for number, result in enumerate(phase.resolution.results)
        if power_of(result.order) == power
    )


def _present_written(record: PhaseRecord, seats: Seats) -> tuple[WrittenPower, ...]:
    return tuple(
        WrittenPower(
            seat,
            tuple((order, name_holder(order.by)) for order in record.written[power]),
        )
        for power, seat in seats.by_power.items()
        if power in record.written
    )


def present_explanation(why: OrderExplanation, phase_url: str) -> ExplanationView:
    """Return the explanation of an order; `phase_url` is the page of its phase."""
    return explanation.present_explanation(
        why.explanation,
        why.board,
        why.results,
        why.number,
        sequence=why.sequence,
        phase_url=phase_url,
    )


def present_animation(reader: Reader, sequence: int, have: Collection[str]) -> Animation:
    """Return a processed phase as an animation; raise `NoSuchGame` if there is none.

    `have` are the territories that the page has already.
    """
    phase = read_processed(reader, sequence)
    judged = JudgedPhase(
        reader.chart, reader.board, phase.position, phase.resolution, reader.colors
    )
    url = reverse("games:phase", args=[reader.game.slug, sequence])
    return animate_phase(judged, sequence=sequence, url=url, have=have)


_ONE = {
    Excluded.SURRENDERED: "{names}, which surrendered",
    Excluded.LEFT: "{names}, whose player left",
    Excluded.UNPLAYED: "{names}, which nobody played",
    Excluded.NO_UNITS: "{names}, which had no units left",
}
_SEVERAL = _ONE | {Excluded.LEFT: "{names}, whose players left"}


@dataclass(frozen=True, slots=True)
class EndingView:
    """How the game ended; `shares` says who shares the victory and who does not, if needed."""

    winners: tuple[SeatView, ...]
    reason: str
    year: int
    shares: str = ""


def present_ending(reader: Reader, seats: Seats) -> EndingView | None:
    """Return how the game ended; None if it is not over."""
    ending = read_ending(reader)
    if ending is None:
        return None
    winners = tuple(seat for seat in seats.all if ending.winners.intersection(seat.powers))
    last = read_phase_names(reader)[-1].phase if read_phase_names(reader) else reader.position.phase
    shares = _describe_shares(reader, seats, winners, ending.excluded)
    return EndingView(winners, ending.reason, last.year, shares)


def _describe_shares(
    reader: Reader,
    seats: Seats,
    winners: Sequence[SeatView],
    excluded: Sequence[tuple[Power, Excluded]],
) -> str:
    """Return who shares the victory and who does not, if a player might expect a share.

    With a single winner, those are the countries that were as strong as the winner.
    """
    if not winners or not excluded:
        return ""
    if len(winners) > 1:
        sharing = join_words([seat.country for seat in winners])
        groups = _describe_groups(excluded, seats)
        return f"{sharing} share it. Not included: {'; '.join(groups)}."
    rivals = [
        (power, reason)
        for power, reason in excluded
        if _is_as_strong(seats.by_power[power], winners[0], reader.game.measure)
    ]
    return f"Not counted: {'; '.join(_describe_groups(rivals, seats))}." if rivals else ""


def _describe_groups(excluded: Iterable[tuple[Power, Excluded]], seats: Seats) -> list[str]:
    """Return `Austria and Italy, whose players left`, one text for each reason."""
    groups: dict[Excluded, list[str]] = {reason: [] for reason in Excluded}
    for power, reason in excluded:
        groups[reason].append(seats.by_power[power].country)
    return [
        (_SEVERAL if len(names) > 1 else _ONE)[reason].format(names=join_words(names))
        for reason, names in groups.items()
        if names
    ]


def _is_as_strong(seat: SeatView, winner: SeatView, measure: Measure) -> bool:
    if measure is Measure.PIECES:
        return seat.units >= winner.units
    return seat.centers >= winner.centers


@dataclass(frozen=True, slots=True)
class LogLineView:
    """One line of the log; `by` is the name of its author, blank for the site."""

    entry: LogLine
    by: str


@dataclass(frozen=True, slots=True)
class LogPageView:
    """A page of the log, newest line first."""

    lines: tuple[LogLineView, ...]
    page: int
    pages: int
    master: str


def present_log(reader: Reader, number: int) -> LogPageView:
    """Return one page of the log."""
    page = read_log(reader, number)
    return LogPageView(
        tuple(map(present_line, page.lines)),
        page.number,
        page.pages,
        name_master(reader.game.master),
    )


def present_line(line: LogLine) -> LogLineView:
    """Return one line of the log with the name of its author."""
    return LogLineView(line, name_actor(line.by))


def build_sandbox_url(reader: Reader, sequence: int | None) -> str:
    """Return the address of a processed phase with its orders, or of the current position.

    The current position has no orders, not even the viewer's own, because people share addresses.
    Raises `NoSuchGame` if there is no such phase.
    """
    position: Position = reader.position
    orders: tuple[Order, ...] = ()
    if sequence is not None:
        processed = read_phase(reader, sequence)[0].processed
        position = processed.position
        orders = tuple(r.order for r in processed.resolution.results if not r.implicit)
    board = reader.chart.board
    try:
        state = open_position(board, position, orders, reader.game.rules.name)
        return sandbox_url(reader.game.map_hash, board, state)
    except SandboxError as error:
        raise WrongMoment(f"The sandbox cannot show this position. {error}") from error


def draw_live_draft(reader: Reader) -> SafeString:
    """Return the picture of the live draft's orders while another draft is shown.

    Raises `NoSuchGame` unless the viewer has such a draft.
    """
    if reader.shown_draft.live:
        raise NoSuchGame
    return draw_position(reader, reader.position, reader.live_draft.orders)


def draw_orders(reader: Reader, orders: tuple[Order, ...]) -> SafeString:
    """Return orders as drawn on the map; they need not be saved."""
    drawn = render_orders(reader.chart, reader.position, orders, reader.colors)
    return mark_safe(drawn)  # noqa: S308 - drawn by us
