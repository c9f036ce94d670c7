"""A valid chart file, and changes that each add one fault."""

# ruff: noqa: E501 - a row is easier to read on one line

import copy
import json
from collections.abc import Callable

from judge.tests.drawing.toy_map import ruled_toy_chart, toy_chart

from diplomaccloud.atlas.chartfile import chart_to_json
from diplomaccloud.judge.codec import LATER

Data = dict
Change = Callable[[Data], None]


def valid_data() -> Data:
    """Return the toy chart as JSON values that a test may change."""
    return copy.deepcopy(json.loads(json.dumps(chart_to_json(toy_chart()))))


def ruled_data() -> Data:
    """Return the toy chart with rivers, closed borders and a lettered passage, as JSON values."""
    return copy.deepcopy(json.loads(json.dumps(chart_to_json(ruled_toy_chart()))))


def set_value(*path) -> Change:
    """Return a change that sets the value at `path` to its last item."""

    def change(data):
        *parents, last, value = path
        for step in parents:
            data = data[step]
        data[last] = value

    return change


def delete(*path) -> Change:
    def change(data):
        *parents, last = path
        for step in parents:
            data = data[step]
        del data[last]

    return change


def append(*path) -> Change:
    def change(data):
        *parents, value = path
        for step in parents:
            data = data[step]
        data.append(value)

    return change


def combine(*changes) -> Change:
    def change(data):
        for single_change in changes:
            single_change(data)

    return change


def move_arc(number, x, y) -> Change:
    """Return a change that moves every point of an arc."""

    def change(data):
        points = data["arcs"][number]["points"]
        data["arcs"][number]["points"] = [
            value + (y if i % 2 else x) for i, value in enumerate(points)
        ]

    return change


def find_arc(name) -> int:
    """Return the index of the arc between two provinces of the toy chart, e.g. `ALM-KET`."""
    provinces = set(name.split("-"))
    arcs = valid_data()["arcs"]
    return next(
        i for i, arc_data in enumerate(arcs) if {arc_data["left"], arc_data["right"]} == provinces
    )


def set_point(path, x, y):
    return set_value("shapes", *path, [float(x), float(y)])


def add_islet(points) -> Change:
    """Return a change that adds an islet with these points to the West Sea."""

    def change(data):
        data["arcs"].append({"kind": "coast", "left": "WSE", "right": "WSE", "points": points})
        data["scenery"].append(["", [[len(data["arcs"]) - 1]]])

    return change


def add_passages(count) -> Change:
    """Return a change that adds `count` equal passages from Borr to the East Sea."""
    passage = {"ends": ["BOR", "ESE"], "points": [1.0, 1.0, 470.0, 10.0]}
    return combine(append(*FLEETS, passage["ends"]), set_value("passages", [passage] * count))


def put_smaller_part_first(data) -> None:
    """Cut off a corner of the West Sea and put it before the rest."""
    at = next(
        i
        for i, arc_data in enumerate(data["arcs"])
        if arc_data["points"][-4:] == [0.0, 320.0, 0.0, 0.0]
    )
    x, y, *_ = data["arcs"][at]["points"]
    data["shapes"][WSE]["polygons"].insert(0, [[len(data["arcs"]), len(data["arcs"]) + 1]])
    data["arcs"] += [
        {"kind": "frame", "left": None, "right": "WSE", "points": [x - 9, y, 0.0, y, 0.0, y - 9]},
        {"kind": "sea", "left": "WSE", "right": "WSE", "points": [0.0, y - 9, x - 9, y]},
    ]


ALM, KET, IST, BOR, DUN, WSE, ESE = range(7)
PROVINCES, ARMIES, FLEETS = (
    ("board", "provinces"),
    ("board", "army_borders"),
    ("board", "fleet_borders"),
)
UNKNOWN_SEA = "there is no province NTH"

