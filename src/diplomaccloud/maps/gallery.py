"""What lists show of stored maps: pictures, cards, the gallery."""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import Case, Count, F, Q, QuerySet, Value, When
from django.urls import reverse

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.render import renderer_version
from diplomaccloud.atlas.render.scene import view_box
from diplomaccloud.atlas.standard.boards import MAKER
from diplomaccloud.maps.boards import redrawn
from diplomaccloud.maps.certifying import newest_spread
from diplomaccloud.maps.fairness import Verdict, verdict_of
from diplomaccloud.maps.library import UnknownMapError, find_chart, standard_hash
from diplomaccloud.maps.models import Certificate, StoredChart

PER_PAGE = 8
NO_COLOUR = "#888888"


@dataclass(frozen=True, slots=True)
class MapPicture:
    """Where the pictures of a map are, and the size of their common frame."""

    light_url: str
    dark_url: str
    thumb_url: str
    dark_thumb_url: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class PowerSwatch:
    """A power's name and colour."""

    name: str
    color: str


@dataclass(frozen=True, slots=True)
class MapCard:
    """A map as the gallery shows it; `games` counts the public games played on it.

    `spread` is that of its newest certificate, `None` without one.
    """

    hash: str
    name: str
    players: int
    provinces: int
    centers: int
    victory_centers: int
    url: str
    create_url: str
    picture: MapPicture
    games: int
    seed: str
    powers: tuple[PowerSwatch, ...]
    spread: float | None

    @property
    def verdict(self) -> Verdict | None:
        """How fair the map is, `None` while nobody has measured it."""
        return None if self.spread is None else verdict_of(self.spread)

    @property
    def unmeasurable(self) -> bool:
        """Whether fewer people play than there are powers, so that self-play shows nothing."""
        return self.players != len(self.powers)


class Order(StrEnum):
    """How the gallery is sorted."""

    NEWEST = "newest"
    FAIREST = "fairest"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which maps the gallery shows: those for so many players (0: any), certified ones only."""

    players: int = 0
    certified: bool = False
    order: Order = Order.NEWEST
    for_game: bool = False

    def query(self) -> dict[str, str]:
        """Return the part of an address that asks for the same."""
        return {
            name: value
            for name, value in (
                ("players", str(self.players) if self.players else ""),
                ("certified", "on" if self.certified else ""),
                ("order", "" if self.order is Order.NEWEST else str(self.order)),
                ("for", "game" if self.for_game else ""),
            )
            if value
        }


@dataclass(frozen=True, slots=True)
class GalleryPage:
    """One page of the gallery; an empty address means that there is no such page."""

    cards: tuple[MapCard, ...]
    total: int
    number: int
    of: int
    previous_url: str
    next_url: str


def picture_of(content_hash: str, chart: Chart) -> MapPicture:
    """Return the addresses of a map's pictures."""

    def versioned(name: str, *args: str) -> str:
        return f"{reverse(name, args=[content_hash, *args])}?v={renderer_version()}"

    width, height = (float(side) for side in view_box(chart).split()[2:])
    return MapPicture(
        light_url=versioned("maps:svg", "light"),
        dark_url=versioned("maps:svg", "dark"),
        thumb_url=versioned("maps:thumb"),
        dark_thumb_url=versioned("maps:thumb-dark"),
        width=round(width),
        height=round(height),
    )


def gallery_page(number: int, wanted: Wanted) -> GalleryPage:
    """Return one page of the stored maps that are wanted; a number out of range is put in range.

    The standard map comes first, then certified maps, then the others, each the newest first,
    and at the end Europe for fewer players; or all by their fairness, the uncertified ones last.
    """
    page = Paginator(_sorted(_wanted(wanted), wanted.order), PER_PAGE).get_page(number)

    def address(there: bool, number: int) -> str:
        query = urlencode({**wanted.query(), "page": number})
        return f"{reverse('maps:gallery')}?{query}" if there else ""

    return GalleryPage(
        cards=tuple(_card(row) for row in page.object_list),
        total=page.paginator.count,
        number=page.number,
        of=page.paginator.num_pages,
        previous_url=address(page.has_previous(), page.number - 1),
        next_url=address(page.has_next(), page.number + 1),
    )


def map_card(content_hash: str) -> MapCard:
    """Return the card of one map; raise `UnknownMapError` if there is none."""
    row = _rows().filter(content_hash=content_hash).first()
    if row is None:
        raise UnknownMapError(f"no map {content_hash[:8]!r}")
    return _card(row)


def _rows() -> QuerySet[StoredChart]:
    # A private game is nobody else's business, not even as a number.
    public = Count("game", filter=Q(game__private=False))
    return StoredChart.objects.annotate(games=public, spread=newest_spread()).defer("text")


def _wanted(wanted: Wanted) -> QuerySet[StoredChart]:
    rows = _rows().exclude(redrawn())
    if wanted.players:
        rows = rows.filter(players=wanted.players)
    if wanted.certified:
        rows = rows.filter(pk__in=Certificate.objects.values("chart"))
    return rows


def _sorted(rows: QuerySet[StoredChart], order: Order) -> QuerySet[StoredChart]:
    certified = Q(pk__in=Certificate.objects.values("chart"))
    rank = Case(
        When(content_hash=standard_hash(), then=Value(0)),
        When(maker__startswith=MAKER, then=Value(3)),
        When(certified, then=Value(1)),
        default=Value(2),
    )
    if order is Order.FAIREST:
        spread = F("spread").asc(nulls_last=True)
        return rows.order_by(spread, "-created_at", "-pk")
    return rows.annotate(rank=rank).order_by("rank", "-created_at", "-pk")


def _card(row: StoredChart) -> MapCard:
    facts = _facts(row.content_hash)
    return MapCard(
        hash=row.content_hash,
        name=row.name,
        players=row.players,
        provinces=row.provinces,
        centers=row.centers,
        victory_centers=facts.victory_centers,
        url=reverse("maps:detail", args=[row.content_hash]),
        create_url=f"{reverse('games:create')}?map={row.content_hash}",
        picture=facts.picture,
        games=getattr(row, "games", 0),
        seed=row.seed,
        powers=facts.powers,
        spread=getattr(row, "spread", None),
    )


@dataclass(frozen=True, slots=True)
class _Facts:
    """What a card needs of the chart itself."""

    victory_centers: int
    picture: MapPicture
    powers: tuple[PowerSwatch, ...]


@lru_cache(maxsize=1024)
def _facts(content_hash: str) -> _Facts:
    """Return facts that never change, read from the chart once."""
    chart = find_chart(content_hash)
    return _Facts(
        chart.board.victory_centers, picture_of(content_hash, chart), power_swatches(chart)
    )


def power_swatches(chart: Chart) -> tuple[PowerSwatch, ...]:
    """Return the powers of a map with their colours, in board order."""
    return tuple(
        PowerSwatch(info.name, chart.palette.get(info.power, NO_COLOUR))
        for info in chart.board.powers
    )
