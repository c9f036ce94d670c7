"""Charts in the database, identified by the hash of their content; what people may save."""

import datetime as dt
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache, lru_cache

from django.db import IntegrityError, transaction
from django.db.models import ProtectedError, Q

from diplomaccloud.accounts.models import User
from diplomaccloud.atlas.chartfile import content_hash, dump_chart, hash_text, load_chart
from diplomaccloud.atlas.setups import MAKER_PREFIX, known_drawings, setup_charts
from diplomaccloud.judge.drawing.chart import Chart
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.maps.models import SavedMap, StoredChart
from diplomaccloud.maps.picture_files import PLAIN_FILE, load_picture_file
from diplomaccloud.maps.plain_charts import MAX_POINTS, is_heavy
from diplomaccloud.shared.database_cache import count

_CACHE_SIZE = 16
_KEEP_SECONDS = 600
"""How long a process may show a hidden name, or a map that was deleted."""
_MAX_NAME = 60
_LONG_TEXT = 8 * MAX_POINTS
"""A shorter text is never that of a heavy map."""
_unsimplified: set[str] = set()
"""The hashes of heavy maps that this process had to read as they are."""


class UnknownMapError(LookupError):
    """No map is stored under this hash."""


def store_chart(
    chart: Chart, *, now: dt.datetime, players: int | None = None, listed: bool = True
) -> str:
    """Store `chart` if it is new, and return its hash.

    `players` is the number of players, by default one per power. The gallery shows the map if it is
    `listed` now or was before; until then, storing it again renews its time.
    """
    text = dump_chart(chart)
    key = hash_text(text)
    row, is_new = StoredChart.objects.get_or_create(
        content_hash=key,
        defaults={
            "name": read_own_name(chart),
            "players": len(chart.board.powers) if players is None else players,
            "provinces": len(chart.board.provinces),
            "centers": len(chart.board.centers),
            "seed": chart.seed[:100],
            "maker": chart.maker[:60],
            "text": text,
            "created_at": now,
            "listed": listed,
        },
    )
    if not is_new and not row.listed:
        unlisted = StoredChart.objects.filter(pk=row.pk, listed=False)
        unlisted.update(listed=listed, created_at=now)
    return key


def delete_unplayed(*, before: dt.datetime | None = None, keep: int = 0) -> tuple[str, ...]:
    """Delete maps that were stored for a game but have none, and return their hashes.

    `before` chooses those that were stored earlier; the newest `keep` of those chosen stay.
    """
    rows = StoredChart.objects.filter(listed=False, game=None)
    if before is not None:
        rows = rows.filter(created_at__lt=before)
    deleted = []
    newest_first = rows.order_by("-created_at", "-pk").values_list("pk", "content_hash")
    for key, hash_ in list(newest_first[keep:]):
        # A game may have begun a moment ago, or have been deleted while its figures count.
        with suppress(ProtectedError, IntegrityError), transaction.atomic():
            StoredChart.objects.filter(pk=key).delete()
            deleted.append(hash_)
    return tuple(deleted)


