"""Making maps: the one place where the generator is asked."""

from diplomaccloud.atlas.chart import Chart
from diplomaccloud.atlas.generator import make_chart
from diplomaccloud.atlas.generator.making import MakingError


class NoMapError(ValueError):
    """A seed of which no map comes; the message is for the person who typed it."""


def make_map(seed: str, players: int = 7) -> Chart:
    """Return the map of `seed`, always the same one; takes a second or two.

    Raises `NoMapError`.
    """
    try:
        return make_chart(seed, players)
    except (MakingError, ValueError) as error:
        raise NoMapError(f"No map can be made of this seed: {error}.") from error
