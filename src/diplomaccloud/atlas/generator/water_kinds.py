"""Choose the kind of each body of water: bay, gulf, sea, ocean and so on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from diplomaccloud.atlas.generator.borders import OUTSIDE, BorderLine
from diplomaccloud.atlas.generator.mesh import Ints, Mesh, round_to_grid
from diplomaccloud.atlas.generator.random_streams import draw_index

MIN_ENCLOSED_SHORE = 0.5
"""A bay or a gulf has more than this share of coast in its outline."""

_MAX_OCEAN_SHORE, _MIN_OCEAN_SIZE = 0.45, 1.06
"""An ocean has less coast than this and is larger, relative to the mean water."""

_MAX_SEA_SHORE, _MIN_BEND_SHORE = 0.6, 0.25
"""A water with more coast than the first is a gulf rather than a sea; one with less than the second
is not a bend in the coast."""

_MAX_STRAIT_ROUNDNESS, _MIN_STRAIT_SHORE = 0.37, 0.4
"""A strait or inlet is at most this round (a circle is 1); a strait has at least this share of
coast."""

_FORMS = {
    "bay": ("Bay of {}", "{} Bay"),
    "gulf": ("Gulf of {}",),
    "sea": ("{} Sea", "{} Sea", "{} Sea", "{} Sea", "Sea of {}"),
    "ocean": ("{} Ocean",),
    "strait": ("{} Strait", "{} Channel", "Strait of {}", "{} Passage"),
    "inlet": ("{} Sound", "{} Reach"),
    "bend": ("{} Bight", "{} Waters"),
    "shallows": ("{} Banks", "{} Shoals"),
}


@dataclass(frozen=True)
class Water:
    """The measurements that decide what a body of water is called.

    `size`: relative to the mean water. `shore`: the share of coast in its outline. `roundness`: 1
    for a circle, less for long or rugged waters. `is_passage`: whether it has coasts on two sides
    and other waters at two ends.
    """

    size: float
    shore: float
    roundness: float
    is_passage: bool


@dataclass
class _Outline:
    """The lengths of coast, open water and frame around a water, and where each ends."""

    lengths: list[float]
    ends: list[set[int]]

    def count_stretches(self, kind: int) -> int:
        """Return the number of stretches of `kind`; 0 if it is the whole outline."""
        others = set().union(*(ends for other, ends in enumerate(self.ends) if other != kind))
        return len(self.ends[kind] & others) // 2


_COAST, _WATER, _FRAME = range(3)


def measure_waters(mesh: Mesh, owner: Ints, lines: Sequence[BorderLine], lands: int) -> list[Water]:
    """Return the waters in the order of their numbers, which follow those of the `lands`.

    `owner`: the province of each cell. The figures are rounded to the grid, so they are the same on
    every machine.
    """
    areas = np.bincount(owner, weights=mesh.areas)[lands:]
    outlines = _trace_outlines(mesh, lines, lands, len(areas))
    perimeters = np.array([sum(outline.lengths) for outline in outlines])
    coast = np.array([outline.lengths[_COAST] for outline in outlines])
    sizes, shores = (
        round_to_grid(areas / areas.mean()).tolist(),
        round_to_grid(coast / perimeters).tolist(),
    )
    roundness = round_to_grid(4 * np.pi * areas / perimeters**2).tolist()
    is_passage = [
        min(outline.count_stretches(_COAST), outline.count_stretches(_WATER)) > 1
        for outline in outlines
    ]
    return [Water(*figures) for figures in zip(sizes, shores, roundness, is_passage, strict=True)]


def _trace_outlines(
    mesh: Mesh, lines: Sequence[BorderLine], lands: int, count: int
) -> list[_Outline]:
    outlines = [_Outline([0.0] * 3, [set(), set(), set()]) for _ in range(count)]
    for line in lines:
        for water, neighbor in ((line.left, line.right), (line.right, line.left)):
            if water < lands:
                continue
            kind = _FRAME if neighbor == OUTSIDE else _COAST if neighbor < lands else _WATER
            outline = outlines[water - lands]
            outline.lengths[kind] += float(mesh.lengths[list(line.edges)].sum())
            if line.vertices[0] != line.vertices[-1]:
                outline.ends[kind] |= {line.vertices[0], line.vertices[-1]}
    return outlines


def choose_name_forms(waters: Sequence[Water], rng: np.random.Generator) -> list[str]:
    """Return a form like `Bay of {}` for each water, to be filled in with its name.

    Bays are never larger than gulfs, gulfs than seas, or seas than oceans, and at
    most half of the waters are seas. Words that say nothing about size are for straits and open
    coasts.
    """
    kinds = _choose_kinds(waters, rng)
    counters = {kind: draw_index(rng, len(forms)) for kind, forms in _FORMS.items()}
    forms = []
    for kind in kinds:
        counters[kind] += 1
        forms.append(_FORMS[kind][counters[kind] % len(_FORMS[kind])])
    return forms


def _choose_kinds(waters: Sequence[Water], rng: np.random.Generator) -> list[str]:
    """Return the key in `_FORMS` for each water."""
    largest = sorted(range(len(waters)), key=lambda water: -waters[water].size)
    kinds = dict.fromkeys(_find_straits(waters), "strait")
    rest = [water for water in largest if water not in kinds]
    oceans = _count_oceans([waters[water] for water in rest], len(waters) // 5)
    seas = _count_seas([waters[water] for water in rest[oceans:]], len(waters))
    small = rest[oceans + seas :]
    enclosed = [water for water in small if waters[water].shore > MIN_ENCLOSED_SHORE]
    gulfs = (len(enclosed) + draw_index(rng, 2)) // 2
    kinds |= dict.fromkeys(rest[:oceans], "ocean")
    kinds |= dict.fromkeys(rest[oceans : oceans + seas], "sea")
    kinds |= {water: _choose_open_kind(waters[water]) for water in small}
    kinds |= dict.fromkeys(enclosed[:gulfs], "gulf") | dict.fromkeys(enclosed[gulfs:], "bay")
    return [kinds[water] for water in range(len(waters))]


def _choose_open_kind(water: Water) -> str:
    """Return the kind of a small water that is neither enclosed nor a strait."""
    if water.shore < _MIN_BEND_SHORE:
        return "shallows"
    return "inlet" if water.roundness <= _MAX_STRAIT_ROUNDNESS else "bend"


def _find_straits(waters: Sequence[Water]) -> list[int]:
    """Return the narrowest waters between two coasts, at most a quarter of all."""
    straits = [
        number
        for number, water in enumerate(waters)
        if water.is_passage
        and water.shore >= _MIN_STRAIT_SHORE
        and water.roundness <= _MAX_STRAIT_ROUNDNESS
    ]
    return sorted(straits, key=lambda number: waters[number].roundness)[: len(waters) // 4]


def _count_oceans(largest: Sequence[Water], max_count: int) -> int:
    """Return how many of the `largest` waters, in order, are oceans."""
    for count, water in enumerate(largest[:max_count]):
        if water.shore >= _MAX_OCEAN_SHORE or water.size < _MIN_OCEAN_SIZE:
            return count
    return max_count


def _count_seas(largest: Sequence[Water], all_waters: int) -> int:
    """Return how many of the `largest` waters, in order, are seas: a third to half of all waters.

    Choose the number that leaves the fewest waters with a name that does not suit their shores.
    """
    counts = range(all_waters // 3, min(all_waters // 2, len(largest)) + 1)

    def count_unsuited(count: int) -> tuple[int, int]:
        seas = sum(water.shore > _MAX_SEA_SHORE for water in largest[:count])
        others = sum(water.shore <= MIN_ENCLOSED_SHORE for water in largest[count:])
        return seas + others, -count

    return min(counts, key=count_unsuited, default=len(largest))
