"""The options of a game, which HLO announces."""

from dataclasses import dataclass

from diplomaccloud.daide.language.composition import Part
from diplomaccloud.daide.language.press import MAX_LEVEL
from diplomaccloud.daide.language.tokens import MAX_NUMBER, Word, encode_number
from diplomaccloud.judge.phases import Stage


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of a game; times are in seconds, or None for no limit.

    `level` is the level of press. With `stops_on_disconnection`, the clock stops while a power
    that owes orders is not connected. With `accepts_any_orders`, illegal orders are accepted and
    their units hold. The game ends in a draw after the year `until`. `observers` says whether
    anyone may watch.
    """

    level: int = 0
    movement_time: int | None = None
    retreat_time: int | None = None
    build_time: int | None = None
    stops_on_disconnection: bool = False
    accepts_any_orders: bool = False
    until: int = MAX_NUMBER
    observers: bool = True

    def __post_init__(self) -> None:
        """Raise `ValueError` for a level or a time that DAIDE does not support."""
        if not 0 <= self.level <= MAX_LEVEL:
            raise ValueError(f"the level of press must be from 0 to {MAX_LEVEL}, not {self.level}")
        for seconds in (self.movement_time, self.retreat_time, self.build_time):
            if seconds is not None and not 0 < seconds <= MAX_NUMBER:
                raise ValueError(f"a time limit must be 1 to {MAX_NUMBER} seconds, not {seconds}")

    def time_for(self, stage: Stage) -> int | None:
        """Return the seconds for a phase, or None for no limit."""
        return {
            Stage.MOVEMENT: self.movement_time,
            Stage.RETREATS: self.retreat_time,
            Stage.ADJUSTMENTS: self.build_time,
        }[stage]

    @property
    def longest_time(self) -> int:
        """The length of the longest phase in seconds, or 0 without limits."""
        return max(self.movement_time or 0, self.retreat_time or 0, self.build_time or 0)

    def write_variant(self, level: int) -> list[Part]:
        """Return the options as HLO lists them for a visitor with a level of press."""
        options: list[Part] = [[Word.LVL, encode_number(level)]]
        for word, seconds in (
            (Word.MTL, self.movement_time),
            (Word.RTL, self.retreat_time),
            (Word.BTL, self.build_time),
        ):
            if seconds is not None:
                options.append([word, encode_number(seconds)])
        if self.stops_on_disconnection:
            options.append([Word.DSD])
        if self.accepts_any_orders:
            options.append([Word.AOA])
        return options
