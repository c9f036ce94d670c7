"""Processed phases on their pages: results, pictures, written orders, rollbacks."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from diplomaccloud.atlas.printing.sheets import Content, Past
from diplomaccloud.endings import Measure
from diplomaccloud.games.record.page import ReceiptLine, list_receipts
from diplomaccloud.games.record.read import WrittenOrder
from diplomaccloud.games.results.read import (
    Excluded,
    OrderExplanation,
    PhaseName,
    PhaseRecord,
    ProcessedPhase,
    read_draw_results,
    read_ending,
    read_last_turn,
    read_phase,
    read_phase_names,
    read_processed,
)
from diplomaccloud.games.seats.page import Seats
from diplomaccloud.games.seats.read import SeatView
from diplomaccloud.games.table.errors import NoSuchGame, WrongMoment
from diplomaccloud.games.table.read import Reader
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.drawing.labels import Labels
from diplomaccloud.judge.drawing.overlay import render_orders, render_overlay
from diplomaccloud.judge.orders import Hold, Order, power_of
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import OrderResult, Resolution
from diplomaccloud.maps.gallery import MapPicture, build_map_picture
from diplomaccloud.maps.prints import Print
from diplomaccloud.sandbox import explanation
from diplomaccloud.sandbox.animation import Animation, JudgedPhase, animate_phase
from diplomaccloud.sandbox.engine import SandboxError, open_position
from diplomaccloud.sandbox.explanation import ExplanationView, ResultLine, present_result
from diplomaccloud.sandbox.situation import sandbox_url
from diplomaccloud.schedule.descriptions import join_words
from diplomaccloud.shared.remembered import Remembered

_NO_PICTURE: Final = SafeString("")


@dataclass(frozen=True, slots=True)
class PhaseLink:
    """A processed phase and the URL of its page."""

    sequence: int
    name: str
    title: str
    url: str

    @property
    def season(self) -> str:
        """The season and the year, without the stage."""
        return self.title.partition(",")[0]


@dataclass(frozen=True, slots=True)
class PowerReport:
    """The results of one power."""

    seat: SeatView
    lines: tuple[ResultLine, ...]


@dataclass(frozen=True, slots=True)
class PhaseReport(PhaseLink):
    """A processed phase with everyone's orders, and the URLs of its neighbors.

    `gained` has the centers that changed hands, with their new owners. `draw_result` says how votes
    on a draw ended, blank without any. Only the page of a single phase has what follows: its
    record, its receipts, the orders as each power wrote them, and `why`.
    """

    picture: MapPicture
    powers: tuple[PowerReport, ...]
    standoffs: tuple[str, ...]
    gained: tuple[tuple[str, SeatView], ...]
    previous_url: str
    next_url: str
    overlay: SafeString = _NO_PICTURE
    draw_result: str = ""
    record: PhaseRecord | None = None
    receipts: tuple[ReceiptLine, ...] = ()
    written: tuple[tuple[SeatView, Sequence[WrittenOrder]], ...] = ()
    why: ExplanationView | None = None


def list_phases(reader: Reader) -> tuple[PhaseLink, ...]:
    """Return the processed phases of the current branch, oldest first."""
    return tuple(link_phase(reader.game.slug, name) for name in read_phase_names(reader))


@lru_cache(maxsize=4096)
def link_phase(slug: str, name: PhaseName) -> PhaseLink:
    """Return a processed phase with its URL, which is made once for all pages of the game."""
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
    links = [link_phase(reader.game.slug, name) for name in record.branch]
    report = _report(reader, seats, record.processed, links)
    return replace(
        report,
        overlay=_draw_results(reader, record.processed, report.title, known),
        draw_result=record.draw_result,
        record=record,
        receipts=list_receipts(record.receipts, seats),
        written=tuple(
            (seat, record.written[power])
            for power, seat in seats.by_power.items()
            if power in record.written
        ),
        why=present_explanation(why, report.url) if why else None,
    )


def report_results(
    reader: Reader, seats: Seats, processed: ProcessedPhase, *, url: str | None = None
) -> PhaseReport:
    """Return a processed phase with its picture and its results alone, without its neighbors.

    `url` is the address of its page, if it is not the usual one.
    """
    link = link_phase(reader.game.slug, processed.name)
    report = _report(reader, seats, processed, [link])
    overlay = _draw_results(reader, processed, report.title)
    return replace(report, overlay=overlay, url=report.url if url is None else url)


def preview_phase(reader: Reader, seats: Seats, resolution: Resolution) -> PhaseReport | None:
    """Return the page that the open phase would have with `resolution`; None before the start."""
    if reader.phase is None:
        return None
    name = PhaseName(reader.phase.sequence, reader.phase.phase)
    return report_results(reader, seats, ProcessedPhase(name, reader.position, resolution), url="")


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
    title = position.phase.title
    return _draw(reader, position, title, known, orders=tuple(orders), results=tuple(results))


_pictures: Remembered[tuple[object, ...], SafeString] = Remembered(32)


def _draw(
    reader: Reader, position: Position, title: str, known: Collection[str], **drawn: Any
) -> SafeString:
    """Return the picture, which is drawn once for everybody who watches a game.

    Its hash stands for the map: comparing charts takes longer than drawing. The name of a map can
    change, and is part of the title.
    """
    title, colors = f"{reader.chart.world}: {title}", reader.colors

    def render() -> SafeString:
        picture = render_overlay(
            reader.chart,
            position,
            title=title,
            colors=colors,
            known=frozenset(known),
            shapes=False,
            **drawn,
        )
        return mark_safe(picture)  # noqa: S308 - drawn by us, names escaped there

    key = (reader.game.map_hash, position, title, *colors.items(), frozenset(known))
    return _pictures.find_or_make((*key, *drawn.items()), render)


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
    return PhaseReport(
        link.sequence,
        link.name,
        link.title,
        link.url,
        picture=build_map_picture(reader.game.map_hash, reader.chart),
        powers=tuple(
            PowerReport(seat, lines)
            for power, seat in seats.by_power.items()
            if (lines := _list_results(phase, power))
        ),
        standoffs=tuple(by_code[code].name for code in resolution.standoffs),
        gained=tuple(
            (by_code[code].name, seats.by_power[power]) for code, power in resolution.gained
        ),
        previous_url=links[place - 1].url if place else "",
        next_url=links[place + 1].url if place + 1 < len(links) else "",
    )


def _draw_results(
    reader: Reader, phase: ProcessedPhase, title: str, known: Collection[str] = ()
) -> SafeString:
    resolution = phase.resolution
    return _draw(
        reader,
        phase.position,
        title,
        known,
        results=tuple(resolution.results),
        dislodged=resolution.dislodged,
        standoffs=resolution.standoffs,
    )


@lru_cache(maxsize=512)
def _list_results(phase: ProcessedPhase, power: Power) -> tuple[ResultLine, ...]:
    """Return the lines of a power, which are made once for everybody who looks at the phase."""
    return tuple(
        present_result(phase.position, phase.resolution, number)
        for number, result in enumerate(phase.resolution.results)
        if power_of(result.order) == power
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
    count = attrgetter("units" if reader.game.measure is Measure.PIECES else "centers")
    rivals = [
        (power, reason)
        for power, reason in excluded
        if count(seats.by_power[power]) >= count(winners[0])
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


def print_turn(
    reader: Reader, sequence: int | None, kind: str, *, deadline: str, imprint: str
) -> Print:
    """Return a processed phase to print, or the current position with the results that led to it.

    What everyone sees who may see the game is on it: no orders of an open phase, and no players.
    `deadline` is a sentence about the open phase. Raises `NoSuchGame` if there is no such phase.
    """
    if reader.phase is None:
        raise NoSuchGame
    processed = None if sequence is None else read_processed(reader, sequence)
    if processed is None:
        past = tuple(Past(phase.position, phase.resolution) for phase in read_last_turn(reader))
        content = Content(reader.chart, reader.position, past=past, deadline=deadline)
    else:
        content = Content(reader.chart, processed.position, processed.resolution)
    content = replace(content, title=reader.game.world, imprint=imprint)
    return Print(kind, content, reader.colors)


def draw_live_draft(reader: Reader) -> SafeString:
    """Return the picture of the live draft's orders while another draft is shown.

    Raises `NoSuchGame` unless the viewer has such a draft.
    """
    if reader.shown_draft.live:
        raise NoSuchGame
    return draw_position(reader, reader.position, reader.live_draft.orders)


def draw_orders(reader: Reader, orders: tuple[Order, ...]) -> SafeString:
    """Return orders as drawn on the map; they need not be saved."""
    drawn = render_orders(reader.chart, reader.position, orders, reader.colors, labels=Labels.BOTH)
    return mark_safe(drawn)  # noqa: S308 - drawn by us
