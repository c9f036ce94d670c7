"""The process that turns drawings into pixels: it draws the same, and nothing waits for it long."""

import json
import subprocess
import sys

import pytest

from diplomaccloud.atlas import png
from diplomaccloud.judge.drawing.png import PictureError
from diplomaccloud.maps import line_worker, picture_worker, thumbnails
from diplomaccloud.maps.line_worker import WorkerBusy, WorkerSlow
from diplomaccloud.maps.picture_worker import PictureWorker

LAND = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><circle r="9" cx="20"/></svg>'
REQUESTS = (
    ("render_png", LAND, 24),
    ("compress_card", LAND, 24),
    ("compress_thumbnails", LAND, ((40, 60), (20, 45))),
)


@pytest.fixture
def worker(monkeypatch):
    """A worker that is used; its process must draw."""
    made = PictureWorker()
    made.is_used = True
    yield made
    made.close()


def refuse(*_):
    raise AssertionError("drawn in this process")


def test_the_process_draws_the_same_pictures(worker, monkeypatch):
    here = [PictureWorker().draw(*request) for request in REQUESTS]
    monkeypatch.setattr(picture_worker, "_draw", refuse)
    assert [worker.draw(*request) for request in REQUESTS] == here
    assert [len(files) for files in here] == [1, 1, 2]
    with pytest.raises(PictureError, match="cannot draw this SVG"):
        worker.draw("render_png", "no drawing", 24)
    assert worker.draw(*REQUESTS[0]) == here[0]


@pytest.mark.parametrize("error", [WorkerBusy(), OSError("no memory for another process")])
def test_while_the_process_cannot_be_used_this_one_draws(worker, monkeypatch, error):
    def fail(*_):
        raise error

    monkeypatch.setattr(line_worker.LineWorker, "ask", fail)
    assert worker.draw(*REQUESTS[0]) == [png.render_png(LAND, 24)]


def test_a_picture_that_takes_too_long_is_not_tried_in_this_process(worker, monkeypatch):
    def fail(*_):
        raise WorkerSlow

    monkeypatch.setattr(line_worker.LineWorker, "ask", fail)
    monkeypatch.setattr(picture_worker, "_draw", refuse)
    with pytest.raises(PictureError, match="within 30 seconds"):
        worker.draw(*REQUESTS[0])


def test_only_processes_that_stay_use_it():
    assert not picture_worker.PictureWorker().is_used
    assert len(thumbnails.compress_card(LAND, 24)) <= thumbnails.MAX_CARD_BYTES


def test_what_only_sends_pictures_loads_no_library_for_pixels():
    code = (
        "import json, sys; from diplomaccloud.maps import picture_worker;"
        "print(json.dumps([name for name in ('PIL', 'resvg_py', 'django') if name in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert json.loads(done.stdout) == []
