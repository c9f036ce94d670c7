"""Previews: new maps that nobody has saved yet, as rows shared by all web servers.

The key of a preview is a hash of its request, so that the same map is not made twice. The pictures
are files on each web server, which draws them again if they are missing.
"""

import datetime as dt
import hashlib
import json
import shutil
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from diplomaccloud.atlas.chartfile import dump_chart, load_chart
from diplomaccloud.judge.drawing.base import render_base
from diplomaccloud.judge.drawing.chart import Chart
from diplomaccloud.maps.large_maps import make_large_map
from diplomaccloud.maps.library import (
    UnknownMapError,
    count_new_map,
    delete_unplayed,
    store_chart,
)
from diplomaccloud.maps.map_worker import MAP_WORKER, MapRequest
from diplomaccloud.maps.models import MapPreview
from diplomaccloud.maps.picture_files import delete_pictures
from diplomaccloud.maps.pictures import BASE_THEMES
from diplomaccloud.shared.files import write_atomically
from diplomaccloud.version import __version__

MAX_PREVIEWS: Final = 400
"""The maximum number of previews; the oldest are deleted."""
MAX_PREVIEWS_PER_PERSON: Final = 20
MAX_PICTURES: Final = 200
"""The maximum number of previews with pictures on the disk of one web server."""
MAX_UNPLAYED: Final = 400
"""The maximum number of maps that are stored for a game but have none; the oldest are deleted."""
KEEP_FOR: Final = dt.timedelta(days=2)
"""How long a preview is kept, and a map that is stored for a game that never begins."""


@dataclass(frozen=True, slots=True)
class Preview:
    """A map that is not in the gallery, and its key."""

    key: str
    chart: Chart


def _name_owner(*, user_id: int | None, address: str) -> str:
    """Return the name under which to count previews, from a person or a visitor's IP address.

    The address is stored as a hash that only this site can compute.
    """
    if user_id is not None:
        return f"person {user_id}"
    digest = salted_hmac("maps.previews", address, algorithm="sha256").hexdigest()
    return f"visitor {digest[:32]}"


def find_preview(map_request: MapRequest) -> Preview | None:
    """Return the preview for a request, if it was made before and still exists."""
    key = _key(map_request)
    chart = _read_chart(key)
    return None if chart is None else Preview(key, chart)


def make_preview(
    map_request: MapRequest, *, user_id: int | None, address: str, now: dt.datetime
) -> Preview:
    """Return the preview for a request, making it for a person or visitor if necessary.

    Raises `QuotaError`, `NoMapError`, or `NotReadyError` while a large map is being made.
    """
    existing = find_preview(map_request)
    if existing is not None:
        return existing
    key, owner = _key(map_request), _name_owner(user_id=user_id, address=address)

    def count() -> None:
        count_new_map(user_id=user_id, address=address, is_large=map_request.is_large)

    def keep(chart: Chart) -> None:
        _store_preview(key, chart, owner=owner, now=now)

    if map_request.is_large:
        chart = make_large_map(key, map_request, count, keep)
    else:
        count()
        chart = MAP_WORKER.make(map_request)
        keep(chart)
    return Preview(key, chart)


def _store_preview(key: str, chart: Chart, *, owner: str, now: dt.datetime) -> None:
    content = zlib.compress(dump_chart(chart).encode())
    # Another web server may have made the same map in the meantime.
    MapPreview.objects.get_or_create(
        key=key, defaults={"owner": owner, "content": content, "made_at": now}
    )
    _delete_beyond(MapPreview.objects.filter(owner=owner), MAX_PREVIEWS_PER_PERSON)
    _delete_beyond(MapPreview.objects.all(), MAX_PREVIEWS)


def store_preview(key: str, *, now: dt.datetime) -> str:
    """Store the map of a preview so that it can be played on, and return the map's hash.

    The gallery shows it only if somebody also saves it. Raises `UnknownMapError` without such a
    preview.
    """
    chart = _read_chart(key)
    if chart is None:
        raise UnknownMapError(f"There is no preview {key[:8]!r}.")
    content_hash = store_chart(chart, now=now, listed=False)
    _delete_unplayed(keep=MAX_UNPLAYED)
    return content_hash


def _delete_unplayed(*, before: dt.datetime | None = None, keep: int = 0) -> None:
    """Delete maps without a game as `library.delete_unplayed` does, and their pictures."""
    for content_hash in delete_unplayed(before=before, keep=keep):
        delete_pictures(content_hash)


def load_preview_svg(key: str, theme: str) -> bytes:
    """Return the SVG of a preview without names and units.

    Raises `UnknownMapError` if the preview has been deleted.
    """
    path = _folder(key) / f"{theme}.svg"
    if path.exists():
        return path.read_bytes()
    chart = _read_chart(key)
    if chart is None:
        raise UnknownMapError(f"There is no preview {key[:8]!r}.")
    svg = render_base(chart, BASE_THEMES[theme]).encode()
    write_atomically(path, svg)
    _delete_oldest_pictures()
    return svg


def prune_previews(*, now: dt.datetime) -> int:
    """Delete old previews, and maps for games that never began. Called by the worker.

    Returns the number of previews.
    """
    _delete_unplayed(before=now - KEEP_FOR)
    return MapPreview.objects.filter(made_at__lt=now - KEEP_FOR).delete()[0]


def _key(map_request: MapRequest) -> str:
    text = json.dumps([__version__, asdict(map_request)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _read_chart(key: str) -> Chart | None:
    content = MapPreview.objects.filter(key=key).values_list("content", flat=True).first()
    return None if content is None else load_chart(zlib.decompress(content).decode())


def _delete_beyond(previews: QuerySet[MapPreview], limit: int) -> None:
    # Read the keys first, because MySQL cannot delete with a limited subquery on the same table.
    keys = list(previews.order_by("-made_at", "-pk").values_list("pk", flat=True)[limit:])
    if keys:
        MapPreview.objects.filter(pk__in=keys).delete()


def _folder(key: str) -> Path:
    return Path(settings.DATA_DIR, "maps", "drafts", key)


def _delete_oldest_pictures() -> None:
    folders = Path(settings.DATA_DIR, "maps", "drafts").iterdir()
    newest_first = sorted(folders, key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in newest_first[MAX_PICTURES:]:
        shutil.rmtree(folder, ignore_errors=True)
