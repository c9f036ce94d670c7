"""The ladder of bots: publishing it, its page, and sample games."""

import json

import pytest

from diplomaccloud.judge.cli import main
from diplomaccloud.ladder import published as published_ladder
from diplomaccloud.ladder.published import BUILT_IN, MAX_BOTS, load_published
from diplomaccloud.ladder.ratings import Entry, Ladder, Rating, dump_ladder


@pytest.fixture
def ladder_file(tmp_path):
    path = tmp_path / "ladder.json"
    bots = {"level:4": Rating(30.0, 1.0, 70), "dumbbot": Rating(25.0, 0.0001, 70)}
    entries = [Entry("a", 70, "2026-11-23", {"dumbbot": 25.0})]
    path.write_text(dump_ladder(Ladder(bots, {}, entries)))
    return path


@pytest.fixture
def site_file(tmp_path, settings):
    """The file in which a site looks for its ladder."""
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    return settings.DATA_DIR / "ladder.json"


@pytest.fixture
def published(ladder_file, tmp_path, site_file):
    """The file of a site that has published a ladder with a short sample game."""
    record = tmp_path / "record.jsonl"
    arena = ["--bots", "greedy,dumbbot", "--games", "2", "--until", "1902", "--processes", "1"]
    main(["arena", *arena, "--record", str(record)])
    publish = ["ladder", "publish", str(ladder_file), str(record)]
    assert main([*publish, "--to", str(site_file)]) == 0
    return site_file


def read(client, path):
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_site_shows_what_was_published(client, db, published, standard):
    text = read(client, "/ladder/")
    assert text.index("General") < text.index("DumbBot")
    assert "27.0" in text
    assert "2026-11-23" in text
    assert "Nobody wins by 1902" in text
    assert "stays at 25" in text
    text = read(client, "/ladder/games/1/")
    assert "Greedy bot" in text
    assert text.count("?board=") > 4
    for phase in load_published(published.read_text()).samples[0].phases:
        board = client.get(f"/maps/{standard}/sandbox/", {"board": phase.board})
        assert board.status_code == 200
    picture = client.get("/ladder/games/1/board.svg")
    assert picture.headers["Content-Type"] == "image/svg+xml"
    for path in ("", "board.svg"):
        assert client.get(f"/ladder/games/9/{path}").status_code == 404


def test_a_site_without_a_ladder_shows_the_one_that_comes_with_the_program(client, db, standard):
    text = read(client, "/ladder/")
    for title in ("Recruit", "Captain", "Colonel", "General", "Marshal"):
        assert title in text
    count = len(load_published(BUILT_IN.read_text()).samples)
    assert count >= 3
    for number in range(1, count + 1):
        read(client, f"/ladder/games/{number}/")


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"format": "diplomaccloud ladder"}'])
def test_a_damaged_file_is_logged_and_not_shown(client, db, site_file, caplog, text):
    site_file.write_text(text)
    assert "Marshal" in read(client, "/ladder/")
    assert "the ladder cannot be read" in caplog.text


def _with_sample(**changed):
    data = json.loads(BUILT_IN.read_text())
    data["samples"][0] |= changed
    return json.dumps(data)


@pytest.mark.parametrize(
    "changed",
    [
        {"phases": []},
        {"phases": [["never", "board"]]},
        {"phases": [["S1901M"]]},
        {"seats": []},
        {"seats": [["FRANCE", "dumbbot"]]},
        {"map": "../elsewhere"},
        {"map": ""},
    ],
    ids=str,
)
def test_a_damaged_sample_is_logged_and_breaks_no_page(client, db, site_file, caplog, changed):
    site_file.write_text(_with_sample(**changed))
    for path in ("/ladder/", "/ladder/games/1/"):
        assert "Marshal" in read(client, path)
    assert client.get("/ladder/games/1/board.svg").status_code == 200
    assert caplog.text.count("the ladder cannot be read") == 1


def test_a_file_that_is_too_long_is_not_read(client, db, site_file, caplog, monkeypatch):
    monkeypatch.setattr(published_ladder, "MAX_BYTES", 1000)
    site_file.write_text(BUILT_IN.read_text())
    assert "Marshal" in read(client, "/ladder/")
    assert "longer than 1,000 bytes" in caplog.text


def test_a_page_asks_no_database_and_does_not_grow(
    client, published, django_assert_num_queries, db
):
    data = json.loads(published.read_text())
    data["bots"] *= 200
    published.write_text(json.dumps(data))
    with django_assert_num_queries(0):
        text = read(client, "/ladder/")
    assert text.count('scope="row"') == MAX_BOTS


@pytest.mark.parametrize("text", ["{}", '{"kind": "seal", "map": "standard"}'])
def test_records_that_are_none_are_refused(ladder_file, tmp_path, capsys, text):
    wrong, to = tmp_path / "wrong", tmp_path / "to"
    wrong.write_text(f"{text}\n")
    assert main(["ladder", "publish", str(ladder_file), str(wrong), "--to", str(to)]) == 2
    assert "has no sample games" in capsys.readouterr().err
    assert not to.exists()


def test_people_find_the_ladder_where_they_choose_bots(client, db):
    assert 'href="/ladder/"' in read(client, "/games/quick/?map=standard&choose=1")
