"""The bots that people choose as opponents, for pages."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from diplomaccloud.bots import BOT_CHOICES
from diplomaccloud.bots.levels import LEVELS
from diplomaccloud.bots.seats import USUAL_BOT
from diplomaccloud.judge.kernel.selection import KERNEL

FIRST_CHOICE: Final = (USUAL_BOT,)

_ABOUT: Final = (
    "Sees what is near, and changes its mind a lot. For a first game.",
    "Goes for centers and supports its own moves, but does not plan.",
    "Looks a little ahead, and tries some attacks.",
    "Weighs hundreds of plans against what you may do.",
    "Expects your best moves, and forgives no mistakes.",
)


@dataclass(frozen=True, slots=True)
class LevelChoice:
    """A level on a card: its number, the bot's name, its title, and what it is like."""

    number: int
    name: str
    title: str
    about: str


@dataclass(frozen=True, slots=True)
class Opponents:
    """All bots to choose from, and the names of the `chosen` ones."""

    levels: tuple[LevelChoice, ...]
    others: tuple[tuple[str, str], ...]
    chosen: frozenset[str]
    is_slow: bool

    @property
    def has_other(self) -> bool:
        """Whether a bot without a level is chosen."""
        return any(name in self.chosen for name, _ in self.others)


def present_opponents(chosen: Collection[str] = FIRST_CHOICE) -> Opponents:
    """Return the bots, and whether the judge is too slow for those that look ahead."""
    levels = tuple(
        LevelChoice(level.number, level.name, level.title, about)
        for level, about in zip(LEVELS, _ABOUT, strict=True)
    )
    return Opponents(levels, BOT_CHOICES, frozenset(chosen), KERNEL.name == "python")
