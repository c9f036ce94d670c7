"""The drawings made once per chart: base map, relief, passages, thumbnails and PNG."""

import struct
from dataclasses import replace

import pytest
from tests.atlas.toy_drawings import BOR, KET, SVG
from tests.atlas.toy_map import parse_svg, toy_chart

from diplomaccloud.atlas.chart import Passage, Relief
from diplomaccloud.atlas.render.base import render_base
from diplomaccloud.atlas.render.overlay import render_map, render_thumbnail
from diplomaccloud.atlas.render.png import PictureError, render_png
from diplomaccloud.atlas.render.relief import draw_relief
from diplomaccloud.atlas.render.theme import LIGHT


def test_a_png_has_its_signature_and_the_requested_width() -> None:
    png = render_png(render_map(toy_chart()), 300)
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    assert width == 300
    assert 195 <= height <= 210


@pytest.mark.parametrize(("svg", "width"), [("not a picture", 100), ("<svg/>", 0)])
def test_invalid_pictures_are_rejected(svg: str, width: int) -> None:
    with pytest.raises(PictureError):
        render_png(svg, width)


def test_a_thumbnail_is_small_and_shows_neither_names_nor_units() -> None:
    svg = render_thumbnail(toy_chart(), 200)
    assert parse_svg(svg).get("width") == "200"
    assert parse_svg(svg).find(f".//{SVG}text") is None
    assert "Isthmos" not in svg
    assert svg.count('class="star"') == 3
    assert len(svg) < len(render_map(toy_chart()))


def test_relief_is_one_small_picture_within_the_width_limit() -> None:
    png = draw_relief(Relief(1000, 4, bytes(range(250)) * 16), "#000000", "#ffffff")
    assert struct.unpack(">II", png[16:24]) == (334, 2)
    assert "<image" in render_base(toy_chart())
    assert "<image" not in render_base(replace(toy_chart(), relief=None))
    coarse = draw_relief(Relief(48, 32, bytes(range(256)) * 6), "#000000", "#ffffff")
    assert struct.unpack(">II", coarse[16:24]) == (96, 64)
    flat = draw_relief(Relief(8, 8, bytes(64)), "#000000", "#ffffff")
    assert flat[:4] == b"\x89PNG"


def test_a_passage_through_closed_land_is_drawn_as_water() -> None:
    way = Passage((BOR, KET), ((10.0, 20.0), (30.0, 20.0)))
    root = parse_svg(render_base(replace(toy_chart(), passages=(way,))))
    group = next(e for e in root.iter(f"{SVG}g") if e.get("class") == "passages")
    inks = [path.get("stroke") for path in group.iter(f"{SVG}path")]
    assert inks == [LIGHT.coast, LIGHT.water_line, LIGHT.sea_label]
    assert 'class="passages"' not in render_base(toy_chart())
