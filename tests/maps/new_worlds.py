"""A new world that nobody has saved, for tests that play on it."""

import zlib
from dataclasses import replace

from django.utils import timezone

from diplomaccloud.atlas.chartfile import dump_chart
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.maps.models import MapPreview

KEY = "ab" * 32


def draw_new_world(seed: str = "Hello") -> str:
    """Store the preview of a map with the board of Europe, and return its key."""
    chart = replace(standard_chart(), world="Newland", seed=seed)
    content = zlib.compress(dump_chart(chart).encode())
    MapPreview.objects.create(key=KEY, owner="visitor 1", content=content, made_at=timezone.now())
    return KEY
