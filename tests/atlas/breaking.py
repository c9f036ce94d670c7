"""A sound chart file, and what can be done to it to break it: one fault a row."""

# ruff: noqa: E501 - a row is easier to read whole

import copy
import json
from collections.abc import Callable

from tests.atlas.toy import toy_chart

from diplomaccloud.atlas.chartfile import chart_to_json

Data = dict
Change = Callable[[Data], None]


def sound() -> Data:
    """Return the JSON values of the toy chart, to be changed at will."""
    return copy.deepcopy(json.loads(json.dumps(chart_to_json(toy_chart()))))


def put(*path) -> Change:
    """Return a change that puts the last of `path` where the others lead."""

    def change(data):
        *way, last, value = path
        for step in way:
            data = data[step]
        data[last] = value

    return change


def drop(*path) -> Change:
    def change(data):
        *way, last = path
        for step in way:
            data = data[step]
        del data[last]

    return change


def add(*path) -> Change:
    def change(data):
        *way, value = path
        for step in way:
            data = data[step]
        data.append(value)

    return change


def both(*changes) -> Change:
    def change(data):
        for one in changes:
            one(data)

    return change


def move(number, x, y) -> Change:
    """Return a change that shifts every point of an arc."""

    def change(data):
        points = data["arcs"][number]["points"]
        data["arcs"][number]["points"] = [
            value + (y if i % 2 else x) for i, value in enumerate(points)
        ]

    return change


def arc(name) -> int:
    """Return the number of the arc between two provinces of the toy, named `ALM-KET`."""
    wanted = set(name.split("-"))
    arcs = sound()["arcs"]
    return next(i for i, one in enumerate(arcs) if {one["left"], one["right"]} == wanted)


def spot(path, x, y):
    return put("shapes", *path, [float(x), float(y)])


def islet(points) -> Change:
    """Return a change that lays an islet with these points upon the West Sea."""

    def change(data):
        data["arcs"].append({"kind": "coast", "left": "WSE", "right": "WSE", "points": points})
        data["scenery"].append(["", [[len(data["arcs"]) - 1]]])

    return change


def add_passages(count) -> Change:
    """Return a change that adds a way from Borr to the far east, so many times."""
    way = {"ends": ["BOR", "ESE"], "points": [1.0, 1.0, 470.0, 10.0]}
    return both(add(*FLEETS, way["ends"]), put("passages", [way] * count))


