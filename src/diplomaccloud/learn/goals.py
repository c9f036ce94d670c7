"""The goals of lessons: conditions on the result of a turn."""

from dataclasses import dataclass
from typing import Protocol

from diplomaccloud.judge.board import Power, ProvinceCode
from diplomaccloud.judge.orders import Waive
from diplomaccloud.judge.position import Position
from diplomaccloud.judge.results import Ending, Outcome, Resolution


@dataclass(frozen=True, slots=True)
class Turn:
    """A phase of a lesson that has been judged; `ending` includes the result of votes."""

    power: Power
    before: Position
    resolution: Resolution
    ending: Ending | None

    @property
    def after(self) -> Position:
        """The next position."""
        return self.resolution.next


class Goal(Protocol):
    """A condition on the result of a turn."""

    def is_met(self, turn: Turn) -> bool:
        """Return whether the turn fulfills it."""
        ...


@dataclass(frozen=True, slots=True)
class Stand:
    """A unit of the learner is in `place`: a province, or a unit such as `A KIE`."""

    place: str

    def is_met(self, turn: Turn) -> bool:
        """Return whether one does."""
        own = [unit for unit in turn.after.units if unit.power == turn.power]
        return any(self.place in {str(unit), unit.province} for unit in own)


@dataclass(frozen=True, slots=True)
class KeepOut:
    """No unit of another power is in `place`."""

    place: str

    def is_met(self, turn: Turn) -> bool:
        """Return whether `place` has no such unit."""
        others = [unit for unit in turn.after.units if unit.power != turn.power]
        return all(unit.province != self.place for unit in others)


@dataclass(frozen=True, slots=True)
class Standoff:
    """The learner's unit and another bounced in `place`, which stays empty."""

    place: str

    def is_met(self, turn: Turn) -> bool:
        """Return whether there was a standoff."""
        return self.place in turn.resolution.standoffs


@dataclass(frozen=True, slots=True)
class Fail:
    """The order of the unit in `place` had this `outcome`, for example its support was cut."""

    place: str
    outcome: Outcome

    def is_met(self, turn: Turn) -> bool:
        """Return whether the order had the outcome."""
        return any(
            result.outcome is self.outcome
            for result in turn.resolution.results
            if not isinstance(result.order, Waive) and result.order.unit.province == self.place
        )


@dataclass(frozen=True, slots=True)
class Own:
    """The learner owns the center `place`."""

    place: str

    def is_met(self, turn: Turn) -> bool:
        """Return whether it belongs to the learner now."""
        return turn.after.centers.get(ProvinceCode(self.place)) == turn.power


@dataclass(frozen=True, slots=True)
class Save:
    """The learner has at least `count` units afterward, not counting those that must retreat."""

    count: int

    def is_met(self, turn: Turn) -> bool:
        """Return whether that many are left."""
        return sum(unit.power == turn.power for unit in turn.after.units) >= self.count


@dataclass(frozen=True, slots=True)
class Win:
    """The game ends, and these powers share the victory; without powers, it continues."""

    powers: tuple[str, ...] = ()

    def is_met(self, turn: Turn) -> bool:
        """Return whether the game ended this way."""
        winners = turn.ending.winners if turn.ending else ()
        return sorted(winners) == sorted(self.powers)
