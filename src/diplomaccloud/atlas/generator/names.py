"""Stage 10: name provinces, seas, powers and the world, and choose the codes for orders."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.optimize import linear_sum_assignment

from diplomaccloud.atlas.generator.languages import LAND_ENDS, LANGUAGES, Language
from diplomaccloud.atlas.generator.random_streams import draw_index, draw_indices
from diplomaccloud.atlas.generator.word_filter import is_allowed_code, is_allowed_name

_MIN_LENGTH, _MAX_LENGTH, _MAX_COUNTRY_LENGTH, _MAX_SEA_LENGTH = 4, 9, 10, 8
"""Lengths of names, in letters."""

_MAX_TRIES, _MAX_COUNTRY_TRIES = 400, 200
_TRIES_PER_REPEAT, _TRIES_PER_LETTER = 40, 60
"""After this many tries for a name, its first letters may repeat, or it may be a letter longer."""

_IMPOSSIBLE = 1e6
"""The cost of a code that a name does not suggest."""

_WITHOUT_ACCENTS = str.maketrans(
    "åäáàâãéèêëíìîïóòôöõøúùûüýñçšžčÅÄÖØ", "aaaaaaeeeeiiiioooooouuuuyncszcAAOO"
)

_WORLD_ENDS = (
    "ara", "una", "is", "ea", "ora", "antis", "undra", "eth", "ador", "onde", "ako", "ium", "arra",
)  # fmt: skip


class NamingError(ValueError):
    """The names that were drawn cannot get unique codes."""


@dataclass(frozen=True)
class PowerName:
    """The key, name and adjective of a power."""

    key: str
    name: str
    adjective: str


@dataclass(frozen=True)
class Sea:
    """The basis of a sea's name: the nearest nation, and a form like `Bay of {}`."""

    nation: int
    form: str


@dataclass(frozen=True)
class Names:
    """Everything on the map that has a name; provinces by number."""

    world: str
    powers: tuple[PowerName, ...]
    provinces: tuple[str, ...]
    codes: tuple[str, ...]


def strip_accents(name: str) -> str:
    """Return `name` without accents."""
    return name.translate(_WITHOUT_ACCENTS)


def make_names(
    nations: Sequence[int], seas: Sequence[Sea], powers: int, rng: np.random.Generator
) -> Names:
    """Return names for the land provinces of each of `nations`, for `seas` and for `powers`.

    A nation is the number of the power in whose region a province lies; each region has its own
    language. Raises `NamingError` if the codes cannot be made unique.
    """
    languages = draw_indices(rng, len(LANGUAGES), len(LANGUAGES), distinct=True).tolist()
    spoken = [LANGUAGES[languages[power % len(languages)]] for power in range(powers)]
    name_maker = _NameMaker(rng)
    countries = [name_maker.make_country(language) for language in spoken]
    lands = [name_maker.make_name(spoken[nation], spoken[nation].ends) for nation in nations]
    waters = [_name_sea(name_maker, spoken[sea.nation], sea.form) for sea in seas]
    world = name_maker.make_name(spoken[draw_index(rng, powers)], _WORLD_ENDS)
    provinces = (*lands, *waters)
    return Names(world, tuple(countries), provinces, make_codes(provinces))


