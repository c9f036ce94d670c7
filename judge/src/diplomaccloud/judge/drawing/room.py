"""Find room for the names and codes that badges, rings, crosses and arrowheads cover.

A text that is covered moves within its province. A name without room becomes smaller, then a code;
a text without any room is left out. The places to try are found once for each map, so that a turn
only compares boxes. All boxes are in map units.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from math import dist
from typing import TypeAlias

from diplomaccloud.judge.board import ProvinceCode
from diplomaccloud.judge.drawing.chart import Chart, Shape, cache_per_chart
from diplomaccloud.judge.drawing.labels import (
    BADGE_GROWTH,
    Labels,
    Moves,
    Text,
    TextKey,
    list_code_spaces,
    list_codes,
    list_names,
    set_lines,
)
from diplomaccloud.judge.drawing.scene import Scene, list_rings
from diplomaccloud.judge.drawing.sizes import (
    HALF_HEIGHT,
    HALF_WIDTH,
    Box,
    Grid,
    badge_box,
    badge_scale,
    box_around,
    usual_label_size,
)

_SAMPLES = 120
"""About how many places are tried in a province."""

_SMALLER = 0.8
"""The size of a name without room, relative to its own, before it becomes a code."""

_CODE_SIZES = (1.0, 0.75)
"""The sizes of such a code, relative to the usual size of names."""

_NAME_OUTSIDE, _CODE_OUTSIDE, _LAST_OUTSIDE = 0.04, 0.2, 0.65
"""Which part of a name, of a code, and of a code without other room may be outside its province."""

_MARK_REACH = 5.0
"""How far the mark of a coast may move, in font sizes: it must stay at its coast."""

_CODE_COST, _LAST_CODE_COST = 3.0, 20.0
"""The highest costs of the place of a code on a small map, and of one without other room."""

STAR_WIDTH, STAR_HEIGHT = 12.5, 10.0
"""Half the size of a star or flag, in plain units."""

_RINGED_GROWTH = 1.25
"""How much larger a badge is with the ring of a dislodged unit."""

_CELL = 100.0
"""The side of the cells that boxes are sorted into, in plain units."""

_MAX_KNOWN = 4_000
"""How many boxes are kept with the texts that they meet."""

_Forms: TypeAlias = Sequence[Callable[[], list[Text]]]
"""Functions that find the places for each form of a text, from the best form down."""


def find_moves(
    scene: Scene, labels: Labels, covers: Sequence[Box], decorated: Sequence[Box] = ()
) -> Moves:
    """Return the new places of the texts that give way to badges and to `covers`.

    `covers` are the boxes of what orders draw that no letter may be under. A name moves into a
    `decorated` box only if it has no other room.
    """
    moves: Moves = {}
    if labels in (Labels.NAMES, Labels.BOTH):
        badges = _list_badges(scene, 1.0)
        moves |= _give_way(_list_names(scene.chart), [*covers, *badges], decorated)
    if labels in (Labels.CODES, Labels.BOTH):
        moves |= _give_way(_list_codes(scene.chart), [*covers, *_list_badges(scene, BADGE_GROWTH)])
    return moves


def _list_badges(scene: Scene, growth: float) -> Iterator[Box]:
    """Yield the boxes of the badges; the casing of enlarged ones may touch a code."""
    for unit in (*scene.position.units, *scene.removed):
        if (at := scene.place_of(unit)) is not None:
            scale = scene.unit * scene.size_of(unit)
            if unit in scene.removed or unit in scene.still_in_place:
                scale *= _RINGED_GROWTH
            if growth == 1:
                yield badge_box(at, scale)
            else:
                yield box_around(at, HALF_WIDTH * scale * growth, HALF_HEIGHT * scale * growth)


class _Crowd:
    """The boxes of texts, sorted into cells so that those near a box are found at once."""

    def __init__(self, cell: float, entries: Iterable[tuple[Box, TextKey]]) -> None:
        self._cell = cell
        self._cells: dict[tuple[int, int], list[tuple[float, float, float, float, TextKey]]] = {}
        self._known: dict[tuple[float, float, float, float], set[TextKey]] = {}
        for box, key in entries:
            entry = box.left, box.top, box.right, box.bottom, key
            for place in self._list_cells(box):
                self._cells.setdefault(place, []).append(entry)

    def find_keys(self, box: Box) -> set[TextKey]:
        """Return the texts that meet `box`; the answers are kept, as units return to a place."""
        left, top, right, bottom = edges = box.left, box.top, box.right, box.bottom
        keys = self._known.get(edges)
        if keys is None:
            if len(self._known) >= _MAX_KNOWN:
                self._known.clear()
            self._known[edges] = keys = {
                key
                for place in self._list_cells(box)
                for x0, y0, x1, y1, key in self._cells.get(place, ())
                if x0 < right and left < x1 and y0 < bottom and top < y1
            }
        return keys

    def _list_cells(self, box: Box) -> list[tuple[int, int]]:
        side = self._cell
        columns = range(int(box.left / side), int(box.right / side) + 1)
        first, last = int(box.top / side), int(box.bottom / side)
        return [(column, row) for column in columns for row in range(first, last + 1)]


def _find_near(window: Box, boxes: Iterable[Box]) -> list[Box]:
    left, top, right, bottom = window.left, window.top, window.right, window.bottom
    return [
        box
        for box in boxes
        if box.left < right and left < box.right and box.top < bottom and top < box.bottom
    ]


class _Place:
    """A text and the places where it may go, which are found when they are needed."""

    def __init__(self, text: Text, window: Box, forms: _Forms) -> None:
        self.text, self.window = text, window
        self._forms = forms
        self._found: list[list[Text]] = []

    def list_candidates(self) -> Iterator[Text]:
        """Yield the possible texts, from the best one down."""
        for number, find in enumerate(self._forms):
            if number == len(self._found):
                self._found.append(find())
            yield from self._found[number]


class _Layer:
    """All names, or all codes, of a map at their usual places."""

    def __init__(self, cell: float, places: dict[TextKey, _Place]) -> None:
        self.cell = cell
        # A text in a small province has the least choice.
        self.places = dict(sorted(places.items(), key=lambda item: item[1].window.area))
        self.crowd = _Crowd(
            cell, ((box, key) for key, place in places.items() for box in place.text.boxes)
        )
        self._neighbors: dict[TextKey, list[tuple[TextKey, Box]]] = {}

    def list_neighbors(self, key: TextKey, without: set[TextKey]) -> list[Box]:
        """Return the boxes of the texts near the window of a text, but not those `without`."""
        if key not in self._neighbors:
            window = self.places[key].window
            self._neighbors[key] = [
                (other, box)
                for other in self.crowd.find_keys(window)
                for box in self.places[other].text.boxes
            ]
        return [box for other, box in self._neighbors[key] if other not in without]


def _give_way(
    layer: _Layer, covers: Sequence[Box], decorated: Sequence[Box] = ()
) -> dict[TextKey, Text | None]:
    covered: set[TextKey] = set().union(*map(layer.crowd.find_keys, covers))
    moves: dict[TextKey, Text | None] = {}
    if not covered:
        return moves
    for key, place in layer.places.items():
        if key not in covered:
            continue
        near = _find_near(place.window, covers)
        near += layer.list_neighbors(key, covered)
        moved = [box for text in moves.values() if text is not None for box in text.boxes]
        near += _find_near(place.window, moved)
        clear = [*near, *_find_near(place.window, decorated)]
        moves[key] = _find_clear(place, clear)
        if moves[key] is None and len(clear) > len(near):
            moves[key] = _find_clear(place, near)
    return moves


def _find_clear(place: _Place, obstacles: list[Box]) -> Text | None:
    return next((text for text in place.list_candidates() if _is_clear(text, obstacles)), None)


def _is_clear(text: Text, obstacles: list[Box]) -> bool:
    """Return whether `text` meets none of `obstacles`; the first one it meets becomes the first.

    The next place to try is near, and meets the same one.
    """
    for box in text.boxes:
        left, top, right, bottom = box.left, box.top, box.right, box.bottom
        for number, other in enumerate(obstacles):
            if (
                other.left < right
                and left < other.right
                and other.top < bottom
                and top < other.bottom
            ):
                if number:
                    obstacles[0], obstacles[number] = other, obstacles[0]
                return False
    return True


# Where names, the marks of coasts, and codes may go.


@cache_per_chart
def _list_names(chart: Chart) -> _Layer:
    unit, usual = badge_scale(chart), usual_label_size(chart)
    stars = [
        box_around(shape.anchors.star, STAR_WIDTH * unit, STAR_HEIGHT * unit)
        for shape in chart.shapes
        if shape.anchors.star is not None
    ]
    rooms = {shape.province: _Room(chart, shape, stars) for shape in chart.shapes}
    places = {}
    for key, text in list_names(chart).items():
        room = rooms[key.province]
        forms = _list_mark_forms(room, text) if key.coast else _list_name_forms(room, text, usual)
        places[key] = _Place(text, room.window, forms)
    return _Layer(_CELL * unit, places)


class _Room:
    """The inside of a province."""

    def __init__(self, chart: Chart, shape: Shape, stars: Sequence[Box]) -> None:
        outlines = [chart.outline(ring) for ring in list_rings(shape)]
        xs, ys = zip(*(point for outline in outlines for point in outline), strict=True)
        margin = usual_label_size(chart) * 2
        self.window = Box(min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin)
        self.code: ProvinceCode = shape.province
        self._outlines, self._size = outlines, chart.size
        self._stars = [star for star in stars if star.shared_area(self.window)]
        self._grid: Grid | None = None

    def find(
        self, lines: tuple[str, ...], size: float, home: Text, outside: float, reach: float = 0.0
    ) -> list[Text]:
        """Return the places of `lines` that are clear of stars, the nearest to `home` first.

        At most the part `outside` of the text is outside the province. If there is a `reach`, no
        place is farther away.
        """
        if self._grid is None:
            self._grid = Grid(self._outlines, self._size)
        width, height = self._size
        texts = []
        for at in self._grid.sample_centers(_SAMPLES):
            if reach and dist(at, home.at) > reach:
                continue
            text = set_lines(at, lines, size)
            if all(
                box.left > 0
                and box.right < width
                and box.top > 0
                and box.bottom < height
                and self._grid.outside_cells(box) <= outside
                for box in text.boxes
            ) and _is_clear(text, self._stars):
                texts.append(text)
        return sorted(texts, key=lambda text: dist(text.at, home.at))


def _list_name_forms(room: _Room, text: Text, usual: float) -> _Forms:
    code = (str(room.code),)
    codes = [partial(room.find, code, usual * size, text, _CODE_OUTSIDE) for size in _CODE_SIZES]
    codes.append(partial(room.find, code, usual * _CODE_SIZES[-1], text, _LAST_OUTSIDE))
    if text.lines == code:
        return codes
    words = " ".join(text.lines).split()
    settings = dict.fromkeys((text.lines, (" ".join(words),), tuple(words)))
    names = [
        partial(room.find, lines, text.size * size, text, _NAME_OUTSIDE)
        for size in (1.0, _SMALLER)
        for lines in settings
    ]
    return names + codes


def _list_mark_forms(room: _Room, text: Text) -> _Forms:
    return [partial(room.find, text.lines, text.size, text, _CODE_OUTSIDE, _MARK_REACH * text.size)]


@cache_per_chart
def _list_codes(chart: Chart) -> _Layer:
    spaces = list_code_spaces(chart)
    places = {}
    for key, text in list_codes(chart).items():
        space = spaces[key.province]
        usual, last = space.sizes.index(text.size), len(space.sizes) - 1
        forms = [
            partial(space.list_texts, number, number + _CODE_COST)
            for number in dict.fromkeys((usual, last))
        ]
        forms.append(partial(space.list_texts, last, _LAST_CODE_COST))
        places[key] = _Place(text, space.window, forms)
    return _Layer(_CELL * badge_scale(chart), places)
