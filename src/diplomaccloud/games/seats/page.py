"""The seats of a game on its pages: whose they are, and what they have on the board."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from django.urls import reverse

from diplomaccloud.accounts.models import Relationship
from diplomaccloud.accounts.screen_names import Label
from diplomaccloud.bots import name_bot
from diplomaccloud.bots.seats import find_level
from diplomaccloud.games.seats.read import (
    Departure,
    Related,
    Relationships,
    SeatFacts,
    TakeoverBar,
    measure_strength,
    read_seats,
    read_vacant_seats,
)
from diplomaccloud.games.table.options import distinguishable_colors
from diplomaccloud.games.table.read import Reader, read_once
from diplomaccloud.games.visibility.read import Actor, Holder
from diplomaccloud.judge.board import Power
from diplomaccloud.sandbox.order_choices import unit_title
from diplomaccloud.schedule.descriptions import join_words

NO_COLOR = "#888888"
NOBODY = Label.NOBODY
_BARS = {
    TakeoverBar.REMOVED: "You were removed from this game.",
    TakeoverBar.PLAYED_ANOTHER: (
        "You played another country in this game, so you can only return to that one."
    ),
    TakeoverBar.UNRELIABLE: "Your reliability is lower than this game asks for.",
}
_DEPARTURES = {
    "removed": "{name}, removed in {when}",
    "abandoned": "abandoned by {name} in {when}",
}
_DEPARTURE = "left by {name} in {when}"


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat; `power` is blank before countries are assigned.

    `held` says whether a person or a bot plays it, and `player` is that person's or bot's name.
    `ready` is None if the seat has nothing to order, or if that is hidden; `must_order` says
    which.

    A player of several powers has one seat view for each in `parts`; `power` is then the first,
    and centers and units are totals. `status` is the player's public status message. `token`
    identifies the seat to the creator in the waiting room.
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
    must_order: bool = False
    level: int = 0
    token: str = ""

    @property
    def is_vacant(self) -> bool:
        """Whether the country is still in the game and has no player."""
        return bool(self.power) and not self.held and not self.eliminated


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


@dataclass(frozen=True, slots=True)
class UnitLine:
    """A unit on the board."""

    text: str
    title: str
    dislodged: bool


@dataclass(frozen=True, slots=True)
class PowerUnits:
    """What a power has on the board: its units, and the names of its centers."""

    seat: SeatView
    units: tuple[UnitLine, ...]
    centers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ColorChoice:
    """A color that a country may have, with its name."""

    color: str
    name: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class ColorChoices:
    """The colors that one of the viewer's powers, `seat`, may have."""

    seat: SeatView
    choices: tuple[ColorChoice, ...]

    @property
    def printed(self) -> bool:
        """Whether the power has its map color, rather than one that its player chose."""
        return not any(choice.chosen for choice in self.choices)


VacantSeatView = tuple[SeatView, dt.datetime, str]
"""A vacant seat as a whole, since when, and why the viewer may not take it, blank if allowed."""


def can_resign(reader: Reader) -> bool:
    """Return whether the viewer may leave a seat of a running game."""
    return reader.is_running and reader.has_seat and not reader.has_surrendered


@read_once
def present_seats(reader: Reader) -> Seats:
    """Return the seats of the game."""
    all_facts = read_seats(reader)
    seats = tuple(_present_seat(reader, facts) for facts in all_facts)
    by_power: dict[Power, SeatView] = {}
    for facts, seat in zip(all_facts, seats, strict=True):
        parts = seat.parts or (seat,)
        by_power.update(zip(facts.powers, parts, strict=False))
    return Seats(
        seats,
        {
            info.power: by_power.get(info.power) or _present_part(reader, info.power, _NOBODY)
            for info in reader.board.powers
        },
    )


