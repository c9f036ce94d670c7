"""Making maps: the one place where the generator is asked.

It is imported when the first map is made: a process that only serves pages never pays for
the numerical libraries behind it.
"""

from diplomaccloud.atlas.chart import Chart


class NoMapError(ValueError):
    """A seed of which no map comes; the message is for the person who typed it."""


def make_map(seed: str, players: int = 7) -> Chart:
    """Return the map of `seed`, always the same one; takes a second or two.

    Raises `NoMapError`.
    """
    from diplomaccloud.atlas.generator import make_chart  # noqa: PLC0415
    from diplomaccloud.atlas.generator.making import MakingError  # noqa: PLC0415

    try:
        return make_chart(seed, players)
    except (MakingError, ValueError) as error:
        raise NoMapError(f"No map can be made of this seed: {error}.") from error
