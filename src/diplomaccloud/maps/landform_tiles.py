"""The pictures by which people choose a landform: see `scripts/landforms`."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from diplomaccloud.atlas.landforms import Landform

_PICTURES = Path(__file__).with_name("landforms.json")


@dataclass(frozen=True, slots=True)
class LandformTile:
    """A landform that can be made, and the SVG paths of its picture; some are empty."""

    landform: Landform
    land: str
    ranges: str = ""
    rivers: str = ""


@cache
def load_tiles() -> tuple[LandformTile, ...]:
    """Return the tiles of all landforms that have a picture, in the order of the generator."""
    pictures: dict[str, dict[str, str]] = json.loads(_PICTURES.read_text(encoding="utf-8"))
    return tuple(LandformTile(Landform(name), **paths) for name, paths in pictures.items())
