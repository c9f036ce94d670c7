"""What a certificate says, in plain words and as bars."""

from dataclasses import dataclass
from enum import StrEnum

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.bots.selfplay import PowerRecord, SelfPlay
from diplomaccloud.judge.board import Power

FAIR = 0.22
"""The spread of the powers' shares up to which we call a map fair."""

CLASSIC = 0.32
"""The spread on the standard map, by the same bot: 0.315 ± 0.006 in 1,200 games."""

_WIDTH = 100


class Verdict(StrEnum):
    """How fair a map is, in a word or two."""

    FAIR = "fair"
    CLASSIC = "like the classic map"
    UNEVEN = "uneven"


@dataclass(frozen=True, slots=True)
class PowerBar:
    """One power's line: its mean share in percent, and the width of its bar from 0 to 100."""

    name: str
    color: str
    share: float
    width: float
    won: float
    lost: float


@dataclass(frozen=True, slots=True)
class Mark:
    """One spread beside others: what has it, and the width of its bar from 0 to 100."""

    title: str
    spread: float
    width: float
    ours: bool = False


@dataclass(frozen=True, slots=True)
class Fairness:
    """A map's fairness as its page tells it; `even` is where a bar of an equal share ends.

    `marks` compare the spread of the map with others, measured by the same games.
    """

    verdict: Verdict
    sentence: str
    spread: float
    error: float
    games: int
    years: int
    even_share: float
    even: float
    bars: tuple[PowerBar, ...]
    marks: tuple[Mark, ...]


def verdict_of(spread: float) -> Verdict:
    """Return the word for a spread."""
    if spread <= FAIR:
        return Verdict.FAIR
    return Verdict.CLASSIC if spread <= CLASSIC + 0.03 else Verdict.UNEVEN


def fairness_of(chart: Chart, found: SelfPlay) -> Fairness:
    """Return what a certificate of `chart` says."""
    records = {record.power: record for record in found.powers}
    most = max(record.share for record in found.powers)
    even = 1 / len(found.powers)
    return Fairness(
        verdict=verdict_of(found.spread),
        sentence=_sentence(chart, found),
        spread=found.spread,
        error=found.error,
        games=found.games,
        years=found.limit,
        even_share=100 * even,
        even=_WIDTH * even / max(most, even),
        bars=tuple(
            _bar(info.name, chart.palette.get(info.power, "#888888"), records[info.power], most)
            for info in chart.board.powers
            if info.power in records
        ),
        marks=_marks(found),
    )


def _marks(found: SelfPlay) -> tuple[Mark, ...]:
    spreads = [("This map", found.spread), ("Fair, up to", FAIR), ("Classic map", CLASSIC)]
    if found.chance is not None:
        spreads.append(("Chance alone", found.chance))
    most = max(spread for _, spread in spreads)
    return tuple(
        Mark(title, spread, _WIDTH * spread / most, ours=number == 0)
        for number, (title, spread) in enumerate(spreads)
    )


def _bar(name: str, color: str, record: PowerRecord, most: float) -> PowerBar:
    return PowerBar(
        name=name,
        color=color,
        share=100 * record.share,
        width=_WIDTH * record.share / max(most, 0.001),
        won=100 * record.solos,
        lost=100 * record.eliminated,
    )


def _sentence(chart: Chart, found: SelfPlay) -> str:
    ranked = sorted(found.powers, key=lambda record: record.share)
    worst, best = ranked[0], ranked[-1]
    match verdict_of(found.spread):
        case Verdict.FAIR:
            verdict = "The powers have like chances."
        case Verdict.CLASSIC:
            verdict = "The chances are about as unequal as on the classic map."
        case Verdict.UNEVEN:
            verdict = "The chances are less equal than on the classic map."
    if best.share - worst.share < 0.005:
        return verdict
    return (
        f"{verdict} {_name(chart, best.power)} did best, with {best.share:.0%} of the centers, "
        f"{_name(chart, worst.power)} worst, with {worst.share:.0%}."
    )


def _name(chart: Chart, power: Power) -> str:
    info = chart.board.power_info.get(power)
    return info.name if info else power
