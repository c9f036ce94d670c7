"""Posters and large pictures on the site: made by a worker, once, and within limits."""

import threading
from base64 import b64encode
from concurrent.futures import wait

import pytest
from django.test import Client
from judge.tests.drawing.toy_map import toy_chart

from diplomaccloud.atlas.printing.pdf import render_sheet
from diplomaccloud.atlas.printing.sheets import Content, Past, Sheet
from diplomaccloud.judge import Game
from diplomaccloud.maps import library, prints
from diplomaccloud.maps.print_worker import PICTURE, answer_request, write_request
from diplomaccloud.maps.prints import PRINT_WORKER, PrintWorker


@pytest.fixture
def toy(db, now):
    return library.store_chart(toy_chart(), now=now)


@pytest.fixture
def asked(monkeypatch, settings, tmp_path):
    """The requests that reach the worker, which answers at once."""
    settings.DATA_DIR = tmp_path
    lines = []

    def ask(line):
        lines.append(line)
        return b64encode(b"%PDF-x" + str(len(lines)).encode()).decode()

    monkeypatch.setattr(PRINT_WORKER, "ask", ask)
    return lines


def get(toy, name="poster-a3.pdf", **headers):
    return Client().get(f"/maps/{toy}/print/{name}", **headers)


def finish(done):
    """Return once the files are made for which the worker waited."""
    waiting = list(PRINT_WORKER._waiting.values())
    done.set()
    wait(waiting, 20)


def play_turn():
    game = Game(toy_chart())
    for power in game.powers:
        for orders in game.legal_orders(power).values():
            game.order(power, orders[-1])
    return game.adjudicate()


@pytest.mark.parametrize("kind", ["turn", "slips"])
def test_a_line_asks_for_exactly_this_content(kind):
    turn = play_turn()
    content = Content(
        toy_chart(),
        turn.next,
        past=(Past(turn.position, turn.resolution),),
        title="Toy",
        deadline="Orders are due by Sunday.",
    )
    (expected,) = render_sheet(Sheet(kind), content)
    assert answer_request(write_request(kind, content, {})) == expected


def test_colors_of_players_replace_those_of_the_map():
    content = Content(toy_chart(), play_turn().position)
    lines = {write_request("turn", content, colors) for colors in ({}, {"DUNN": "#123456"})}
    assert len({answer_request(line) for line in lines}) == 2


@pytest.mark.long
def test_a_large_picture_is_as_wide_as_pictures_may_be():
    content = Content(toy_chart(), play_turn().position)
    png = answer_request(write_request(PICTURE, content, {}))
    assert int.from_bytes(png[16:20], "big") == 6400


def test_the_worker_is_a_process_that_answers(toy, settings, tmp_path, monkeypatch):
    settings.DATA_DIR = tmp_path
    worker = PrintWorker()
    monkeypatch.setattr(prints, "PRINT_WORKER", worker)
    monkeypatch.setattr(prints, "WAIT", 60)
    try:
        response = get(toy)
    finally:
        worker.close()
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/pdf"
    assert 'filename="toyland-poster-a3.pdf"' in response.headers["Content-Disposition"]
    assert response.content.startswith(b"%PDF-")


def test_a_sheet_is_made_once(toy, asked):
    first, again = get(toy), get(toy)
    assert first.content == again.content == b"%PDF-x1"
    assert len(asked) == 1
    assert get(toy, "tiles-a1.pdf").content == b"%PDF-x2"
    assert get(toy, "picture.png").headers["Content-Type"] == "image/png"


@pytest.mark.parametrize("name", ["poster-a9.pdf", "turn.pdf", "poster-a3.exe"])
def test_there_are_no_other_sheets(toy, asked, name):
    assert get(toy, name).status_code == 404
    assert get("0" * 64).status_code == 404
    assert asked == []


def test_the_page_asks_again_until_the_file_is_made(toy, asked, monkeypatch):
    done, ask = threading.Event(), PRINT_WORKER.ask

    def ask_later(line):
        done.wait(20)
        return ask(line)

    monkeypatch.setattr(PRINT_WORKER, "ask", ask_later)
    monkeypatch.setattr(prints, "WAIT", 0)
    for _ in range(2):
        response = get(toy)
        assert (response.status_code, response.headers["Refresh"]) == (202, "3")
        assert "The file is being made" in response.content.decode()
    finish(done)
    assert get(toy).content == b"%PDF-x1"
    assert len(asked) == 1


def test_only_a_few_files_wait_to_be_made(toy, asked, monkeypatch):
    done = threading.Event()
    monkeypatch.setattr(PRINT_WORKER, "ask", lambda _: done.wait(20) and "")
    monkeypatch.setattr(prints, "WAIT", 0)
    monkeypatch.setattr(prints, "MAX_WAITING", 2)
    names = [f"poster-a{size}.pdf" for size in "123"]
    try:
        assert [get(toy, name).status_code for name in names] == [202, 202, 503]
    finally:
        finish(done)


def test_people_ask_for_a_few_new_files_at_a_time(toy, asked, monkeypatch):
    monkeypatch.setattr(prints, "MAX_PRINTS", 2)
    statuses = [get(toy, f"poster-a{size}.pdf").status_code for size in "1233"]
    assert statuses == [200, 200, 429, 429]
    # A file that is there counts for nobody.
    assert get(toy, "poster-a1.pdf").status_code == 200
    assert get(toy, REMOTE_ADDR="10.9.8.7").status_code == 200


def test_the_oldest_files_make_room(toy, asked, monkeypatch, tmp_path):
    monkeypatch.setattr(prints, "MAX_STORED", 15)
    for size in "123":
        get(toy, f"poster-a{size}.pdf")
    kept = [file.read_bytes() for file in (tmp_path / "prints").iterdir()]
    assert len(kept) == 2
    assert b"%PDF-x3" in kept


def test_a_worker_that_fails_is_asked_again(toy, asked, monkeypatch):
    ask = PRINT_WORKER.ask

    def fail(line):
        raise OSError("the worker has ended")

    monkeypatch.setattr(PRINT_WORKER, "ask", fail)
    response = get(toy)
    assert response.status_code == 503
    assert "could not be made" in response.content.decode()
    monkeypatch.setattr(PRINT_WORKER, "ask", ask)
    assert get(toy).status_code == 200


@pytest.mark.parametrize("name", ["print/poster-a3.pdf", "map.svg"])
def test_there_is_nothing_in_a_style_that_does_not_exist(toy, asked, name):
    assert Client().get(f"/maps/{toy}/{name}?style=watercolor").status_code == 404
    assert asked == []


def test_crawlers_are_asked_to_print_nothing(db):
    rules = Client().get("/robots.txt").content.decode().splitlines()
    assert {"Disallow: /maps/*/print/", "Disallow: /games/*.pdf"} <= {*rules}


def test_the_page_of_a_map_links_to_all_sheets(toy, asked):
    page = Client().get(f"/maps/{toy}/").content.decode()
    sheets = [sheet for sheet in Sheet if not sheet.is_of_turn]
    assert all(f'href="/maps/{toy}/print/{sheet}.pdf?style=parchment"' in page for sheet in sheets)
    assert asked == []
