"""Maps from seeds: the same everywhere, without faults, and as requested."""

import pytest

from diplomaccloud.atlas.chartfile import content_hash, dump_chart, load_chart
from diplomaccloud.atlas.generator.constraints import find_faults
from diplomaccloud.atlas.generator.land_plans import PLANS
from diplomaccloud.atlas.generator.landform_bounds import bounds_of
from diplomaccloud.atlas.generator.pipeline import build_spec, make_chart, make_placements
from diplomaccloud.atlas.generator.random_streams import random_stream
from diplomaccloud.atlas.landforms import (
    Landform,
    find_landform_faults,
    landform_of,
    read_ground,
)
from diplomaccloud.judge.board import Terrain
from diplomaccloud.judge.drawing.palette import color_difference
from diplomaccloud.judge.geography import count_steps, geography

GOLDEN = {
    ("a", 2, None): "3d67003f5815b7ae1abb2529663d49f2dbeaca143b955428ff7f703283c58863",
    ("b", 3, None): "0dfa9682c7975cfa01c70f5ea182d0808685f4d956a4d653e69fcd79ce601e5b",
    ("e", 5, None): "bccb45d16b900c98be0bdd039f931e973d59951a01c2aa9a01a613ac9e5bdf6b",
    ("the first map", 7, None): "e67b90c532b5e48138e834433b343c13308869e12b1c4098f5ecd4844302b34e",
    ("g", 10, None): "4b0ad104a77c0fbf3f5a40d6cac3047ccd6491bceaedcf0e83b13dd176702dbe",
    ("tail 4", 7, 80): "ba2016006c464d30daca8dee6f95a9bebd84ee97ef350cb93e7317b9010cb4a4",
}
"""The maps of generator 8, on every machine and with every supported Python and numpy.

By seed, players and provinces; the land of the last is repaired several times.
"""


@pytest.mark.parametrize(
    ("seed", "players"),
    [("a", 2), ("b", 3), ("c", 4), ("e", 5), ("e", 7), ("f", 7), ("ß ☂", 7), ("g", 10)],
)
def test_every_map_keeps_the_hard_constraints(seed, players):
    made = make_chart(seed, players)
    assert [str(fault) for fault in find_faults(made)] == []
    assert len(made.board.powers) == players
    assert load_chart(dump_chart(made)) == made


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 7])
@pytest.mark.parametrize("landform", PLANS)
def test_a_map_has_the_landform_that_was_asked_for(landform, players):
    fitting = bounds_of(landform).drawn_for
    players = min(max(players, fitting[0]), fitting[-1])
    made = make_chart("shape", players, landform=landform)
    assert landform_of(made.maker) is landform
    assert find_landform_faults(read_ground(made), landform) == ()
    assert [str(fault) for fault in find_faults(made)] == []
    assert load_chart(dump_chart(made)) == made


def test_seeds_draw_every_landform():
    drawn = {build_spec(f"lot {number}", 4, None, None).landform for number in range(100)}
    assert drawn == set(PLANS)


def test_seeds_draw_only_landforms_that_fit():
    drawn = {build_spec(f"lot {number}", 10, 100, 0.4).landform for number in range(20)}
    assert drawn == {Landform.ARCHIPELAGO}
    with pytest.raises(ValueError, match="100 is too few for 10 players with the landform archi"):
        build_spec("lot", 10, 100, 0.42, landform="archipelago")


def test_no_map_has_dead_water():
    for number in range(4):
        board = make_chart(f"water {number}", 3, landform="continents").board
        around = geography(board).around
        seas = {p.code for p in board.provinces if p.terrain is Terrain.SEA}
        assert not any(seas.issuperset(around[sea]) for sea in seas)


def test_one_seed_gives_one_map(chart):
    assert dump_chart(make_chart("the first map")) == dump_chart(chart)


@pytest.mark.parametrize(("seed", "players", "provinces"), GOLDEN)
def test_the_map_of_a_seed_is_the_same_everywhere(seed, players, provinces):
    made = make_chart(seed, players, provinces=provinces)
    assert content_hash(made) == GOLDEN[seed, players, provinces]


@pytest.mark.long
@pytest.mark.parametrize(("provinces", "players"), [(40, 2), (70, 7), (140, 7), (200, 13)])
def test_maps_of_other_sizes_keep_every_constraint(provinces, players):
    made = make_chart("size", players, provinces=provinces)
    assert len(made.board.provinces) == provinces
    assert find_faults(made) == ()


