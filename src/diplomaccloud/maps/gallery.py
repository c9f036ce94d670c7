"""What pages show of stored maps: pictures, cards, the gallery."""

import datetime as dt
from dataclasses import dataclass

from django.core.paginator import Paginator
from django.db.models import Case, Count, QuerySet, Value, When
from django.urls import reverse

from diplomaccloud import __version__
from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.render.scene import view_box
from diplomaccloud.judge.board import Board, Province
from diplomaccloud.maps.library import UnknownMapError, find_chart, standard_hash
from diplomaccloud.maps.models import StoredChart

PER_PAGE = 8


@dataclass(frozen=True, slots=True)
class MapPicture:
    """Where the pictures of a map are, and the size of their common frame."""

    light_url: str
    dark_url: str
    thumb_url: str
    page_url: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class PowerSwatch:
    """A power's name and colour."""

    name: str
    color: str


@dataclass(frozen=True, slots=True)
class MapCard:
    """A map as the gallery shows it; `games` counts the games played on it."""

    hash: str
    name: str
    players: int
    provinces: int
    centers: int
    victory_centers: int
    url: str
    create_url: str
    picture: MapPicture
    made_at: dt.datetime
    games: int
    seed: str
    powers: tuple[PowerSwatch, ...]


@dataclass(frozen=True, slots=True)
class GalleryPage:
    """One page of the gallery; an empty address means that there is no such page."""

    cards: tuple[MapCard, ...]
    number: int
    of: int
    previous_url: str
    next_url: str


@dataclass(frozen=True, slots=True)
class ProvinceRow:
    """A province in the map's table; `borders` are codes, fleets' borders included."""

    code: str
    name: str
    terrain: str
    center: bool
    home: str
    borders: str


def picture_of(content_hash: str, chart: Chart) -> MapPicture:
    """Return the addresses of a map's pictures."""

    def versioned(name: str, *args: str) -> str:
        return f"{reverse(name, args=[content_hash, *args])}?v={__version__}"

    width, height = (float(side) for side in view_box(chart).split()[2:])
    return MapPicture(
        light_url=versioned("maps:svg", "light"),
        dark_url=versioned("maps:svg", "dark"),
        thumb_url=versioned("maps:thumb"),
        page_url=reverse("maps:detail", args=[content_hash]),
        width=round(width),
        height=round(height),
    )


def gallery_page(number: int, *, for_game: bool = False) -> GalleryPage:
    """Return one page of all stored maps: the standard one, then the newest first.

    A number out of range is put in range.
    """
    page = Paginator(_rows(), PER_PAGE).get_page(number)
    suffix = "&for=game" if for_game else ""

    def address(there: bool, number: int) -> str:
        return f"{reverse('maps:gallery')}?page={number}{suffix}" if there else ""

    return GalleryPage(
        cards=tuple(_card(row) for row in page.object_list),
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


def province_rows(content_hash: str) -> tuple[ProvinceRow, ...]:
    """Return the table of a map's provinces, by name."""
    board = find_chart(content_hash).board
    return tuple(_province_row(board, one) for one in sorted(board.provinces, key=lambda p: p.name))


def _rows() -> QuerySet[StoredChart]:
    return (
        StoredChart.objects.annotate(games=Count("game"))
        .alias(place=Case(When(content_hash=standard_hash(), then=Value(0)), default=Value(1)))
        .defer("text")
        .order_by("place", "-created_at", "-pk")
    )


def _card(row: StoredChart) -> MapCard:
    chart = find_chart(row.content_hash)
    return MapCard(
        hash=row.content_hash,
        name=row.name,
        players=row.players,
        provinces=row.provinces,
        centers=row.centers,
        victory_centers=chart.board.victory_centers,
        url=reverse("maps:detail", args=[row.content_hash]),
        create_url=f"{reverse('games:create')}?map={row.content_hash}",
        picture=picture_of(row.content_hash, chart),
        made_at=row.created_at,
        games=getattr(row, "games", 0),
        seed=row.seed,
        powers=tuple(
            PowerSwatch(info.name, chart.palette.get(info.power, "#888888"))
            for info in chart.board.powers
        ),
    )


def _province_row(board: Board, province: Province) -> ProvinceRow:
    near = set(board.army_neighbors.get(province.code, ()))
    for place in province.fleet_locations:
        near |= board.fleet_provinces[place]
    return ProvinceRow(
        code=province.code,
        name=province.name,
        terrain=province.terrain.value,
        center=province.center,
        home=board.power_info[province.home].name if province.home else "",
        borders=", ".join(sorted(near)),
    )
