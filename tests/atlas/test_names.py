"""Names of generated maps: languages, allowed words, waters, and how they are printed."""

import re
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

from diplomaccloud.atlas.generator.anchors import _WIDTHS
from diplomaccloud.atlas.generator.constraints import find_drawing_faults
from diplomaccloud.atlas.generator.names import (
    LAND_ENDS,
    LANGUAGES,
    MIN_ENCLOSED_SHORE,
    QUALIFIERS,
    Feature,
    Region,
    Water,
    choose_land_forms,
    choose_name_forms,
    find_proper_word,
    is_allowed_code,
    is_allowed_name,
    make_codes,
    make_names,
    make_title,
    name_features,
    strip_accents,
)
from diplomaccloud.atlas.generator.pipeline import make_chart
from diplomaccloud.atlas.generator.place_names import is_real_place, normalize_name
from diplomaccloud.atlas.generator.random_streams import random_stream
from diplomaccloud.atlas.landforms import Landform
from diplomaccloud.judge.board import Terrain
from diplomaccloud.judge.drawing.map_file import MAX_TITLE

NORTH, SOUTHEAST, PLAINS, _, WEST, EAST, PLATEAU, PENINSULA, FAR, FORESTS, *_ = LANGUAGES
KINDS = [(2, 34), (3, 40), (5, 54), (7, 75), (10, 107)]


def _make_names(seed, powers, provinces):
    lands = provinces * 3 // 4
    seas = [(sea % powers, "Gulf of {}") for sea in range(provinces - lands)]
    places = [(land % powers, "{}" if land % 10 else "North {}") for land in range(lands)]
    return make_names(places, seas, powers, random_stream(seed, "names"))


@pytest.fixture(scope="module")
def maps():
    return [_make_names(f"map {n}", *KINDS[n % len(KINDS)]) for n in range(300)]


def _words(names):
    """Return every name of a map without accents and without the form of a sea."""
    powers = (word for info in names.powers for word in (info.name, info.adjective))
    proper = map(find_proper_word, names.provinces)
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


@pytest.mark.parametrize(("powers", "provinces"), [(2, 400), (34, 512)])
def test_the_languages_have_enough_names_for_the_largest_maps(powers, provinces):
    names = _make_names("crowd", powers, provinces)
    assert len(set(names.provinces)) == provinces
    assert len({strip_accents(info.name)[:2] for info in names.powers}) == powers


# Real places, and how often one name is used.


REAL = ["Dorndorf", "Nordhausen", "Karabulak", "Torino", "Köln", "Koeln", "Zürich",
        "Åland", "Łódź", "Saint-Denis", "Kyōto", "Norheim", "Harwick", "Levanto",
        "Vermont", "Lesotho", "Europe"]  # fmt: skip


@pytest.mark.parametrize("name", REAL)
def test_real_places_are_recognized(name):
    assert is_real_place(name)


def test_the_filter_takes_almost_no_other_name_for_real(maps):
    # No place has a name with these letters in it, so each hit is an error of the filter.
    words = {word for names in maps for word in _words(names)}
    tried = [f"{word[:5]}qj{ending}" for word in words for ending in "aeiouy"]
    mistaken = [word for word in tried if is_real_place(word)]
    assert len(tried) > 20_000
    assert len(mistaken) < 0.001 * len(tried)


def test_names_are_normalized_like_those_in_the_filter():
    assert normalize_name("Łódź-Ørsted Æ") == "lodzorstedae"


def test_no_name_is_that_of_a_real_place(maps):
    words = [word for names in maps for word in map(find_proper_word, names.provinces)]
    words += [info.name for names in maps for info in names.powers]
    words += [names.world for names in maps]
    assert [word for word in words if is_real_place(word)] == []


@pytest.mark.long
def test_no_name_stands_on_more_than_ten_of_five_hundred_maps():
    made = [_make_names(f"world {n}", *KINDS[n % len(KINDS)]) for n in range(500)]
    maps_by_word = Counter(word for names in made for word in set(_words(names)))
    assert maps_by_word.most_common(1)[0][1] <= 10


