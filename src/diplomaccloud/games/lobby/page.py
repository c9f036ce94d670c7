"""Lists of games in words, the invitation to a game, and the bots to play against."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

import segno
import structlog
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from diplomaccloud.bots import BOT_CHOICES
from diplomaccloud.bots.levels import LEVELS
from diplomaccloud.bots.seats import USUAL_BOT
from diplomaccloud.games.lobby.read import GameList, GameLists, ListedGame, Status
from diplomaccloud.judge.kernel.selection import KERNEL
from diplomaccloud.maps.gallery import MapPicture, build_map_picture
from diplomaccloud.maps.library import find_chart
from diplomaccloud.schedule import Interval, format_duration
from diplomaccloud.schedule.descriptions import join_words

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class LobbyView:
    """The viewer's own games, and other public games by status.

    With `only`, the page shows older games of this status alone. `older_urls` has the address of
    the next page by status, if there is one.
    """

    yours: tuple[ListedGame, ...]
    open: tuple[ListedGame, ...]
    running: tuple[ListedGame, ...]
    finished: tuple[ListedGame, ...]
    older_urls: Mapping[str, str]
    only: str = ""

    @property
    def waiting(self) -> tuple[ListedGame, ...]:
        """The viewer's games in which the viewer has something to do."""
        return tuple(game for game in self.yours if game.waits_for_you)

    @property
    def others(self) -> tuple[ListedGame, ...]:
        """The viewer's other games."""
        return tuple(game for game in self.yours if not game.waits_for_you)


def present_lobby(
    lists: GameLists, *, only: str = "", parameters: Mapping[str, str] | None = None
) -> LobbyView:
    """Return the lists of games for a page; links to more games keep the filter's `parameters`."""
    games = {status: listed.games for status, listed in lists.others.items()}
    return LobbyView(
        yours=lists.yours,
        open=games.get(Status.FORMING, ()),
        running=games.get(Status.RUNNING, ()),
        finished=games.get(Status.FINISHED, ()),
        older_urls={
            status.value: _build_older_url(status, listed, parameters or {})
            for status, listed in lists.others.items()
            if listed.older is not None or listed.next_start is not None
        },
        only=only,
    )


def _build_older_url(status: Status, listed: GameList, parameters: Mapping[str, str]) -> str:
    place = {"before": listed.older} if listed.older is not None else {"start": listed.next_start}
    return f"{reverse('games:lobby')}?{urlencode({**parameters, 'status': status.value, **place})}"


def describe_speed(game: ListedGame) -> str:
    """Return the speed in a few words: `5 minutes a turn`, `a turn a day`, `2 turns a week`."""
    if game.schedule is None:
        return ""
    plan = game.schedule.plan
    if isinstance(plan, Interval):
        return f"{format_duration(plan.lengths.movement)} a turn"
    match len(plan.movement):
        case 1:
            return "a turn a week"
        case 7:
            return "a turn a day"
        case number:
            return f"{number} turns a week"


def find_picture(map_hash: str) -> MapPicture | None:
    """Return the picture of the map, None if its data is damaged, so that lists still work."""
    try:
        return build_map_picture(map_hash, find_chart(map_hash))
    except Exception:
        _log.exception("damaged map", map=map_hash)
        return None


def describe_outcome(game: ListedGame) -> str:
    """Return who has won; blank until the game is over."""
    winners = game.winners
    if winners is None:
        return ""
    names = join_words([winner.country for winner in winners])
    if not winners:
        return "Nobody won."
    if len(winners) > 1:
        return f"{names} share the victory."
    return f"{names} win." if winners[0].several else f"{names} wins."


@dataclass(frozen=True, slots=True)
class Invitation:
    """The address that friends open, and the same address as the SVG of a QR code."""

    url: str
    qr_code: SafeString


def present_invitation(url: str) -> Invitation:
    """Return the invitation to the game at the absolute address `url`."""
    code = segno.make_qr(url, error="m")
    # Dark modules on a light ground in both schemes: scanners need that.
    svg = code.svg_inline(border=2, omitsize=True, svgclass="qr", lineclass=None, light="#ffffff")
    return Invitation(url, mark_safe(svg))  # noqa: S308 - drawn by us


FIRST_CHOICE: Final = (USUAL_BOT,)

_ABOUT: Final = (
    "Sees what is near, and changes its mind a lot. For a first game.",
    "Goes for centers and supports its own moves, but does not plan.",
    "Looks a little ahead, and tries some attacks.",
    "Weighs hundreds of plans against what you may do.",
    "Expects your best moves, and forgives no mistakes.",
)


@dataclass(frozen=True, slots=True)
class LevelChoice:
    """A level on a card: its number, the bot's name, its title, and what it is like."""

    number: int
    name: str
    title: str
    about: str


@dataclass(frozen=True, slots=True)
class Opponents:
    """All bots to choose from, and the names of the `chosen` ones."""

    levels: tuple[LevelChoice, ...]
    others: tuple[tuple[str, str], ...]
    chosen: frozenset[str]
    is_slow: bool

    @property
    def has_other(self) -> bool:
        """Whether a bot without a level is chosen."""
        return any(name in self.chosen for name, _ in self.others)


def present_opponents(chosen: Collection[str] = FIRST_CHOICE) -> Opponents:
    """Return the bots, and whether the judge is too slow for those that look ahead."""
    levels = tuple(
        LevelChoice(level.number, level.name, level.title, about)
        for level, about in zip(LEVELS, _ABOUT, strict=True)
    )
    return Opponents(levels, BOT_CHOICES, frozenset(chosen), KERNEL.name == "python")
