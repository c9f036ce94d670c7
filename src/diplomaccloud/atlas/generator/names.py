"""Stage 10: names of provinces, seas, powers and the world, and the codes for orders."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.optimize import linear_sum_assignment

from diplomaccloud.atlas.generator.languages import CULTURES, DRY_ENDS, Culture
from diplomaccloud.atlas.generator.random_streams import draw_index, draw_indices
from diplomaccloud.atlas.generator.word_filter import is_decent, is_usable_code

_COST_NONE = 1e6
_ASCII = str.maketrans("åäáàâãéèêëíìîïóòôöõøúùûüýñçšžčÅÄÖØ", "aaaaaaeeeeiiiioooooouuuuyncszcAAOO")

_WORLD_ENDS = (
    "ara", "una", "is", "ea", "ora", "antis", "undra", "eth", "ador", "onde", "ako", "ium", "arra",
)  # fmt: skip


class NamingError(ValueError):
    """The names drawn do not give unique codes."""


@dataclass(frozen=True)
class PowerName:
    """A power's key, name and adjective."""

    key: str
    name: str
    adjective: str


@dataclass(frozen=True)
class Sea:
    """What decides how a sea is named: the nation nearest and the form, like `Bay of {}`."""

    nation: int
    form: str


@dataclass(frozen=True)
class Names:
    """Everything on the map that has a name; provinces by number."""

    world: str
    powers: tuple[PowerName, ...]
    provinces: tuple[str, ...]
    codes: tuple[str, ...]


def plain(name: str) -> str:
    """Return `name` without accents."""
    return name.translate(_ASCII)


def make_names(
    nations: Sequence[int], seas: Sequence[Sea], powers: int, rng: np.random.Generator
) -> Names:
    """Return names for the land provinces of each of `nations`, for `seas` and for `powers`.

    A nation is the number of the power in whose region a province lies; each region has its
    own language. Raises `NamingError` if the codes cannot be made unique.
    """
    order = draw_indices(rng, len(CULTURES), len(CULTURES), distinct=True).tolist()
    speech = [CULTURES[order[power % len(order)]] for power in range(powers)]
    coined = _Coined(rng)
    countries = [coined.country(culture) for culture in speech]
    lands = [coined.name(speech[nation], speech[nation].ends) for nation in nations]
    waters = [_sea_name(coined, speech[sea.nation], sea.form) for sea in seas]
    world = coined.name(speech[draw_index(rng, powers)], _WORLD_ENDS)
    provinces = (*lands, *waters)
    return Names(world, tuple(countries), provinces, make_codes(provinces))


class _Coined:
    """Names made so far; none is made twice, nor one that could be mistaken for another."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._taken: set[str] = set()
        self._heads: dict[str, int] = {}
        self._initials: set[str] = set()

    def name(self, culture: Culture, ends: Sequence[str], most: int = 9) -> str:
        """Return a new name of `culture` of at most `most` letters that ends in one of `ends`."""
        for crowd in range(1, 400):
            name = self._one_of(culture.starts)
            if self._rng.random() < culture.middle:
                name = _joined(name, self._one_of(culture.middles))
            name = _joined(name, self._one_of(ends))
            key = plain(name).lower()
            # The first letters become the code, so they are spread while that is possible.
            fresh = self._heads.get(key[:3], 0) < 1 + crowd // 40
            if fresh and 4 <= len(name) <= most + crowd // 60 and self._is_good(key, culture):
                self._taken |= _likenesses(key)
                self._heads[key[:3]] = self._heads.get(key[:3], 0) + 1
                return name
        raise NamingError("a language has too few words")

    def country(self, culture: Culture) -> PowerName:
        """Return a new name of a country; its first letter, the sign of its units, is its own."""
        ends = dict(culture.countries)
        for _ in range(200):
            end = self._one_of(tuple(ends))
            taken = self._taken.copy()
            name = self.name(culture, (end,), 10)
            adjective = name.removesuffix(end) + ends[end]
            if plain(name)[0] not in self._initials and is_decent(plain(adjective).lower()):
                self._initials.add(plain(name)[0])
                return PowerName(plain(name).upper(), name, adjective)
            # Given back: a country that could not be, its name is free again.
            self._taken = taken
        raise NamingError("a language has no country with a first letter of its own")

    def _one_of(self, words: Sequence[str]) -> str:
        return words[draw_index(self._rng, len(words))]

    def _is_good(self, key: str, culture: Culture) -> bool:
        return culture.says(key) and is_decent(key) and self._taken.isdisjoint(_likenesses(key))


def _likenesses(key: str) -> set[str]:
    """Return what `key` shares with every word that could be mistaken for it.

    That is the word with any one letter left out, so that words a letter apart share
    something, and the first five letters.
    """
    short = {key[:place] + key[place + 1 :] for place in range(len(key))}
    return short | {key, key[:5] + "-"}


def _joined(stem: str, end: str) -> str:
    """Return `stem` and `end` without the same letter thrice or two vowels that clash."""
    # A y that opens a syllable is a consonant.
    clash = end[0] in "aeiouåäö" or (end[0] == "y" and end[1] not in "aeiou")
    if stem[-1] == end[0] or (clash and stem[-1] in "aeiouyåäö"):
        stem = stem[:-1]
    return stem + end


def _sea_name(coined: _Coined, culture: Culture, form: str) -> str:
    ends = tuple(end for end in culture.ends if end not in DRY_ENDS)
    return form.format(coined.name(culture, ends, 8))


def make_codes(names: Sequence[str]) -> tuple[str, ...]:
    """Return a unique three-letter code for each of `names`, as like its name as can be.

    Source: the assignment problem over the codes that each name suggests, at costs.
    """
    wishes = [_wishes(name) for name in names]
    codes = sorted({code for wish in wishes for code in wish})
    column = {code: place for place, code in enumerate(codes)}
    costs = np.full((len(names), max(len(codes), len(names))), _COST_NONE)
    for row, wish in enumerate(wishes):
        for code, cost in wish.items():
            costs[row, column[code]] = cost
    rows, columns = linear_sum_assignment(costs)
    if float(costs[rows, columns].max()) >= _COST_NONE:
        raise NamingError("the codes cannot be unique")
    return tuple(codes[place] for place in columns.tolist())


def _wishes(name: str) -> dict[str, float]:
    """Return codes for `name` with what each costs: letters of the name in their order."""
    words = plain(name).upper().split()
    turned = words[1:2] == ["OF"]
    proper = words[-1] if turned else words[0]
    wishes: dict[str, float] = {}

    def wish(code: str, cost: float) -> None:
        if is_usable_code(code):
            wishes[code] = min(cost, wishes.get(code, _COST_NONE))

    wish(proper[:3], 0.0)
    for one, other in combinations(range(1, len(proper)), 2):
        vowels = sum(proper[place] in "AEIOU" for place in (one, other))
        gaps = (one - 1) * 0.6 + (other - one - 1) * 0.4
        wish(proper[0] + proper[one] + proper[other], 1.0 + gaps + 0.3 * vowels)
    if len(words) > 1:
        kind = words[0][0] if turned else words[-1][0]
        for place in range(1, len(proper)):
            extra = proper[0] + proper[place]
            wish(kind + extra if turned else extra + kind, 1.5 + place * 0.5)
    return wishes
