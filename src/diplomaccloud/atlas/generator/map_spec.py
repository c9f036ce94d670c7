"""The specification of a map: its checked numbers and the key of its random streams."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from diplomaccloud.atlas.generator.balance import NEUTRALS
from diplomaccloud.atlas.generator.constraints import MIN_PROVINCES, SEA_SHARE
from diplomaccloud.atlas.generator.possible_starts import HOMES

PLAYERS = range(2, 11)
PROVINCES = range(MIN_PROVINCES, 401)
_MAX_SEED_LENGTH = 200
_PROVINCES_PER_PLAYER = 10.7
"""The default number of provinces per player, as on the standard board."""

_MIN_LANDS_PER_PLAYER = HOMES + NEUTRALS + 2

Progress = Callable[[str], None]
"""Called with a word or two when a stage starts."""


@dataclass(frozen=True)
class MapSpec:
    """The map to make: `counts` of land provinces and seas, and the `key` of the random streams."""

    seed: str
    key: str
    players: int
    counts: tuple[int, int]
    progress: Progress | None = None

    def report_progress(self, stage: str) -> None:
        """Report that `stage` starts."""
        if self.progress is not None:
            self.progress(stage)


def build_spec(
    seed: str,
    players: int,
    provinces: int | None,
    sea: float,
    progress: Progress | None = None,
) -> MapSpec:
    """Return the checked specification of a map; raises `ValueError` as `make_chart` does."""
    count = (
        max(PROVINCES[0], round(_PROVINCES_PER_PLAYER * players))
        if provinces is None
        else provinces
    )
    _require_valid(seed, players, count, sea)
    min_seas, max_seas = ceil(SEA_SHARE[0] * count), int(SEA_SHARE[1] * count)
    seas = min(max(round(count * sea), min_seas), max_seas)
    return MapSpec(
        seed, f"{seed}\0{players}\0{count}\0{sea}", players, (count - seas, seas), progress
    )


def _require_valid(seed: str, players: int, provinces: int, sea: float) -> None:
    """Raise `ValueError` if a number is out of range or the seed cannot be used."""
    if players not in PLAYERS:
        raise ValueError(f"players: {players} is not between {PLAYERS[0]} and {PLAYERS[-1]}")
    if provinces not in PROVINCES:
        raise ValueError(
            f"provinces: {provinces} is not between {PROVINCES[0]} and {PROVINCES[-1]}"
        )
    if not SEA_SHARE[0] <= sea <= SEA_SHARE[1]:
        raise ValueError(f"sea: {sea} is not between {SEA_SHARE[0]} and {SEA_SHARE[1]}")
    if round(provinces * (1 - sea)) < _MIN_LANDS_PER_PLAYER * players:
        raise ValueError(f"provinces: {provinces} is too few for {players} players")
    if len(seed) > _MAX_SEED_LENGTH or not seed.isprintable():
        raise ValueError(f"seed: longer than {_MAX_SEED_LENGTH} characters, or not printable")
