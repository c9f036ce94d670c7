"""A small chart drawn by hand: two powers, a split coast, two seas and a rock.

West    | Almar | Kett |
Sea     |    Isthmos   |  East Sea  (with the impassable Rok in it)
        | Borr  | Dunn |
"""

import xml.etree.ElementTree as ET
from dataclasses import replace

from diplomaccloud.judge.board import (
    Board,
    BorderKind,
    BorderRule,
    Location,
    Power,
    PowerInfo,
    Province,
    ProvinceCode,
    Start,
    Terrain,
    UnitKind,
)
from diplomaccloud.judge.drawing.chart import (
    Anchors,
    Arc,
    ArcKind,
    Chart,
    Passage,
    Point,
    Relief,
    Ring,
    Shape,
)

ALMAR, DUNN = Power("ALMAR"), Power("DUNN")


def parse_svg(svg: str) -> ET.Element:
    """Return the root of a drawing."""
    return ET.fromstring(svg)  # noqa: S314 - our own output


def toy_board() -> Board:
    """Return the board of the toy chart."""
    coastal, sea = Terrain.COASTAL, Terrain.SEA
    code, at = ProvinceCode, Location
    return Board(
        name="Toy",
        powers=(PowerInfo(ALMAR, "Almar", "Almarian"), PowerInfo(DUNN, "Dunn", "Dunnish")),
        provinces=(
            Province(code("ALM"), "Almar", coastal, center=True, home=ALMAR),
            Province(code("KET"), "Kett", coastal, home=ALMAR),
            Province(code("IST"), "Isthmos", coastal, coasts=("EC", "WC"), center=True),
            Province(code("BOR"), "Borr", coastal),
            Province(code("DUN"), "Dunn", coastal, center=True, home=DUNN),
            Province(code("WSE"), "West Sea", sea),
            Province(code("ESE"), "East Sea", sea),
        ),
        army_borders=tuple(
            (code(first), code(second))
            for first, second in (
                ("ALM", "KET"),
                ("ALM", "IST"),
                ("KET", "IST"),
                ("IST", "BOR"),
                ("IST", "DUN"),
                ("BOR", "DUN"),
            )
        ),
        fleet_borders=tuple(
            (at(first), at(second))
            for first, second in (
                ("ALM", "WSE"),
                ("IST/WC", "WSE"),
                ("BOR", "WSE"),
                ("ALM", "IST/WC"),
                ("IST/WC", "BOR"),
                ("KET", "ESE"),
                ("IST/EC", "ESE"),
                ("DUN", "ESE"),
                ("KET", "IST/EC"),
                ("IST/EC", "DUN"),
            )
        ),
        starts=(
            Start(ALMAR, UnitKind.ARMY, at("ALM")),
            Start(DUNN, UnitKind.FLEET, at("DUN")),
        ),
        victory_centers=2,
        impassable=((code("ROK"), "Rok"),),
    )


_FRAME, _LAND, _SEA_SIDE = ArcKind.FRAME, ArcKind.LAND, ArcKind.COAST

