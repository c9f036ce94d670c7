"""Project degrees to map units: conic, then stretched where the game needs space."""

import math
from dataclasses import dataclass

from diplomaccloud.atlas.chart import Point

WIDTH, HEIGHT = 1260.0, 1020.0

_MIDDLE = 13.0
"""The meridian that is vertical on the map."""

_CONE = 0.66

# Map units per degree of latitude, from the first latitude up to the second.
_BANDS = (
    (0.0, 33.0, 19.0),
    (33.0, 37.0, 24.0),
    (37.0, 56.0, 28.0),
    (56.0, 60.0, 25.0),
    (60.0, 66.0, 19.0),
    (66.0, 90.0, 17.0),
)
_RADIUS = 1640.0
"""Distance of latitude 48 from the center of the parallels, in map units."""

_SCALE = 1.05

_ORIGIN = (572.0, 605.0)
"""Where latitude 48 on the middle meridian is drawn, before stretching."""


@dataclass(frozen=True, slots=True)
class Bulge:
    """A place enlarged by `1 + gain` (reduced if negative), fading over `reach`."""

    longitude: float
    latitude: float
    gain: float
    reach: float


_BULGES = (
    Bulge(4.6, 51.0, 0.6, 72),
    Bulge(6.2, 52.4, 0.35, 40),
    Bulge(1.5, 47.9, 0.3, 75),
    Bulge(10.0, 55.6, 1.0, 64),
    Bulge(20.8, 41.8, 0.6, 95),
    Bulge(-2.8, 54.4, 0.8, 115),
    Bulge(33.0, 39.8, 0.2, 120),
    Bulge(12.8, 42.5, 0.7, 76),
    Bulge(15.3, 41.0, 0.5, 52),
    Bulge(9.0, 46.8, 0.5, 75),
    Bulge(15.6, 49.4, 0.3, 110),
    Bulge(29.0, 40.3, 0.45, 65),
    Bulge(34.0, 69.0, 0.2, 90),
)


def project(point: Point) -> Point:
    """Return the map position of `point` (longitude, latitude), not rounded."""
    x, y = _project_cone(point)
    dx = dy = 0.0
    for bulge in _BULGES:
        cx, cy = _project_cone((bulge.longitude, bulge.latitude))
        off_x, off_y = x - cx, y - cy
        weight = bulge.gain * math.exp(-(off_x**2 + off_y**2) / (2 * bulge.reach**2))
        dx += weight * off_x
        dy += weight * off_y
    return x + dx, y + dy


def _project_cone(point: Point) -> Point:
    longitude, latitude = point
    radius = _RADIUS - _measure_north(latitude)
    angle = math.radians(_CONE * (longitude - _MIDDLE))
    return (
        _ORIGIN[0] + _SCALE * radius * math.sin(angle),
        _ORIGIN[1] + _SCALE * (radius * math.cos(angle) - _RADIUS),
    )


def _measure_north(latitude: float) -> float:
    """Return how far `latitude` lies north of 48 degrees, in map units."""
    return _scaled_latitude(latitude) - _scaled_latitude(48.0)


def _scaled_latitude(latitude: float) -> float:
    return sum(max(0.0, min(latitude, north) - south) * scale for south, north, scale in _BANDS)
