"""The gallery: pages of map cards, with pictures, facts and filters."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from operator import attrgetter
from urllib.parse import urlencode

from django.db.models import Case, Count, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce
from django.urls import reverse

from diplomaccloud.atlas.landforms import Landform, landform_of, name_landform
from diplomaccloud.atlas.png import renderer_version
from diplomaccloud.atlas.setups import MAKER_PREFIX
from diplomaccloud.judge.board import Board, Province, ProvinceCode, province_of
from diplomaccloud.judge.drawing.chart import Chart
from diplomaccloud.judge.drawing.many_powers import find_badge_letters
from diplomaccloud.judge.drawing.scene import view_box
from diplomaccloud.maps.certification import (
    CertificateFacts,
    newest_certificate,
    newest_unevenness,
    read_facts,
)
from diplomaccloud.maps.fairness import Verdict
from diplomaccloud.maps.library import (
    UnknownMapError,
    europe_hashes,
    load_light_chart,
    match_outdated_maps,
    read_own_name,
    standard_hash,
)
from diplomaccloud.maps.measurement import MAX_GENERAL_POWERS, load_scale
from diplomaccloud.maps.models import Certificate, StoredChart
from diplomaccloud.maps.pictures import THUMBNAIL_WIDTHS, ThumbnailSize
from diplomaccloud.shared.prepared_queries import PreparedQuery

NO_COLOR = "#888888"


@dataclass(frozen=True, slots=True)
class MapPicture:
    """The addresses of a map's pictures, and the size of the large pictures.

    The sets contain the addresses of thumbnails with their widths, as in `srcset`. `has_passages`
    says whether letters in the frame lead from one edge to the other.
    """

    light_url: str
    dark_url: str
    shapes_url: str
    thumb_url: str
    dark_thumb_url: str
    card_url: str
    dark_card_url: str
    thumb_set: str
    dark_thumb_set: str
    width: int
    height: int
    has_passages: bool


@dataclass(frozen=True, slots=True)
class MapSetup:
    """A setup inside the card of Europe: Europe for other numbers of players, or from other starts.

    Each is a map of its own, with its own page.
    """

    name: str
    players: int
    url: str
    create_url: str


PowerColor = tuple[str, str, str]
"""A power's name, its color, and the letters on its badges among many powers."""


@dataclass(frozen=True, slots=True)
class MapCard:
    """A map as the gallery shows it; `games` counts the public games played on it.

    `powers` are names and colors. `certificate` has the facts of the newest certificate and is
    `None` without one. Only Europe has `setups`. `title` may be empty. A
    map that is not `listed` is stored only for a game. `seed` is empty for such a map and for one
    whose name is hidden: only the person who typed it should see it.
    """

    hash: str
    name: str
    title: str
    landform: Landform | None
    listed: bool
    players: int
    provinces: int
    centers: int
    victory_centers: int
    url: str
    create_url: str
    picture: MapPicture
    games: int
    seed: str
    powers: tuple[PowerColor, ...]
    certificate: CertificateFacts | None
    setups: tuple[MapSetup, ...] = ()

    @property
    def spread(self) -> float | None:
        """The spread of the shares among the strongest bots that have played on the map."""
        return None if self.certificate is None else self.certificate.spread

    @property
    def bot(self) -> str | None:
        """The exact name of those bots."""
        return None if self.certificate is None else self.certificate.bot

    @property
    def verdict(self) -> Verdict | None:
        """How even the map is; `None` before bots that look ahead have played on it."""
        return None if self.certificate is None else self.certificate.verdict

    @property
    def compared_powers(self) -> int:
        """How many powers Europe has if this map has more than Generals play on, else 0."""
        is_large = len(self.powers) > MAX_GENERAL_POWERS
        return len(load_scale().powers) if is_large else 0

    @property
    def is_europe(self) -> bool:
        """Whether this is the map with which others are compared."""
        return self.hash == standard_hash()

    @property
    def unmeasurable(self) -> bool:
        """Whether the map has fewer players than powers, so that bots cannot rate it."""
        return self.players != len(self.powers)


