"""The gallery: pages of map cards, with pictures, facts and filters."""

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
from diplomaccloud.atlas.standard.boards import MAKER_PREFIX
from diplomaccloud.maps.certification import newest_spread
from diplomaccloud.maps.fairness import Verdict, choose_verdict
from diplomaccloud.maps.library import UnknownMapError, find_chart, standard_hash
from diplomaccloud.maps.models import Certificate, StoredChart
from diplomaccloud.maps.setup_maps import match_outdated_maps

PER_PAGE = 8
NO_COLOR = "#888888"


@dataclass(frozen=True, slots=True)
class MapPicture:
    """The addresses of a map's pictures, and the size that they share."""

    light_url: str
    dark_url: str
    thumb_url: str
    dark_thumb_url: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class PowerSwatch:
    """A power's name and color."""

    name: str
    color: str


@dataclass(frozen=True, slots=True)
class MapCard:
    """A map as the gallery shows it; `games` counts the public games played on it.

    `spread` comes from the newest certificate; `None` without one.
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
        """How fair the map is; `None` before it is measured."""
        return None if self.spread is None else choose_verdict(self.spread)

    @property
    def unmeasurable(self) -> bool:
        """Whether the map has fewer players than powers, so that self-play cannot rate it."""
        return self.players != len(self.powers)


class SortOrder(StrEnum):
    """How the gallery is sorted."""

    NEWEST = "newest"
    FAIREST = "fairest"


@dataclass(frozen=True, slots=True)
class GalleryFilter:
    """Which maps the gallery shows, and in which order; `players` is 0 for any number."""

    players: int = 0
    certified: bool = False
    order: SortOrder = SortOrder.NEWEST
    for_game: bool = False

    def build_query(self) -> dict[str, str]:
        """Return the query parameters for this filter; defaults are left out."""
        return {
            name: value
            for name, value in (
                ("players", str(self.players) if self.players else ""),
                ("certified", "on" if self.certified else ""),
                ("order", "" if self.order is SortOrder.NEWEST else str(self.order)),
                ("for", "game" if self.for_game else ""),
            )
            if value
        }


@dataclass(frozen=True, slots=True)
class GalleryPage:
    """One page of the gallery; `previous_url` and `next_url` are empty where there is no page."""

    cards: tuple[MapCard, ...]
    total: int
    number: int
    page_count: int
    previous_url: str
    next_url: str


def build_map_picture(content_hash: str, chart: Chart) -> MapPicture:
    """Return the addresses of a map's pictures."""

    def build_url(name: str, *args: str) -> str:
        return f"{reverse(name, args=[content_hash, *args])}?v={renderer_version()}"

    width, height = (float(side) for side in view_box(chart).split()[2:])
    return MapPicture(
        light_url=build_url("maps:svg", "light"),
        dark_url=build_url("maps:svg", "dark"),
        thumb_url=build_url("maps:thumb"),
        dark_thumb_url=build_url("maps:thumb-dark"),
        width=round(width),
        height=round(height),
    )


def build_gallery_page(number: int, gallery_filter: GalleryFilter) -> GalleryPage:
    """Return the nearest existing page to `number` of the maps that match the filter.

    Newest first: the standard map, then certified maps, then the others, then the setup maps,
    each group starting with its newest. Fairest first: by spread, uncertified maps last.
    """
    page = Paginator(
        _sort_rows(_filter_rows(gallery_filter), gallery_filter.order), PER_PAGE
    ).get_page(number)

    def build_url(exists: bool, number: int) -> str:
        query = urlencode({**gallery_filter.build_query(), "page": number})
        return f"{reverse('maps:gallery')}?{query}" if exists else ""

    return GalleryPage(
        cards=tuple(_build_card(row) for row in page.object_list),
        total=page.paginator.count,
        number=page.number,
        page_count=page.paginator.num_pages,
        previous_url=build_url(page.has_previous(), page.number - 1),
        next_url=build_url(page.has_next(), page.number + 1),
    )


def build_map_card(content_hash: str) -> MapCard:
    """Return the card of one map; raise `UnknownMapError` if there is none."""
    row = _select_rows().filter(content_hash=content_hash).first()
    if row is None:
        raise UnknownMapError(f"There is no map {content_hash[:8]!r}.")
    return _build_card(row)


def _select_rows() -> QuerySet[StoredChart]:
    # Counting private games would reveal that they exist.
    public = Count("game", filter=Q(game__private=False))
    return StoredChart.objects.annotate(games=public, spread=newest_spread()).defer("text")


def _filter_rows(gallery_filter: GalleryFilter) -> QuerySet[StoredChart]:
    rows = _select_rows().exclude(match_outdated_maps())
    if gallery_filter.players:
        rows = rows.filter(players=gallery_filter.players)
    if gallery_filter.certified:
        rows = rows.filter(pk__in=Certificate.objects.values("chart"))
    return rows


def _sort_rows(rows: QuerySet[StoredChart], order: SortOrder) -> QuerySet[StoredChart]:
    certified = Q(pk__in=Certificate.objects.values("chart"))
    rank = Case(
        When(content_hash=standard_hash(), then=Value(0)),
        When(maker__startswith=MAKER_PREFIX, then=Value(3)),
        When(certified, then=Value(1)),
        default=Value(2),
    )
    if order is SortOrder.FAIREST:
        spread = F("spread").asc(nulls_last=True)
        return rows.order_by(spread, "-created_at", "-pk")
    return rows.annotate(rank=rank).order_by("rank", "-created_at", "-pk")


def _build_card(row: StoredChart) -> MapCard:
    facts = _read_facts(row.content_hash)
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
    """The facts on a card that come from the chart itself."""

    victory_centers: int
    picture: MapPicture
    powers: tuple[PowerSwatch, ...]


@lru_cache(maxsize=1024)
def _read_facts(content_hash: str) -> _Facts:
    """Return the facts of a chart; they never change, so they are cached."""
    chart = find_chart(content_hash)
    return _Facts(
        chart.board.victory_centers,
        build_map_picture(content_hash, chart),
        list_power_colors(chart),
    )


def list_power_colors(chart: Chart) -> tuple[PowerSwatch, ...]:
    """Return the powers of a map with their colors, in board order."""
    return tuple(
        PowerSwatch(info.name, chart.palette.get(info.power, NO_COLOR))
        for info in chart.board.powers
    )