def test_names_have_only_letters_that_the_font_has_and_lengths_that_fit(maps):
    names = [name for one in maps for name in one.provinces]
    plain = set("".join(map(strip_accents, names))) - {" "}
    assert plain <= {*_WIDTHS}
    assert max(map(ord, "".join(names))) < 0x180  # the font has all Latin letters up to there
    assert max(len(find_proper_word(name)) for name in names) <= 12


# Features that are not provinces.


def test_features_have_names_of_their_own_in_the_language_of_their_region():
    names = _make_names("features", 3, 40)
    features = [(number % 3, feature) for number, feature in enumerate([*Feature] * 4)]
    made = name_features(names, features, random_stream("features", "rivers"))
    assert made == name_features(names, features, random_stream("features", "rivers"))
    assert len({*made, *names.provinces}) == len(made) + len(names.provinces)
    for name, (_, feature) in zip(made, features, strict=True):
        forms = [form.replace("{}", "") for form in feature.value.split("|")]
        assert any(word in name for word in forms)
    words = [strip_accents(find_proper_word(name)).lower() for name in (*made, *names.provinces)]
    assert [pair for pair in combinations(words, 2) if _are_similar(*pair)] == []


# The title.


@pytest.mark.parametrize("landform", [None, *Landform])
@pytest.mark.parametrize("powers", [2, 7, 34])
def test_every_title_fits_a_map_file_and_names_its_world_or_a_sea(landform, powers):
    rng = random_stream(str(landform), "title")
    titles = {make_title(landform, "Skeldora", "Sea of Pralgorm", powers, rng) for _ in range(60)}
    assert len(titles) > 1
    assert all("Skeldora" in title or "Sea of Pralgorm" in title for title in titles)
    assert all(len(title) <= MAX_TITLE and " ".join(title.split()) == title for title in titles)
    assert any("Seven" in title for title in titles) is (landform is None and powers == 7)


# Which names on land have two words.


COAST = Region(0, (10.0, 0.0), 0.3)
TIP = Region(0, (0.0, -10.0), 0.8)
INLAND = Region(1, (1.0, 1.0), 0.0)


@pytest.mark.parametrize("count", [20, 56, 384])
def test_a_tenth_of_the_names_on_land_have_two_words_that_suit_the_land(count):
    for seed in range(30):
        lands = [
            Region(n % 7, (x, y), shore)
            for n, (x, y, shore) in enumerate(
                (random_stream(f"lands {seed}", "test").random((count, 3)) - (0.5, 0.5, 0.3))
                .clip((-1, -1, 0), 1)
                .tolist()
            )
        ]
        forms = choose_land_forms(lands, random_stream(f"{seed}", "forms"))
        assert sum(form != "{}" for form in forms) == round(count / 10)
        for land, form in zip(lands, forms, strict=True):
            word = form.split()[0]
            assert word in {*QUALIFIERS, "{}"}
            assert form == "{}" or len(form.split()) == 2
            right, down = land.offset
            assert {"North": down < 0, "South": down > 0, "East": right > 0, "West": right < 0,
                    "Cape": land.shore >= 0.6, "Port": land.shore > 0, "New": land.shore > 0}.get(
                        word, True)  # fmt: skip
        used = [
            (land.nation, form) for land, form in zip(lands, forms, strict=True) if form != "{}"
        ]
        assert len(set(used)) == len(used)
        alone = [form for form in forms if "{}" not in form]
        assert len(set(alone)) == len(alone)


def test_words_that_suit_no_land_are_not_used():
    lands = [INLAND] * 20
    for seed in range(20):
        forms = choose_land_forms(lands, random_stream(f"{seed}", "forms"))
        assert {form.split()[0] for form in forms}.isdisjoint({"Cape", "Port", "New", "North"})


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
        (FORESTS, "pfaldtrift", False),
        (FAR, "tsekawu", False),
        (NORTH, "skelmolt", True),
        (PLAINS, "drevinitsa", True),
        (PENINSULA, "fandravo", True),
        (PLATEAU, "metlixa", True),
        (FAR, "kazesuren", True),
        (FORESTS, "brelwarte", True),
    ],
)
def test_a_language_avoids_sounds_that_do_not_fit_it(language, name, pronounceable):
    assert language.is_pronounceable(name) is pronounceable


