"""Phases: a season, a year and a stage.

This is the only module that knows which phases a year has, and in what order.
"""

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


CALENDAR = (
    (Season.SPRING, Stage.MOVEMENT),
    (Season.SPRING, Stage.RETREATS),
    (Season.FALL, Stage.MOVEMENT),
    (Season.FALL, Stage.RETREATS),
    (Season.WINTER, Stage.ADJUSTMENTS),
)
"""The phases of a year, in order; after moves always come their retreats."""

_TURNS = tuple(season for season, stage in CALENDAR if stage is Stage.MOVEMENT)
"""The seasons with moves: each has one turn."""

_FIRST_TURN, _LAST_TURN = _TURNS[0], _TURNS[-1]

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

    @classmethod
    def first(cls, year: int) -> "Phase":
        """Return the first phase of `year`, in which a game may begin."""
        return cls(CALENDAR[0][0], year, CALENDAR[0][1])

    @classmethod
    def last(cls, year: int) -> "Phase":
        """Return the last phase of `year`: the adjustments."""
        return cls(CALENDAR[-1][0], year, CALENDAR[-1][1])

    @classmethod
    def of_turn(cls, number: int, stage: Stage, first_year: int) -> "Phase":
        """Return the phase of this stage in a turn of a game; its first turn has number 0."""
        year, turn = divmod(number, len(_TURNS))
        season = CALENDAR[-1][0] if stage is Stage.ADJUSTMENTS else _TURNS[turn]
        return cls(season, first_year + year, stage)

    @property
    def title(self) -> str:
        """`Spring 1901, Movement`."""
        return f"{self.season.word} {self.year}, {self.stage.word}"

    @property
    def turn_title(self) -> str:
        """`Spring 1901`, for the whole turn, or `Winter 1901`."""
        return f"{self.season.word} {self.year}"

    @property
    def order(self) -> tuple[int, int]:
        """A key that sorts phases by time."""
        return self.year, CALENDAR.index((self.season, self.stage))

    @property
    def movement(self) -> "Phase":
        """The movement phase of the turn that this phase belongs to."""
        season = _LAST_TURN if self.stage is Stage.ADJUSTMENTS else self.season
        return Phase(season, self.year, Stage.MOVEMENT)

    @property
    def begins_year(self) -> bool:
        """Whether this is a phase of the first turn of a year: Spring."""
        return self.season is _FIRST_TURN

    @property
    def ends_year(self) -> bool:
        """Whether this is a phase of the turn after which centers change hands: Fall."""
        return self.season is _LAST_TURN

    @property
    def year_over(self) -> int:
        """The last year with a turn before this movement phase."""
        return self.year - self.begins_year

    def count_turns(self, first_year: int) -> int:
        """Return how many turns are over when this phase is the next one to play."""
        turn = _TURNS.index(self.season) if self.season in _TURNS else len(_TURNS) - 1
        return len(_TURNS) * (self.year - first_year) + turn

    def next_phase(self, *, retreats: bool = True) -> "Phase":
        """Return the next phase; without `retreats`, skip the retreats after moves."""
        return _find_next(self.season, self.year, self.stage, retreats)

    def __str__(self) -> str:
        return f"{self.season.value}{self.year}{self.stage.value}"


@lru_cache(maxsize=1024)
def _find_next(season: Season, year: int, stage: Stage, retreats: bool) -> Phase:
    at = CALENDAR.index((season, stage)) + (2 if stage is Stage.MOVEMENT and not retreats else 1)
    if at == len(CALENDAR):
        return Phase.first(year + 1)
    return Phase(CALENDAR[at][0], year, CALENDAR[at][1])
