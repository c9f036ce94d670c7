"""Build a chart from the values of a chart file that is known to be valid."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from diplomaccloud.atlas.chart import (
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
from diplomaccloud.atlas.validation.chart_schema import (
    ArcData,
    ChartData,
    PassageData,
    ReliefData,
    ShapeData,
)
from diplomaccloud.atlas.validation.lines import list_scenery
from diplomaccloud.atlas.validation.relief import decode_heights
from diplomaccloud.judge.board import Location, Power, ProvinceCode
from diplomaccloud.judge.codec.boards import board_from_json

_T = TypeVar("_T")


def build_chart(data: ChartData) -> Chart:
    """Return the chart with the values in `data`.

    Raises `ValueError` if the judge rejects the board.
    """
    relief = data["relief"]
    return Chart(
        world=data["world"],
        board=board_from_json(data["board"]),
        size=_point(data["size"]),
        arcs=tuple(_arc(arc) for arc in _skip_none(data["arcs"])),
        shapes=tuple(_shape(shape) for shape in _skip_none(data["shapes"])),
        palette={Power(power): color for power, color in data["palette"].items()},
        scenery=tuple((code, _rings(rings)) for _, (code, rings) in list_scenery(data)),
        relief=None if relief is None else _relief(relief),
        seed=data["seed"],
        maker=data["maker"],
        fairness=data["fairness"],
        passages=tuple(_passage(passage) for passage in _skip_none(data["passages"])),
    )


def _skip_none(values: Iterable[_T | None]) -> Iterator[_T]:
    """Yield the values; `None` only stands for invalid values, and a valid file has none."""
    return (value for value in values if value is not None)


def _point(values: Sequence[float] | None) -> Point:
    x, y = values or (0.0, 0.0)
    return x, y


def _points(values: Sequence[float]) -> tuple[Point, ...]:
    return tuple(zip(values[::2], values[1::2], strict=True))


def _rings(rings: Sequence[list[int | None] | None]) -> tuple[Ring, ...]:
    return tuple(tuple(_skip_none(ring)) for ring in _skip_none(rings))


def _arc(data: ArcData) -> Arc:
    left, right = (None if code is None else ProvinceCode(code) for code in _sides(data))
    return Arc(_points(data["points"]), ArcKind(data["kind"]), left, right)


def _sides(data: ArcData) -> tuple[str | None, str | None]:
    return data["left"], data["right"]


def _shape(data: ShapeData) -> Shape:
    star = data["star"]
    anchors = Anchors(
        label=_point(data["label"]),
        label_lines=tuple(_skip_none(data["label_lines"])),
        label_size=data["label_size"] or 0.0,
        units=_build_places(data["units"]),
        dislodged=_point(data["dislodged"]),
        star=None if star is None else _point(star),
        dislodged_coasts=_build_places(data.get("dislodged_coasts", {})),
    )
    polygons = tuple(_rings(polygon) for polygon in _skip_none(data["polygons"]))
    return Shape(ProvinceCode(data["province"]), polygons, anchors)


def _build_places(data: Mapping[str, Sequence[float]]) -> dict[Location, Point]:
    return {Location(place): _point(values) for place, values in data.items()}


def _passage(data: PassageData) -> Passage:
    start, end = data["ends"]
    return Passage((Location(start), Location(end)), _points(data["points"]))


def _relief(data: ReliefData) -> Relief:
    return Relief(data["width"], data["height"], decode_heights(data))
