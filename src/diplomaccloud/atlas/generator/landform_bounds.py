"""What each landform changes in the bounds of a map: its seas and its fleets."""

from dataclasses import dataclass

from diplomaccloud.atlas.generator.balance import FLEET_SHARE
from diplomaccloud.atlas.landforms import Landform

SEA_SHARE = (0.17, 0.32)
"""The least and greatest share of seas among the provinces."""


@dataclass(frozen=True)
class LandformBounds:
    """The bounds of one landform.

    `sea`: the least and greatest share of seas; `usual_sea`: those by default. `sea_size`: the
    least and greatest size of the mean sea, in mean land provinces. `fleets`: the least and
    greatest share of fleets among the starting units. `open_seas`: the greatest share of the seas
    that touch no land. `split_coasts`: the most provinces with two coasts on a map of usual size.
    `barriers`: about which share of the land is impassable or a lake.
    `min_players`, `max_players`: the fewest and the most players. `min_lands`: the fewest land
    provinces for each player, if not the usual number. `placements`: how often homes are placed on
    one land until they follow the landform's rule. `drawn_for`: for how many players a seed draws
    it, since for others it takes seconds to make.
    """

    sea: tuple[float, float] = SEA_SHARE
    usual_sea: tuple[float, float] = (0.24, 0.32)
    sea_size: tuple[float, float] = (2.3, 5.6)
    fleets: tuple[float, float] = FLEET_SHARE
    open_seas: float = 0.05
    barriers: float = 0.0
    split_coasts: int = 6
    min_players: int = 2
    max_players: int = 34
    min_lands: float = 0.0
    placements: int = 2
    drawn_for: range = range(2, 35)


_BOUNDS = {
    # Powers on islands need more fleets, and room for a channel around each island.
    Landform.ARCHIPELAGO: LandformBounds(
        sea=(0.32, 0.45),
        usual_sea=(0.33, 0.42),
        sea_size=(2.0, 3.8),
        fleets=(0.36, 0.75),
        min_lands=6.0,
    ),
    # An ocean around one mass, or between two, is wider than one sea. Around a large map, its seas
    # differ too much in size.
    Landform.PANGAEA: LandformBounds(
        sea=(0.17, 0.36),
        usual_sea=(0.27, 0.36),
        sea_size=(2.6, 5.8),
        open_seas=0.15,
        drawn_for=range(2, 13),
    ),
    # On a large map, other places become as narrow as the bridge.
    Landform.ISTHMUS: LandformBounds(
        sea=(0.17, 0.36), usual_sea=(0.27, 0.36), sea_size=(2.6, 5.4), drawn_for=range(2, 13)
    ),
    # The river must touch homes of three powers, and a new land takes longer than new homes.
    Landform.GREAT_RIVER: LandformBounds(placements=8, drawn_for=range(2, 11)),
    # Ranges and lakes find room only on broad land. A province between a lake and the sea has two
    # coasts.
    Landform.HIGHLANDS: LandformBounds(
        usual_sea=(0.2, 0.29),
        sea_size=(2.0, 3.8),
        barriers=0.15,
        split_coasts=10,
        drawn_for=range(4, 13),
    ),
    Landform.POLAR: LandformBounds(
        usual_sea=(0.24, 0.32), sea_size=(2.4, 5.4), barriers=0.12, drawn_for=range(2, 21)
    ),
    # The old world, in which all powers start, needs more land. Many powers crowd it: a map for
    # thirteen takes up to 13 seconds of CPU time, for fourteen up to 20, for fifteen more than 30.
    Landform.NEW_WORLD: LandformBounds(
        usual_sea=(0.18, 0.22),
        sea_size=(3.8, 5.4),
        open_seas=0.15,
        max_players=13,
        drawn_for=range(2, 11),
    ),
    # Most provinces of a narrow peninsula reach from one coast to the other.
    Landform.PENINSULAS: LandformBounds(
        sea_size=(2.4, 5.0), split_coasts=14, drawn_for=range(4, 9)
    ),
    # From few to many powers, one of them starts on an island and one has four homes.
    Landform.OLD_EUROPE: LandformBounds(min_players=4, drawn_for=range(4, 35)),
    # Among many powers, too few find room at one sea: a map for 27 takes 9 seconds of CPU time, for
    # 34 minutes.
    Landform.INLAND_SEA: LandformBounds(
        sea=(0.17, 0.38),
        usual_sea=(0.29, 0.37),
        split_coasts=10,
        max_players=27,
        drawn_for=range(2, 11),
    ),
}


def bounds_of(landform: Landform | None) -> LandformBounds:
    """Return the bounds of `landform`, or the usual ones for a map without landform."""
    return _BOUNDS.get(landform, LandformBounds()) if landform else LandformBounds()
