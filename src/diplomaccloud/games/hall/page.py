"""A card as its template shows it: the lines in the order in which they are read."""

import datetime as dt
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import structlog
from django.urls import reverse

from diplomaccloud.games.hall import wording
from diplomaccloud.games.hall.read import Card, Country, PictureKey, Status, find_picture_key
from diplomaccloud.games.table.read import Reader
from diplomaccloud.maps.card_pictures import name_picture
from diplomaccloud.maps.gallery import build_map_picture
from diplomaccloud.maps.library import find_chart

_NEAR: Final = dt.timedelta(hours=24)
"""A deadline is marked when less than this is left and the reader has something to do."""
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class CardPicture:
    """The addresses of a card's picture in both color schemes."""

    light_url: str
    dark_url: str


@dataclass(frozen=True, slots=True)
class CardView:
    """A card in words.

    `badge` stands over the picture, before the time left until `ends_at` if that is set; `is_due`
    marks both. Of the lines, `turn` comes before `country` and the `change` of its centers; `owed`
    is emphasized before the `marks`; `note` is about the picture. `until` is when a pause ends at
    the latest. A blank part is left out.
    """

    slug: str
    title: str
    picture: CardPicture | None
    badge: str
    ends_at: dt.datetime | None
    is_due: bool
    turn: str
    country: Country | None = None
    change: str = ""
    owed: str = ""
    marks: tuple[str, ...] = ()
    waiting: str = ""
    note: str = ""
    until: dt.datetime | None = None


def present_card(card: Card, now: dt.datetime) -> CardView:
    """Return the card in words at the time `now`."""
    match card.status:
        case Status.FORMING:
            return _present_waiting(card)
        case Status.RUNNING:
            return _present_running(card, now)
        case _:
            return _present_finished(card)


def _present_waiting(card: Card) -> CardView:
    facts = [] if card.map_name == card.world else [card.map_name]
    facts.append(f"{card.seats} players")
    if card.schedule:
        facts.append(wording.describe_speed(card.schedule))
    if card.press:
        facts.append(wording.PRESS[card.press])
    marks = [wording.describe_entry(private=card.private, reliability=card.reliability)]
    if card.creator and not card.yours:
        marks.append(f"by {card.creator}")
    return CardView(
        slug=card.slug,
        title=card.world,
        picture=find_picture(card.map_hash, card.picture),
        badge=wording.INVITED if card.invited else "",
        ends_at=None,
        is_due=card.invited,
        turn=join_facts(facts),
        owed=wording.describe_seats(card.humans + card.bots, card.seats),
        marks=tuple(marks),
    )


def _present_running(card: Card, now: dt.datetime) -> CardView:
    is_stopped = card.suspended or card.paused_until is not None
    badge, owed, is_ready = "", "", card.owed is not None and not card.needs_you
    if card.suspended:
        badge = wording.SUSPENDED
    elif is_stopped:
        badge = wording.PAUSED
    elif is_ready:
        badge = wording.READY
    if card.owed is not None:
        owed = wording.READY if is_ready else wording.describe_owed(card.owed, saved=card.saved)
    ends_at = None if is_stopped else card.due_at
    turn = wording.describe_turn(card.phase) if card.phase else ""
    leaders = wording.describe_leaders(card.leaders)
    return CardView(
        slug=card.slug,
        title=card.world,
        picture=find_picture(card.map_hash, card.picture),
        badge=badge,
        ends_at=ends_at,
        is_due=card.needs_you and ends_at is not None and ends_at - now < _NEAR,
        turn=join_facts([turn, leaders]),
        country=card.country,
        change=wording.describe_change(card.country.change) if card.country else "",
        owed=owed,
        marks=(wording.describe_vacant(card.vacant),) if card.vacant else (),
        waiting=wording.describe_waiting(card.waiting_for, you=card.needs_you),
        note=wording.NEW_POSITION if card.is_new else "",
        until=card.paused_until if not card.suspended else None,
    )


def _present_finished(card: Card) -> CardView:
    year = str(card.last_phase.year) if card.last_phase else ""
    return CardView(
        slug=card.slug,
        title=card.world,
        picture=find_picture(card.map_hash, card.picture),
        badge=wording.FINISHED,
        ends_at=None,
        is_due=False,
        turn=join_facts([year, wording.describe_outcome(card.winners or ())]),
        owed=wording.describe_place(card.place, card.seats) if card.place else "",
        marks=(card.your_country,) if card.your_country else (),
        note=wording.NEW_POSITION if card.is_new else "",
    )


def join_facts(facts: "list[str]") -> str:
    """Return short facts in one line."""
    return " · ".join(fact for fact in facts if fact)


def find_picture(map_hash: str, key: PictureKey | None) -> CardPicture | None:
    """Return the picture of a position, or without its key the opening picture of the map.

    Return None if the map's data is damaged.
    """
    if key is not None:
        return _build_picture(key)
    try:
        picture = build_map_picture(map_hash, find_chart(map_hash))
    except Exception:
        _log.exception("damaged map", map=map_hash)
        return None
    return CardPicture(picture.card_url, picture.dark_card_url)


def find_preview_url(reader: Reader) -> str:
    """Return the address of the picture that previews of links to the game show, or blank."""
    picture = find_picture(reader.game.map_hash, find_picture_key(reader))
    return picture.light_url if picture else ""


@lru_cache(maxsize=1024)
def _build_picture(key: PictureKey) -> CardPicture:
    light, dark = (
        reverse("maps:card", args=[name_picture(*key, theme)]) for theme in ("light", "dark")
    )
    return CardPicture(light, dark)
