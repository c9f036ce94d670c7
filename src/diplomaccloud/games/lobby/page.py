"""Lists of games in words, the invitation to a game, and the bots to play against."""

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

import segno
import structlog
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from diplomaccloud.bots import BOT_CHOICES
from diplomaccloud.bots.kernel import SLOW_KERNEL
from diplomaccloud.bots.levels import LEVELS, Level
from diplomaccloud.bots.seats import USUAL_BOT
from diplomaccloud.games.hall.page import CardView, present_card
from diplomaccloud.games.hall.read import Country
from diplomaccloud.games.lobby.read import GameLists, Status

_log = structlog.get_logger(__name__)


def list_older_urls(lists: GameLists, parameters: Mapping[str, str]) -> dict[Status, str]:
    """Return the address of the next page of each status that has one, with the `parameters`."""
    urls = {}
    for status, listed in lists.others.items():
        if number := listed.older or listed.next_start:
            place = {"status": status.value, "before" if listed.older else "start": number}
            urls[status] = f"{reverse('games:lobby')}?{urlencode({**parameters, **place})}"
    return urls


def present_offers(lists: GameLists, now: dt.datetime) -> tuple[CardView, ...]:
    """Return a card for each seat to take over: its country in its game, and the deadline."""
    return tuple(
        replace(
            present_card(replace(card, leaders=()), now),
            country=Country(offer.country, offer.color, offer.centers),
            marks=(),
        )
        for offer, card in lists.offers
    )


def draw_qr_code(url: str) -> SafeString:
    """Return the absolute address of an invitation as the SVG of a QR code."""
    code = segno.make_qr(url, error="m")
    # Dark modules on a light ground in both schemes: scanners need that.
    svg = code.svg_inline(border=2, omitsize=True, svgclass="qr", lineclass=None, light="#ffffff")
    return mark_safe(svg)  # noqa: S308 - drawn by us


FIRST_CHOICE: Final = (USUAL_BOT,)

_ABOUT: Final = (
    "Sees what is near, and changes its mind a lot. For a first game.",
    "Goes for centers and supports its own moves, but does not plan.",
    "Looks a little ahead, and tries some attacks.",
    "Weighs hundreds of plans against what you may do.",
    "Expects your best moves, and forgives no mistakes.",
)


@dataclass(frozen=True, slots=True)
class Opponents:
    """All bots to choose from, levels with what they are like; and the names of the `chosen` ones.

    `is_slow` says whether the judge is too slow for those that look ahead.
    """

    levels: tuple[tuple[Level, str], ...]
    others: tuple[tuple[str, str], ...]
    chosen: frozenset[str]
    is_slow: bool

    @property
    def has_other(self) -> bool:
        """Whether a bot without a level is chosen."""
        return any(name in self.chosen for name, _ in self.others)


def present_opponents(chosen: Collection[str] = FIRST_CHOICE) -> Opponents:
    """Return the bots to choose from."""
    levels = tuple(zip(LEVELS, _ABOUT, strict=True))
    return Opponents(levels, BOT_CHOICES, frozenset(chosen), bool(SLOW_KERNEL))