CODES = [
    ("the first letters", ["Kyness"], ("KYN",)),
    ("later letters if the first are taken", ["Kyness", "Kynedal"], None),
    ("a sea by its own name", ["Bay of Woru"], ("WOR",)),
    ("a land by its own name", ["North Velgar"], ("VEL",)),
    ("a name without one", ["The Narrows"], ("NAR",)),
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


# Which waters are bays, gulfs, seas and oceans.


ORDER = ("Bay", "Gulf", "Sea", "Ocean")
BAY = Water(0.7, 0.8, 0.5, is_passage=False)
GULF = Water(0.8, 0.8, 0.5, is_passage=False)
SEA = Water(1.0, 0.4, 0.5, is_passage=False)
LARGE_SEA = Water(1.05, 0.2, 0.5, is_passage=False)
OCEAN = Water(1.4, 0.1, 0.6, is_passage=False)
LANDLOCKED = Water(1.5, 0.8, 0.5, is_passage=False)
STRAIT = Water(0.9, 0.7, 0.2, is_passage=True)
INLET = Water(0.75, 0.4, 0.2, is_passage=False)
BEND = Water(0.75, 0.4, 0.5, is_passage=False)
SHALLOWS = Water(0.75, 0.1, 0.5, is_passage=False)


def _list_water_words(waters, seed="s"):
    """Return the word for the kind of each water."""
    return [
        form.replace("{}", "").split()[0]
        for form in choose_name_forms(waters, random_stream(seed, "w"))
    ]


def test_bays_gulfs_seas_and_oceans_are_ordered_by_size():
    waters = [BAY, BAY, GULF, GULF, SEA, SEA, LARGE_SEA, LARGE_SEA, OCEAN]
    words = _list_water_words(waters)
    assert words[4:] == ["Sea"] * 4 + ["Ocean"]
    assert words[:4] == ["Bay", "Bay", "Gulf", "Gulf"]


def test_no_water_is_an_ocean_where_the_largest_is_landlocked():
    words = _list_water_words([BAY, GULF, SEA, SEA, LARGE_SEA, OCEAN, LANDLOCKED])
    assert "Ocean" not in words
    assert words[-1] == "Sea"


def test_only_the_largest_fifth_of_all_waters_are_oceans():
    wide_strait = replace(STRAIT, size=2.0)
    waters = [wide_strait, replace(OCEAN, size=1.5), OCEAN, SEA, SEA, GULF, GULF, BAY, BAY, BAY]
    words = _list_water_words(waters)
    assert [place for place, word in enumerate(words) if word == "Ocean"] == [1]
    # The outline as drawn might make this one smaller than the next.
    assert "Ocean" not in _list_water_words([OCEAN, replace(OCEAN, size=1.39), *waters[3:6]])


@pytest.mark.parametrize(
    ("water", "words"),
    [
        (STRAIT, {"Strait", "Channel", "Passage", "Narrows"}),
        (INLET, {"Reach", "Sound"}),
        (BEND, {"Bight", "Waters"}),
        (SHALLOWS, {"Banks", "Shoals"}),
    ],
)
def test_small_waters_that_are_not_enclosed_have_other_words(water, words):
    others = [SEA, SEA, LARGE_SEA, LARGE_SEA]
    words_used = {_list_water_words([water, *others], str(seed))[0] for seed in range(30)}
    assert words_used == words


@pytest.mark.parametrize("count", [8, 13, 19, 27, 100])
def test_sizes_follow_the_order_of_words_and_at_most_half_are_seas(count):
    for seed in range(100):
        rng = random_stream(f"waters {seed}", "test")
        draws = rng.random((count, 4)).tolist()
        waters = [Water(0.6 + size, shore, 0.1 + round_ / 2, pick < 0.3)
                  for size, shore, round_, pick in draws]  # fmt: skip
        words = _list_water_words(waters, str(seed))
        sizes = {
            word: [
                water.size
                for water, water_word in zip(waters, words, strict=True)
                if water_word == word
            ]
            for word in ORDER
        }
        for small, large in combinations(ORDER, 2):
            assert max(sizes[small], default=0) <= min(sizes[large], default=9), seed
        assert count / 4 <= len(sizes["Sea"]) <= count / 2
        enclosed = [
            w.shore for w, water_word in zip(waters, words, strict=True) if water_word in ORDER[:2]
        ]
        assert all(shore > MIN_ENCLOSED_SHORE for shore in enclosed)


# Names and codes, and where they are printed, on maps from a few seeds.


SEEDS = [("names a", 2), ("names b", 7), ("names c", 10)]


@pytest.fixture(scope="module", params=SEEDS, ids=[f"{players} players" for _, players in SEEDS])
def chart(request):
    return make_chart(*request.param)


def test_nearly_every_name_is_printed_in_full_and_nothing_overlaps(chart):
    printed = [shape.anchors.label_size > 0 for shape in chart.shapes]
    assert sum(printed) >= 0.98 * len(printed)
    assert [str(fault) for fault in find_drawing_faults(chart) if fault.rule == 9] == []


def test_the_names_of_seas_are_the_largest(chart):
    by_code = chart.board.by_code
    usual, at_sea = [], []
    for shape in chart.shapes:
        is_sea = by_code[shape.province].terrain is Terrain.SEA
        (at_sea if is_sea else usual).append(shape.anchors.label_size)
    assert max(at_sea) > max(usual)


def test_no_bay_is_larger_than_a_gulf_no_gulf_than_a_sea_no_sea_than_an_ocean(chart):
    drawn = {shape.province: chart.area(shape) for shape in chart.shapes}
    areas = {
        kind: [drawn[p.code] for p in chart.board.provinces if kind in p.name.split()]
        for kind in ("Bay", "Gulf", "Sea", "Ocean")
    }
    # Drawn coasts differ a little from the cells that were measured.
    for small, large in combinations(areas, 2):
        assert max(areas[small], default=0) <= 1.02 * min(areas[large], default=1e9)
    waters = [p for p in chart.board.provinces if p.terrain is Terrain.SEA]
    assert 0 < len(areas["Sea"]) <= len(waters) / 2


def test_no_two_powers_share_a_first_letter(chart):
    letters = [strip_accents(info.name)[0] for info in chart.board.powers]
    assert len(set(letters)) == len(letters)


def test_names_and_codes_are_not_rude(chart):
    names = [*(p.name for p in chart.board.provinces), *(i.name for i in chart.board.powers)]
    words = [strip_accents(word).lower() for name in names for word in name.split()]
    assert [word for word in words if not is_allowed_name(word)] == []
    assert [p.code for p in chart.board.provinces if not is_allowed_code(p.code)] == []


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        ("nazi", False),
        ("fukyama", False),
        ("kokasuka", False),
        ("sahara", False),
        ("bumbazi", False),
        ("gulagan", False),
        ("hokuno", True),
        ("passau", True),
        ("essexa", False),
        ("kimbama", True),
        ("bordell", False),
        ("arselia", False),
        ("gonorsk", False),
        ("poowyn", False),
        ("wakanda", False),
        ("nordsee", False),
        ("erfurt", False),
        ("erfeld", True),
        ("harsee", True),
    ],
)
def test_a_name_is_filtered_by_its_beginning_its_end_and_its_parts(name, allowed):
    assert is_allowed_name(name) is allowed


@pytest.mark.parametrize(
    ("code", "allowed"),
    [
        ("SUP", False),
        ("NEC", False),
        ("KKK", False),
        ("KUT", False),
        ("SLU", False),
        ("PAR", True),
        ("NAV", True),
    ],
)
def test_a_code_is_not_a_word_of_an_order_and_not_an_insult(code, allowed):
    assert is_allowed_code(code) is allowed
