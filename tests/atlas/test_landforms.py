"""The measurements and rules of the landforms, on maps drawn with letters."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judge.tests.drawing.toy_map import ruled_toy_chart, toy_chart

from diplomaccloud.atlas.generator.pipeline import open_land
from diplomaccloud.atlas.landforms import (
    OUTSIDE,
    Ground,
    Landform,
    Line,
    Surface,
    _find_pockets,
    choose_disjoint,
    find_landform,
    find_landform_faults,
    landform_of,
    name_landform,
    read_ground,
    trace_ground,
)
from diplomaccloud.judge.board import BorderKind, BorderRule, Location
from diplomaccloud.judge.drawing.europe import standard_chart


def draw(*rows, **members):
    """Return the ground of a map of square cells.

    Each letter is an area: capital letters are land, small ones sea, digits impassable.
    """
    names = sorted(set("".join(rows)))
    numbers = {name: number for number, name in enumerate(names)} | {"": OUTSIDE}
    height, width = len(rows), len(rows[0])

    def at(x, y):
        return rows[y][x] if 0 <= x < width and 0 <= y < height else ""

    pieces = [
        ((at(x - 1, y), at(x, y)), ((x, y), (x, y + 1)))
        for y in range(height)
        for x in range(width + 1)
    ] + [
        ((at(x, y - 1), at(x, y)), ((x, y), (x + 1, y)))
        for y in range(height + 1)
        for x in range(width)
    ]
    cells = {
        name: [(x, y) for y, row in enumerate(rows) for x, one in enumerate(row) if one == name]
        for name in names
    }
    homes = [{numbers[one] for one in home} for home in members.pop("homes", ())]
    return Ground(
        surfaces=tuple(
            Surface.IMPASSABLE
            if name.isdigit()
            else Surface.LAND
            if name.isupper()
            else Surface.SEA
            for name in names
        ),
        lines=tuple(
            Line((numbers[left], numbers[right]), ends, 1.0)
            for (left, right), ends in pieces
            if left != right
        ),
        sizes=tuple(float(len(cells[name])) for name in names),
        middles=tuple(
            (
                sum(x + 0.5 for x, _ in cells[name]) / len(cells[name]) / width,
                sum(y + 0.5 for _, y in cells[name]) / len(cells[name]) / height,
            )
            for name in names
        ),
        players=members.pop("players", len(homes)),
        homes=tuple(map(frozenset, homes)),
        **{
            name: frozenset(numbers[one] for one in members[name])
            for name in ("canals", "split", "neutrals")
            if name in members
        },
        closed=frozenset(
            frozenset(numbers[one] for one in pair) for pair in members.pop("closed", ())
        ),
    )


def spell(ground_rows, groups):
    """Return groups of areas as words."""
    names = sorted(set("".join(ground_rows)))
    return ["".join(sorted(names[area] for area in group)) for group in groups]


class TestMasses:
    ROWS = ("aaaaaa", "aABaCa", "aDDaaa", "aaaaaa")

    def test_the_largest_mass_is_measured_in_provinces(self):
        ground = draw(*self.ROWS)
        assert spell(self.ROWS, ground.masses) == ["ABD", "C"]
        assert ground.mass == 3 / 4

    def test_a_closed_border_does_not_divide_a_land_mass(self):
        assert draw(*self.ROWS, closed=["AB", "AD", "BD"]).mass == 3 / 4

    def test_impassable_land_does_not_join_two(self):
        assert draw("aaaaa", "aA1Ba", "aaaaa").mass == 1 / 2


class TestBridges:
    def test_two_parts_of_thirty_percent(self):
        rows = ("aaaaaaaa", "aABaEFGa", "aCCDDHIa", "aaaaJJJa", "aaaaaaaa")
        assert spell(rows, [draw(*rows).bridges]) == ["D"]

    def test_a_smaller_part_is_a_spit(self):
        rows = ("aaaaaaaa", "aABaEFGa", "aAADDHIa", "aaaaJJKa", "aaaaaaaa")
        assert draw(*rows).bridges == ()


class TestPeninsulas:
    ROWS = ("aaaaaa", "aABCCa", "aHH11a", "aIJKLa", "aaaaaa")

    def test_exactly_sixty_percent_of_coast(self):
        ground = draw(*self.ROWS)
        assert "ABC" in spell(self.ROWS, ground.peninsulas)
        (group,) = (one for one in ground.peninsulas if len(one) == 3)
        assert (ground.measure_coast(group), ground.measure_rim(group)) == (6, 10)

    def test_less_coast_is_too_little(self):
        rows = ("a2aaaa", *self.ROWS[1:])
        assert "ABC" not in spell(rows, draw(*rows).peninsulas)

    def test_a_third_border_is_too_many(self):
        rows = (*self.ROWS[:2], "aHHM1a", *self.ROWS[3:])
        assert "ABC" not in spell(rows, draw(*rows).peninsulas)

    def test_two_provinces_are_too_few(self):
        rows = ("aaaaaa", "aABBBa", "aHH11a", "aIJKLa", "aaaaaa")
        assert draw(*rows).peninsulas == ()

    def test_an_island_and_the_body_of_a_continent_are_none(self):
        assert draw("aaaaa", "aABCa", "aaaaa").peninsulas == ()

    def test_the_most_that_do_not_overlap(self):
        groups = [frozenset(one) for one in ((1, 2), (3, 4), (1, 2, 3), (5, 6, 7))]
        assert choose_disjoint(groups) == (groups[0], groups[1], groups[3])


class TestEnclosedSeas:
    ROWS = ("AAAAiii", "AbcciiB", "AdefghB", "AAAAAhh")

    def test_two_borders_with_other_seas(self):
        assert "bcdef" in spell(self.ROWS, draw(*self.ROWS).enclosed_seas)

    def test_a_third_border_opens_it(self):
        rows = (*self.ROWS[:3], "AAjAAhh")
        assert "bcdef" not in spell(rows, draw(*rows).enclosed_seas)

    def test_a_sea_at_the_frame_is_open(self):
        rows = ("AAAA", "bcdA", "AAAA")
        assert spell(rows, draw(*rows).enclosed_seas) == ["c", "d", "cd"]

    def test_a_small_one_without_a_way_out_is_a_lake(self):
        rows = ("aaaaaaa", "aABBBCa", "aAbcdCa", "aADDDCa", "aaaaaaa")
        assert spell(rows, draw(*rows).lakes) == ["bcd"]


@st.composite
def graphs(draw_value):
    """A connected graph of up to nine nodes, as the neighbors of each."""
    count = draw_value(st.integers(2, 9))
    pairs = {(draw_value(st.integers(0, node - 1)), node) for node in range(1, count)}
    pairs |= draw_value(st.sets(st.sampled_from(list(combinations(range(count), 2))), max_size=6))
    return [
        frozenset(b if a == node else a for a, b in pairs if node in (a, b))
        for node in range(count)
    ]


@settings(max_examples=50)
@given(graphs())
def test_all_groups_with_up_to_two_borders_are_found(graph):
    """The quick search finds what trying all groups finds."""
    nodes = frozenset(range(len(graph)))

    def is_connected(group):
        seen, queue = set(group[:1]), [*group[:1]]
        for node in queue:
            near = graph[node].intersection(group) - seen
            seen |= near
            queue += near
        return len(seen) == len(group)

    wanted = {
        frozenset(group)
        for size in range(1, len(graph))
        for group in combinations(range(len(graph)), size)
        if is_connected(group) and sum(len(graph[node].difference(group)) for node in group) <= 2
    }
    found = _find_pockets(graph, [nodes])
    assert set(found) == wanted
    assert [len(group) for group in found] == sorted(len(group) for group in found)


def test_of_a_ring_of_provinces_only_the_smallest_groups_are_listed():
    count = 120
    graph = [frozenset(((node - 1) % count, (node + 1) % count)) for node in range(count)]
    found = _find_pockets(graph, [frozenset(range(count))])
    assert len(found) == 4_000 < count * (count - 1)
    assert {len(group) for group in found} == {*range(1, 35)}


class TestRanges:
    def test_pieces_and_their_share_of_the_land(self):
        rows = ("aaaaaa", "aA11Ba", "aCD2Ea", "aFG3Ha", "aaaaaa")
        ground = draw(*rows)
        assert spell(rows, ground.ranges) == ["123"]
        assert ground.impassable_share == 4 / 12

    def test_an_open_border_between_two_ranges_is_a_pass(self):
        rows = ("aaaaa", "aABCa", "a1D2a", "aEDFa", "aaaaa")
        assert spell(rows, draw(*rows).passes) == ["BD"]

    def test_a_closed_border_is_a_range(self):
        rows = ("aaaaa", "aABCa", "aGD2a", "aEDFa", "aaaaa")
        assert draw(*rows).passes == frozenset()
        passes = draw(*rows, closed=["AG", "BG"]).passes
        assert spell(rows, passes) == ["BD"]


class TestRules:
    def test_an_unknown_landform_is_answered_with_all_of_them(self):
        with pytest.raises(ValueError, match="'atlantis' is not a landform: choose continents, "):
            find_landform("atlantis")

    def test_a_map_names_its_landform(self):
        maker = name_landform("generator 8", Landform.OLD_EUROPE) + ", placement 3"
        assert landform_of(maker) is Landform.OLD_EUROPE
        assert landform_of("generator 7, placement 1") is None

    def test_two_continents(self):
        ground = draw("aaaaa", "aAaBa", "aAaBa", "aaaaa", homes=["A", "B"])
        assert find_landform_faults(ground, Landform.CONTINENTS) == ()
        assert find_landform_faults(ground, Landform.PANGAEA) == (
            "The largest land mass has 50% of the land provinces, less than 90%.",
        )

    def test_land_at_the_frame(self):
        (fault,) = find_landform_faults(draw("aaaa", "aAAA", "aaaa"), Landform.PANGAEA)
        assert fault == "The land reaches the frame in 1 place."

    def test_powers_alone_on_their_islands(self):
        rows = ("aaaaaaaaa", "aAaBaCaDa", "aAaBaEaFa", "aaaaaaaaa")
        assert draw(*rows, homes=["A", "B", "C", "E"]).island_powers == (0, 1)
        faults = find_landform_faults(
            draw(*rows, homes=["A", "C", "E", "D", "F"]), Landform.ARCHIPELAGO
        )
        assert faults[-1] == "1 of 5 powers are alone on their islands, less than half."

    def test_an_isthmus_needs_its_canal(self):
        rows = ("aaaaaaa", "aAaaaEa", "aBCCCFa", "aaaaaaa")
        ground = draw(*rows)
        assert find_landform_faults(ground, Landform.ISTHMUS) == (
            "No canal leads through the isthmus.",
        )
        bridge = frozenset(ground.bridges)
        assert find_landform_faults(replace(ground, canals=bridge), Landform.ISTHMUS) == ()

    def test_a_great_river_touches_three_powers_or_all(self):
        rows = ("aaaaaaaaa", "aABCDEFGa", "aHIJKLMNa", "aaaaaaaaa")
        names = sorted(set("".join(rows)))
        river = frozenset(
            frozenset((names.index(one), names.index(two)))
            for one, two in zip("ABCDEF", "HIJKLM", strict=True)
        )
        for homes, most in ((["A", "K"], 0), (["A", "K", "N"], 1)):
            ground = replace(draw(*rows, homes=homes), rivers=(river,))
            assert len(find_landform_faults(ground, Landform.GREAT_RIVER)) == most
        assert len(find_landform_faults(draw(*rows, homes=["A"]), Landform.GREAT_RIVER)) == 2

    def test_an_ice_cap(self):
        rows = ("aaaaaaa", "aABBBCa", "aA111Ca", "aDDEEEa", "aaaaaaa")
        assert find_landform_faults(draw(*rows), Landform.POLAR) == ()
        (fault,) = find_landform_faults(draw(*(row[2:] for row in rows)), Landform.POLAR)
        assert fault.startswith("No impassable land")
        (fault,) = find_landform_faults(draw(*rows[:2], "aA11caa", *rows[3:]), Landform.POLAR)
        assert fault == "The ice cap in the middle third of the map is not surrounded by land."

    def test_a_new_world_is_empty_and_rich(self):
        rows = ("aaaaaaa", "aABCaXa", "aDEFaYa", "aaaaaaa")
        good = draw(*rows, homes=["A", "C", "D"], neutrals="BEFX")
        assert find_landform_faults(good, Landform.NEW_WORLD) == ()
        poor = draw(*rows, homes=["A", "Y", "D"], neutrals="BEFX")
        assert find_landform_faults(poor, Landform.NEW_WORLD) == (
            "2 of 3 powers are on one land mass, less than 70%.",
            "A land mass without a home center has up to 0 of 4 neutral centers, less than a"
            " quarter.",
        )

    def test_few_players_have_no_old_europe(self):
        faults = find_landform_faults(draw("aaa", "aAa", "aaa", homes=["A"]), Landform.OLD_EUROPE)
        assert "There are 1 players; Old Europe needs at least 4." in faults


@pytest.fixture(scope="module")
def europe():
    return read_ground(standard_chart())


class TestEurope:
    def test_three_land_masses(self, europe):
        assert [len(mass) for mass in europe.masses] == [48, 6, 2]
        assert europe.island_powers == (1,)  # England

    def test_canals_are_not_split_coasts(self, europe):
        codes = [*standard_chart().board.by_code]
        assert {codes[area] for area in europe.canals} == {"CON", "DEN", "KIE", "SWE"}
        assert {codes[area] for area in europe.split} == {"BUL", "SPA", "STP"}

    def test_switzerland_is_no_range(self, europe):
        assert 0.004 < europe.impassable_share < 0.008
        assert find_landform_faults(europe, Landform.POLAR) != ()

    def test_nearly_old_europe(self, europe):
        assert find_landform_faults(europe, Landform.OLD_EUROPE) == (
            "There is 1 peninsula; at least 2 must exist.",
        )


class TestMapFile:
    """What a map file of version 2 says about its terrain."""

    @pytest.fixture
    def toy(self):
        chart = ruled_toy_chart()
        codes = [*chart.board.by_code]
        return chart, lambda *pair: frozenset(map(codes.index, pair))

    def test_rivers_whose_lines_do_not_meet_are_two(self, toy):
        chart, pair = toy
        assert read_ground(chart).rivers == ({pair("ALM", "KET")}, {pair("IST", "DUN")})

    def test_lines_of_a_river_meet(self, toy):
        chart, pair = toy
        bend = BorderRule(BorderKind.RIVER, Location("ALM"), Location("IST/WC"))
        rules = (chart.board.border_rules[0], bend)
        board = replace(chart.board, border_rules=rules)
        (river,) = read_ground(replace(chart, board=board)).rivers
        assert river == {pair("ALM", "KET"), pair("ALM", "IST")}

    def test_borders_closed_to_armies(self, toy):
        chart, pair = toy
        assert read_ground(chart).closed == {pair("ALM", "IST"), pair("KET", "IST")}
        assert read_ground(toy_chart()).closed == frozenset()

    def test_passages_from_the_left_edge_to_the_right_edge(self, toy):
        chart, pair = toy
        assert read_ground(chart).joined == (pair("WSE", "ESE"),)
        up = replace(chart.passages[0], points=((60.0, 250.0), (60.0, 0.0), (60.0, 320.0)))
        assert read_ground(replace(chart, passages=(up,))).joined == ()


def test_the_generator_and_the_chart_have_the_same_ground():
    opened = open_land("the first map")
    land, chart = opened.land, opened.first
    mesh, layout, count = land.mesh, land.layout, land.division.count_owners()
    traced = trace_ground(
        [Surface.LAND] * layout.lands
        + [Surface.SEA] * layout.seas
        + [Surface.IMPASSABLE] * layout.solids,
        land.lines,
        [mesh.lengths[list(line.edges)].sum() for line in land.lines],
        [1.0] * count,
        [(0.5, 0.5)] * count,
        players=7,
    )
    read = read_ground(chart)
    for name in ("surfaces", "touching", "at_frame", "masses", "bridges", "enclosed_seas"):
        assert getattr(traced, name) == getattr(read, name)
    assert traced.land_at_frame == pytest.approx(read.land_at_frame, abs=0.01)
    assert sum(read.sizes) == pytest.approx(chart.size[0] * chart.size[1])
    assert len(read.homes) == 7
    assert sum(map(len, [*read.homes, read.neutrals])) == len(chart.board.centers)
