"""Build the whole chart of the standard board from the drawing."""

import json
from collections.abc import Sequence
from pathlib import Path

from europe.anchors import place_anchors
from europe.drawing import (
    HEIGHT,
    UNOWNED,
    WIDTH,
    Drawing,
    Face,
    cut_pieces,
    find_faces,
    parse_drawing,
    project,
    roughen_lines,
)
from europe.relief import make_relief
from shapely import Polygon

from diplomaccloud.atlas.chartfile import chart_to_json
from diplomaccloud.judge.board import Power, Province, Terrain
from diplomaccloud.judge.drawing.chart import Arc, Chart, Ring, Shape, trace_ring
from diplomaccloud.judge.standard.europe import standard_board

SOURCE = Path(__file__).with_name("drawing.txt")

PALETTE = {
    Power("AUSTRIA"): "#a32114",
    Power("ENGLAND"): "#1c2a7a",
    Power("FRANCE"): "#5589f1",
    Power("GERMANY"): "#213b3b",
    Power("ITALY"): "#62966f",
    Power("RUSSIA"): "#cfa8dc",
    Power("TURKEY"): "#eebf45",
}

_RELIEF_SEED = 1901


def make_standard_chart() -> Chart:
    """Return the chart drawn in `drawing.txt`."""
    drawing = parse_drawing(SOURCE.read_text(encoding="utf-8"))
    pieces = cut_pieces(drawing)
    smooth, faces = find_faces(pieces, drawing.places)
    arcs = roughen_lines(smooth, [piece.name for piece in pieces])
    board = standard_board()
    waters = {p.code for p in board.provinces if p.terrain is Terrain.SEA}
    land = [_build_polygon(face, arcs) for face in faces if face.code not in waters]
    return Chart(
        world="Europe",
        board=board,
        size=(WIDTH, HEIGHT),
        arcs=arcs,
        shapes=_build_shapes(drawing, faces, arcs),
        palette=PALETTE,
        scenery=_list_scenery(faces, {code for code, _ in board.impassable}),
        relief=make_relief(land, _RELIEF_SEED),
    )


def dump_standard(chart: Chart) -> str:
    """Return `chart` as the text to store."""
    data = chart_to_json(chart)
    del data["board"]
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"


def _list_scenery(
    faces: Sequence[Face], impassable: set[str]
) -> tuple[tuple[str, tuple[Ring, ...]], ...]:
    return tuple(
        (face.code, face.rings) for face in faces if face.code == UNOWNED or face.code in impassable
    )


def _build_shapes(
    drawing: Drawing, faces: Sequence[Face], arcs: Sequence[Arc]
) -> tuple[Shape, ...]:
    provinces = standard_board().provinces
    hints = {place.code: project(place.at) for place in reversed(drawing.places)}
    parts = {province.code: _find_parts(province, faces, arcs) for province in provinces}
    largest: dict[str, Polygon] = {
        code: _build_polygon(province_faces[0], arcs) for code, province_faces in parts.items()
    }
    anchors = place_anchors(provinces, largest, hints)
    return tuple(
        Shape(province.code, tuple(face.rings for face in province_faces), anchors[province.code])
        for province, province_faces in zip(provinces, parts.values(), strict=True)
    )


def _find_parts(province: Province, faces: Sequence[Face], arcs: Sequence[Arc]) -> list[Face]:
    """Return the faces of `province`, the largest first."""
    province_faces = [face for face in faces if face.code == province.code]
    return sorted(province_faces, key=lambda face: -_build_polygon(face, arcs).area)


def _build_polygon(face: Face, arcs: Sequence[Arc]) -> Polygon:
    outer, *holes = (trace_ring(ring, arcs) for ring in face.rings)
    return Polygon(outer, holes)
