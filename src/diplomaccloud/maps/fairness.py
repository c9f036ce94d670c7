"""How even a map is: its measurement compared with Europe's, in words and bars."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from diplomaccloud.bots.standings import Estimate
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.drawing.chart import Chart
from diplomaccloud.maps.measurement import BotRow, Measurement

_WIDTH = 100.0
"""The width of the longest bar, in drawing units."""

_MIN_DIFFERENCE = 0.005
"""If the best and worst shares differ by less, the sentence does not name them."""


class Verdict(StrEnum):
    """How even a map is in comparison with Europe, the standard map."""

    MORE_EVEN = "more even than Europe"
    ABOUT_LIKE = "about like Europe"
    LESS_EVEN = "less even than Europe"


def compare(found: Measurement, scale: Measurement) -> Verdict | None:
    """Return the verdict, or `None` before all bots of the plan have played all their games.

    A map is more even than Europe only if that is certain for every bot: the upper end of the
    spread's 95% interval is below the lower end of Europe's. It is less even if every lower end is
    above Europe's upper end.
    """
    if not found.is_complete:
        return None
    pairs = [(row.spread, other.spread) for row in found.rows if (other := scale.find_row(row.bot))]
    if not pairs:
        return None
    if all(own.high < europe.low for own, europe in pairs):
        return Verdict.MORE_EVEN
    if all(own.low > europe.high for own, europe in pairs):
        return Verdict.LESS_EVEN
    return Verdict.ABOUT_LIKE


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar with its 95% interval: the number and its ends, and the places of all three.

    Places are from 0 to 100.
    """

    value: float
    low: float
    high: float
    width: float
    start: float
    end: float

    @property
    def reach(self) -> float:
        """Half the length of the interval."""
        return (self.high - self.low) / 2

    @property
    def line(self) -> float:
        """The length of the interval as it is drawn."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class BotLine:
    """One bot's row: its exact name, games and spread. `europe` is the same on Europe."""

    title: str
    name: str
    games: int
    spread: Estimate
    europe: Estimate


@dataclass(frozen=True, slots=True)
class PowerLine:
    """One power's row: its share with the strongest bot as a bar, and with each bot, in percent."""

    name: str
    color: str
    bar: Bar
    shares: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Evenness:
    """A map's measurement as its page shows it.

    `even` is the place of an equal share, from 0 to 100. `europe_powers` is how many powers the
    compared map has, if it has fewer than this one.
    """

    verdict: Verdict | None
    sentences: tuple[str, ...]
    bots: tuple[BotLine, ...]
    powers: tuple[PowerLine, ...]
    years: int
    even: float
    even_share: float
    date: str
    scale_date: str
    scale_engine: str


def describe(
    chart: Chart, found: Measurement, scale: Measurement, *, is_europe: bool = False
) -> Evenness:
    """Return the panel for the measurement of `chart`."""
    even = 100 / len(found.powers)
    largest = max(*(100 * share.high for share in found.strongest.shares), even)
    spreads = [(row, other) for row in found.rows if (other := scale.find_row(row.bot)) is not None]
    return Evenness(
        verdict=None if is_europe else compare(found, scale),
        sentences=tuple(_write_sentences(chart, found, scale, is_europe=is_europe)),
        bots=tuple(
            BotLine(
                title=row.title,
                name=row.bot,
                games=len(row.games),
                spread=row.spread,
                europe=other.spread,
            )
            for row, other in spreads
        ),
        powers=tuple(
            PowerLine(
                name=_name(chart, power),
                color=chart.palette.get(power, "#888888"),
                bar=_build_bar(found.strongest.shares[number], largest),
                shares=tuple(_build_bar(row.shares[number], largest) for row in found.rows),
            )
            for number, power in enumerate(found.powers)
        ),
        years=found.years,
        even=_WIDTH * even / largest,
        even_share=even,
        date=found.date.isoformat(),
        scale_date=scale.date.isoformat(),
        scale_engine=scale.engine,
    )


def _build_bar(share: Estimate, largest: float) -> Bar:
    """Return the bar of a share, in percent; a bar of `largest` percent is full."""
    numbers = [100 * number for number in (share.value, share.low, share.high)]
    places = [min(_WIDTH * number / largest, _WIDTH) for number in numbers]
    return Bar(*numbers, *places)


def _write_sentences(
    chart: Chart, found: Measurement, scale: Measurement, *, is_europe: bool
) -> list[str]:
    if is_europe:
        return ["All other maps are compared with this one.", *_name_extremes(chart, found)]
    match compare(found, scale):
        case Verdict.MORE_EVEN:
            first = "With every bot, the shares of the powers differ less than on Europe."
        case Verdict.LESS_EVEN:
            first = "With every bot, the shares of the powers differ more than on Europe."
        case Verdict.ABOUT_LIKE:
            first = "The shares of the powers differ about as much as on Europe."
        case None:
            return [
                f"Measured with the {found.strongest.word} only, which says little about strong "
                "players. Bots that look ahead will play here when the server has time; then this "
                "map is compared with Europe."
            ]
    sentences = [first, *_name_extremes(chart, found)]
    if len(found.powers) > len(scale.powers):
        sentences.append(
            f"Europe has {len(scale.powers)} powers and this map {len(found.powers)}, so the "
            "comparison is rough."
        )
    return sentences


def _name_extremes(chart: Chart, found: Measurement) -> list[str]:
    """Return a sentence about the best and the worst power, unless they do about equally well."""
    row = found.strongest
    ranked = sorted(zip(row.shares, found.powers, strict=True), key=lambda pair: pair[0].value)
    (worst, last), (best, first) = ranked[0], ranked[-1]
    if best.value - worst.value < _MIN_DIFFERENCE:
        return []
    return [
        f"Among {row.word}s, {_name(chart, first)} did best, with {best.value:.0%} of the "
        f"centers, and {_name(chart, last)} worst, with {worst.value:.0%}."
    ]


def _name(chart: Chart, power: Power) -> str:
    info = chart.board.power_info.get(power)
    return info.name if info else power


def describe_in_text(chart: Chart, found: Measurement, scale: Measurement | None) -> list[str]:
    """Return the measurement as lines of text, compared with a scale unless it is the scale."""
    lines = []
    if scale is not None:
        evenness = describe(chart, found, scale)
        lines = [*([str(evenness.verdict)] if evenness.verdict else []), *evenness.sentences, ""]
    width = max(len(row.bot) for row in found.rows)
    for row in found.rows:
        other = scale and scale.find_row(row.bot)
        compared = f"; Europe {_word_spread(other.spread)}" if other else ""
        spread = f"{_word_spread(row.spread)}{compared}"
        lines.append(f"{row.bot:{width}}  {len(row.games):4} games  spread {spread}")
    names = [_name(chart, power) for power in found.powers]
    width = max(len(name) for name in names)
    lines += ["", f"Shares of the centers after {found.years} years, in percent, with 95% bands:"]
    lines.append(f"{'':{width}}  " + "  ".join(f"{row.bot:>12}" for row in found.rows))
    for number, name in enumerate(names):
        lines.append(f"{name:{width}}  " + "  ".join(_word_shares(found.rows, number)))
    return lines


def _word_spread(spread: Estimate) -> str:
    return f"{spread.value:.2f} ± {spread.error:.2f} ({spread.low:.2f} to {spread.high:.2f})"


def _word_shares(rows: Sequence[BotRow], number: int) -> list[str]:
    shares = [row.shares[number] for row in rows]
    return [
        f"{f'{100 * share.value:.1f} ± {50 * (share.high - share.low):.1f}':>12}"
        for share in shares
    ]
