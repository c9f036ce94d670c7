"""Names and codes of hundreds of maps, and sounds that languages avoid."""

import re
from itertools import combinations

import pytest

from diplomaccloud.atlas.generator.names import (
    LAND_ENDS,
    LANGUAGES,
    Sea,
    is_allowed_code,
    is_allowed_name,
    make_codes,
    make_names,
    strip_accents,
)
from diplomaccloud.atlas.generator.random_streams import random_stream

NORTH, SOUTHEAST, PLAINS, _, WEST, EAST, PLATEAU, PENINSULA, FAR, FORESTS = LANGUAGES
KINDS = [(2, 34), (3, 40), (5, 54), (7, 75), (10, 107)]


def _make_names(seed, powers, provinces):
    lands = provinces * 3 // 4
    seas = [Sea(sea % powers, "Gulf of {}") for sea in range(provinces - lands)]
    return make_names(
        [land % powers for land in range(lands)], seas, powers, random_stream(seed, "names")
    )


@pytest.fixture(scope="module")
def maps():
    return [_make_names(f"map {n}", *KINDS[n % len(KINDS)]) for n in range(300)]


def _words(names):
    """Return every name of a map without accents and without the form of a sea."""
    powers = (word for info in names.powers for word in (info.name, info.adjective))
    proper = (name.removeprefix("Gulf of ") for name in names.provinces)
    return [strip_accents(word).lower() for word in (names.world, *powers, *proper)]


def test_names_and_codes_are_neither_rude_nor_real(maps):
    assert [word for names in maps for word in _words(names) if not is_allowed_name(word)] == []
    assert [code for names in maps for code in names.codes if not is_allowed_code(code)] == []


def test_codes_and_first_letters_of_powers_are_unique(maps):
    for names in maps:
        assert len(set(names.codes)) == len(names.provinces)
        assert len({strip_accents(info.name)[0] for info in names.powers}) == len(names.powers)


@pytest.mark.long
def test_no_two_names_of_a_map_are_easily_confused(maps):
    alike = []
    for names in maps:
        powers = [info.name for info in names.powers]
        words = [strip_accents(name.split()[-1]).lower() for name in (*powers, *names.provinces)]
        alike += [pair for pair in combinations(words, 2) if _are_similar(*pair)]
    assert alike == []


def _are_similar(first, second):
    """Return whether the words differ by one letter, or only after their fifth letter."""
    short, long = sorted((first, second), key=len)
    start = next((n for n, both in enumerate(zip(short, long, strict=False)) if both[0] != both[1]),
                 len(short))  # fmt: skip
    rest = short[start + (len(short) == len(long)) :]
    near = len(long) - len(short) < 2 and rest == long[start + 1 :]
    return near or (first[:5] == second[:5] and len(short) >= 5)


def test_seas_do_not_have_names_of_land(maps):
    seas = [name for names in maps for name in names.provinces if name.startswith("Gulf of ")]
    assert [
        name
        for name in seas
        if re.search(f"({'|'.join(LAND_ENDS - {'dal', 'tal', 'yama'})})$", name)
    ] == []


def test_few_languages_have_enough_names_for_many_provinces():
    names = _make_names("crowd", 2, 400)
    assert len(set(names.provinces)) == 400


@pytest.mark.parametrize(
    ("language", "name", "pronounceable"),
    [
        (PLAINS, "vlalsk", False),
        (PENINSULA, "meznzo", False),
        (PLATEAU, "hunlco", False),
        (SOUTHEAST, "megdithos", False),
        (SOUTHEAST, "gaaia", False),
        (WEST, "dyfghan", False),
        (EAST, "gulrar", False),
        (NORTH, "lofjord", True),
        (PLAINS, "tversk", True),
        (PENINSULA, "fontino", True),
        (PLATEAU, "mixtlan", True),
        (FAR, "iwakayama", True),
        (FORESTS, "altwald", True),
    ],
)
def test_a_language_avoids_sounds_that_do_not_fit_it(language, name, pronounceable):
    assert language.is_pronounceable(name) is pronounceable


CODES = [
    ("the first letters", ["Kyness"], ("KYN",)),
    ("later letters if the first are taken", ["Kyness", "Kynedal"], None),
    ("a sea by its own name", ["Bay of Woru"], ("WOR",)),
    ("no accents", ["Nåndfell"], ("NAN",)),
    ("not a word used in orders", ["Viana"], None),
]


@pytest.mark.parametrize(
    ("names", "codes"), [row[1:] for row in CODES], ids=[row[0] for row in CODES]
)
def test_codes_are_unique_and_resemble_the_names(names, codes):
    made = make_codes(names)
    assert len(set(made)) == len(names)
    assert codes is None or made == codes
    assert not set(made) & {"VIA", "ASS", "SEX"}
    assert all(len(code) == 3 and code.isascii() and code.isupper() for code in made)
