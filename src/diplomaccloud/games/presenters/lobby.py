"""Lists of games in the lobby, on the home page and on the page of a map."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

import structlog
from django.urls import reverse

from diplomaccloud.games.viewpoint.lobby import GameLists, ListedGame, Status, Winner
from diplomaccloud.maps.gallery import MapPicture, build_map_picture
from diplomaccloud.maps.library import find_chart
from diplomaccloud.schedule.descriptions import join_words

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game in a list.

    `needs_you` is whether the viewer has orders to give or is not ready yet, `paused_until` the
    latest end of a pause.
    """

    slug: str
    url: str
    world: str
    map_name: str
    thumb_url: str
    status: str
    phase_title: str
    due_at: dt.datetime | None
    humans: int
    seats: int
    bots: int
    private: bool
    creator: str
    your_country: str
    yours: bool
    invited: bool
    needs_you: bool
    outcome: str
    dark_thumb_url: str = ""
    paused_until: dt.datetime | None = None
    suspended: bool = False


@dataclass(frozen=True, slots=True)
class LobbyView:
    """The viewer's own games, and other public games by status.

    With `only`, the page shows older games of this status alone. `older_urls` has the address of
    the next page by status, if there is one.
    """

    yours: tuple[GameCard, ...]
    open: tuple[GameCard, ...]
    running: tuple[GameCard, ...]
    finished: tuple[GameCard, ...]
    older_urls: Mapping[str, str]
    only: str = ""


def present_lobby(lists: GameLists, *, only: str = "") -> LobbyView:
    """Return the lists of games for a page."""
    cards = {status: present_games(listed.games) for status, listed in lists.others.items()}
    return LobbyView(
        yours=present_games(lists.yours),
        open=cards.get(Status.FORMING, ()),
        running=cards.get(Status.RUNNING, ()),
        finished=cards.get(Status.FINISHED, ()),
        older_urls={
            status.value: _older_url(status, listed.older)
            for status, listed in lists.others.items()
            if listed.older is not None
        },
        only=only,
    )


def _older_url(status: Status, key: int) -> str:
    return f"{reverse('games:lobby')}?{urlencode({'status': status.value, 'before': key})}"


def present_games(games: Iterable[ListedGame]) -> tuple[GameCard, ...]:
    """Return games as cards."""
    return tuple(_present_game(game) for game in games)


def _present_game(game: ListedGame) -> GameCard:
    picture = _find_picture(game.map_hash)
    return GameCard(
        slug=game.slug,
        url=reverse("games:detail", args=[game.slug]),
        world=game.world,
        map_name=game.map_name,
        thumb_url=picture.thumb_url if picture else "",
        dark_thumb_url=picture.dark_thumb_url if picture else "",
        status=game.status,
        phase_title=game.phase.title if game.phase else "",
        due_at=game.due_at,
        humans=game.humans,
        seats=game.seats,
        bots=game.bots,
        private=game.private,
        creator=game.creator,
        your_country=game.your_country,
        yours=game.yours,
        invited=game.invited,
        needs_you=game.needs_you,
        outcome="" if game.winners is None else _describe_outcome(game.winners),
        paused_until=game.paused_until,
        suspended=game.suspended,
    )


def _find_picture(map_hash: str) -> MapPicture | None:
    """Return the picture of the map, None if its data is damaged: lists must not break."""
    try:
        return build_map_picture(map_hash, find_chart(map_hash))
    except Exception:
        _log.exception("damaged map", map=map_hash)
        return None


def _describe_outcome(winners: Sequence[Winner]) -> str:
    names = join_words([winner.country for winner in winners])
    if not winners:
        return "Nobody won."
    if len(winners) > 1:
        return f"{names} share the victory."
    return f"{names} win." if winners[0].several else f"{names} wins."