@pytest.mark.long
def test_the_largest_map_keeps_every_constraint_and_tells_rivals_apart():
    made = make_chart("thirty-four", 34)
    assert len(made.board.powers) == 34
    assert find_faults(made) == ()
    assert load_chart(dump_chart(made)) == made
    board = made.board
    homes = board.home_centers
    around = geography(board).around
    for power, others in homes.items():
        steps = count_steps(around, others)
        for rival in homes.keys() - {power}:
            if min(steps[home] for home in homes[rival]) <= 3:
                assert color_difference(made.palette[power], made.palette[rival]) >= 22


@pytest.mark.long
@pytest.mark.parametrize(
    "other",
    [
        {"seed": "another"},
        {"players": 6},
        {"provinces": 80},
        {"sea": 0.3},
        {"landform": "inland-sea"},
        {"homes": "equal"},
    ],
    ids=["seed", "players", "provinces", "sea", "landform", "homes"],
)
def test_every_argument_changes_the_map(chart, other):
    arguments = {"seed": "the first map", "players": 7} | other
    assert content_hash(
        make_chart(arguments.pop("seed"), arguments.pop("players"), **arguments)
    ) != (content_hash(chart))


@pytest.mark.long
def test_placements_share_their_land_and_the_first_is_the_map_of_the_seed(chart):
    first, second, third = make_placements("the first map", count=3)
    assert first == chart
    assert second == make_chart("the first map", placement=1)
    assert len({frozenset(made.board.starts) for made in (first, second, third)}) == 3
    assert {tuple(arc.points for arc in made.arcs) for made in (second, third)} == {
        tuple(arc.points for arc in first.arcs)
    }


def test_requested_numbers_are_used():
    made = make_chart("wish 3", 7, provinces=90, sea=0.3)
    terrains = [province.terrain for province in made.board.provinces]
    assert len(terrains) == 90
    assert terrains.count(Terrain.SEA) == 27


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ({"players": 1}, "players: 1"),
        ({"players": 35}, "players: 35"),
        ({"players": 34, "provinces": 339}, "34 players need 340 to 512 provinces"),
        ({"provinces": 69}, "provinces: 69 does not fit: 7 players need 70 to 140 provinces"),
        ({"provinces": 141}, "provinces: 141 does not fit: 7 players need 70 to 140 provinces"),
        ({"players": 2, "provinces": 33}, "2 players need 34 to 40 provinces"),
        ({"provinces": 70, "sea": 0.32, "landform": "pangaea"}, "70 is too few for 7 players"),
        ({"players": 3, "landform": "old-europe"}, "3 is too few for the landform old-europe"),
        (
            {"players": 14, "landform": "new-world"},
            "14 is too many for the landform new-world, which has room for 13",
        ),
        ({"homes": "equal", "landform": "old-europe"}, "homes: equal does not fit the landform"),
        ({"placement": -1}, "placement: -1"),
        ({"sea": 0.1}, "sea: 0.1"),
        ({"homes": "many"}, "homes: many is not varied or equal"),
        ({"sea": float("nan")}, "sea: nan"),
        ({"seed": "a" * 201}, "^seed: has 201 characters, which is longer than 200$"),
        ({"seed": "a\n"}, r"^seed: character 2 is U\+000A, which is not printable$"),
        ({"seed": "\udcff"}, r"^seed: character 1 is U\+DCFF, which is not printable$"),
    ],
)
def test_a_number_out_of_range_is_refused(arguments, part):
    with pytest.raises(ValueError, match=part):
        make_chart(**({"seed": "s"} | arguments))


def test_the_seven_power_map_has_the_numbers_of_the_standard_board(chart):
    board = chart.board
    assert len(board.provinces) == 75
    assert len(board.centers) == 34
    assert board.victory_centers == 18
    assert len(board.starts) == sum(map(len, board.home_centers.values()))


def test_each_stage_and_attempt_has_its_own_stream():
    drawn = {random_stream("s", stage, attempt).random() for stage in "ab" for attempt in (0, 1)}
    assert len(drawn) == 4
    assert random_stream("s", "a").random() == random_stream("s", "a").random()


def test_progress_is_reported_in_stage_order_and_changes_nothing():
    stages = []
    chart = make_chart("a", 2, progress=stages.append)
    assert chart == make_chart("a", 2)
    last = [stages[::-1].index(stage) for stage in ("coasts and lettering", "names", "borders")]
    assert stages[0] == "land and sea"
    assert last == sorted(last)
