"""Making maps: the one place where the generator is asked.

It is imported when the first map is made: a process that only serves pages never pays for
the numerical libraries behind it. For requests there is `bench`, which asks another process.
"""

from collections.abc import Callable, Sequence

from diplomaccloud.atlas.chart import Chart

DEFAULT_SEA = 0.25

KIND = "chosen by play"
"""What the maker of a chart says after its version where play chose homes and centers."""


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


def make_even_map(
    seeds: Sequence[str],
    players: int = 7,
    *,
    provinces: int | None = None,
    sea: float = DEFAULT_SEA,
    progress: Callable[[str], None] | None = None,
) -> Chart:
    """Return the map on which play finds the powers most alike, on a land of one of `seeds`.

    The lands are those of `make_map`, homes and neutral centers are others. Always the same for
    the same seeds; takes a minute or more of a processor. Raises `NoMapError`.
    """
    from diplomaccloud.atlas.generator import MakingError  # noqa: PLC0415
    from diplomaccloud.atlas.generator.pipeline import open_land  # noqa: PLC0415
    from diplomaccloud.atlas.generator.placement_candidates import Trials  # noqa: PLC0415
    from diplomaccloud.maps.playoff import Playoff  # noqa: PLC0415

    grounds, reason = [], "there is no seed"
    for seed in seeds:
        try:
            land = open_land(seed, players, provinces=provinces, sea=sea, progress=progress)
        except (MakingError, ValueError) as error:
            reason = str(error)
        else:
            grounds.append(Trials(land))
    for entrant in Playoff(grounds, progress=progress).ranked():
        chart = entrant.ground.chart(entrant.placement, KIND)
        if chart is not None:
            return chart
        reason = "no placement can be drawn"
    raise NoMapError(f"No map can be made of this: {reason}.")