class SortOrder(StrEnum):
    """How the gallery is sorted."""

    NEWEST = "newest"
    EVEN = "most-even"
    LARGEST = "largest"
    SMALLEST = "smallest"

    @property
    def label(self) -> str:
        """The words for it."""
        return f"{self.replace('-', ' ')} first"


@dataclass(frozen=True, slots=True)
class GalleryFilter:
    """Which maps the gallery shows and in which order; `players` is 0 for any number.

    `landform` is the name of one, or empty for any; Europe has none.

    `flat` lists Europe and its setups like other maps, for programs.
    """

    players: int = 0
    certified: bool = False
    order: SortOrder = SortOrder.NEWEST
    landform: str = ""
    for_game: bool = False
    flat: bool = False

    def build_query(self) -> dict[str, str]:
        """Return the query parameters for this filter; defaults are left out."""
        query = {
            "players": str(self.players or ""),
            "certified": "on" if self.certified else "",
            "landform": self.landform,
            "order": "" if self.order is SortOrder.NEWEST else str(self.order),
            "for": "game" if self.for_game else "",
        }
        return {name: value for name, value in query.items() if value}


@dataclass(frozen=True, slots=True)
class GalleryPage:
    """One page of the gallery; `previous_url` and `next_url` are empty if there is no such page."""

    cards: tuple[MapCard, ...]
    total: int
    previous_url: str
    next_url: str


def build_map_picture(content_hash: str, chart: Chart) -> MapPicture:
    """Return the addresses of a map's pictures."""
    return _build_addresses(content_hash, view_box(chart), has_passages=bool(chart.passages))


@lru_cache(maxsize=1024)
def _build_addresses(content_hash: str, view: str, *, has_passages: bool) -> MapPicture:
    def build_url(name: str, *args: str) -> str:
        return f"{reverse(name, args=[content_hash, *args])}?v={renderer_version()}"

    def build_set(theme: str) -> str:
        return ", ".join(
            f"{build_url('maps:thumbnail', theme, size)} {width}w"
            for size, width in THUMBNAIL_WIDTHS.items()
        )

    width, height = (float(side) for side in view.split()[2:])
    return MapPicture(
        light_url=build_url("maps:svg", "light"),
        dark_url=build_url("maps:svg", "dark"),
        shapes_url=build_url("maps:shapes"),
        thumb_url=build_url("maps:thumbnail", "light", ThumbnailSize.SMALL),
        dark_thumb_url=build_url("maps:thumbnail", "dark", ThumbnailSize.SMALL),
        card_url=build_url("maps:thumbnail", "light", ThumbnailSize.CARD),
        dark_card_url=build_url("maps:thumbnail", "dark", ThumbnailSize.CARD),
        thumb_set=build_set("light"),
        dark_thumb_set=build_set("dark"),
        width=round(width),
        height=round(height),
        has_passages=has_passages,
    )


def build_gallery_page(
    gallery_filter: GalleryFilter, *, after: str = "", before: str = ""
) -> GalleryPage:
    """Return a page of the maps that match the filter: the maps after or before one of them.

    `after` and `before` are hashes of maps; the first page has neither. An unknown hash gives the
    first page.

    Newest first: certified maps, then the others, each group starting with its newest. Most even
    first: those that bots that look ahead have played on, then other certified maps. Largest and
    smallest first: by the number of provinces. Europe is the last card of the first page in every
    order, so that it is found on a site with many maps. In a flat list sorted by age, the standard
    map comes first, and its setups last.
    """
    chosen = _filter_rows(StoredChart.objects.all(), gallery_filter)
    if gallery_filter == GalleryFilter() and not after and not before:
        page = cut_page(_first_maps.read())
    else:
        listed = _annotate_rank(_annotate_facts(chosen), gallery_filter.order)
        fields = _SORT_FIELDS[gallery_filter.order]
        page = find_page(listed, fields, after=after, before=before)

    def build_url(exists: bool, name: str, row: StoredChart) -> str:
        query = urlencode({**gallery_filter.build_query(), name: row.content_hash})
        return f"{reverse('maps:gallery')}?{query}" if exists else ""

    europe = None if gallery_filter.flat else _build_europe(gallery_filter)
    cards = tuple(_build_card(row) for row in page.rows)
    return GalleryPage(
        cards=(*cards, europe) if europe and not page.has_previous else cards,
        total=chosen.count() + (europe is not None),
        previous_url=build_url(page.has_previous, "before", page.rows[0]) if page.rows else "",
        next_url=build_url(page.has_next, "after", page.rows[-1]) if page.rows else "",
    )


