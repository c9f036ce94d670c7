"""The map factory: the site's only module that calls the map generator.

The generator is imported when the first map is made, so that processes that only serve pages never
load its numerical libraries. Web requests use `map_worker`, which runs another process.
"""

import re
from collections.abc import Callable, Sequence

from diplomaccloud.judge.drawing.chart import Chart

CHOSEN_BY_PLAY = "chosen by play"
"""The suffix of a chart's `maker` if test games chose its homes and centers."""


_OPTION = re.compile(r"(seed|players|provinces|sea|landform|homes): (.+)", re.DOTALL)
"""How the generator names the option that does not fit, and why."""

_SHARE = re.compile(r"\b[01]\.\d+\b")
"""A share of seas. People choose it in percent."""


class NoMapError(ValueError):
    """No map can be made for this request; the message is for the person who sent it.

    `option` is the name of the option that does not fit, if one is at fault.
    """

    def __init__(self, message: str, option: str = "") -> None:
        super().__init__(message)
        self.option = option


def load_generator() -> None:
    """Load the generator now, so that the first map is not delayed."""
    from diplomaccloud.atlas.generator import pipeline  # noqa: F401, PLC0415


def make_map(
    seed: str,
    players: int = 7,
    *,
    provinces: int | None = None,
    sea: float | None = None,
    landform: str | None = None,
    homes: str = "varied",
) -> Chart:
    """Return the map for `seed`, which is always the same; takes a second or more.

    Raises `NoMapError`.
    """
    from diplomaccloud.atlas.generator.pipeline import (  # noqa: PLC0415
        GenerationError,
        make_chart,
    )

    try:
        return make_chart(
            seed, players, provinces=provinces, sea=sea, landform=landform, homes=homes
        )
    except (GenerationError, ValueError) as error:
        raise _explain_refusal(str(error)) from error


def _explain_refusal(reason: str) -> NoMapError:
    """Return the error for what the generator says: `sea: 0.5 is not between 0.17 and 0.32`."""
    named = _OPTION.fullmatch(reason)
    if named is None:
        return NoMapError(f"No map can be made from these options: {reason}.")
    option, why = named.groups()
    if option == "sea":
        why = _SHARE.sub(lambda share: f"{float(share[0]):.0%}", why)
    return NoMapError(f"{why[0].upper()}{why[1:]}.", option)


def make_fair_map(
    seeds: Sequence[str],
    players: int = 7,
    *,
    provinces: int | None = None,
    sea: float | None = None,
    landform: str | None = None,
    homes: str = "varied",
    progress: Callable[[str], None] | None = None,
) -> Chart:
    """Return the most even map that test games find on the lands of `seeds`.

    The lands are the same as in `make_map`; homes and neutral centers differ. The same seeds always
    give the same map. Takes minutes of CPU time: Generals play, or Colonels
    above ten powers. Raises `NoMapError`.
    """
    from diplomaccloud.atlas.generator.pipeline import GenerationError, open_land  # noqa: PLC0415
    from diplomaccloud.atlas.generator.placement_candidates import PlacementCandidates  # noqa: PLC0415
    from diplomaccloud.maps.tournament import Tournament  # noqa: PLC0415

    spaces, reason = [], "there is no seed"
    for seed in seeds:
        try:
            land = open_land(
                seed,
                players,
                provinces=provinces,
                sea=sea,
                landform=landform,
                homes=homes,
                progress=progress,
            )
        except (GenerationError, ValueError) as error:
            reason = str(error)
        else:
            spaces.append(PlacementCandidates(land))
    for entrant in Tournament(spaces, progress=progress).rank_entrants():
        chart = entrant.space.chart(entrant.placement, CHOSEN_BY_PLAY)
        if chart is not None:
            return chart
        reason = "no placement can be drawn"
    raise NoMapError(f"No map can be made from these options: {reason}.")
