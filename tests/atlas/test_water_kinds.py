"""Which waters are bays, gulfs, seas and oceans."""

from itertools import combinations

import pytest

from diplomaccloud.atlas.generator.random_streams import random_stream
from diplomaccloud.atlas.generator.water_kinds import MIN_ENCLOSED_SHORE, Water, choose_name_forms

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


def _words(waters, seed="s"):
    """Return the word for the kind of each water."""
    return [
        form.replace("{}", "").split()[0]
        for form in choose_name_forms(waters, random_stream(seed, "w"))
    ]


def test_bays_gulfs_seas_and_oceans_are_ordered_by_size():
    waters = [BAY, BAY, GULF, GULF, SEA, SEA, LARGE_SEA, LARGE_SEA, OCEAN]
    words = _words(waters)
    assert words[4:] == ["Sea"] * 4 + ["Ocean"]
    assert words[:4] == ["Bay", "Bay", "Gulf", "Gulf"]


def test_no_water_is_an_ocean_where_the_largest_is_landlocked():
    words = _words([BAY, GULF, SEA, SEA, LARGE_SEA, OCEAN, LANDLOCKED])
    assert "Ocean" not in words
    assert words[-1] == "Sea"


@pytest.mark.parametrize(
    ("water", "words"),
    [
        (STRAIT, {"Strait", "Channel", "Passage"}),
        (INLET, {"Reach", "Sound"}),
        (BEND, {"Bight", "Waters"}),
        (SHALLOWS, {"Banks", "Shoals"}),
    ],
)
def test_small_waters_that_are_not_enclosed_have_other_words(water, words):
    others = [SEA, SEA, LARGE_SEA, LARGE_SEA]
    words_used = {_words([water, *others], str(seed))[0] for seed in range(30)}
    assert words_used == words


@pytest.mark.parametrize("count", [8, 13, 19, 27, 100])
def test_sizes_follow_the_order_of_words_and_at_most_half_are_seas(count):
    for seed in range(100):
        rng = random_stream(f"waters {seed}", "test")
        draws = rng.random((count, 4)).tolist()
        waters = [Water(0.6 + size, shore, 0.1 + round_ / 2, pick < 0.3)
                  for size, shore, round_, pick in draws]  # fmt: skip
        words = _words(waters, str(seed))
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
