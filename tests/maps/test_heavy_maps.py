"""Maps with too many points for a web process to draw."""

import random
from dataclasses import replace
from itertools import pairwise
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone
from tests.api.calls import problem_of

from diplomaccloud.accounts.models import User
from diplomaccloud.atlas.chartfile import dump_chart, load_chart
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.judge.drawing.paths import simplify
from diplomaccloud.maps import gallery, library, picture_files, pictures
from diplomaccloud.maps.library import save_map, store_chart
from diplomaccloud.maps.map_worker import BusyError, PlainText
from diplomaccloud.maps.plain_charts import (
    MAX_POINTS,
    count_points,
    describe_heaviest_line,
    is_heavy,
    make_plain,
    thin_out,
)

PARTS = 8


def divide(arc, shake=0.0, seed=1):
    """Return a line with each step divided, and the new points moved aside by up to `shake`."""
    chance, points = random.Random(seed), [arc.points[0]]
    for (x0, y0), (x1, y1) in pairwise(arc.points):
        for part in range(1, PARTS + 1):
            share = part / PARTS
            aside = 0.0 if part == PARTS else chance.uniform(-shake, shake)
            spot = (x0 + (x1 - x0) * share + aside, y0 + (y1 - y0) * share + aside)
            points.append((x1, y1) if part == PARTS else spot)
    return replace(arc, points=tuple((round(x, 1), round(y, 1)) for x, y in points))


def make_heavy(shake=0.0):
    chart = standard_chart()
    return replace(chart, arcs=tuple(divide(arc, shake) for arc in chart.arcs))


@pytest.fixture(autouse=True)
def nothing_drawn(monkeypatch):
    """Forget what other tests have drawn, in memory and on disk."""
    version = uuid4().hex
    monkeypatch.setattr(picture_files, "renderer_version", lambda: version)
    forget_charts()


def forget_charts():
    """Forget all charts, as a process that has just started."""
    library._unsimplified.clear()
    library.load_recent.cache_clear()
    library.load_named.cache_clear()
    gallery._read_facts.cache_clear()


@pytest.fixture(scope="module")
def heavy():
    return make_heavy()


def test_simplifying_keeps_every_line_within_the_tolerance():
    """Also a line whose halves are divided again thousands of times."""
    line = tuple((float(x), 10.0 * (x % 2)) for x in range(3000))
    assert simplify(line, 1.0) == line
    assert simplify(line, 20.0) == (line[0], line[-1])


def test_europe_is_drawn_as_it_is():
    assert not is_heavy(standard_chart())


def test_a_heavy_chart_is_simplified_to_half_a_pixel(heavy):
    assert is_heavy(heavy)
    plain = make_plain(heavy)
    assert not plain.lost
    assert count_points(plain.chart) <= count_points(standard_chart())
    assert [arc.points[0] for arc in plain.chart.arcs] == [arc.points[0] for arc in heavy.arcs]


def test_a_chart_that_stays_heavy_loses_points_and_says_which_line_has_most():
    shaken = make_heavy(shake=3.0)
    plain = make_plain(shaken)
    assert plain.lost.endswith(describe_heaviest_line(shaken))
    assert count_points(plain.chart) <= MAX_POINTS + 4 * len(shaken.arcs)
    assert all(len(set(arc.points)) > 1 for arc in plain.chart.arcs)
    longest = max(shaken.arcs, key=lambda arc: len(arc.points))
    said = describe_heaviest_line(shaken)
    assert shaken.board.by_code[longest.left or longest.right].name in said
    assert f"{len(longest.points):,} points" in said


def test_a_chart_that_takes_too_long_loses_points(heavy):
    assert make_plain(heavy, seconds=0.001).lost


@pytest.fixture
def asked(heavy, monkeypatch):
    """The charts that a stand-in for the map worker was asked to simplify."""
    texts = []

    def simplify_elsewhere(text):
        texts.append(text)
        return PlainText(dump_chart(thin_out(heavy)), describe_heaviest_line(heavy))

    monkeypatch.setattr(pictures.MAP_WORKER, "make_plain", simplify_elsewhere)
    return texts


def test_the_page_waits_for_the_picture_and_shows_it_then(db, client, heavy, asked):
    key = store_chart(heavy, now=timezone.now())
    waiting = client.get(f"/maps/{key}/")
    assert waiting["Refresh"] == "3"
    assert 'class="overlay"' not in waiting.content.decode()
    assert not asked
    assert client.get(f"/maps/{key}/light.svg").status_code == 200
    answer = client.get(f"/maps/{key}/")
    assert "Refresh" not in answer
    shown = answer.content.decode()
    assert 'class="overlay"' in shown
    assert len(asked) == 1


def test_only_who_saved_a_map_reads_which_of_its_lines_is_too_heavy(people, heavy, asked):
    key = save_map(heavy, "Heavy", user_id=people["alice"], now=timezone.now())
    pictures.simplify_map(key)
    reading = {name: Client() for name in ("alice", "bob", "nobody")}
    for name in ("alice", "bob"):
        reading[name].force_login(User.objects.get(pk=people[name]))
    said = {
        name: client.get(f"/maps/{key}/").context["lost_details"]
        for name, client in reading.items()
    }
    assert said == {"alice": describe_heaviest_line(heavy), "bob": "", "nobody": ""}


def test_a_simplified_map_is_never_read_whole_again(db, client, heavy, asked, monkeypatch):
    """Not even by a process that had to read it whole before."""
    key = store_chart(heavy, now=timezone.now())
    whole = library.find_chart(key)
    assert is_heavy(whole)
    pictures.simplify_map(key)
    light = library.find_chart(key)
    assert not is_heavy(light)
    assert light.board == whole.board
    assert library.find_whole_chart(key) == whole
    forget_charts()
    read = []

    def load(text):
        read.append(len(text))
        return load_chart(text)

    monkeypatch.setattr(library, "load_chart", load)
    for page in (f"/maps/{key}/", f"/maps/{key}/light.svg", f"/maps/{key}/sandbox/", "/maps/"):
        assert client.get(page).status_code == 200
    assert read
    assert max(read) < len(asked[0]) / 2
    assert len(asked) == 1


def test_a_busy_map_worker_is_asked_again_later(db, client, heavy, monkeypatch):
    def refuse(text):
        raise BusyError("Other maps are being made.")

    monkeypatch.setattr(pictures.MAP_WORKER, "make_plain", refuse)
    key = store_chart(replace(heavy, seed="another"), now=timezone.now())
    answer = client.get(f"/maps/{key}/dark.svg")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert not is_heavy(pictures.find_chart_to_show(key))
    for part in ("picture/dark", "start"):
        answer = client.get(f"/api/v1/maps/{key}/{part}")
        problem_of(answer, "unavailable", 503)
        assert answer.headers["Retry-After"]


@pytest.mark.long
def test_the_map_worker_simplifies_a_heavy_chart(heavy):
    from diplomaccloud.maps.map_worker import MapWorker

    worker = MapWorker()
    try:
        plain = worker.make_plain(dump_chart(heavy))
    finally:
        worker.close()
    assert count_points(load_chart(plain.text)) <= count_points(standard_chart())
