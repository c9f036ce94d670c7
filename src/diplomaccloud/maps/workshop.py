"""Making maps: the one place where the generator is asked.

It is imported when the first map is made: a process that only serves pages never pays for
the numerical libraries behind it. For requests there is `bench`, which asks another process.
"""

from diplomaccloud.atlas.chart import Chart

DEFAULT_SEA = 0.25


class NoMapError(ValueError):
    """A wish of which no map comes; the message is for the person who typed it."""


def load_generator() -> None:
    """Load the generator now, so that the first map need not wait for it."""
    from diplomaccloud.atlas import generator  # noqa: F401, PLC0415


def make_map(
    seed: str, players: int = 7, *, provinces: int | None = None, sea: float = DEFAULT_SEA
) -> Chart:
    """Return the map of `seed`, always the same one; takes a second or more.

    Raises `NoMapError`.
    """
    from diplomaccloud.atlas.generator import MakingError, make_chart  # noqa: PLC0415

    try:
        return make_chart(seed, players, provinces=provinces, sea=sea)
    except (MakingError, ValueError) as error:
        raise NoMapError(f"No map can be made of this: {error}.") from error


def make_placements(seed: str, players: int, *, count: int) -> tuple[Chart, ...]:
    """Return up to `count` maps on the land of `seed`, the first that of `make_map`.

    Raises `NoMapError`.
    """
    from diplomaccloud.atlas import generator  # noqa: PLC0415

    try:
        return generator.make_placements(seed, players, count=count)
    except (generator.MakingError, ValueError) as error:
        raise NoMapError(f"No map can be made of this: {error}.") from error
