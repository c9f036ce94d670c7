"""A next game as a box on other pages, and its muster in the waiting room."""

import datetime as dt
from dataclasses import dataclass

from diplomaccloud.games.hall.wording import PRESS
from diplomaccloud.games.next_game import wording
from diplomaccloud.games.next_game.read import Muster, NextOffer, list_next_games, read_muster
from diplomaccloud.games.next_game.wording import FEWEST, USUAL_PEOPLE
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.schedule import format_duration


@dataclass(frozen=True, slots=True)
class NextGameBox:
    """What a box about a next game shows: the offer, its press in words, and a dot for each seat.

    `taken` and `free` are the dots.
    """

    offer: NextOffer
    press: str
    taken: str
    free: str


@dataclass(frozen=True, slots=True)
class MusterView:
    """The muster in the waiting room: three sentences, and what the viewer can do.

    `ends_at` is None unless the muster is open. `with_bots` says what a start with bots means,
    and is blank if the viewer cannot choose it; `agreed` how many have.
    """

    sentences: tuple[str, ...]
    ends_at: dt.datetime | None
    can_confirm: bool
    confirmed: bool
    with_bots: str
    agrees: bool
    agreed: str


def present_next_games(viewer: Viewer) -> tuple[NextGameBox, ...]:
    """Return a box for each next game that waits."""
    return tuple(
        NextGameBox(offer, PRESS[offer.press], "●" * offer.people, "●" * offer.free)
        for offer in list_next_games(viewer)
    )


def present_muster(reader: Reader) -> MusterView | None:
    """Return the muster of a waiting next game; None for other games."""
    muster = read_muster(reader)
    if muster is None:
        return None
    may_agree = muster.yours and FEWEST <= muster.people < USUAL_PEOPLE
    agreed = wording.AGREED.format(agreed=muster.agreed, people=muster.people)
    return MusterView(
        sentences=_describe(muster),
        ends_at=muster.due_at if muster.is_open else None,
        can_confirm=muster.is_open and muster.yours and not muster.confirmed,
        confirmed=muster.is_open and muster.confirmed,
        with_bots=wording.WITH_BOTS if may_agree else "",
        agrees=muster.agrees,
        agreed=agreed if may_agree and muster.agreed else "",
    )


def _describe(muster: Muster) -> tuple[str, ...]:
    if muster.is_open:
        then = wording.THEN.format(people=USUAL_PEOPLE)
        return wording.CONFIRM, then, wording.ELSE
    opens = wording.OPENS_FIRST.format(people=USUAL_PEOPLE)
    if muster.opens_with < USUAL_PEOPLE:
        opens = wording.OPENS_LATER if muster.due_at else wording.OPENS_AGAIN
    length = format_duration(muster.length)
    starts = wording.STARTS.format(people=USUAL_PEOPLE)
    return opens, wording.ASKS.format(length=length), starts
