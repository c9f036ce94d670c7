"""Phases: a season, a year and a stage."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from diplomaccloud.judge.checks import require_text


class Season(StrEnum):
    """A season: Spring and Fall have moves, and Winter has only adjustments."""

    SPRING = "S"
    FALL = "F"
    WINTER = "W"

    @property
    def word(self) -> str:
        """`Spring`, `Fall` or `Winter`."""
        return self.name.capitalize()


class Stage(StrEnum):
    """The kind of orders in a phase: stages 1, 3 and 5 of the 2009 report."""

    MOVEMENT = "M"
    RETREATS = "R"
    ADJUSTMENTS = "A"

    @property
    def word(self) -> str:
        """`Movement`, `Retreats` or `Adjustments`."""
        return self.name.capitalize()


_PHASE = re.compile(r"(?:([SF])(\d{1,5})([MR])|(W)(\d{1,5})(A))\Z", re.ASCII)


class PhaseError(ValueError):
    """Text that does not name a phase."""


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase such as Spring 1901, Movement; `str()` gives `S1901M`."""

    season: Season
    year: int
    stage: Stage

    @classmethod
    def parse(cls, text: str) -> "Phase":
        """Return the phase written as `S1901M`, `F1901R` or `W1901A`; raise `PhaseError`."""
        require_text("phase", text)
        match = _PHASE.match(text)
        if match is None:
            raise PhaseError(f"not a phase: {text[:12]!r} (write S1901M, F1901R or W1901A)")
        season, year, stage = (group for group in match.groups() if group is not None)
        return cls(Season(season), int(year), Stage(stage))

    @property
    def title(self) -> str:
        """`Spring 1901, Movement`."""
        return f"{self.season.word} {self.year}, {self.stage.word}"

    @property
    def order(self) -> tuple[int, int]:
        """A key that sorts phases by time."""
        return self.year, ("SM", "SR", "FM", "FR", "WA").index(self.season.value + self.stage.value)

    def next_phase(self, *, retreats: bool = True) -> "Phase":
        """Return the next phase; without `retreats`, skip the retreats after moves."""
        return _find_next(self.season, self.year, self.stage, retreats)

    def __str__(self) -> str:
        return f"{self.season.value}{self.year}{self.stage.value}"


@lru_cache(maxsize=1024)
def _find_next(season: Season, year: int, stage: Stage, retreats: bool) -> Phase:
    match season, stage:
        case ((Season.SPRING | Season.FALL), Stage.MOVEMENT) if retreats:
            return Phase(season, year, Stage.RETREATS)
        case Season.SPRING, _:
            return Phase(Season.FALL, year, Stage.MOVEMENT)
        case Season.FALL, _:
            return Phase(Season.WINTER, year, Stage.ADJUSTMENTS)
        case _:
            return Phase(Season.SPRING, year + 1, Stage.MOVEMENT)