def list_units(reader: Reader, seats: Seats) -> tuple[PowerUnits, ...]:
    """Return the units and centers of every power that is played or on the board."""
    board, position = reader.board, reader.position
    return tuple(
        PowerUnits(
            seat,
            (
                *(
                    UnitLine(str(unit), unit_title(board, unit), dislodged=False)
                    for unit in position.units_of(power)
                ),
                *(
                    UnitLine(str(dislodged.unit), unit_title(board, dislodged.unit), dislodged=True)
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
        used = [color for other, color in reader.colors.items() if other != power]
        chosen = reader.own_color_choices.get(power)
        offered = distinguishable_colors(used)
        colors = tuple(ColorChoice(color, name, color == chosen) for color, name in offered)
        choices.append(ColorChoices(seats.by_power[power], colors))
    return tuple(choices)


def list_vacant(reader: Reader, seats: Seats) -> tuple[VacantSeatView, ...]:
    """Return the vacant seats of the game."""
    by_key = {seat.pk: replace(seat, parts=()) for seat in seats.all}
    return tuple(
        (by_key[vacant.key], vacant.since_at, _BARS[vacant.bar] if vacant.bar else "")
        for vacant in read_vacant_seats(reader)
    )


def name_holder(holder: Holder | None) -> str:
    """Return the name of a person or bot: `Alice`, `a player`, `Greedy bot` or `nobody`."""
    if holder is None:
        return ""
    if holder.hidden:
        return Label.PLAYER
    return holder.name or (name_bot(holder.bot) if holder.bot else NOBODY)


def name_actor(actor: Actor | None) -> str:
    """Return the name of a person who did something; blank for the site."""
    if actor is None:
        return ""
    return actor.name or (Label.MASTER if actor.is_master else Label.PLAYER)


def name_master(master: Actor | None) -> str:
    """Return the name of the game master."""
    if master is None:
        return Label.SITE
    return master.name or Label.HIDDEN


def _name_player(holder: Holder, departure: Departure | None) -> str:
    if departure is None:
        return name_holder(holder)
    when = f"{departure.phase.season.word} {departure.phase.year}"
    text = _DEPARTURES.get(departure.kind, _DEPARTURE)
    return text.format(name=name_holder(holder), when=when)


def _present_seat(reader: Reader, facts: SeatFacts) -> SeatView:
    powers, info = facts.powers, reader.board.power_info
    printed = join_words([info[power].name for power in powers])
    seat = SeatView(
        power=powers[0] if powers else "",
        power_name=printed,
        country=facts.name or printed,
        color=reader.colors[powers[0]] if powers else NO_COLOR,
        player=_name_player(facts.holder, facts.departure),
        held=facts.held,
        is_bot=facts.held and bool(facts.holder.bot),
        level=find_level(facts.holder.bot) if facts.held else 0,
        is_you=facts.is_you,
        centers=facts.strength.centers,
        units=facts.strength.units,
        rank=facts.rank,
        eliminated=facts.eliminated,
        ready=facts.ready,
        must_order=facts.must_order,
        pk=facts.key,
        token=facts.token,
        reliability=facts.reliability.summary if facts.reliability else "",
        status=facts.status,
        profile_url=reverse("person", args=[facts.profile]) if facts.profile else "",
    )
    if len(powers) < 2:
        return seat
    return replace(seat, parts=tuple(_present_part(reader, power, seat) for power in powers))


def _present_part(reader: Reader, power: Power, seat: SeatView) -> SeatView:
    """Return `seat` with only one of its powers."""
    name = reader.board.power_info[power].name
    strength = measure_strength(reader.position, (power,))
    return replace(
        seat,
        power=power,
        power_name=name,
        country=name,
        color=reader.colors[power],
        centers=strength.centers,
        units=strength.units,
        eliminated=not strength.centers and not strength.units,
        parts=(),
    )


_NOBODY = SeatView(
    power="",
    power_name="",
    country="",
    color=NO_COLOR,
    player=NOBODY,
    held=False,
    is_bot=False,
    is_you=False,
    centers=0,
    units=0,
    rank=0,
    eliminated=False,
    ready=None,
)

_SENTENCES: Final = {
    Relationship.Kind.HOUSEHOLD: "{people} are family or share a household, as both have declared.",
    Relationship.Kind.NETWORK: "{people} share a network, such as at a school or in an office, as "
    "both have declared.",
    Relationship.Kind.FRIENDS: "{people} are friends who talk outside the site, as both have "
    "declared.",
}
_UNNAMED: Final = "At least two players of this game have declared that they know each other."


def describe_relationships(facts: Relationships) -> tuple[str, ...]:
    """Return a sentence for each relationship, or one without names if the names are hidden."""
    return (_UNNAMED,) if facts.unnamed else tuple(map(_describe, facts.named))


def _describe(pair: Related) -> str:
    # The viewer, whose name is blank, comes first.
    people = [name or Label.YOU.heading for name in sorted(pair.names)]
    return _SENTENCES[Relationship.Kind(pair.kind)].format(people=join_words(people))
