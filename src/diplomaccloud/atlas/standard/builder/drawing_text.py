"""The drawing as typed: lines of control points, and a point in every space."""

from collections.abc import Iterator
from dataclasses import dataclass

from diplomaccloud.atlas.chart import ArcKind, Point


class DrawingError(ValueError):
    """The drawing cannot be read or is inconsistent; the message names the faulty line."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the drawing, in degrees (longitude, latitude); a closed one repeats no point."""

    name: str
    kind: ArcKind
    closed: bool
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A point inside the space called `code`, in degrees."""

    code: str
    at: Point


@dataclass(frozen=True, slots=True)
class Drawing:
    """Everything in the drawing."""

    lines: tuple[Line, ...]
    places: tuple[Place, ...]


def parse_drawing(text: str) -> Drawing:
    """Return the drawing written in `text`, or raise `DrawingError`."""
    lines: list[Line] = []
    places: list[Place] = []
    for head, items in _split_sections(text):
        if head == "places":
            places += [_parse_place(item) for item in items]
        else:
            lines.append(_parse_line(head, items))
    return Drawing(tuple(lines), tuple(places))


def _split_sections(text: str) -> Iterator[tuple[str, list[str]]]:
    head, items = "", list[str]()
    for row in map(str.strip, text.splitlines()):
        if row.startswith("["):
            if head:
                yield head, items
            head, items = row.strip("[]"), []
        elif row and not row.startswith("#"):
            items += [item.strip() for item in row.split(",") if item.strip()]
    yield head, items


def _parse_place(item: str) -> Place:
    code, *numbers = item.split()
    return Place(code, _parse_point(" ".join(numbers)))


def _parse_point(item: str) -> Point:
    try:
        longitude, latitude = map(float, item.split())
    except ValueError as error:
        raise DrawingError(f"{item!r} is not a longitude and a latitude") from error
    return longitude, latitude


def _parse_line(head: str, items: list[str]) -> Line:
    kind, form, name = head.split(" ", 2)
    if kind not in set(ArcKind) or form not in {"ring", "line"}:
        raise DrawingError(f"[{head}]: a line is `kind ring|line name`")
    return Line(name, ArcKind(kind), form == "ring", tuple(_parse_point(item) for item in items))