def smaller_first(data) -> None:
    """Cut a corner off the West Sea, as a polygon before the rest of it."""
    at = next(
        i for i, one in enumerate(data["arcs"]) if one["points"][-4:] == [0.0, 320.0, 0.0, 0.0]
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

# id, change, path, part of the message
BROKEN = [
    # The form: types, ranges, members.
    ("a later version", put("v", 2), "v", "version 1 only"),
    ("a version that is text", put("v", "1"), "v", "a text, not a whole number"),
    ("no board", drop("board"), "board", "is missing"),
    ("a list for the board", put("board", []), "board", "a list, not an object"),
    ("an unknown member", put("colour", "red"), "colour", "no member of this format"),
    ("an unknown member deep down", put(*PROVINCES, 0, "kind", "sea"), "board.provinces[0].kind", "no member"),
    ("a code in lower case", put(*PROVINCES, 0, "code", "alm"), "board.provinces[0].code", "cannot be 'alm'"),
    ("a code that is markup", put("board", "impassable", 0, 0, "<B>"), "board.impassable[0][0]", "cannot be"),
    ("text that runs backwards", put(*PROVINCES, 0, "name", "\u202eAlmar"), "board.provinces[0].name", "cannot be printed"),
    ("a control character", put("world", "a\x00b"), "world", "cannot be printed"),
    ("half a surrogate pair", put("world", "\ud800"), "world", "cannot be printed"),
    ("a very long name", put("world", "a" * 81), "world", "longer than 80"),
    ("a province without name", put(*PROVINCES, 0, "name", ""), "board.provinces[0].name", "is empty"),
    ("an unknown terrain", put(*PROVINCES, 0, "terrain", "lava"), "board.provinces[0].terrain", "not one of"),
    ("text for truth", put(*PROVINCES, 0, "center", "yes"), "board.provinces[0].center", "neither true nor false"),
    ("true for a number", put("size", [True, 100.0]), "size[0]", "true or false, not a number"),
    ("an infinite size", put("size", [float("inf"), 100.0]), "size[0]", "is inf"),
    ("a size that is no number", put("size", [float("nan"), 100.0]), "size[0]", "is nan"),
    ("a huge whole number", put("size", [10**400, 100]), "size[0]", "is huge"),
    ("no height", put("size", [480.0]), "size", "has 1 members, not 2"),
    ("a size of nought", put("size", [480.0, 0]), "size[1]", "not from 1"),
    ("coordinates beyond everything", put("arcs", 0, "points", [0.0, 0.0, 1e9, 0.0]), "arcs[0].points[2]", "is 1e+09"),
    ("a coordinate that is no number", put("arcs", 0, "points", 2, float("nan")), "arcs[0].points[2]", "is nan"),
    ("an odd number of coordinates", put("arcs", 0, "points", [1.0, 2.0, 3.0, 4.0, 5.0]), "arcs[0].points", "has 5 numbers"),
    ("one point", put("arcs", 0, "points", [1.0, 2.0]), "arcs[0].points", "has 2 numbers"),
    ("an unknown kind of arc", put("arcs", 0, "kind", "river"), "arcs[0].kind", "not one of"),
    ("a fraction for an arc", put("shapes", 0, "polygons", [[[0.5]]]), "shapes[0].polygons[0][0][0]", "not a whole number"),
    ("an empty ring", put("shapes", 0, "polygons", [[[]]]), "shapes[0].polygons[0][0]", "are needed"),
    ("no outline", put("shapes", 0, "polygons", []), "shapes[0].polygons", "are needed"),
    ("a script as color", put("palette", "ALMAR", "url(x)"), "palette.ALMAR", "cannot be 'url(x)'"),
    ("a key that is markup", put("fairness", "<b>", 1.0), "fairness: key '<b>'", "cannot be"),
    ("a measure that is text", put("fairness", "cv", "1"), "fairness.cv", "not a number"),
    ("a victory of none", put("board", "victory_centers", 0), "board.victory_centers", "not from 1"),
    ("relief not base64", put("relief", "values", "*"), "relief.values", "cannot be"),
    ("relief of broken base64", put("relief", "values", "AAA"), "relief.values", "is not base64"),
    ("relief too short", put("relief", "width", 49), "relief.values", "heights, not 1568"),
    ("a million provinces", put(*PROVINCES, [{}] * 1_000_000), "board.provinces", "1000000 members where 512"),
    # The names: codes, places, powers.
    ("a code twice", put(*PROVINCES, KET, "code", "ALM"), "board.provinces[1].code", "'ALM' is also the code of board.provinces[0]"),
    ("the code of a closed space", put("board", "impassable", 0, 0, "ALM"), "board.impassable[0][0]", "also the code of"),
    ("a name twice", put(*PROVINCES, KET, "name", "Almar"), "board.provinces[1].name", "'Almar' is also the name of board.provinces[0]"),
    ("a power twice", put("board", "powers", 1, 0, "ALMAR"), "board.powers[1][0]", "also the key of"),
    ("a coast twice", put(*PROVINCES, IST, "coasts", ["EC", "EC"]), "board.provinces[2].coasts[1]", "also the coast"),
    ("one coast alone", put(*PROVINCES, BOR, "coasts", ["WC"]), "board.provinces[3].coasts", "leave the list empty"),
    ("coasts at sea", put(*PROVINCES, WSE, "coasts", ["NC", "SC"]), "board.provinces[5].coasts", "is sea and can have no coasts"),
    ("the home of nobody known", put(*PROVINCES, BOR, "home", "FRANCE"), "board.provinces[3].home", "no power 'FRANCE'"),
    ("a border to nowhere", put(*FLEETS, 0, 1, "NTH"), "board.fleet_borders[0][1]", UNKNOWN_SEA),
    ("a border into a closed space", add(*FLEETS, ["ESE", "ROK"]), "board.fleet_borders[10][1]", "no province ROK that units may enter"),
    ("a fleet on no coast of two", put(*FLEETS, 1, 0, "IST"), "board.fleet_borders[1][0]", "say on which coast: IST/EC, IST/WC"),
    ("a fleet on a coast there is not", put(*FLEETS, 1, 0, "IST/NC"), "board.fleet_borders[1][0]", "IST has no coast NC"),
    ("an army at sea", put(*ARMIES, 0, 1, "WSE"), "board.army_borders[0][1]", "no army can stand in WSE: it is sea"),
    ("an army on a coast", put(*ARMIES, 0, 1, "IST/EC"), "board.army_borders[0][1]", "cannot be 'IST/EC'"),
    ("a border with itself", put(*ARMIES, 0, ["ALM", "ALM"]), "board.army_borders[0]", "cannot border itself"),
    ("a border twice", add(*ARMIES, ["KET", "ALM"]), "board.army_borders[6]", "a pair already in board.army_borders[0]"),
    ("a start on no board", put("board", "starts", 0, 2, "PAR"), "board.starts[0][2]", "no province PAR"),
    ("a start of nobody", put("board", "starts", 0, 0, "FRANCE"), "board.starts[0][0]", "no power 'FRANCE'"),
    ("a fleet in the land", both(put(*PROVINCES, BOR, "terrain", "inland"), put("board", "starts", 1, 2, "BOR")), "board.starts[1][2]", "no fleet can stand in BOR"),
    ("two units in one province", add("board", "starts", ["ALMAR", "A", "ALM"]), "board.starts[2]", "another unit starts in ALM: board.starts[0]"),
    ("a unit in a stranger's home", put("board", "starts", 0, ["ALMAR", "A", "DUN"]), "board.starts[0]", "DUN is a home of DUNN"),
    ("a color for nobody", put("palette", "FRANCE", "#000000"), "palette.FRANCE", "no power 'FRANCE'"),
    ("no color", drop("palette", "DUNN"), "palette", "no color for DUNN"),
    ("one color for two", put("palette", "DUNN", "#c8453c"), "palette.DUNN", "is the color of ALMAR too"),
    ("colours nobody can tell apart", put("palette", "DUNN", "#c8453d"), "palette.DUNN", "#c8453d can hardly be told from #c8453c, the color of ALMAR"),
    ("an arc beside no province", put("arcs", 0, "right", "NTH"), "arcs[0].right", UNKNOWN_SEA),
    ("scenery of nowhere", put("scenery", 0, 0, "SWI"), "scenery[0][0]", "no impassable space SWI"),
    ("a closed space undrawn", put("scenery", []), "board.impassable[0]", "ROK is not drawn"),
    ("a province twice", lambda data: data["shapes"].append(data["shapes"][0]), "shapes[7].province", "drawn in shapes[0] already"),
    ("a province without shape", drop("shapes", KET), "shapes", "KET has no shape"),
    ("a unit elsewhere", put("shapes", ALM, "units", "DUN", [1, 2]), "shapes[0].units.DUN", "has no such coast"),
    ("no place for a unit", put("shapes", ALM, "units", {}), "shapes[0].units", "no place for a unit at ALM"),
    ("no place on a coast", drop("shapes", IST, "units", "IST/WC"), "shapes[2].units", "no place for a unit at IST/WC"),
    ("a center without star", put("shapes", ALM, "star", None), "shapes[0].star", "ALM is a supply center"),
    ("a star without center", put("shapes", KET, "star", [300.0, 40.0]), "shapes[1].star", "KET is no supply center"),
    ("a passage that is no border", put("passages", [{"ends": ["WSE", "ESE"], "points": [1.0, 1.0, 470.0, 1.0]}]), "passages[0].ends", "do not border"),
    ("a passage beside a border", put("passages", [{"ends": ["ALM", "KET"], "points": [200.0, 40.0, 300.0, 40.0]}]), "passages[0].ends", "touch on the map: no passage"),
    ("a passage twice", add_passages(2), "passages[1].ends", "have a passage already: passages[0]"),
    ("a name begun with a space", put(*PROVINCES, KET, "name", " Kett"), "board.provinces[1].name", "begins or ends with a space"),
    ("a blank label", put("shapes", KET, "label_lines", ["  "]), "shapes[1].label_lines[0]", "begins or ends with a space"),
    ("another's name as label", put("shapes", KET, "label_lines", ["Almar"]), "shapes[1].label_lines", "is 'Almar', but KET is called 'Kett'"),
    ("a label cut short", put("shapes", WSE, "label_lines", ["West"]), "shapes[5].label_lines", "is 'West', but WSE is called 'West Sea'"),
    ("an alias that is another's code", put(*PROVINCES, KET, "aliases", ["alm"]), "board.provinces[1].aliases[0]", "'alm' reads like 'ALM', board.provinces[0].code"),
    ("a name with accents only", put(*PROVINCES, KET, "name", "\u00c1lmar"), "board.provinces[1].name", "reads like 'Almar'"),
    ("one adjective for two powers", put("board", "powers", 1, 2, "Almarian"), "board.powers[1][2]", "reads like 'Almarian', board.powers[0][2]"),
    # The game.
    ("a victory that is there already", put("board", "victory_centers", 1), "board.victory_centers", "1 centers win, and ALMAR begins with 1"),
    ("a false figure", put("fairness", "fleet_share", 0.9), "fairness.fleet_share", "is 0.9, but the board has 0.5"),
    ("a false size", put("fairness", "sea_share", 0.5), "fairness.sea_share", "is 0.5, but the board has 0.2857"),
    ("a center at sea", put(*PROVINCES, WSE, "center", True), "board.provinces[5].center", "WSE is a sea"),
    ("a home at sea", put(*PROVINCES, WSE, "home", "ALMAR"), "board.provinces[5].home", "WSE is a sea"),
    ("a power without home center", put(*PROVINCES, DUN, "home", None), "board.powers[1]", "DUNN has no home center"),
    ("a power without unit", drop("board", "starts", 1), "board.powers[1]", "DUNN has no unit"),
    ("more centers to win than there are", put("board", "victory_centers", 4), "board.victory_centers", "4 of 3 centers"),
    ("a province nobody can reach", both(put("board", "army_borders", []), put("board", "fleet_borders", [])), "board.provinces[1]", "no way leads from KET"),
    # Lines and rings.
    ("an arc that is not there", put("shapes", 0, "polygons", [[[99]]]), "shapes[0].polygons[0][0][0]", "no arc 99: there are 20"),
    ("a ring that does not close", drop("shapes", 0, "polygons", 0, 0, 1), "shapes[0].polygons[0][0][0]", "the ring does not close"),
    ("an arc of one shape only", drop("shapes", BOR), f"arcs[{arc('IST-BOR')}]", "is part of 1 outline"),
    ("an arc of no shape", add("arcs", {"kind": "coast", "left": "WSE", "right": "ALM", "points": [1.0, 1.0, 9.0, 9.0]}), "arcs[20]", "is part of 0 outlines"),
    ("sides exchanged", lambda data: data["arcs"][arc("ALM-KET")].update(left="ALM", right="KET"), f"arcs[{arc('ALM-KET')}].left", "is ALM, but the outline of KET lies there"),
    ("an arc outside the map", move(0, 0, -20), "arcs[0].points[0]", "(0, -20) is outside the map"),
    ("a passage outside the map", put("passages", [{"ends": ["BOR", "ESE"], "points": [150.0, 260.0, 900.0, 40.0]}]), "passages[0].points[2]", "(900, 40) is outside the map"),
    ("an arc without length", put("arcs", 0, "points", [0.0, 0.0, 0.0, 0.0]), "arcs[0].points", "has no length"),
    ("a ring of nothing", put("arcs", 19, "points", [425.0, 140.0, 438.0, 146.0, 425.0, 140.0]), "scenery[0][1][0]", "encloses nothing"),
    # Board against drawing.
    ("a border that is not drawn", add(*ARMIES, ["ALM", "DUN"]), "board.army_borders[6]", "ALM and DUN do not touch"),
    ("a sea that is not near", add(*FLEETS, ["ALM", "ESE"]), "board.fleet_borders[10]", "ALM and ESE do not touch"),
    ("a land border untold", drop(*ARMIES, 0), f"arcs[{arc('ALM-KET')}]", "ALM and KET touch, but no army"),
    ("a shore untold", drop(*FLEETS, 0), f"arcs[{arc('ALM-WSE')}]", "ALM and WSE touch, but no fleet"),
    ("a coast way untold", drop(*FLEETS, 3), f"arcs[{arc('ALM-IST')}]", "ALM and IST meet at WSE, but no fleet"),
    ("a coast way without water", add(*FLEETS, ["ALM", "KET"]), "board.fleet_borders[10]", "no sea that both touch is where ALM and KET meet"),
    ("a land border called a coast", put("arcs", arc("ALM-KET"), "kind", "coast"), f"arcs[{arc('ALM-KET')}].kind", "is land"),
    ("a frame within the map", put("arcs", arc("ALM-KET"), "kind", "frame"), f"arcs[{arc('ALM-KET')}]", "so it is no frame"),
    ("an inland province on the sea", put(*PROVINCES, BOR, "terrain", "inland"), "board.provinces[3].terrain", "BOR touches WSE"),
    ("more coasts than shores", put(*PROVINCES, IST, "coasts", ["EC", "WC", "NC"]), "board.provinces[2].coasts", "3 coasts, but 2 stretches"),
    ("coasts exchanged", both(put(*FLEETS, 1, 0, "IST/EC"), put(*FLEETS, 6, 0, "IST/WC")), "board.fleet_borders[4]", "no sea that both touch is where IST/WC and BOR meet"),
    ("a coast out of reach", put(*FLEETS, 1, 0, "IST/EC"), "board.fleet_borders[3]", "no sea that both touch is where ALM and IST/WC meet"),
    ("a shore of no coast", drop(*FLEETS, 1), "board.provinces[2].coasts", "no coast of IST reaches all of its shore by WSE"),
    # Geometry.
    ("fleets by each other's shores", both(spot((IST, "units", "IST/EC"), 186, 186), spot((IST, "units", "IST/WC"), 290, 180)), "shapes[2].units.'IST/EC'", "lies by the shore of IST/WC"),
    ("an islet of a bad shape", islet([425.0, 140.0, 445.0, 160.0, 445.0, 140.0, 425.0, 165.0, 425.0, 140.0]), "scenery[1][1]", "no plain shape"),
    ("an islet on land", islet([200.0, 20.0, 210.0, 20.0, 205.0, 30.0, 200.0, 20.0]), "shapes[0].polygons[0]", "overlaps scenery[1][1]"),
    ("an islet over an islet", both(islet([30.0, 20.0, 60.0, 20.0, 45.0, 40.0, 30.0, 20.0]), islet([40.0, 22.0, 50.0, 22.0, 45.0, 30.0, 40.0, 22.0])), "scenery[1][1]", "overlaps scenery[2][1]"),
    ("the smaller part first", smaller_first, "shapes[5].polygons[1]", "is larger than shapes[5].polygons[0]"),
    ("a passage from elsewhere", add_passages(1), "passages[0].points[0]", "(1, 1) is not in BOR"),
    ("lines that cross", put("arcs", arc("ALM-KET"), "points", [252.0, 0.0, 100.0, 60.0, 248.0, 102.0]), f"arcs[{arc('ALM-WSE')}].points", f"meets arcs[{arc('ALM-KET')}] at"),
    ("a line across itself", put("arcs", arc("ALM-KET"), "points", [252.0, 0.0, 252.0, 60.0, 280.0, 60.0, 280.0, 30.0, 230.0, 30.0, 248.0, 102.0]), f"arcs[{arc('ALM-KET')}].points", "crosses itself"),
    ("an outline across itself", put("arcs", arc("ALM-KET"), "points", [252.0, 0.0, 252.0, 60.0, 280.0, 60.0, 280.0, 30.0, 230.0, 30.0, 248.0, 102.0]), "shapes[0].polygons[0]", "no plain shape"),
    ("an islet across a coast", move(19, -110, 0), f"arcs[{arc('IST-ESE')}].points", "meets arcs[19]"),
    ("a map half bare", put("size", [960.0, 320.0]), "shapes", "50.0% of the map belongs to no shape"),
    ("a name outside", spot((ALM, "label"), 300, 40), "shapes[0].label", "(300, 40) is not in ALM"),
    ("a unit outside", spot((ALM, "units", "ALM"), 20, 40), "shapes[0].units.ALM", "is not in ALM"),
    ("a fleet outside", spot((IST, "units", "IST/WC"), 20, 40), "shapes[2].units.'IST/WC'", "is not in IST"),
    ("a unit driven out outside", spot((ALM, "dislodged"), 20, 40), "shapes[0].dislodged", "is not in ALM"),
    ("a star outside", spot((ALM, "star"), 20, 40), "shapes[0].star", "is not in ALM"),
    ("a unit on the edge of the map", spot((WSE, "units", "WSE"), 3, 160), "shapes[5].units.WSE", "is cut off by the edge"),
    ("a star under a unit", spot((ALM, "star"), 202, 68), "shapes[0].units.ALM", "overlaps shapes[0].star"),
    ("names over one another", both(spot((ALM, "label"), 240, 30), spot((KET, "label"), 260, 30)), "shapes[0].label", "overlaps shapes[1].label"),
    ("names too large", both(put("shapes", ALM, "label_size", 60.0), put("shapes", KET, "label_size", 60.0)), "shapes[0].label", "overlaps shapes[1].label"),
]  # fmt: skip