def build_map_card(content_hash: str) -> MapCard:
    """Return the card of one map; raise `UnknownMapError` if there is none."""
    row = _annotate_facts(StoredChart.objects.filter(content_hash=content_hash)).first()
    if row is None:
        raise UnknownMapError(f"There is no map {content_hash[:8]!r}.")
    return _build_card(row)


def _build_europe(gallery_filter: GalleryFilter) -> MapCard | None:
    """Return the card of Europe with the setups that match; `None` if no map of Europe does."""
    europe, setups, matches = None, [], False
    for row in _maps_of_europe.read():
        is_measured = getattr(row, "certificate", None) is not None
        fits = gallery_filter.players in (0, row.players) and (
            is_measured or not gallery_filter.certified
        )
        matches |= fits
        if row.content_hash == standard_hash():
            europe = _build_card(row)
        elif fits:
            setups.append(_build_setup(row))
    is_shown = europe and matches and not gallery_filter.landform
    return replace(europe, setups=tuple(setups)) if europe and is_shown else None


def _build_setup(row: StoredChart) -> MapSetup:
    return MapSetup(
        name=row.name,
        players=row.players,
        url=reverse("maps:detail", args=[row.content_hash]),
        create_url=_build_create_url(row.content_hash),
    )


def _build_create_url(content_hash: str) -> str:
    return f"{reverse('games:create')}?map={content_hash}"


def _annotate_facts(rows: QuerySet[StoredChart]) -> QuerySet[StoredChart]:
    # Counting private games would reveal that they exist.
    public = Count("game", filter=Q(game__private=False))
    return rows.annotate(games=public, certificate=newest_certificate()).defer("text")


def _filter_rows(
    rows: QuerySet[StoredChart], gallery_filter: GalleryFilter
) -> QuerySet[StoredChart]:
    rows = rows.filter(listed=True).exclude(match_outdated_maps())
    if not gallery_filter.flat:
        rows = rows.exclude(content_hash__in=europe_hashes())
    if gallery_filter.players:
        rows = rows.filter(players=gallery_filter.players)
    if gallery_filter.landform:
        rows = rows.filter(match_landform(gallery_filter.landform))
    if gallery_filter.certified:
        rows = rows.filter(pk__in=Certificate.objects.values("chart"))
    return rows


_NEWNESS = ("-created_at", "-pk")
_SORT_FIELDS = {
    SortOrder.NEWEST: ("rank", *_NEWNESS),
    SortOrder.EVEN: ("unevenness", *_NEWNESS),
    SortOrder.LARGEST: ("-provinces", *_NEWNESS),
    SortOrder.SMALLEST: ("provinces", *_NEWNESS),
}
_UNMEASURED = 1000.0
"""Sorts maps without a certificate after all others."""


def _annotate_rank(rows: QuerySet[StoredChart], order: SortOrder) -> QuerySet[StoredChart]:
    """Return `rows` with the field to sort by, unless the map itself has it."""
    if order is SortOrder.EVEN:
        return rows.annotate(unevenness=Coalesce(newest_unevenness(), _UNMEASURED))
    if order is not SortOrder.NEWEST:
        return rows
    certified = Q(pk__in=Certificate.objects.values("chart"))
    rank = Case(
        When(content_hash=standard_hash(), then=Value(0)),
        When(maker__startswith=MAKER_PREFIX, then=Value(3)),
        When(certified, then=Value(1)),
        default=Value(2),
    )
    return rows.annotate(rank=rank)


