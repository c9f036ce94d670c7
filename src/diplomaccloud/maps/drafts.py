"""Maps that somebody has just made and may keep: files of their own, the oldest thrown away.

A draft is named by what it was made from, so that the same wish is not made twice.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from django.conf import settings

from diplomaccloud import __version__
from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.chartfile import dump_chart, load_chart
from diplomaccloud.atlas.render import render_base
from diplomaccloud.maps.bench import BENCH, Wish
from diplomaccloud.maps.library import UnknownMapError
from diplomaccloud.maps.pictures import THEMES, write_whole

MOST = 200
"""So many drafts are there at once."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A map that is not stored, and the name of its files."""

    key: str
    chart: Chart


def find_draft(wish: Wish) -> Draft | None:
    """Return the draft of a wish, if it was made before and is still there."""
    key = _key(wish)
    try:
        return Draft(key, load_chart((_home(key) / "chart.json").read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None


def make_draft(wish: Wish) -> Draft:
    """Return the draft of a wish, made if need be; raises `NoMapError`."""
    found = find_draft(wish)
    if found is not None:
        return found
    draft = Draft(_key(wish), BENCH.make(wish))
    write_whole(_home(draft.key) / "chart.json", dump_chart(draft.chart).encode())
    _sweep()
    return draft


def draft_picture(key: str, theme: str) -> bytes:
    """Return the SVG of a draft without names and units; raise `UnknownMapError` if it is gone."""
    path = _home(key) / f"{theme}.svg"
    if path.exists():
        return path.read_bytes()
    try:
        chart = load_chart((_home(key) / "chart.json").read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise UnknownMapError(f"no draft {key[:8]!r}") from error
    drawn = render_base(chart, THEMES[theme]).encode()
    write_whole(path, drawn)
    return drawn


def _key(wish: Wish) -> str:
    text = json.dumps([__version__, asdict(wish)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _home(key: str) -> Path:
    return Path(settings.DATA_DIR, "maps", "drafts", key)


def _sweep() -> None:
    """Throw the oldest drafts away."""
    every = Path(settings.DATA_DIR, "maps", "drafts").iterdir()
    newest: Callable[[Path], float] = os.path.getmtime
    for old in sorted(every, key=newest, reverse=True)[MOST:]:
        shutil.rmtree(old, ignore_errors=True)
