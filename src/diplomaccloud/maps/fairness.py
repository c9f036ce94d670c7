"""The fairness of a map: measured in 200 games, and as the panel of its page."""

from dataclasses import dataclass
from enum import StrEnum

from diplomaccloud.atlas.chartfile import content_hash
from diplomaccloud.bots import BOTS
from diplomaccloud.bots.standings import SelfPlay, self_play
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.drawing.chart import Chart

MAX_FAIR_SPREAD = 0.22
"""The largest spread of the powers' shares for a fair map."""

CLASSIC_SPREAD = 0.32
"""The spread on the standard map with the same bot: 0.315 ± 0.006 in 1,200 games."""

CLASSIC_MARGIN = 0.03
"""How far above the classic spread a map is still rated like the classic map."""

_WIDTH = 100
"""The width of the longest bar, in drawing units."""

_MIN_SHARE = 0.001
"""Avoids a division by zero when no power holds a center."""

_MIN_DIFFERENCE = 0.005
"""If the best and worst shares differ by less, the sentence does not name them."""


class FairnessVerdict(StrEnum):
    """How fair a map is, in a few words."""

    FAIR = "fair"
    CLASSIC = "like the classic map"
    UNEVEN = "uneven"


@dataclass(frozen=True, slots=True)
class PowerBar:
    """One power's row: percentages of centers, wins and eliminations; a bar from 0 to 100."""

    name: str
    color: str
    share: float
    width: float
    won: float
    lost: float


@dataclass(frozen=True, slots=True)
class Fairness:
    """A map's fairness as its page shows it.

    `even` is the width of a bar with an equal share. `spread_bars` compares the spread of the map,
    which comes first, with others measured with the same number of games: title, spread, and the
    width of a bar from 0 to 100.
    """

    verdict: FairnessVerdict
    sentence: str
    spread: float
    error: float
    games: int
    years: int
    even_share: float
    even: float
    bars: tuple[PowerBar, ...]
    spread_bars: tuple[tuple[str, float, float], ...]


def choose_verdict(spread: float) -> FairnessVerdict:
    """Return the verdict for a spread."""
    if spread <= MAX_FAIR_SPREAD:
        return FairnessVerdict.FAIR
    return (
        FairnessVerdict.CLASSIC
        if spread <= CLASSIC_SPREAD + CLASSIC_MARGIN
        else FairnessVerdict.UNEVEN
    )


def describe_fairness(chart: Chart, result: SelfPlay) -> Fairness:
    """Return the panel for the self-play result of `chart`."""
    records = {record.power: record for record in result.powers}
    largest = max(record.share for record in result.powers)
    even = 1 / len(result.powers)
    return Fairness(
        verdict=choose_verdict(result.spread),
        sentence=_describe_chances(chart, result),
        spread=result.spread,
        error=result.error,
        games=result.games,
        years=result.limit,
        even_share=100 * even,
        even=_WIDTH * even / max(largest, even),
        bars=tuple(
            PowerBar(
                name=info.name,
                color=chart.palette.get(info.power, "#888888"),
                share=100 * record.share,
                width=_WIDTH * record.share / max(largest, _MIN_SHARE),
                won=100 * record.solos,
                lost=100 * record.eliminated,
            )
            for info in chart.board.powers
            if (record := records.get(info.power))
        ),
        spread_bars=_build_spread_bars(result),
    )


def _build_spread_bars(result: SelfPlay) -> tuple[tuple[str, float, float], ...]:
    spreads = [
        ("This map", result.spread),
        ("Fair, up to", MAX_FAIR_SPREAD),
        ("Classic map", CLASSIC_SPREAD),
    ]
    if result.chance is not None:
        spreads.append(("Chance alone", result.chance))
    largest = max(spread for _, spread in spreads)
    return tuple((title, spread, _WIDTH * spread / largest) for title, spread in spreads)


def _describe_chances(chart: Chart, result: SelfPlay) -> str:
    ranked = sorted(result.powers, key=lambda record: record.share)
    worst, best = ranked[0], ranked[-1]
    match choose_verdict(result.spread):
        case FairnessVerdict.FAIR:
            verdict = "The powers have similar chances."
        case FairnessVerdict.CLASSIC:
            verdict = "The chances are about as unequal as on the classic map."
        case FairnessVerdict.UNEVEN:
            verdict = "The chances are less equal than on the classic map."
    if best.share - worst.share < _MIN_DIFFERENCE:
        return verdict
    return (
        f"{verdict} {_name(chart, best.power)} did best, with {best.share:.0%} of the centers; "
        f"{_name(chart, worst.power)} did worst, with {worst.share:.0%}."
    )


def _name(chart: Chart, power: Power) -> str:
    info = chart.board.power_info.get(power)
    return info.name if info else power


BOT = "greedy"
GAMES = 200


def measure_fairness(chart: Chart, *, games: int = GAMES) -> SelfPlay:
    """Return the result of `games` games of a fast bot on `chart`; takes seconds of CPU time.

    The result depends on the map alone: the seeds of the games are its hash.
    """
    return self_play(chart.board, BOTS[BOT], games=games, seed=content_hash(chart))