def _select_first_maps() -> QuerySet[StoredChart]:
    rows = _annotate_facts(_filter_rows(StoredChart.objects.all(), GalleryFilter()))
    return select_first(_annotate_rank(rows, SortOrder.NEWEST), _SORT_FIELDS[SortOrder.NEWEST])


_first_maps = PreparedQuery(_select_first_maps)
_maps_of_europe = PreparedQuery(
    lambda: _annotate_facts(StoredChart.objects.filter(content_hash__in=europe_hashes())).order_by(
        "-players", "name"
    )
)


def _build_card(row: StoredChart) -> MapCard:
    facts = _read_facts(row.content_hash)
    # The title may contain a name that is hidden, and a person may have typed the seed.
    has_own_name = row.name == facts.own_name
    certificate = getattr(row, "certificate", None)
    return MapCard(
        hash=row.content_hash,
        name=row.name,
        title=facts.title if has_own_name else "",
        landform=find_landform_of(row.maker),
        listed=row.listed,
        players=row.players,
        provinces=row.provinces,
        centers=row.centers,
        victory_centers=facts.victory_centers,
        url=reverse("maps:detail", args=[row.content_hash]),
        create_url=_build_create_url(row.content_hash),
        picture=facts.picture,
        games=getattr(row, "games", 0),
        seed=row.seed if row.listed and has_own_name else "",
        powers=facts.powers,
        certificate=None if certificate is None else read_facts(certificate),
    )


@dataclass(frozen=True, slots=True)
class _Facts:
    """Facts from the text of a map, which never change; `own_name` is the name in that text."""

    victory_centers: int
    picture: MapPicture
    powers: tuple[PowerColor, ...]
    own_name: str
    title: str


@lru_cache(maxsize=1024)
def _read_facts(content_hash: str) -> _Facts:
    # `find_chart` would leave out a name and a title that are hidden now.
    chart = load_light_chart(content_hash)
    return _Facts(
        victory_centers=chart.board.victory_centers,
        picture=build_map_picture(content_hash, chart),
        powers=list_power_colors(chart),
        own_name=read_own_name(chart),
        title=chart.title,
    )


def match_landform(landform: str) -> Q:
    """Return the condition for maps whose maker names this landform."""
    named = name_landform("", Landform(landform))
    return Q(maker__endswith=named) | Q(maker__contains=f"{named},")


def find_landform_of(maker: str) -> Landform | None:
    """Return the landform that a map's maker names, if any."""
    try:
        return landform_of(maker)
    except ValueError:
        # Rows have only the beginning of a long maker.
        return None


def list_power_colors(chart: Chart) -> tuple[PowerColor, ...]:
    """Return the names of the powers of a map with color and letters, in board order."""
    letters = find_badge_letters(chart.board)
    return tuple(
        (info.name, chart.palette.get(info.power, NO_COLOR), letters.get(info.power, ""))
        for info in chart.board.powers
    )


# Pages of sorted map lists, addressed by an adjacent map instead of a number.
#
# A page costs the same anywhere in the list and stays the same when maps are added.

