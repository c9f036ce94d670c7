"""What became of a processed phase, in the words and the picture of its page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.render import render_overlay
from diplomaccloud.games.presenters.results import (
    Gain,
    PhaseLink,
    PhaseReport,
    PowerReport,
    ResultLine,
)
from diplomaccloud.games.presenters.seats import SeatView
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.orders import Order, Waive, power_of
from diplomaccloud.judge.phases import Stage
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import OrderResult, Outcome, Resolution
from diplomaccloud.maps.gallery import MapPicture

_WORDS = {
    Outcome.MOVED: "succeeded",
    Outcome.HOLD: "held",
    Outcome.GIVEN: "given",
    Outcome.NOPATH: "no path",
}


@dataclass(frozen=True, slots=True)
class Processed:
    """A processed phase as the judge left it."""

    link: PhaseLink
    position: Position
    resolution: Resolution


def report(
    processed: Processed,
    chart: Chart,
    picture: MapPicture,
    *,
    flags: Mapping[Power, SeatView],
    links: Sequence[PhaseLink],
    colours: Mapping[str, str],
    drawn: bool = True,
) -> PhaseReport:
    """Return the page of a processed phase; its overlay is blank unless `drawn`.

    `links` are all processed phases, oldest first; `flags` whose
    each power is.
    """
    board, resolution, link = chart.board, processed.resolution, processed.link
    number = [one.sequence for one in links].index(link.sequence)
    return PhaseReport(
        sequence=link.sequence,
        name=link.name,
        title=link.title,
        url=link.url,
        overlay=_overlay(processed, chart, colours) if drawn else mark_safe(""),
        picture=picture,
        powers=tuple(
            PowerReport(seat, lines)
            for power, seat in flags.items()
            if (lines := _lines(processed, power))
        ),
        standoffs=tuple(board.by_code[code].name for code in resolution.standoffs),
        gained=tuple(
            Gain(board.by_code[code].name, code, flags[power]) for code, power in resolution.gained
        ),
        first_url=links[0].url if number else "",
        previous_url=links[number - 1].url if number else "",
        next_url=links[number + 1].url if number + 1 < len(links) else "",
        last_url=links[-1].url if number + 1 < len(links) else "",
        number=number + 1,
        of=len(links),
    )


def current_overlay(
    chart: Chart, position: Position, orders: Sequence[Order], colours: Mapping[str, str]
) -> SafeString:
    """Return the picture of a position with the viewer's own orders drawn into it."""
    title = f"{chart.world}: {position.phase.title}"
    drawn = render_overlay(chart, position, orders=orders, title=title, colors=colours)
    return mark_safe(drawn)  # noqa: S308 - drawn by us, names escaped there


def _overlay(processed: Processed, chart: Chart, colours: Mapping[str, str]) -> SafeString:
    drawn = render_overlay(
        chart,
        processed.position,
        results=processed.resolution.results,
        dislodged=processed.resolution.dislodged,
        standoffs=processed.resolution.standoffs,
        title=f"{chart.world}: {processed.link.title}",
        colors=colours,
    )
    return mark_safe(drawn)  # noqa: S308 - drawn by us, names escaped there


def _lines(processed: Processed, power: Power) -> tuple[ResultLine, ...]:
    return tuple(
        _line(processed, result, number)
        for number, result in enumerate(processed.resolution.results)
        if power_of(result.order) == power
    )


def _line(processed: Processed, result: OrderResult, number: int) -> ResultLine:
    resolution = processed.resolution
    unit = None if isinstance(result.order, Waive) else result.order.unit
    # Nobody wonders why a unit is gone: that no retreat was ordered is said outright.
    left = result.implicit and processed.position.phase.stage is Stage.RETREATS
    word = _WORDS.get(result.outcome, result.outcome.value)
    return ResultLine(
        text=str(result.order),
        outcome=result.outcome.value,
        word="disbanded: no retreat ordered" if left else word,
        reason="" if left else result.reason,
        succeeded=result.succeeded,
        implicit=result.implicit and not left,
        dislodged=any(one.unit == unit for one in resolution.dislodged),
        destroyed=unit in resolution.destroyed,
        number=number,
        province=unit.province if unit else "",
    )