# name: kind, left, right, points
_ARCS: dict[str, tuple[ArcKind, str | None, str | None, tuple[Point, ...]]] = {
    "top-wse": (_FRAME, None, "WSE", ((0, 0), (150, 0))),
    "top-alm": (_FRAME, None, "ALM", ((150, 0), (252, 0))),
    "top-ket": (_FRAME, None, "KET", ((252, 0), (345, 0))),
    "east": (_FRAME, None, "ESE", ((345, 0), (480, 0), (480, 320), (338, 320))),
    "bottom-dun": (_FRAME, None, "DUN", ((338, 320), (246, 320))),
    "bottom-bor": (_FRAME, None, "BOR", ((246, 320), (141, 320))),
    "west": (_FRAME, None, "WSE", ((141, 320), (0, 320), (0, 0))),
    "alm-wse": (
        _SEA_SIDE,
        "ALM",
        "WSE",
        (
            (150, 0),
            (139, 14),
            (146, 27),
            (128, 33),
            (112, 48),
            (123, 57),
            (119, 71),
            (135, 80),
            (132, 95),
            (148, 108),
        ),
    ),
    "ist-wse": (
        _SEA_SIDE,
        "IST",
        "WSE",
        (
            (148, 108),
            (160, 121),
            (155, 134),
            (170, 142),
            (166, 160),
            (177, 171),
            (163, 184),
            (168, 196),
            (152, 207),
        ),
    ),
    "bor-wse": (
        _SEA_SIDE,
        "BOR",
        "WSE",
        (
            (152, 207),
            (136, 214),
            (129, 229),
            (108, 236),
            (98, 252),
            (112, 262),
            (121, 281),
            (114, 297),
            (131, 306),
            (141, 320),
        ),
    ),
    "ket-ese": (
        _SEA_SIDE,
        "ESE",
        "KET",
        (
            (345, 0),
            (352, 15),
            (371, 22),
            (366, 39),
            (380, 52),
            (361, 63),
            (364, 78),
            (349, 88),
            (352, 103),
            (340, 112),
        ),
    ),
    "ist-ese": (
        _SEA_SIDE,
        "ESE",
        "IST",
        (
            (340, 112),
            (322, 118),
            (318, 133),
            (305, 141),
            (311, 156),
            (299, 167),
            (308, 180),
            (324, 186),
            (327, 201),
        ),
    ),
    "dun-ese": (
        _SEA_SIDE,
        "ESE",
        "DUN",
        (
            (327, 201),
            (346, 205),
            (352, 219),
            (374, 226),
            (369, 241),
            (381, 256),
            (362, 268),
            (358, 284),
            (343, 295),
            (338, 320),
        ),
    ),
    "alm-ket": (
        _LAND,
        "KET",
        "ALM",
        (
            (252, 0),
            (247, 16),
            (255, 31),
            (244, 47),
            (251, 63),
            (242, 80),
            (248, 102),
        ),
    ),
    "alm-ist": (_LAND, "IST", "ALM", ((248, 102), (231, 99), (214, 110), (190, 104), (148, 108))),
    "ket-ist": (_LAND, "KET", "IST", ((248, 102), (268, 112), (291, 105), (312, 115), (340, 112))),
    "ist-bor": (_LAND, "IST", "BOR", ((152, 207), (181, 202), (202, 212), (225, 203), (244, 210))),
    "ist-dun": (_LAND, "IST", "DUN", ((244, 210), (266, 203), (287, 212), (306, 203), (327, 201))),
    "bor-dun": (
        _LAND,
        "DUN",
        "BOR",
        (
            (244, 210),
            (250, 229),
            (241, 247),
            (252, 266),
            (243, 284),
            (250, 302),
            (246, 320),
        ),
    ),
    "rok": (
        _SEA_SIDE,
        "ESE",
        "ROK",
        (
            (425, 140),
            (438, 146),
            (447, 160),
            (440, 176),
            (424, 178),
            (412, 165),
            (414, 149),
            (425, 140),
        ),
    ),
}
_INDEX = {name: index for index, name in enumerate(_ARCS)}

# Arcs clockwise around each ring, as seen on the screen; a minus sign reverses an arc.
_SHAPES = {
    "ALM": ("top-alm alm-ket alm-ist -alm-wse",),
    "KET": ("top-ket ket-ese -ket-ist -alm-ket",),
    "IST": ("-alm-ist ket-ist ist-ese -ist-dun -ist-bor -ist-wse",),
    "BOR": ("ist-bor bor-dun bottom-bor -bor-wse",),
    "DUN": ("ist-dun dun-ese bottom-dun -bor-dun",),
    "WSE": ("top-wse alm-wse ist-wse bor-wse west",),
    "ESE": ("east -dun-ese -ist-ese -ket-ese", "-rok"),
}