# Test id, change, path of the fault, part of the message.
BROKEN = [
    # Types, ranges, members.
    ("version 3", set_value("v", 3), "v", "versions 1 and 2 only"),
    ("a version that is text", set_value("v", "1"), "v", "a string, not an integer"),
    ("no board", delete("board"), "board", "is missing"),
    ("a list for the board", set_value("board", []), "board", "a list, not an object"),
    ("an unknown member", set_value("motto", "red"), "motto", "not a member of this format"),
    ("an unknown member of a province", set_value(*PROVINCES, 0, "kind", "sea"), "board.provinces[0].kind", "not a member"),
    ("a code in lowercase", set_value(*PROVINCES, 0, "code", "alm"), "board.provinces[0].code", "is 'alm', which does not match"),
    ("a code that is markup", set_value("board", "impassable", 0, 0, "<B>"), "board.impassable[0][0]", "does not match"),
    ("text that runs backwards", set_value(*PROVINCES, 0, "name", "\u202eAlmar"), "board.provinces[0].name", "unprintable character"),
    ("a control character", set_value("world", "a\x00b"), "world", "unprintable character"),
    ("half a surrogate pair", set_value("world", "\ud800"), "world", "unprintable character"),
    ("a very long name", set_value("world", "a" * 81), "world", "longer than 80"),
    ("a province without a name", set_value(*PROVINCES, 0, "name", ""), "board.provinces[0].name", "is empty"),
    ("an unknown terrain", set_value(*PROVINCES, 0, "terrain", "lava"), "board.provinces[0].terrain", "not one of"),
    ("a string for a boolean", set_value(*PROVINCES, 0, "center", "yes"), "board.provinces[0].center", "not true or false"),
    ("a boolean for a number", set_value("size", [True, 100.0]), "size[0]", "a boolean, not a number"),
    ("an infinite size", set_value("size", [float("inf"), 100.0]), "size[0]", "is inf"),
    ("a size that is not a number", set_value("size", [float("nan"), 100.0]), "size[0]", "is nan"),
    ("a huge whole number", set_value("size", [10**400, 100]), "size[0]", "is huge"),
    ("no height", set_value("size", [480.0]), "size", "has 1 items instead of 2"),
    ("a size of zero", set_value("size", [480.0, 0]), "size[1]", "not from 1"),
    ("huge coordinates", set_value("arcs", 0, "points", [0.0, 0.0, 1e9, 0.0]), "arcs[0].points[2]", "is 1e+09"),
    ("a coordinate that is not a number", set_value("arcs", 0, "points", 2, float("nan")), "arcs[0].points[2]", "is nan"),
    ("an odd number of coordinates", set_value("arcs", 0, "points", [1.0, 2.0, 3.0, 4.0, 5.0]), "arcs[0].points", "has 5 numbers"),
    ("one point", set_value("arcs", 0, "points", [1.0, 2.0]), "arcs[0].points", "has 2 numbers"),
    ("an unknown kind of arc", set_value("arcs", 0, "kind", "river"), "arcs[0].kind", "not one of"),
    ("a fraction for an arc", set_value("shapes", 0, "polygons", [[[0.5]]]), "shapes[0].polygons[0][0][0]", "not an integer"),
    ("an empty ring", set_value("shapes", 0, "polygons", [[[]]]), "shapes[0].polygons[0][0]", "the minimum is 1"),
    ("no outline", set_value("shapes", 0, "polygons", []), "shapes[0].polygons", "the minimum is 1"),
    ("a script as a color", set_value("palette", "ALMAR", "url(x)"), "palette.ALMAR", "is 'url(x)', which does not match"),
    ("a key that is markup", set_value("fairness", "<b>", 1.0), "fairness: key '<b>'", "does not match"),
    ("a measure that is text", set_value("fairness", "cv", "1"), "fairness.cv", "not a number"),
    ("zero centers to win", set_value("board", "victory_centers", 0), "board.victory_centers", "not from 1"),
    ("relief that is not base64", set_value("relief", "values", "*"), "relief.values", "does not match"),
    ("relief in invalid base64", set_value("relief", "values", "AAA"), "relief.values", "is not base64"),
    ("relief too short", set_value("relief", "width", 49), "relief.values", "heights instead of 1568"),
    ("a million provinces", set_value(*PROVINCES, [{}] * 1_000_000), "board.provinces", "has 1000000 items; the maximum is 512"),
    # The names: codes, places, powers.
    ("a repeated code", set_value(*PROVINCES, KET, "code", "ALM"), "board.provinces[1].code", "'ALM' is also the code of board.provinces[0]"),
    ("the code of an impassable space", set_value("board", "impassable", 0, 0, "ALM"), "board.impassable[0][0]", "also the code of"),
    ("a repeated name", set_value(*PROVINCES, KET, "name", "Almar"), "board.provinces[1].name", "'Almar' is also the name of board.provinces[0]"),
    ("a repeated power", set_value("board", "powers", 1, 0, "ALMAR"), "board.powers[1][0]", "also the key of"),
    ("a repeated coast", set_value(*PROVINCES, IST, "coasts", ["EC", "EC"]), "board.provinces[2].coasts[1]", "also the coast"),
    ("a single coast", set_value(*PROVINCES, BOR, "coasts", ["WC"]), "board.provinces[3].coasts", "has only one coast; leave the list empty"),
    ("coasts at sea", set_value(*PROVINCES, WSE, "coasts", ["NC", "SC"]), "board.provinces[5].coasts", "must be empty, because WSE is sea"),
    ("a home of an unknown power", set_value(*PROVINCES, BOR, "home", "FRANCE"), "board.provinces[3].home", "no power 'FRANCE'"),
    ("a border to an unknown province", set_value(*FLEETS, 0, 1, "NTH"), "board.fleet_borders[0][1]", UNKNOWN_SEA),
    ("a border into an impassable space", append(*FLEETS, ["ESE", "ROK"]), "board.fleet_borders[10][1]", "ROK is impassable"),
    ("a fleet without a coast where there are two", set_value(*FLEETS, 1, 0, "IST"), "board.fleet_borders[1][0]", "needs a coast: IST/EC or IST/WC"),
    ("a fleet on an unknown coast", set_value(*FLEETS, 1, 0, "IST/NC"), "board.fleet_borders[1][0]", "IST has no coast NC"),
    ("an army at sea", set_value(*ARMIES, 0, 1, "WSE"), "board.army_borders[0][1]", "no army can be in WSE, which is sea"),
    ("an army on a coast", set_value(*ARMIES, 0, 1, "IST/EC"), "board.army_borders[0][1]", "is 'IST/EC', which does not match"),
    ("a border with itself", set_value(*ARMIES, 0, ["ALM", "ALM"]), "board.army_borders[0]", "cannot border itself"),
    ("a repeated border", append(*ARMIES, ["KET", "ALM"]), "board.army_borders[6]", "already a pair in board.army_borders[0]"),
    ("a start in an unknown province", set_value("board", "starts", 0, 2, "PAR"), "board.starts[0][2]", "no province PAR"),
    ("a start of an unknown power", set_value("board", "starts", 0, 0, "FRANCE"), "board.starts[0][0]", "no power 'FRANCE'"),
    ("a fleet in an inland province", combine(set_value(*PROVINCES, BOR, "terrain", "inland"), set_value("board", "starts", 1, 2, "BOR")), "board.starts[1][2]", "no fleet can be in BOR"),
    ("two units in one province", append("board", "starts", ["ALMAR", "A", "ALM"]), "board.starts[2]", "another unit starts in ALM: board.starts[0]"),
    ("a unit in another power's home", set_value("board", "starts", 0, ["ALMAR", "A", "DUN"]), "board.starts[0]", "DUN is a home province of DUNN"),
    ("a color for an unknown power", set_value("palette", "FRANCE", "#000000"), "palette.FRANCE", "no power 'FRANCE'"),
    ("no color", delete("palette", "DUNN"), "palette", "has no color for DUNN"),
    ("one color for two powers", set_value("palette", "DUNN", "#c8453c"), "palette.DUNN", "is also the color of ALMAR"),
    ("colors too similar to distinguish", set_value("palette", "DUNN", "#c8453d"), "palette.DUNN", "is too similar to #c8453c, the color of ALMAR"),
    ("an arc next to an unknown province", set_value("arcs", 0, "right", "NTH"), "arcs[0].right", UNKNOWN_SEA),
    ("scenery of an unknown space", set_value("scenery", 0, 0, "SWI"), "scenery[0][0]", "no impassable space SWI"),
    ("an impassable space that is not drawn", set_value("scenery", []), "board.impassable[0]", "ROK is missing from the scenery"),
    ("a repeated province", lambda data: data["shapes"].append(data["shapes"][0]), "shapes[7].province", "already drawn in shapes[0]"),
    ("a province without a shape", delete("shapes", KET), "shapes", "KET has no shape"),
    ("a unit at a place of another province", set_value("shapes", ALM, "units", "DUN", [1, 2]), "shapes[0].units.DUN", "has no such coast"),
    ("no place for a unit", set_value("shapes", ALM, "units", {}), "shapes[0].units", "has no place for a unit at ALM"),
    ("no place on a coast", delete("shapes", IST, "units", "IST/WC"), "shapes[2].units", "has no place for a unit at IST/WC"),
    ("a center without a star", set_value("shapes", ALM, "star", None), "shapes[0].star", "ALM is a supply center"),
    ("a star without a center", set_value("shapes", KET, "star", [300.0, 40.0]), "shapes[1].star", "must be null, because KET is not a supply center"),
    ("a title in a file of version 1", set_value("title", "The Isles"), "v", "is 1, but title needs version 2"),
    ("features in a file of version 1", set_value("features", [{"kind": "ice", "points": [9, 9]}]), "v", "is 1, but features needs version 2"),
    ("a feature of no kind", set_value("features", [{"kind": "sea", "points": [9, 9]}]), "features[0].kind", "is 'sea'"),
    ("a river of one point", set_value("features", [{"kind": "river", "points": [9, 9]}]), "features[0].points", "a river needs at least 2 points"),
    ("a sign outside the map", set_value("features", [{"kind": "ice", "points": [9, -9]}]), "features[0].points[0]", "(9, -9) is outside the map"),
    ("two features with one name", set_value("features", [{"kind": "lake", "points": [9, 9, 9, 8, 8, 8], "name": name} for name in ("Kal", "KAL")]), "features[1].name", "'KAL' is also the name of features[0]"),
    ("a place for no name", set_value("features", [{"kind": "river", "points": [9, 9, 8, 8], "label": [1, 1, 2, 1]}]), "features[0].label", "there is no name to print"),
    ("a title that is too long", set_value("title", "x" * 81), "title", "is longer than 80 characters"),
    ("a title of several lines", set_value("title", "The\nIsles"), "title", "contains an unprintable character"),
    ("a blank title", set_value("title", ""), "title", "is empty"),
    ("a title that is not text", set_value("title", ["The Isles"]), "title", "is a list"),
    ("a passage without a border", set_value("passages", [{"ends": ["WSE", "ESE"], "points": [1.0, 1.0, 470.0, 1.0]}]), "passages[0].ends", "have no border on the board"),
    ("a passage beside a border", set_value("passages", [{"ends": ["ALM", "KET"], "points": [200.0, 40.0, 300.0, 40.0]}]), "passages[0].ends", "touch on the map, so they need no passage"),
    ("a repeated passage", add_passages(2), "passages[1].ends", "already have a passage: passages[0]"),
    ("a name that starts with a space", set_value(*PROVINCES, KET, "name", " Kett"), "board.provinces[1].name", "has a space at either end"),
    ("a blank label", set_value("shapes", KET, "label_lines", ["  "]), "shapes[1].label_lines[0]", "has a space at either end"),
    ("the name of another province as label", set_value("shapes", KET, "label_lines", ["Almar"]), "shapes[1].label_lines", "is 'Almar', but the name of KET is 'Kett'"),
    ("a label cut short", set_value("shapes", WSE, "label_lines", ["West"]), "shapes[5].label_lines", "is 'West', but the name of WSE is 'West Sea'"),
    ("an alias that is another's code", set_value(*PROVINCES, KET, "aliases", ["alm"]), "board.provinces[1].aliases[0]", "'alm' reads like 'ALM' in board.provinces[0].code"),
    ("a name that differs only by accents", set_value(*PROVINCES, KET, "name", "\u00c1lmar"), "board.provinces[1].name", "reads like 'Almar'"),
    ("one adjective for two powers", set_value("board", "powers", 1, 2, "Almarian"), "board.powers[1][2]", "reads like 'Almarian' in board.powers[0][2]"),
    # The game.
    ("a victory at the start", set_value("board", "victory_centers", 1), "board.victory_centers", "is 1, but ALMAR starts with 1 centers"),
    ("a wrong figure", set_value("fairness", "fleet_share", 0.9), "fairness.fleet_share", "is 0.9, but the value for this board is 0.5"),
    ("a wrong size figure", set_value("fairness", "sea_share", 0.5), "fairness.sea_share", "is 0.5, but the value for this board is 0.2857"),
    ("a center at sea", set_value(*PROVINCES, WSE, "center", True), "board.provinces[5].center", "WSE is a sea"),
    ("a home at sea", set_value(*PROVINCES, WSE, "home", "ALMAR"), "board.provinces[5].home", "WSE is a sea"),
    ("a power without a home center", set_value(*PROVINCES, DUN, "home", None), "board.powers[1]", "DUNN has no home center"),
    ("a power without a unit", delete("board", "starts", 1), "board.powers[1]", "DUNN has no starting unit"),
    ("more centers to win than there are", set_value("board", "victory_centers", 4), "board.victory_centers", "is 4, but the board has only 3 centers"),
    ("an unreachable province", combine(set_value("board", "army_borders", []), set_value("board", "fleet_borders", [])), "board.provinces[1]", "there is no connection from KET"),
    # Lines and rings.
    ("an arc that does not exist", set_value("shapes", 0, "polygons", [[[99]]]), "shapes[0].polygons[0][0][0]", "there is no arc 99; there are 20 arcs"),
    ("a ring that does not close", delete("shapes", 0, "polygons", 0, 0, 1), "shapes[0].polygons[0][0][0]", "the ring does not close"),
    ("an unknown landform", set_value("maker", "hand, landform atlantis"), "maker", "names an unknown landform: 'atlantis' is not a landform: choose continents, pangaea"),
    ("an arc of only one shape", delete("shapes", BOR), f"arcs[{find_arc('IST-BOR')}]", "is part of 1 outline"),
    ("an arc of no shape", append("arcs", {"kind": "coast", "left": "WSE", "right": "ALM", "points": [1.0, 1.0, 9.0, 9.0]}), "arcs[20]", "is part of 0 outlines"),
    ("sides swapped", lambda data: data["arcs"][find_arc("ALM-KET")].update(left="ALM", right="KET"), f"arcs[{find_arc('ALM-KET')}].left", "is ALM, but the outline of KET is on that side"),
    ("an arc outside the map", move_arc(0, 0, -20), "arcs[0].points[0]", "(0, -20) is outside the map"),
    ("a passage outside the map", set_value("passages", [{"ends": ["BOR", "ESE"], "points": [150.0, 260.0, 900.0, 40.0]}]), "passages[0].points[2]", "(900, 40) is outside the map"),
    ("an arc without length", set_value("arcs", 0, "points", [0.0, 0.0, 0.0, 0.0]), "arcs[0].points", "has zero length"),
    ("a ring without area", set_value("arcs", 19, "points", [425.0, 140.0, 438.0, 146.0, 425.0, 140.0]), "scenery[0][1][0]", "has no area"),
    # Board and drawing.
    ("a border that is not drawn", append(*ARMIES, ["ALM", "DUN"]), "board.army_borders[6]", "ALM and DUN do not touch"),
    ("a sea that is not adjacent", append(*FLEETS, ["ALM", "ESE"]), "board.fleet_borders[10]", "ALM and ESE do not touch"),
    ("a land border that is not on the board", delete(*ARMIES, 0), f"arcs[{find_arc('ALM-KET')}]", "ALM and KET touch, but are not a pair in board.army_borders"),
    ("a shore that is not on the board", delete(*FLEETS, 0), f"arcs[{find_arc('ALM-WSE')}]", "ALM and WSE touch, but are not a pair in board.fleet_borders"),
    ("a coastal border that is not on the board", delete(*FLEETS, 3), f"arcs[{find_arc('ALM-IST')}]", "ALM and IST meet at WSE, but are not a pair in board.fleet_borders"),
    ("a coastal border without water", append(*FLEETS, ["ALM", "KET"]), "board.fleet_borders[10]", "no sea that fleets reach from both touches the border of ALM and KET"),
    ("a land border called a coast", set_value("arcs", find_arc("ALM-KET"), "kind", "coast"), f"arcs[{find_arc('ALM-KET')}].kind", "must be land"),
    ("a frame within the map", set_value("arcs", find_arc("ALM-KET"), "kind", "frame"), f"arcs[{find_arc('ALM-KET')}]", "is of kind frame, but it divides"),
    ("an inland province on the sea", set_value(*PROVINCES, BOR, "terrain", "inland"), "board.provinces[3].terrain", "BOR touches WSE"),
    ("more coasts than shores", set_value(*PROVINCES, IST, "coasts", ["EC", "WC", "NC"]), "board.provinces[2].coasts", "3 coasts, but 2 stretches"),
    ("coasts swapped", combine(set_value(*FLEETS, 1, 0, "IST/EC"), set_value(*FLEETS, 6, 0, "IST/WC")), "board.fleet_borders[4]", "no sea that fleets reach from both touches the border of IST/WC and BOR"),
    ("a coast that fleets cannot reach", set_value(*FLEETS, 1, 0, "IST/EC"), "board.fleet_borders[3]", "no sea that fleets reach from both touches the border of ALM and IST/WC"),
    ("a shore without a coast", delete(*FLEETS, 1), "board.provinces[2].coasts", "no coast of IST borders all of its shore at WSE"),
    # Geometry.
    ("fleets at each other's shores", combine(set_point((IST, "units", "IST/EC"), 186, 186), set_point((IST, "units", "IST/WC"), 290, 180)), "shapes[2].units.'IST/EC'", "is at the shore of IST/WC"),
    ("an islet with an invalid outline", add_islet([425.0, 140.0, 445.0, 160.0, 445.0, 140.0, 425.0, 165.0, 425.0, 140.0]), "scenery[1][1]", "not a simple polygon"),
    ("an islet on land", add_islet([200.0, 20.0, 210.0, 20.0, 205.0, 30.0, 200.0, 20.0]), "shapes[0].polygons[0]", "overlaps scenery[1][1]"),
    ("an islet over an islet", combine(add_islet([30.0, 20.0, 60.0, 20.0, 45.0, 40.0, 30.0, 20.0]), add_islet([40.0, 22.0, 50.0, 22.0, 45.0, 30.0, 40.0, 22.0])), "scenery[1][1]", "overlaps scenery[2][1]"),
    ("the smaller polygon first", put_smaller_part_first, "shapes[5].polygons[1]", "is larger than shapes[5].polygons[0]"),
    ("a passage from another province", add_passages(1), "passages[0].points[0]", "(1, 1) is outside BOR"),
    ("lines that cross", set_value("arcs", find_arc("ALM-KET"), "points", [252.0, 0.0, 100.0, 60.0, 248.0, 102.0]), f"arcs[{find_arc('ALM-WSE')}].points", f"crosses arcs[{find_arc('ALM-KET')}] at"),
    ("a line that crosses itself", set_value("arcs", find_arc("ALM-KET"), "points", [252.0, 0.0, 252.0, 60.0, 280.0, 60.0, 280.0, 30.0, 230.0, 30.0, 248.0, 102.0]), f"arcs[{find_arc('ALM-KET')}].points", "crosses itself"),
    ("an outline that crosses itself", set_value("arcs", find_arc("ALM-KET"), "points", [252.0, 0.0, 252.0, 60.0, 280.0, 60.0, 280.0, 30.0, 230.0, 30.0, 248.0, 102.0]), "shapes[0].polygons[0]", "not a simple polygon"),
    ("an islet across a coast", move_arc(19, -110, 0), f"arcs[{find_arc('IST-ESE')}].points", "crosses arcs[19]"),
    ("a half-empty map", set_value("size", [960.0, 320.0]), "shapes", "50.0% of the map belongs to no shape"),
    ("a name outside", set_point((ALM, "label"), 300, 40), "shapes[0].label", "(300, 40) is outside ALM"),
    ("a unit outside", set_point((ALM, "units", "ALM"), 20, 40), "shapes[0].units.ALM", "is outside ALM"),
    ("a fleet outside", set_point((IST, "units", "IST/WC"), 20, 40), "shapes[2].units.'IST/WC'", "is outside IST"),
    ("a dislodged unit outside", set_point((ALM, "dislodged"), 20, 40), "shapes[0].dislodged", "is outside ALM"),
    ("a star outside", set_point((ALM, "star"), 20, 40), "shapes[0].star", "is outside ALM"),
    ("a unit on the edge of the map", set_point((WSE, "units", "WSE"), 3, 160), "shapes[5].units.WSE", "is cut off by the edge"),
    ("a star under a unit", set_point((ALM, "star"), 202, 68), "shapes[0].units.ALM", "overlaps shapes[0].star"),
    ("overlapping names", combine(set_point((ALM, "label"), 240, 30), set_point((KET, "label"), 260, 30)), "shapes[0].label", "overlaps shapes[1].label"),
    ("names too large", combine(set_value("shapes", ALM, "label_size", 60.0), set_value("shapes", KET, "label_size", 60.0)), "shapes[0].label", "overlaps shapes[1].label"),
]  # fmt: skip


