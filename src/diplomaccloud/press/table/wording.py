"""The names of conversations and people on press pages, and the text of messages as safe HTML."""

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Self
from urllib.parse import urlencode, urlsplit

from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from diplomaccloud.accounts.screen_names import Label
from diplomaccloud.games.seats.page import Seats
from diplomaccloud.games.seats.read import NO_COLOR
from diplomaccloud.judge.phases import Phase, Stage
from diplomaccloud.press.table.addresses import Address, AddressKind
from diplomaccloud.press.table.read import Flag
from diplomaccloud.schedule.descriptions import join_words

TITLES = {
    AddressKind.PUBLIC: Label.EVERYONE,
    AddressKind.GRAY: Label.GRAY_MESSAGES,
    AddressKind.MASTER: Label.MASTER.heading,
    AddressKind.NOTES: Label.NOTES,
    AddressKind.PREGAME: Label.TABLE.capitalize(),
    AddressKind.SEATS: Label.ANOTHER_PLAYER,
    AddressKind.PERSONAL: f"A {Label.DELETED}",
}
SPOKEN = {
    AddressKind.PUBLIC: Label.EVERYONE.lower(),
    AddressKind.GRAY: Label.EVERYONE_UNSIGNED,
    AddressKind.MASTER: Label.MASTER,
    AddressKind.NOTES: Label.YOURSELF,
    AddressKind.PREGAME: Label.TABLE,
}
"""The names of conversations after the word "to"."""
ICONS = {
    AddressKind.PUBLIC: "everyone",
    AddressKind.GRAY: "gray",
    AddressKind.MASTER: "master",
    AddressKind.NOTES: "notes",
    AddressKind.PREGAME: "table",
    AddressKind.PERSONAL: "person",
    AddressKind.SEATS: "person",
}

_STAGES = {Stage.MOVEMENT: "", Stage.RETREATS: ", retreats", Stage.ADJUSTMENTS: ", builds"}


class PressNames:
    """The names and colors of a game's seats, by the first power of each."""

    def __init__(self, countries: Mapping[str, tuple[Flag, ...]]) -> None:
        self._by_power = countries

    @classmethod
    def of_seats(cls, seats: Seats) -> Self:
        """Return the names, from seats that the page has already presented."""
        return cls(
            {
                seat.power: tuple(
                    Flag(part.country, part.color, part.letters) for part in seat.parts or (seat,)
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
        return join_words([part.country for part in parts]) if parts else power

    def color(self, power: str) -> str:
        """Return the color of the seat."""
        parts = self._by_power.get(power, ())
        return parts[0].color if parts else NO_COLOR

    def letters(self, power: str) -> str:
        """Return the letters on the seat's badges; blank among few powers."""
        parts = self._by_power.get(power, ())
        return parts[0].letters if parts else ""

    def flags(self, powers: Iterable[str]) -> tuple[Flag, ...]:
        """Return the countries and colors of seats."""
        return tuple(part for power in powers for part in self._by_power.get(power, ()))

    def speak(self, address: Address) -> str:
        """Return the name of the conversation after the word "to"."""
        return self.title(address) if address.powers else SPOKEN[address.kind]

    def title(self, address: Address) -> str:
        """Return the title of the conversation."""
        if address.powers:
            return ", ".join(map(self.country, address.powers))
        return TITLES[address.kind]


def describe_time(at: dt.datetime) -> str:
    """Return the time as `conversations/_time.html` words it, such as `Tue, Nov 24, 18:02 UTC`."""
    instant = at.astimezone(dt.UTC)
    return f"{instant:%a}, {instant:%b} {instant.day}, {instant:%H:%M} UTC"


def title_phase(phase: Phase | None) -> str:
    """Return a title such as `Spring 1902`, with any stage but movement; blank without a phase."""
    if phase is None:
        return ""
    return f"{phase.turn_title}{_STAGES[phase.stage]}"


# The text of a message as safe HTML, with external links and marked provinces and orders.
#
# A message is plain text. Addresses with `http` or `https` become links to a page that shows where
# they lead. The map's province codes, and orders made of them, are marked so that a script can show
# them on the map.


_URL = re.compile(r"\bhttps?://[^\s<>\"]+", re.IGNORECASE)
_TAIL = ".,;:!?'*_~"
"""Punctuation after an address that belongs to the sentence."""
_PAIRS = {")": "(", "]": "[", "}": "{"}
MAX_URL_LENGTH = 2000
"""Longer addresses stay text, since browsers and servers cut them off."""


def render_text(text: str, codes: frozenset[str] = frozenset()) -> SafeString:
    """Return the text of a message as HTML; `codes` are the provinces of the map."""
    parts: list[str] = []
    end = 0
    for match in _URL.finditer(text):
        address = _trim_address(match[0])
        if not is_outside_link(address):
            continue
        link = format_html(
            '<a href="{}" rel="noopener noreferrer nofollow" target="_blank">{}</a>',
            f"{reverse('press:leaving')}?{urlencode({'to': address})}",
            address,
        )
        parts += [_mark_places(text[end : match.start()], codes), link]
        end = match.start() + len(address)
    parts.append(_mark_places(text[end:], codes))
    return mark_safe("".join(parts))  # noqa: S308 - every part is escaped


def is_outside_link(address: str) -> bool:
    """Return whether a message may link to the address."""
    if len(address) > MAX_URL_LENGTH or not address.isprintable():
        return False
    try:
        parts = urlsplit(address)
        host = parts.hostname
        _ = parts.port
    except ValueError:
        return False
    # A user name before the host can look like another site: https://bank.example@other.example
    return parts.scheme in ("http", "https") and bool(host) and "@" not in parts.netloc


def _trim_address(address: str) -> str:
    """Return the address without the punctuation of the sentence around it."""
    while address:
        last = address[-1]
        unpaired = last in _PAIRS and address.count(last) > address.count(_PAIRS[last])
        if last not in _TAIL and not unpaired:
            break
        address = address[:-1]
    return address


def _mark_places(text: str, codes: frozenset[str]) -> str:
    if not codes:
        return escape(text)
    pattern, place = _patterns(codes)
    parts: list[str] = []
    end = 0
    for match in pattern.finditer(text):
        places = dict.fromkeys(place.findall(match[0]))
        parts.append(escape(text[end : match.start()]))
        parts.append(
            format_html(
                '<span class="place" data-places="{}">{}</span>', " ".join(places), match[0]
            )
        )
        end = match.end()
    parts.append(escape(text[end:]))
    return "".join(parts)


@lru_cache(maxsize=32)
def _patterns(codes: frozenset[str]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return a pattern of orders and provinces, and one of the provinces in them."""
    names = "|".join(sorted(map(re.escape, codes), key=lambda code: (-len(code), code)))
    place = rf"(?:{names})\b(?:/[NSEW]C\b)?"
    unit = rf"(?:[AF] )?{place}"
    step = rf" ?(?:->|→|–|-|—) ?{place}| [SC] {unit}| H\b"
    order = re.compile(rf"(?<![\w/-])(?:{unit}(?:{step})*)(?!\w)")
    return order, re.compile(rf"\b({names})\b")