def _build_ring(text: str) -> Ring:
    return tuple(
        ~_INDEX[word[1:]] if word.startswith("-") else _INDEX[word] for word in text.split()
    )


def _build_anchors(
    name: str, label: Point, unit: Point, star: Point | None, **coasts: Point
) -> Anchors:
    code, text = name.split(" ", 1)
    units = {Location(code): unit}
    units |= {Location(f"{code}/{coast}"): place for coast, place in coasts.items()}
    beside = (unit[0] + 14, unit[1] + 15)
    return Anchors(label, tuple(text.split("|")), 13, units, beside, star)


_ANCHORS = {
    "ALM": _build_anchors("ALM Almar", (190, 40), (200, 66), (168, 66)),
    "KET": _build_anchors("KET Kett", (300, 36), (302, 62), None),
    "IST": _build_anchors(
        "IST Isthmos", (238, 132), (240, 160), (203, 160), WC=(186, 186), EC=(290, 180)
    ),
    "BOR": _build_anchors("BOR Borr", (184, 246), (184, 274), None),
    "DUN": _build_anchors("DUN Dunn", (300, 240), (310, 266), (276, 266)),
    "WSE": _build_anchors("WSE West|Sea", (58, 100), (66, 166), None),
    "ESE": _build_anchors("ESE East|Sea", (430, 70), (420, 108), None),
}


def _build_relief() -> Relief:
    width, height = 48, 32
    heights = (
        (x * x * 7 + y * y * 5 + x * y * 3) % 211 for y in range(height) for x in range(width)
    )
    return Relief(width, height, bytes(heights))


def toy_chart() -> Chart:
    """Return the toy chart."""
    return Chart(
        world="Toyland",
        board=toy_board(),
        size=(480, 320),
        arcs=tuple(
            Arc(
                tuple((float(x), float(y)) for x, y in points),
                kind,
                ProvinceCode(left) if left else None,
                ProvinceCode(right) if right else None,
            )
            for kind, left, right, points in _ARCS.values()
        ),
        shapes=tuple(
            Shape(ProvinceCode(code), (tuple(_build_ring(ring) for ring in rings),), _ANCHORS[code])
            for code, rings in _SHAPES.items()
        ),
        palette={ALMAR: "#c8453c", DUNN: "#3f6fb5"},
        scenery=(("ROK", (_build_ring("rok"),)),),
        relief=_build_relief(),
    )


def ruled_toy_chart() -> Chart:
    """Return the toy chart with each member of version 2.

    Rivers run between Almar and Kett, where no sea explains the border, and between Isthmos and
    Dunn to the East Sea. Armies cannot pass from Almar to Isthmos, and nobody from Kett. A way
    around the world joins the two seas.
    """
    toy = toy_chart()
    board, at = toy.board, Location
    seas = (at("WSE"), at("ESE"))
    closed = [{"ALM", "IST"}, {"KET", "IST"}]
    return replace(
        toy,
        board=replace(
            board,
            army_borders=tuple(pair for pair in board.army_borders if {*pair} not in closed),
            fleet_borders=(
                *(pair for pair in board.fleet_borders if pair != ("KET", "IST/EC")),
                (at("ALM"), at("KET")),
                seas,
            ),
            border_rules=(
                BorderRule(BorderKind.RIVER, at("ALM"), at("KET")),
                BorderRule(BorderKind.RIVER, at("IST/EC"), at("DUN")),
                BorderRule(BorderKind.CLOSED, at("ALM"), at("IST"), (UnitKind.ARMY,)),
                BorderRule(
                    BorderKind.CLOSED, at("KET"), at("IST"), (UnitKind.ARMY, UnitKind.FLEET)
                ),
            ),
        ),
        passages=(
            Passage(seas, ((60.0, 250.0), (0.0, 240.0), (480.0, 230.0), (425.0, 240.0)), "A"),
        ),
    )
