"""What each water of a map is called besides its name: a bay, a gulf, a sea or an ocean."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from diplomaccloud.atlas.generator.borders import OUTSIDE, Line
from diplomaccloud.atlas.generator.mesh import Ints, Mesh, round_to_grid
from diplomaccloud.atlas.generator.random_streams import draw_index

ENCLOSED = 0.5
"""A bay or a gulf has more than this share of coast in its outline."""

_OPEN, _WIDE = 0.45, 1.06
"""An ocean has less coast than this and is larger, in mean waters."""

_LANDLOCKED, _BARE = 0.6, 0.25
"""With more coast, a gulf rather than a sea; with less, nothing of a bend in the coast."""

_NARROW, _SHORED = 0.37, 0.4
"""A strait or inlet is no rounder than this (1 is a circle); a strait has this share of coast."""

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
    """What decides the word for a water.

    `size` in mean waters; `shore` the share of coast in its outline; `roundness` 1 for a
    circle, less the longer and the more rugged it is; `joins` whether it has coasts on two
    sides and other waters at two ends.
    """

    size: float
    shore: float
    roundness: float
    joins: bool


@dataclass
class _Outline:
    """The lengths of coast, of open water and of frame around a water, and where each ends."""

    lengths: list[float]
    ends: list[set[int]]

    def stretches(self, kind: int) -> int:
        """Return how many stretches of `kind` there are; none if it is the whole outline."""
        others = set().union(*(ends for other, ends in enumerate(self.ends) if other != kind))
        return len(self.ends[kind] & others) // 2


_COAST, _WATER, _FRAME = range(3)


def make_waters(mesh: Mesh, owner: Ints, lines: Sequence[Line], lands: int) -> list[Water]:
    """Return the waters in the order of their numbers, which follow those of the `lands`.

    `owner` is the province of each cell. Figures are on a grid, the same on every machine.
    """
    areas = np.bincount(owner, weights=mesh.areas)[lands:]
    outlines = _outlines(mesh, lines, lands, len(areas))
    whole = np.array([sum(outline.lengths) for outline in outlines])
    coast = np.array([outline.lengths[_COAST] for outline in outlines])
    sizes, shores = (
        round_to_grid(areas / areas.mean()).tolist(),
        round_to_grid(coast / whole).tolist(),
    )
    roundness = round_to_grid(4 * np.pi * areas / whole**2).tolist()
    joins = [min(one.stretches(_COAST), one.stretches(_WATER)) > 1 for one in outlines]
    return [Water(*figures) for figures in zip(sizes, shores, roundness, joins, strict=True)]


def _outlines(mesh: Mesh, lines: Sequence[Line], lands: int, count: int) -> list[_Outline]:
    found = [_Outline([0.0] * 3, [set(), set(), set()]) for _ in range(count)]
    for line in lines:
        for here, there in ((line.left, line.right), (line.right, line.left)):
            if here < lands:
                continue
            kind = _FRAME if there == OUTSIDE else _COAST if there < lands else _WATER
            outline = found[here - lands]
            outline.lengths[kind] += float(mesh.lengths[list(line.edges)].sum())
            if line.vertices[0] != line.vertices[-1]:
                outline.ends[kind] |= {line.vertices[0], line.vertices[-1]}
    return found


def water_forms(waters: Sequence[Water], rng: np.random.Generator) -> list[str]:
    """Return for each water a form like `Bay of {}`, to be filled with its name.

    No bay is larger than a gulf, no gulf than a sea, no sea than an ocean; and no more than
    half of the waters are seas. Words without a size are for straits and open coasts.
    """
    kinds = _kinds(waters, rng)
    used = {kind: draw_index(rng, len(forms)) for kind, forms in _FORMS.items()}
    forms = []
    for kind in kinds:
        used[kind] += 1
        forms.append(_FORMS[kind][used[kind] % len(_FORMS[kind])])
    return forms


def _kinds(waters: Sequence[Water], rng: np.random.Generator) -> list[str]:
    """Return which of the `_FORMS` each water is called by."""
    largest = sorted(range(len(waters)), key=lambda one: -waters[one].size)
    kinds = dict.fromkeys(_straits(waters), "strait")
    rest = [one for one in largest if one not in kinds]
    oceans = _oceans([waters[one] for one in rest], len(waters) // 5)
    seas = _seas([waters[one] for one in rest[oceans:]], len(waters))
    small = rest[oceans + seas :]
    enclosed = [one for one in small if waters[one].shore > ENCLOSED]
    gulfs = (len(enclosed) + draw_index(rng, 2)) // 2
    kinds |= dict.fromkeys(rest[:oceans], "ocean")
    kinds |= dict.fromkeys(rest[oceans : oceans + seas], "sea")
    kinds |= {one: _kind_of_open(waters[one]) for one in small}
    kinds |= dict.fromkeys(enclosed[:gulfs], "gulf") | dict.fromkeys(enclosed[gulfs:], "bay")
    return [kinds[one] for one in range(len(waters))]


def _kind_of_open(water: Water) -> str:
    """Return the kind of a small water that is neither enclosed nor a strait."""
    if water.shore < _BARE:
        return "shallows"
    return "inlet" if water.roundness <= _NARROW else "bend"


def _straits(waters: Sequence[Water]) -> list[int]:
    """Return the narrowest waters between two coasts, a quarter of all at most."""
    found = [
        number
        for number, water in enumerate(waters)
        if water.joins and water.shore >= _SHORED and water.roundness <= _NARROW
    ]
    return sorted(found, key=lambda one: waters[one].roundness)[: len(waters) // 4]


def _oceans(largest: Sequence[Water], most: int) -> int:
    """Return how many of the `largest` waters, in their order, are oceans."""
    for count, water in enumerate(largest[:most]):
        if water.shore >= _OPEN or water.size < _WIDE:
            return count
    return most


def _seas(largest: Sequence[Water], all_waters: int) -> int:
    """Return how many of the `largest` waters, in their order, are seas: a third to a half.

    As many as leave the fewest with a word that does not suit their shores.
    """
    counts = range(all_waters // 3, min(all_waters // 2, len(largest)) + 1)

    def unsuited(count: int) -> tuple[int, int]:
        seas = sum(water.shore > _LANDLOCKED for water in largest[:count])
        others = sum(water.shore <= ENCLOSED for water in largest[count:])
        return seas + others, -count

    return min(counts, key=unsuited, default=len(largest))