def find_chart(content_hash: str) -> Chart:
    """Return the chart stored under `content_hash`; raise `UnknownMapError` if there is none.

    The most recent ones stay in memory, since only a chart's name can change. A heavy one is
    simplified once, and read like that from then on: a process that serves pages takes seconds to
    read all its points. The board is the same; see `find_whole_chart`.
    """
    if content_hash in _unsimplified and load_picture_file(content_hash, PLAIN_FILE) is not None:
        _unsimplified.clear()
        load_recent.cache_clear()
        load_named.cache_clear()
    return load_recent(content_hash, int(time.monotonic() // _KEEP_SECONDS))


@lru_cache(maxsize=_CACHE_SIZE)
def load_recent(content_hash: str, _period: int) -> Chart:
    """Return the chart as `find_chart` does, looking for its name once per period."""
    rows = StoredChart.objects.filter(content_hash=content_hash)
    name = rows.values_list("name", flat=True).first()
    if name is None:
        raise UnknownMapError(f"There is no map {content_hash[:8]!r}.")
    return load_named(content_hash, name)


@lru_cache(maxsize=_CACHE_SIZE)
def load_named(content_hash: str, name: str) -> Chart:
    """Return the chart with its displayed name; raise `UnknownMapError`.

    It stays the same object, because the tables of a board and the parts of its pictures are kept
    with it.
    """
    chart = load_light_chart(content_hash)
    # A title may contain the name that is hidden.
    return chart if name == read_own_name(chart) else replace(chart, world=name, title="")


def load_light_chart(content_hash: str) -> Chart:
    """Return a chart with its own name, simplified if it is heavy; raise `UnknownMapError`."""
    text = find_text(content_hash)
    if len(text) <= _LONG_TEXT:
        return load_chart(text)
    plain = load_picture_file(content_hash, PLAIN_FILE)
    if plain is not None:
        return load_chart(plain.decode())
    chart = load_chart(text)
    if is_heavy(chart):
        _unsimplified.add(content_hash)
    return chart


def is_being_drawn(content_hash: str) -> bool:
    """Return whether a map still has to be simplified; asking for one of its pictures does that."""
    find_chart(content_hash)
    return content_hash in _unsimplified


def find_whole_chart(content_hash: str) -> Chart:
    """Return the chart with all its points and its displayed name; raise `UnknownMapError`."""
    shown, text = find_chart(content_hash), find_text(content_hash)
    if len(text) <= _LONG_TEXT:
        return shown
    return replace(load_chart(text), world=shown.world, title=shown.title)


def read_own_name(chart: Chart) -> str:
    """Return the name that is displayed for a map unless it is hidden."""
    return chart.world[:_MAX_NAME]


def set_map_name(content_hash: str, name: str) -> None:
    """Change the displayed name of a map; see `hide_map_name`."""
    StoredChart.objects.filter(content_hash=content_hash).update(name=name)
    load_recent.cache_clear()


def hide_map_name(content_hash: str) -> None:
    """Show a map as `Map 1a2b3c4d`, except in its file, which must match the map's hash."""
    set_map_name(content_hash, make_neutral_name(content_hash))


def is_name_chosen(content_hash: str) -> bool:
    """Return whether a person chose the map's displayed name."""
    saved = SavedMap.objects.filter(chart__content_hash=content_hash)
    return saved.exclude(chart__name=make_neutral_name(content_hash)).exists()


def has_saved(content_hash: str, user_id: int | None) -> bool:
    """Return whether the person saved the map to the gallery."""
    if user_id is None:
        return False
    return SavedMap.objects.filter(chart__content_hash=content_hash, user=user_id).exists()


def make_neutral_name(content_hash: str) -> str:
    """Return the name of a map whose own name is hidden."""
    return f"Map {content_hash[:8]}"


def find_text(content_hash: str) -> str:
    """Return the canonical JSON of a map; raise `UnknownMapError` if there is none."""
    row = StoredChart.objects.filter(content_hash=content_hash).values_list("text", flat=True)
    text = row.first()
    if text is None:
        raise UnknownMapError(f"There is no map {content_hash[:8]!r}.")
    return text


@cache
def standard_hash() -> str:
    """Return the hash of the standard map."""
    return hash_text(dump_chart(standard_chart()))


def store_standard(*, now: dt.datetime) -> str:
    """Store the standard map if it is missing, and return its hash."""
    key = standard_hash()
    if not StoredChart.objects.filter(content_hash=key).exists():
        store_chart(standard_chart(), now=now)
    return key


def store_setup_maps(*, now: dt.datetime) -> list[str]:
    """Store missing setup maps, and return the hashes of all setup maps."""
    return [
        store_chart(setup.chart, now=now, players=len(setup.setup.players))
        for setup in setup_charts().values()
    ]


def match_outdated_maps() -> Q:
    """Return the condition for our own maps of Europe from older versions.

    Games on them continue, but new games don't need them. They are recognized by hash alone,
    because anyone may draw a map and call it Europe. A map that a person saved on the site is never
    outdated.
    """
    saved = Q(pk__in=SavedMap.objects.values("chart"))
    return Q(content_hash__in=known_drawings() - europe_hashes()) & ~saved


@cache
def europe_hashes() -> frozenset[str]:
    """Return the hashes of the standard map and of its setups, as they are drawn now."""
    setups = {content_hash(setup.chart) for setup in setup_charts().values()}
    return frozenset({standard_hash(), *setups})


def find_map_setup(chart: StoredChart) -> str:
    """Return the name of the setup for games on `chart`; empty for the map's own setup."""
    name = chart.maker.removeprefix(MAKER_PREFIX)
    if name == chart.maker or name not in setup_charts():
        return ""
    # Anyone can import a map that claims to be a setup map.
    return name if find_chart(chart.content_hash).board == setup_charts()[name].chart.board else ""


# Limits on how many maps people may make and save.

MAX_SAVED_MAPS = 50
"""How many maps one person may save to the gallery."""

PERIOD = 600
"""The period for counting new maps, in seconds."""

MAX_NEW_MAPS = 30
"""How many new maps one person may make in a period."""

ADDRESS_FACTOR = 4
"""The factor for the limit shared by all people at one IP address."""

LARGE_MAP_WEIGHT = 3
"""A large map counts as this many new ones, because it takes longer."""

MAX_VISITOR_MAPS = 10
"""How many new maps visitors at one IP address may make in a period."""

MAX_ALL_VISITORS_MAPS = 200
"""How many new maps all visitors together may make in a period."""


class QuotaError(ValueError):
    """A person has reached a limit; the message is for that person."""


def save_map(chart: Chart, name: str, *, user_id: int, now: dt.datetime) -> str:
    """Save `chart` to the gallery as the map `name` and return its hash.

    Raises `QuotaError` if the person has saved too many maps. Saving a map twice is allowed.
    """
    named = replace(chart, world=name)
    with transaction.atomic():
        # Locking the person keeps concurrent requests from exceeding the limit.
        User.objects.select_for_update().get(pk=user_id)
        if SavedMap.objects.filter(user_id=user_id).count() >= MAX_SAVED_MAPS:
            raise QuotaError(f"You have reached the limit of {MAX_SAVED_MAPS} saved maps.")
        key = store_chart(named, now=now)
        row = StoredChart.objects.only("pk").get(content_hash=key)
        with suppress(IntegrityError), transaction.atomic():
            SavedMap.objects.create(user_id=user_id, chart=row, created_at=now)
    return key


def count_new_map(*, user_id: int | None, address: str, is_large: bool = False) -> None:
    """Count a new map for a person, or for a visitor if `user_id` is `None`, and an IP address.

    Raises `QuotaError` if a limit is reached.
    """
    if user_id is None:
        limits = {f"visitor {address}": MAX_VISITOR_MAPS, "visitors": MAX_ALL_VISITORS_MAPS}
        advice = "Try again later, or log in."
    else:
        limits = {
            f"person {user_id}": MAX_NEW_MAPS,
            f"address {address}": ADDRESS_FACTOR * MAX_NEW_MAPS,
        }
        advice = "Try again later."
    count_made("maps", limits, advice, LARGE_MAP_WEIGHT if is_large else 1)


def count_made(what: str, limits: Mapping[str, int], advice: str, amount: int = 1) -> None:
    """Count `amount` more of `what` for each name in `limits`; raise `QuotaError` beyond one."""
    for name, limit in limits.items():
        if count(f"{what} made for {name}".replace(" ", "-"), PERIOD, amount) > limit:
            minutes = PERIOD // 60
            raise QuotaError(f"Limit reached: {limit} {what} per {minutes} minutes. {advice}")