RULES = ("board", "border_rules")
CLOSED_TO_BOTH = {"kind": "closed", "from": "BOR", "to": "DUN", "units": ["A", "F"]}

# The same for the chart of `ruled_data`.
BROKEN_RULES = [
    ("rules in a file of version 1", set_value("v", 1), "v", "is 1, but board.border_rules needs version 2"),
    ("rules in a board of version 1", set_value("board", "v", 1), "board.border_rules", 'border rules need "v": 2'),
    ("a letter in a file of version 1", combine(set_value("v", 1), delete(*RULES)), "v", "is 1, but passages[0].mark needs version 2"),
    ("27 powers in a board of version 1", combine(set_value("board", "v", 1), set_value("board", "powers", [[f"P{i}", f"Power {i}", f"Of {i}"] for i in range(27)])), "board.powers", "more than 26 powers"),
    ("65 powers", set_value("board", "powers", [["A", "A", "A"]] * 65), "board.powers", "the maximum is 64"),
    ("nine coasts", set_value(*PROVINCES, IST, "coasts", ["AA"] * 9), "board.provinces[2].coasts", "the maximum is 8"),
    ("a rule without a place", delete(*RULES, 0, "to"), "board.border_rules[0].to", "is missing"),
    ("an unknown kind of rule", set_value(*RULES, 0, "kind", "wall"), "board.border_rules[0].kind", "is 'wall', not one of: closed, river"),
    ("a rule of an unknown province", set_value(*RULES, 2, "from", "XYZ"), "board.border_rules[2].from", "there is no province XYZ"),
    ("a closed coast", set_value(*RULES, 3, "to", "IST/EC"), "board.border_rules[3].to", "write IST"),
    ("a closed border without units", delete(*RULES, 2, "units"), "board.border_rules[2].units", "is missing"),
    ("units in the wrong order", set_value(*RULES, 3, "units", ["F", "A"]), "board.border_rules[3].units", "A, F, or both in this order"),
    ("a repeated unit", set_value(*RULES, 3, "units", ["A", "A"]), "board.border_rules[3].units", "A, F, or both in this order"),
    ("a rule for one province", set_value(*RULES, 2, "to", "ALM"), "board.border_rules[2]", "cannot border itself"),
    ("a repeated rule", append(*RULES, {"kind": "river", "from": "KET", "to": "ALM"}), "board.border_rules[4]", "are already in board.border_rules[0]"),
    ("a closed border that armies pass", append(*RULES, CLOSED_TO_BOTH), "board.border_rules[4]", "is closed, but board.army_borders[3] lets the army pass"),
    ("a closed border that fleets pass", append(*RULES, {**CLOSED_TO_BOTH, "to": "WSE"}), "board.border_rules[4]", "lets the fleet pass"),
    ("a closed border without a line", append(*RULES, {**CLOSED_TO_BOTH, "from": "ALM"}), "board.border_rules[4]", "ALM and DUN do not touch"),
    ("a river without a line", combine(append(*FLEETS, ["ALM", "BOR"]), append(*RULES, {"kind": "river", "from": "ALM", "to": "BOR"})), "board.border_rules[4]", "ALM and BOR do not touch"),
    ("a river that fleets do not follow", append(*RULES, {"kind": "river", "from": "BOR", "to": "DUN"}), "board.border_rules[4]", "not a pair in board.fleet_borders"),
    ("a river to a sea", set_value(*RULES, 0, {"kind": "river", "from": "ALM", "to": "WSE"}), "board.border_rules[0].to", "a river is between lands, but WSE is a sea"),
    ("a river on an unknown coast", set_value(*RULES, 1, "from", "IST/NC"), "board.border_rules[1].from", "IST has no coast NC"),
    ("a river without a coast where there are two", set_value(*RULES, 1, "from", "IST"), "board.border_rules[1].from", "needs a coast"),
    ("a river for armies", set_value(*RULES, 0, "units", ["A"]), "board.border_rules[0].units", "only a closed border names units"),
    ("an unexplained line", delete(*RULES, 2), f"arcs[{find_arc('ALM-IST')}]", "not a pair in board.army_borders, nor closed in board.border_rules"),
    ("an unexplained shore", set_value(*RULES, 3, "units", ["A"]), f"arcs[{find_arc('KET-IST')}]", "meet at ESE, but are not a pair in board.fleet_borders"),
    ("a fleet border without a river", delete(*RULES, 0), "board.fleet_borders[9]", "no sea that fleets reach from both touches the border of ALM and KET"),
    ("an inland river bank", combine(delete(*FLEETS, 0), append(*RULES, {"kind": "closed", "from": "ALM", "to": "WSE", "units": ["F"]}), set_value(*PROVINCES, ALM, "terrain", "inland")), "board.provinces[0].terrain", "is inland, but ALM touches KET"),
    ("a small letter", set_value("passages", 0, "mark", "a"), "passages[0].mark", "does not match"),
    ("two letters", set_value("passages", 0, "mark", "AB"), "passages[0].mark", "longer than 1"),
    ("a letter for two ways", combine(append(*FLEETS, ["ALM", "ESE"]), append("passages", {"ends": ["ALM", "ESE"], "points": [200.0, 40.0, 200.0, 0.0, 480.0, 50.0, 440.0, 50.0], "mark": "A"})), "passages[1].mark", "A is also the letter of passages[0]"),
    ("a lettered way that stays on the map", set_value("passages", 0, "points", [60.0, 250.0, 425.0, 240.0]), "passages[0].points", "does not leave the map at one edge and return at another"),
    ("a lettered way that leaves the map twice", set_value("passages", 0, "points", [60.0, 250.0, 0.0, 240.0, 480.0, 240.0, 0.0, 240.0, 480.0, 240.0, 425.0, 240.0]), "passages[0].points", "does not leave the map"),
    ("a lettered way along one edge", set_value("passages", 0, "points", [60.0, 250.0, 0.0, 240.0, 0.0, 200.0, 60.0, 240.0]), "passages[0].points", "does not leave the map"),
    ("a lettered way from elsewhere", set_value("passages", 0, "points", 0, 200.0), "passages[0].points[0]", "(200, 250) is outside WSE"),
    # What a later version knows is refused by its name.
    *((f"the later member {name}", set_value("board", name, 1), f"board.{name}", LATER) for name in ("builds", "turns", "cycle_years", "first_phase", "victory")),
    *((f"the later member {name}", set_value(*PROVINCES, 0, name, True), f"board.provinces[0].{name}", LATER) for name in ("convoys", "box")),
    *((f"the later kind {kind}", set_value(*RULES, 0, "kind", kind), "board.border_rules[0].kind", f"{kind} {LATER}") for kind in ("one-way", "corner", "weak", "seasonal")),
    *((f"the later member {name}", set_value(*RULES, 0, name, 1), f"board.border_rules[0].{name}", LATER) for name in ("turns", "strength")),
    ("a neutral unit", set_value("board", "starts", 0, 0, None), "board.starts[0][0]", f"a unit without a power {LATER}"),
    ("credits", set_value("credits", {}), "credits", LATER),
]  # fmt: skip

