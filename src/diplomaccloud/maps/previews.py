"""Previews: new maps that nobody has saved yet, as files; the oldest are deleted.

The name of a preview is a hash of its request, so that the same map is not made twice.
"""

import hashlib
import json
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

from django.conf import settings

from diplomaccloud import __version__
from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.chartfile import dump_chart, load_chart
from diplomaccloud.atlas.render import render_base
from diplomaccloud.maps.library import UnknownMapError
from diplomaccloud.maps.map_worker import MAP_WORKER, MapRequest
from diplomaccloud.maps.pictures import THEMES, write_atomically

MAX_PREVIEWS = 200
"""How many previews stay on the disk."""


@dataclass(frozen=True, slots=True)
class Preview:
    """A map that is not in the gallery, and the name of its files."""

    key: str
    chart: Chart


def find_preview(map_request: MapRequest) -> Preview | None:
    """Return the preview for a request, if it was made before and still exists."""
    key = _key(map_request)
    try:
        return Preview(key, _read_chart(key))
    except FileNotFoundError:
        return None


def make_preview(map_request: MapRequest) -> Preview:
    """Return the preview for a request, making it if necessary; raises `NoMapError`."""
    existing = find_preview(map_request)
    if existing is not None:
        return existing
    preview = Preview(_key(map_request), MAP_WORKER.make(map_request))
    write_atomically(_folder(preview.key) / "chart.json", dump_chart(preview.chart).encode())
    _delete_oldest()
    return preview


def load_preview_svg(key: str, theme: str) -> bytes:
    """Return the SVG of a preview without names and units.

    Raises `UnknownMapError` if the preview has been deleted.
    """
    path = _folder(key) / f"{theme}.svg"
    if path.exists():
        return path.read_bytes()
    try:
        chart = _read_chart(key)
    except FileNotFoundError as error:
        raise UnknownMapError(f"There is no preview {key[:8]!r}.") from error
    svg = render_base(chart, THEMES[theme]).encode()
    write_atomically(path, svg)
    return svg


def _key(map_request: MapRequest) -> str:
    text = json.dumps([__version__, asdict(map_request)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _read_chart(key: str) -> Chart:
    return load_chart((_folder(key) / "chart.json").read_text(encoding="utf-8"))


def _folder(key: str) -> Path:
    return Path(settings.DATA_DIR, "maps", "drafts", key)


def _delete_oldest() -> None:
    folders = Path(settings.DATA_DIR, "maps", "drafts").iterdir()
    newest_first = sorted(folders, key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in newest_first[MAX_PREVIEWS:]:
        shutil.rmtree(folder, ignore_errors=True)
