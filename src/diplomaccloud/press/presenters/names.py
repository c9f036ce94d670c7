"""The names of conversations and people on press pages."""

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Self

from diplomaccloud.accounts.screen_names import Label
from diplomaccloud.games.seats.page import NO_COLOR, Seats
from diplomaccloud.judge.phases import Phase, Stage
from diplomaccloud.press.addresses import Address, Kind
from diplomaccloud.press.presenters.page import Flag
from diplomaccloud.press.viewpoint.facts import CountryFacts
from diplomaccloud.schedule.descriptions import join_words

TITLES = {
    Kind.PUBLIC: Label.EVERYONE,
    Kind.GRAY: Label.GRAY_MESSAGES,
    Kind.MASTER: Label.MASTER.heading,
    Kind.NOTES: Label.NOTES,
    Kind.PREGAME: Label.TABLE.capitalize(),
    Kind.SEATS: Label.ANOTHER_PLAYER,
    Kind.PERSONAL: f"A {Label.DELETED}",
}
SPOKEN = {
    Kind.PUBLIC: Label.EVERYONE.lower(),
    Kind.GRAY: Label.EVERYONE_UNSIGNED,
    Kind.MASTER: Label.MASTER,
    Kind.NOTES: Label.YOURSELF,
    Kind.PREGAME: Label.TABLE,
}
"""The names of conversations after the word "to"."""
ICONS = {
    Kind.PUBLIC: "i-everyone",
    Kind.GRAY: "i-gray",
    Kind.MASTER: "i-master",
    Kind.NOTES: "i-notes",
    Kind.PREGAME: "i-table",
    Kind.PERSONAL: "i-person",
    Kind.SEATS: "i-person",
}


_STAGES = {Stage.MOVEMENT: "", Stage.RETREATS: ", retreats", Stage.ADJUSTMENTS: ", builds"}


class Names:
    """The names and colors of a game's seats, by the first power of each."""

    def __init__(self, countries: Mapping[str, tuple[CountryFacts, ...]]) -> None:
        self._by_power = countries

    @classmethod
    def of_seats(cls, seats: Seats) -> Self:
        """Return the names, from seats that the page has already presented."""
        return cls(
            {
                seat.power: tuple(
                    CountryFacts(part.country, part.color) for part in seat.parts or (seat,)
                )
                for seat in seats.all
                if seat.power
            }
        )

    @property
    def powers(self) -> tuple[str, ...]:
        """The first power of each seat, in board order."""
        return tuple(self._by_power)

    def has(self, power: str) -> bool:
        """Return whether the game has a seat with this first power."""
        return power in self._by_power

    def country(self, power: str) -> str:
        """Return the name of the seat's country."""
        parts = self._by_power.get(power, ())
        return join_words([part.name for part in parts]) if parts else power

    def color(self, power: str) -> str:
        """Return the color of the seat."""
        parts = self._by_power.get(power, ())
        return parts[0].color if parts else NO_COLOR

    def flags(self, powers: Iterable[str]) -> tuple[Flag, ...]:
        """Return the countries and colors of seats."""
        parts = [part for power in powers for part in self._by_power.get(power, ())]
        return tuple(Flag(part.name, part.color) for part in parts)

    def speak(self, address: Address) -> str:
        """Return the name of the conversation after the word "to"."""
        return self.title(address) if address.powers else SPOKEN[address.kind]

    def title(self, address: Address) -> str:
        """Return the title of the conversation."""
        if address.powers:
            return ", ".join(map(self.country, address.powers))
        return TITLES[address.kind]


def describe_time(at: dt.datetime) -> str:
    """Return the time for pages without scripts, such as `Tue, Nov 24, 18:02 UTC`."""
    instant = at.astimezone(dt.UTC)
    return f"{instant:%a}, {instant:%b} {instant.day}, {instant:%H:%M} UTC"


def title_phase(phase: Phase | None) -> str:
    """Return a title such as `Spring 1902`, with any stage but movement; blank without a phase."""
    if phase is None:
        return ""
    return f"{phase.season.word} {phase.year}{_STAGES[phase.stage]}"
