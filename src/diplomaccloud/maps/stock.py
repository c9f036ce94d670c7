"""The stock: even maps made in advance, so that a game on a new map can start at once.

Most come with the release, with their certificates. When people have played on them, the site makes
its own. Each of those has a numbered seed followed by a letter. The seed includes the name of the
site, so that no two sites make the same maps. Test games choose among many placements on the lands
of all letters (see `tournament`).
"""

import datetime as dt
from collections.abc import Mapping
from typing import Final

from django.db import transaction
from django.db.models import Count, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils.crypto import salted_hmac

from diplomaccloud.atlas.chartfile import load_chart
from diplomaccloud.maps.certification import certify_map, newest_unevenness, store_measurement
from diplomaccloud.maps.factory import CHOSEN_BY_PLAY, make_fair_map
from diplomaccloud.maps.gallery_file import GalleryFileError, ShippedMaps
from diplomaccloud.maps.library import store_chart
from diplomaccloud.maps.models import Certificate, SavedMap, ShippedChart, StoredChart
from diplomaccloud.maps.pictures import add_drawn_pictures, draw_pictures

STOCK_SIZES: Final[Mapping[int, int]] = {7: 8, 6: 2, 5: 2, 4: 2, 3: 2, 2: 1, 8: 1, 9: 1, 10: 1}
"""How many unplayed maps to have ready, by number of players."""

MAX_STOCK = 400
"""How many maps to make in advance in total. After that, the least played ones are reused."""

SEED_LETTERS = "abcdefghijkl"
"""One letter for each land that any version has tried for a stock map."""

LANDS_PER_MAP = 8
"""How many lands to try for one map."""

_PREFIX = "stock "

_UNMEASURED = 1000.0

_SITE_DIGITS = 8
"""The length of a site's name in seeds, long enough to be unique."""


def find_missing_seed(excluded: frozenset[str] = frozenset()) -> str | None:
    """Return the seed of the next map to make, without a letter; `None` if the stock is full.

    The number of players whose stock is least complete comes first. Maps from older versions that
    were not chosen by play stay in use, but don't count toward the stock. Seeds in
    `excluded`, which give no map, are skipped.
    """
    stock = _select_stock()
    if stock.count() >= MAX_STOCK:
        return None
    counted = stock.filter(maker__endswith=CHOSEN_BY_PLAY)
    unplayed = list(counted.filter(game=None).values_list("players", flat=True))
    ready = {players: unplayed.count(players) for players in STOCK_SIZES}
    lacking = [players for players, size in STOCK_SIZES.items() if ready[players] < size]
    if not lacking:
        return None
    players = min(lacking, key=lambda players: ready[players] / STOCK_SIZES[players])
    stored = stock.filter(players=players).values_list("seed", flat=True)
    seeds = {seed.rstrip(SEED_LETTERS) for seed in stored} | excluded
    prefix = f"{_PREFIX}{name_site()} {players}-"
    numbered = (f"{prefix}{number}" for number in range(1, MAX_STOCK + len(excluded) + 2))
    return next(seed for seed in numbered if seed not in seeds)


def name_site() -> str:
    """Return this site's name in seeds: a few digits derived from its secret key.

    With a new key, new maps get different seeds, and existing maps stay in use.
    """
    digest = salted_hmac("diplomaccloud.maps.stock", "site", algorithm="sha256").hexdigest()
    return digest[:_SITE_DIGITS]


def make_stock_map(seed: str, *, now: dt.datetime) -> str:
    """Make, store, quickly measure and draw the map for a stock seed; return its hash.

    Takes minutes of CPU time. Raises `NoMapError`.
    """
    # Seeds from earlier versions have no site name before this.
    players = int(seed.rpartition(" ")[2].partition("-")[0])
    chart = make_fair_map([f"{seed}{letter}" for letter in SEED_LETTERS[:LANDS_PER_MAP]], players)
    key = store_chart(chart, now=now)
    while not certify_map(key, quickly=True, now=now):
        pass
    draw_pictures(key)
    return key


def choose_stock_map(players: int = 7) -> str | None:
    """Return the hash of the least played stock map; among several, the most even."""
    rows = _select_stock().filter(players=players)
    # A map that only an earlier version has measured comes last.
    unevenness = Coalesce(newest_unevenness(), Value(_UNMEASURED))
    counted = rows.annotate(played=Count("game"), unevenness=unevenness)
    best = counted.order_by("played", "unevenness", "pk").first()
    return None if best is None else best.content_hash


def count_unplayed() -> dict[int, int]:
    """Return the number of unplayed stock maps by number of players."""
    players = list(_select_stock().filter(game=None).values_list("players", flat=True))
    return {size: players.count(size) for size in STOCK_SIZES}


def _select_stock() -> QuerySet[StoredChart]:
    # Maps that a person made from such a seed and saved don't belong to the stock.
    own = Q(seed__startswith=_PREFIX) & ~Q(pk__in=SavedMap.objects.values("chart"))
    shipped = Q(content_hash__in=ShippedChart.objects.values("content_hash"))
    certified = Certificate.objects.values("chart")
    return StoredChart.objects.defer("text").filter(own | shipped, pk__in=certified)


def find_missing_shipped_maps(shipped: ShippedMaps) -> tuple[str, ...]:
    """Return the hashes of the shipped maps that were never stored on this site, in order."""
    known = set(ShippedChart.objects.values_list("content_hash", flat=True))
    return tuple(key for key in shipped.hashes if key not in known)


def store_shipped_map(shipped: ShippedMaps, key: str, *, now: dt.datetime) -> None:
    """Store a shipped map with its certificate and its pictures; nothing is measured.

    A map that is stored already stays as it is. Raises `GalleryFileError` if it is damaged.
    """
    found = shipped.read(key)
    with transaction.atomic():
        store_chart(load_chart(found.text), now=now)
        store_measurement(found.measurement, now=now)
        ShippedChart.objects.get_or_create(content_hash=key, defaults={"created_at": now})
    add_drawn_pictures(key, found.renderer, found.pictures)


def store_all_shipped_maps(
    shipped: ShippedMaps, *, now: dt.datetime
) -> tuple[GalleryFileError, ...]:
    """Store all shipped maps that this site has never had, in a few seconds.

    Returns the errors of the maps that cannot be read, which are left out.
    """
    errors = []
    for key in find_missing_shipped_maps(shipped):
        try:
            store_shipped_map(shipped, key, now=now)
        except GalleryFileError as error:
            errors.append(error)
    return tuple(errors)
