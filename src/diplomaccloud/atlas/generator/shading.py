"""The relief grid of a chart."""

import numpy as np
from scipy.ndimage import distance_transform_edt

from diplomaccloud.atlas.chart import Relief
from diplomaccloud.atlas.generator.mesh import Bools
from diplomaccloud.atlas.generator.raster import PIXEL
from diplomaccloud.atlas.generator.relief import Terrain

_STEP = 7.5
_SHORE = 70.0


def make_relief(terrain: Terrain, land: Bools) -> Relief:
    """Return the elevation on a grid of about `_STEP` map units; 0 is water.

    `land` is a grid of pixels. The ground rises from the coast inland.
    """
    width, height = (round(extent / _STEP) for extent in terrain.size)
    across = (np.arange(width) + 0.5) * terrain.size[0] / width
    down = (np.arange(height) + 0.5) * terrain.size[1] / height
    points = np.stack([np.tile(across, height), np.repeat(down, width)], axis=1)
    column = np.minimum((points[:, 0] / PIXEL).astype(np.int64), land.shape[1] - 1)
    row = np.minimum((points[:, 1] / PIXEL).astype(np.int64), land.shape[0] - 1)
    inland = np.asarray(distance_transform_edt(land))[row, column] * PIXEL
    rise = np.minimum(inland / _SHORE, 1.0)
    values = 12 + 243 * terrain.mountains(points) * (0.25 + 0.75 * rise) * np.minimum(rise * 4, 1)
    values = np.where(land[row, column], np.clip(values, 1, 255), 0)
    return Relief(width, height, values.astype(np.uint8).tobytes())
