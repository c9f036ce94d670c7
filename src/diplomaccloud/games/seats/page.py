"""The seats of a game on its pages: by power, with units, and colors to choose from."""

from collections.abc import Mapping
from dataclasses import dataclass

from diplomaccloud.games.seats.read import SeatView, cut_part, read_seats
from diplomaccloud.games.table.options import distinguishable_colors
from diplomaccloud.games.table.read import Reader, read_once
from diplomaccloud.judge.board import Power
from diplomaccloud.sandbox.order_choices import unit_title


@dataclass(frozen=True, slots=True)
class Seats:
    """The seats of a game.

    `by_power` has each power of the board in board order with its country and player. A player
    of several powers has an entry for each; a power that nobody plays has a seat without a
    player.
    """

    all: tuple[SeatView, ...]
    by_power: Mapping[Power, SeatView]

    @property
    def you(self) -> SeatView | None:
        """The viewer's own seat."""
        return next((seat for seat in self.all if seat.is_you), None)

    def country(self, power: str) -> str:
        """Return the country of the seat whose first power is `power`."""
        return next((seat.country for seat in self.all if seat.power == power), power)


PowerUnits = tuple[SeatView, tuple[str, ...], tuple[str, ...]]
"""What a power has on the board: its units in words, and the names of its centers."""


@dataclass(frozen=True, slots=True)
class ColorChoices:
    """The colors that the power of `seat` may have, each with its name and whether it is chosen."""

    seat: SeatView
    choices: tuple[tuple[str, str, bool], ...]

    @property
    def printed(self) -> bool:
        """Whether the power has its map color, rather than one that its player chose."""
        return not any(is_chosen for _, _, is_chosen in self.choices)


def can_resign(reader: Reader) -> bool:
    """Return whether the viewer may leave a seat of a running game."""
    return reader.is_running and reader.has_seat and not reader.has_surrendered


@read_once
def present_seats(reader: Reader) -> Seats:
    """Return the seats of the game."""
    seats = read_seats(reader)
    parts = (part for seat in seats for part in seat.parts or (seat,))
    played = {power: part for part in parts for power in part.powers}
    by_power = {
        info.power: played.get(info.power) or cut_part(reader, SeatView(), info.power)
        for info in reader.board.powers
    }
    return Seats(seats, by_power)


def list_units(reader: Reader, seats: Seats) -> tuple[PowerUnits, ...]:
    """Return the units and centers of every power that is played or on the board."""
    board, position = reader.board, reader.position
    return tuple(
        (
            seat,
            (
                *(unit_title(board, unit) for unit in position.units_of(power)),
                *(
                    f"{unit_title(board, dislodged.unit)}, dislodged"
                    for dislodged in position.dislodged_of(power)
                ),
            ),
            tuple(board.by_code[code].name for code in position.centers_of(power)),
        )
        for power, seat in seats.by_power.items()
        if seat.held or seat.units or seat.centers
    )


def list_colors(reader: Reader, seats: Seats) -> tuple[ColorChoices, ...]:
    """Return the colors that each of the viewer's powers may have in a running game."""
    if not reader.is_running:
        return ()
    choices = []
    for power in reader.own_powers:
        used = [color for owner, color in reader.colors.items() if owner != power]
        chosen = reader.own_color_choices.get(power)
        colors = ((color, name, color == chosen) for color, name in distinguishable_colors(used))
        choices.append(ColorChoices(seats.by_power[power], tuple(colors)))
    return tuple(choices)