# Charts with other rules that have no fault.
RULED = [
    ("a river on the coast of the other sea", combine(set_value(*FLEETS, 8, 0, "IST/WC"), set_value(*RULES, 1, "from", "IST/WC"))),
    ("a river on two coasts", combine(append(*FLEETS, ["IST/WC", "DUN"]), append(*RULES, {"kind": "river", "from": "DUN", "to": "IST/WC"}))),
    ("a coast along a river alone", combine(
        set_value(*PROVINCES, IST, "coasts", ["EC", "WC", "SC"]),
        append(*FLEETS, ["IST/SC", "BOR"]),
        append(*RULES, {"kind": "river", "from": "IST/SC", "to": "BOR"}),
        set_value("shapes", IST, "units", "IST/SC", [215, 192]),
    )),
    ("a land whose only water is a river", combine(delete(*FLEETS, 0), delete(*FLEETS, 2), append(*RULES, {"kind": "closed", "from": "ALM", "to": "WSE", "units": ["F"]}))),
    ("a shore that is closed, in an inland province", combine(
        delete(*RULES, 0), delete(*FLEETS, 9), delete(*FLEETS, 3), delete(*FLEETS, 0),
        append(*RULES, {"kind": "closed", "from": "ALM", "to": "WSE", "units": ["F"]}),
        set_value(*PROVINCES, ALM, "terrain", "inland"),
    )),
]  # fmt: skip
