"""What pages print of the seats of a game: whose they are, and what they have on the board."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat; `power` is blank before the draw.

    `held` says whether a person or a bot plays it; `player` is what that is called.
    `ready` is None when it has nothing to order, which `asked` says, and when it is not told.

    A player of several powers has each in `parts`; `power` is then the first, and centers and
    units are those of all. `pk` names the seat to the game's maker before the start. `status` is
    what the player says to everybody, blank for nothing.
    """

    power: str
    power_name: str
    country: str
    color: str
    player: str
    held: bool
    is_bot: bool
    is_you: bool
    centers: int
    units: int
    rank: int
    eliminated: bool
    ready: bool | None
    pk: int = 0
    reliability: str = ""
    status: str = ""
    profile_url: str = ""
    parts: tuple["SeatView", ...] = ()
    asked: bool = False


@dataclass(frozen=True, slots=True)
class UnitLine:
    """A unit on the board."""

    text: str
    title: str
    dislodged: bool


@dataclass(frozen=True, slots=True)
class PowerBoard:
    """What a power has on the board: units, and centers by name."""

    seat: SeatView
    units: tuple[UnitLine, ...]
    centers: tuple[str, ...]