PER_PAGE = 8


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list, and whether there are maps before and after it."""

    rows: tuple[StoredChart, ...]
    has_previous: bool
    has_next: bool


def find_page(
    rows: QuerySet[StoredChart], fields: Sequence[str], *, after: str = "", before: str = ""
) -> Page:
    """Return the page after or before the map with this hash; by default the first page.

    `fields` sort the rows, as in `order_by`; the last one is unique. If that map is not among
    `rows`, the result is also the first page.
    """
    names = [field.removeprefix("-") for field in fields]
    key = after or before
    edge = rows.filter(content_hash=key).values_list(*names).first() if key else None
    if edge is None:
        return _read_page(rows, fields)
    if after:
        return _read_page(rows.filter(_lie_beyond(fields, edge)), fields, follows=True)
    reverse = [field.removeprefix("-") if "-" in field else f"-{field}" for field in fields]
    page = _read_page(rows.filter(_lie_beyond(reverse, edge)), reverse, follows=True)
    if len(page.rows) < PER_PAGE:
        return _read_page(rows, fields)  # the first page, filled up
    return Page(page.rows[::-1], page.has_next, page.has_previous)


def _read_page(
    rows: QuerySet[StoredChart], fields: Sequence[str], *, follows: bool = False
) -> Page:
    """Return the first page of `rows`; `follows` says whether another page precedes it."""
    return cut_page(list(select_first(rows, fields)), follows=follows)


def select_first(rows: QuerySet[StoredChart], fields: Sequence[str]) -> QuerySet[StoredChart]:
    """Return the first of `rows` for `cut_page`: one more than a page shows."""
    return rows.order_by(*fields)[: PER_PAGE + 1]


def cut_page(read: Sequence[StoredChart], *, follows: bool = False) -> Page:
    """Return a page of these rows; `follows` says whether another page precedes it."""
    return Page(tuple(read[:PER_PAGE]), follows, len(read) > PER_PAGE)


def _lie_beyond(fields: Sequence[str], edge: Sequence[object]) -> Q:
    """Return the condition for rows that `fields` sort after `edge`."""
    condition, same = Q(), Q()
    for field, value in zip(fields, edge, strict=True):
        name = field.removeprefix("-")
        comparison = "lt" if field.startswith("-") else "gt"
        condition |= same & Q((f"{name}__{comparison}", value))
        same &= Q((name, value))
    return condition


# The tables on a map's page: provinces with their neighbors, and centers by power.


Neighbors = tuple[tuple[str, str], ...]
"""The codes and names of adjacent provinces."""


@dataclass(frozen=True, slots=True)
class ProvinceRow:
    """A row of the table of provinces.

    If the province has neighbors of both kinds, `by_land` and `by_sea` are those that only armies
    or only fleets can reach. `both` has all other neighbors.
    """

    code: str
    name: str
    terrain: str
    coasts: tuple[str, ...]
    center: bool
    home: str
    both: Neighbors
    by_land: Neighbors
    by_sea: Neighbors


def build_province_rows(chart: Chart) -> tuple[ProvinceRow, ...]:
    """Return the rows of the table of provinces, sorted by name."""
    board = chart.board
    return tuple(
        _build_province_row(board, province)
        for province in sorted(board.provinces, key=attrgetter("name"))
    )


def build_center_groups(chart: Chart) -> list[tuple[PowerColor, list[tuple[str, str, str]]]]:
    """Return the name, color and letters of each power with its home centers.

    A center has a code, a name, and the kind of unit that starts there, if any. The neutral centers
    are last, without a color.
    """
    board = chart.board
    units = {province_of(start.location): start.kind.word for start in board.starts}
    centers = sorted((each for each in board.provinces if each.center), key=attrgetter("name"))
    powers: list[str | None] = [*board.power_info, None]
    return [
        (
            power,
            [
                (each.code, each.name, units.get(each.code, ""))
                for each in centers
                if each.home == home
            ],
        )
        for home, power in zip(
            powers, (*list_power_colors(chart), ("Neutral", "", "")), strict=True
        )
    ]


def _build_province_row(board: Board, province: Province) -> ProvinceRow:
    army_neighbors = set(board.army_neighbors.get(province.code, ()))
    fleet_neighbors = {
        to for place in province.fleet_locations for to in board.fleet_provinces[place]
    }
    if army_neighbors and fleet_neighbors:
        both = army_neighbors & fleet_neighbors
    else:
        both = army_neighbors | fleet_neighbors  # inland provinces and seas have one kind only

    def build_neighbors(codes: set[ProvinceCode]) -> Neighbors:
        return tuple((code, board.by_code[code].name) for code in sorted(codes))

    return ProvinceRow(
        code=province.code,
        name=province.name,
        terrain=province.terrain.value,
        coasts=province.coasts,
        center=province.center,
        home=board.power_info[province.home].name if province.home else "",
        both=build_neighbors(both),
        by_land=build_neighbors(army_neighbors - both),
        by_sea=build_neighbors(fleet_neighbors - both),
    )