class _NameMaker:
    """Makes names that are not equal to, or easily confused with, earlier ones."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._taken: set[str] = set()
        self._heads: dict[str, int] = {}
        self._initials: set[str] = set()

    def make_name(
        self, language: Language, ends: Sequence[str], max_length: int = _MAX_LENGTH
    ) -> str:
        """Return a new name in `language` that ends in one of `ends`.

        It has at most `max_length` letters, or a few more if shorter names run out.
        """
        for attempt in range(1, _MAX_TRIES):
            name = self._draw_word(language.starts)
            if self._rng.random() < language.middle_share:
                name = _join_parts(name, self._draw_word(language.middles))
            name = _join_parts(name, self._draw_word(ends))
            key = strip_accents(name).lower()
            # The first letters become the code, so names should not share them if possible.
            is_free = self._heads.get(key[:3], 0) < 1 + attempt // _TRIES_PER_REPEAT
            if (
                is_free
                and _MIN_LENGTH <= len(name) <= max_length + attempt // _TRIES_PER_LETTER
                and self._is_acceptable(key, language)
            ):
                self._taken |= _similarity_keys(key)
                self._heads[key[:3]] = self._heads.get(key[:3], 0) + 1
                return name
        raise NamingError("a language has too few words")

    def make_country(self, language: Language) -> PowerName:
        """Return a new name for a country, with a first letter that no other country has."""
        ends = dict(language.countries)
        for _ in range(_MAX_COUNTRY_TRIES):
            end = self._draw_word(tuple(ends))
            taken = self._taken.copy()
            name = self.make_name(language, (end,), _MAX_COUNTRY_LENGTH)
            adjective = name.removesuffix(end) + ends[end]
            if strip_accents(name)[0] not in self._initials and is_allowed_name(
                strip_accents(adjective).lower()
            ):
                self._initials.add(strip_accents(name)[0])
                return PowerName(strip_accents(name).upper(), name, adjective)
            # The name was not used, so it becomes available again.
            self._taken = taken
        raise NamingError("a language has no country with a first letter of its own")

    def _draw_word(self, words: Sequence[str]) -> str:
        return words[draw_index(self._rng, len(words))]

    def _is_acceptable(self, key: str, language: Language) -> bool:
        return (
            language.is_pronounceable(key)
            and is_allowed_name(key)
            and self._taken.isdisjoint(_similarity_keys(key))
        )


def _similarity_keys(key: str) -> set[str]:
    """Return keys that `key` shares with every word it could be confused with.

    These are the word with any one letter left out, so that words one letter apart share a key, and
    the first five letters.
    """
    short = {key[:place] + key[place + 1 :] for place in range(len(key))}
    return short | {key, key[:5] + "-"}


def _join_parts(stem: str, end: str) -> str:
    """Return `stem` and `end` joined, without a tripled letter or two vowels that clash."""
    # A y at the start of a syllable is a consonant.
    clash = end[0] in "aeiouåäö" or (end[0] == "y" and end[1] not in "aeiou")
    if stem[-1] == end[0] or (clash and stem[-1] in "aeiouyåäö"):
        stem = stem[:-1]
    return stem + end


def _name_sea(name_maker: _NameMaker, language: Language, form: str) -> str:
    ends = tuple(end for end in language.ends if end not in LAND_ENDS)
    return form.format(name_maker.make_name(language, ends, _MAX_SEA_LENGTH))


def make_codes(names: Sequence[str]) -> tuple[str, ...]:
    """Return a unique three-letter code for each of `names`, as close to the name as possible.

    Source: the assignment problem over the codes that each name suggests, with their costs.
    """
    suggestions = [_suggest_codes(name) for name in names]
    codes = sorted({code for costs_by_code in suggestions for code in costs_by_code})
    column = {code: number for number, code in enumerate(codes)}
    costs = np.full((len(names), max(len(codes), len(names))), _IMPOSSIBLE)
    for row, costs_by_code in enumerate(suggestions):
        for code, cost in costs_by_code.items():
            costs[row, column[code]] = cost
    rows, columns = linear_sum_assignment(costs)
    if float(costs[rows, columns].max()) >= _IMPOSSIBLE:
        raise NamingError("the codes cannot be unique")
    return tuple(codes[number] for number in columns.tolist())


def _suggest_codes(name: str) -> dict[str, float]:
    """Return possible codes for `name` and the cost of each: letters of the name in order."""
    words = strip_accents(name).upper().split()
    is_of_form = words[1:2] == ["OF"]
    proper = words[-1] if is_of_form else words[0]
    costs: dict[str, float] = {}

    def suggest(code: str, cost: float) -> None:
        if is_allowed_code(code):
            costs[code] = min(cost, costs.get(code, _IMPOSSIBLE))

    suggest(proper[:3], 0.0)
    for second, third in combinations(range(1, len(proper)), 2):
        vowels = sum(proper[place] in "AEIOU" for place in (second, third))
        gaps = (second - 1) * 0.6 + (third - second - 1) * 0.4
        suggest(proper[0] + proper[second] + proper[third], 1.0 + gaps + 0.3 * vowels)
    if len(words) > 1:
        kind = words[0][0] if is_of_form else words[-1][0]
        for place in range(1, len(proper)):
            extra = proper[0] + proper[place]
            suggest(kind + extra if is_of_form else extra + kind, 1.5 + place * 0.5)
    return costs
