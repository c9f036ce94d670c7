"""Invalid calls of `diplomaccloud map`: one line of error, and no files left behind."""

import json

import pytest
from judge.tests.drawing.toy_map import toy_chart

from diplomaccloud.atlas.chartfile import dump_chart
from diplomaccloud.cli import map_files
from diplomaccloud.judge import Game
from diplomaccloud.judge.cli import main
from diplomaccloud.judge.cli.commands import open_atomically
from diplomaccloud.maps.models import StoredChart

MAKE = ("make", "--seed", "a", "-o", "x.json")

# id, arguments, part of the message
REFUSED = [
    ("no players", (*MAKE, "--players", "0"), "players: 0 is not between 2 and 34"),
    ("one player", (*MAKE, "--players", "1"), "players: 1 is not between 2 and 34"),
    ("many players", (*MAKE, "--players", "35"), "players: 35 is not between 2 and 34"),
    ("players in letters", (*MAKE, "--players", "x"), "invalid int value: 'x'"),
    ("five provinces", (*MAKE, "--provinces", "5"), "provinces: 5 does not fit: 7 players need"),
    ("no sea", (*MAKE, "--sea", "0"), "sea: 0.0 is not between 0.17 and 0.45"),
    ("a sea that is not a number", (*MAKE, "--sea", "nan"), "sea: nan is not between"),
    (
        "a shape that is none",
        (*MAKE, "--landform", "doughnut"),
        "landform: 'doughnut' is not a landform: choose ",
    ),
    (
        "too many islands",
        (*MAKE, "--landform=archipelago", "--players=10", "--provinces=100", "--sea=0.42"),
        "provinces: 100 is too few for 10 players with the landform archipelago",
    ),
    (
        "islands without sea",
        (*MAKE, "--landform", "archipelago", "--sea", "0.2"),
        "sea: 0.2 is not between 0.32 and 0.45, as the landform archipelago needs",
    ),
    ("no seed", ("make", "--seed", " ", "-o", "x.json"), "--seed must not be empty"),
    ("a long seed", ("make", "--seed", "a" * 9999, "-o", "x.json"), "longer than 200"),
    ("a seed with NUL", ("make", "--seed", "a\0", "-o", "x.json"), "not printable"),
    ("an unknown ending", ("make", "--seed", "a", "-o", "x.gif"), "cannot write .gif"),
    ("a folder to write", ("make", "--seed", "a", "-o", "dir.svg"), "'dir.svg' is a folder"),
    ("a folder there is not", ("make", "--seed", "a", "-o", "no/x.svg"), "no folder 'no'"),
    ("a narrow PNG", ("draw", "toy.json", "-o", "x.png", "--width", "99"), "99 is not between 100"),
    ("a PNG of words", ("draw", "toy.json", "-o", "x.png", "--width", "a"), "'a' is not a number"),
    ("a wide PNG", ("make", "--seed", "a", "-o", "x.png", "--width", "6401"), "100 and 6400"),
    ("a wide SVG", ("draw", "toy.json", "-o", "x.svg", "--width", "640"), "--width is for .png"),
    ("a map that is drawn as one", ("draw", "toy.json", "-o", "x.json"), "use .svg, .png or .pdf"),
    ("plain, and not", ("draw", "toy.json", "-o", "x.svg", "--plain", "--decoration"), "allowed"),
    ("no such sheet", ("draw", "toy.json", "-o", "x.pdf", "--sheet", "a5"), "no sheet 'a5'"),
    ("a sheet of pixels", ("draw", "toy.json", "-o", "x.png", "--sheet", "turn"), "is for .pdf"),
    ("a style that is none", ("draw", "toy.json", "-o", "x.svg", "--style", "night"), "'night'"),
    ("ink at night", ("draw", "toy.json", "-o", "x.svg", "--style", "ink", "--night"), "not ink"),
    ("a phase of a map", ("draw", "toy.json", "-o", "x.svg", "--phase", "S1901M"), "is for games"),
    ("a drawing of text", ("draw", "notes.txt", "-o", "x.svg"), "the game cannot be read: line 1"),
    ("a drawing of nothing", ("draw", "x.json", "-o", "x.svg"), "'x.json': no such file"),
    ("no file to look at", ("validate", "x.json"), "'x.json': no such file"),
    ("a folder to look at", ("validate", "dir.svg"), "'dir.svg': is a directory"),
    ("fewer than no maps", ("table", "--seeds", "-1"), "-1 must not be negative"),
    ("a folder that is no site", ("import", "toy.json", "--data", "dir.svg"), "no site in"),
    ("an export from nowhere", ("export", "abcdef", "-o", "x.svg", "--data", "dir.svg"), "no site"),
]  # fmt: skip


@pytest.fixture
def here(tmp_path, monkeypatch):
    (tmp_path / "dir.svg").mkdir()
    (tmp_path / "notes.txt").write_text("Dear diary,", encoding="utf-8")
    (tmp_path / "toy.json").write_text(dump_chart(toy_chart()), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "message"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_what_cannot_be_is_refused_and_leaves_nothing(arguments, message, here, capsys):
    try:
        status = main(["map", *arguments])
    except SystemExit as left:
        status = left.code
    last = capsys.readouterr().err.splitlines()[-1]
    assert (status, message in last) == (2, True), last
    assert len(last.replace(str(here), "")) < 200
    assert sorted(path.name for path in here.rglob("*")) == ["dir.svg", "notes.txt", "toy.json"]


def test_a_file_that_is_no_game_is_not_taken_for_several(here, capsys):
    (here / "picture.png").write_bytes(b"\x89PNG\nnotes\n[\n" * 3)
    assert main(["map", "draw", "picture.png", "-o", "x.svg"]) == 2
    assert "several" not in (said := capsys.readouterr().err)
    assert "the line is not UTF-8" in said


def test_a_cut_map_file_is_not_taken_for_a_game(here, capsys):
    whole = (here / "toy.json").read_text(encoding="utf-8")
    (here / "cut.json").write_text(whole[: len(whole) // 2], encoding="utf-8")
    assert main(["map", "draw", "cut.json", "-o", "x.svg"]) == 2
    assert "cut.json: the file has no map and no game that" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_named(here, monkeypatch, capsys):
    locked = here / "dir.svg"
    monkeypatch.setattr("os.access", lambda path, mode: path != locked)
    assert main(["map", "draw", "toy.json", "-o", str(locked / "x.svg")]) == 2
    assert capsys.readouterr().err == f"diplomaccloud: the folder '{locked}' is not writable\n"


def test_a_drawing_of_a_game_shows_its_newest_results_or_a_phase(here, capsys):
    game = Game(toy_chart())
    first, unit = game.phase, next(iter(game.legal_orders("DUNN")))
    game.order("DUNN", f"{unit} H")
    game.adjudicate()
    (here / "game.json").write_text(json.dumps(game.to_json()), encoding="utf-8")

    def draw(*options):
        assert main(["map", "draw", "game.json", "-o", "x.svg", *options]) == 0
        return (here / "x.svg").read_text(encoding="utf-8")

    newest = draw("--map", "toy.json")
    assert "data-outcome" in newest
    assert draw("--map", "toy.json", "--phase", first) == newest
    assert "data-outcome" not in draw("--map", "toy.json", "--phase", game.phase)
    assert main(["map", "draw", "game.json", "-o", "x.svg", "--phase", "S1850M"]) == 2
    assert f"it goes from {first} to {game.phase}" in capsys.readouterr().err


def test_a_pdf_is_a_poster_or_the_sheet_that_was_asked_for(here):
    pdfs = set()
    for options in ((), ("--sheet", "slips")):
        assert main(["map", "draw", "toy.json", "-o", "x.pdf", *options]) == 0
        pdfs.add((here / "x.pdf").read_bytes())
    assert [pdf[:5] for pdf in pdfs] == [b"%PDF-"] * 2


def test_a_map_is_drawn_in_the_style_that_was_asked_for(here):
    drawn = set()
    for options in ((), ("--night",), ("--style", "modern", "--night"), ("--style", "ink")):
        assert main(["map", "draw", "toy.json", "-o", "x.svg", *options]) == 0
        drawn.add((here / "x.svg").read_text())
    assert len(drawn) == 4
    assert main(["map", "draw", "toy.json", "-o", "x.pdf", "--style", "engraving"]) == 0
    assert (here / "x.pdf").read_bytes()[:5] == b"%PDF-"


def test_a_png_has_the_width_that_was_asked_for(here):
    assert main(["map", "draw", "toy.json", "-o", "x.png", "--width", "320"]) == 0
    header = (here / "x.png").read_bytes()[:24]
    assert int.from_bytes(header[16:20], "big") == 320


def test_the_beginning_of_several_hashes_is_refused(here, standard, monkeypatch, capsys):
    twin = StoredChart.objects.get(content_hash=standard)
    twin.pk, twin.content_hash = None, standard[:8] + "0" * 56
    StoredChart.objects.bulk_create([twin])
    monkeypatch.setattr(map_files, "open_site", lambda data: None)
    assert main(["map", "export", standard[:6], "-o", "x.json"]) == 2
    assert "several maps" in capsys.readouterr().err
    assert not (here / "x.json").exists()
    assert main(["map", "export", standard[:9], "-o", "x.json"]) == 0


def test_a_file_cut_short_is_as_it_was(here):
    def write_half(path):
        with open_atomically(path) as file:
            file.write(b"anoth")
            raise KeyboardInterrupt

    before = (here / "toy.json").read_text(encoding="utf-8")
    for name in ("toy.json", "new.json"):
        with pytest.raises(KeyboardInterrupt):
            write_half(here / name)
    assert (here / "toy.json").read_text(encoding="utf-8") == before
    assert sorted(path.name for path in here.iterdir()) == ["dir.svg", "notes.txt", "toy.json"]


def test_a_map_written_over_another_replaces_it(here):
    output = here / "old.svg"
    output.write_text("old", encoding="utf-8")
    assert main(["map", "draw", "toy.json", "-o", "old.svg"]) == 0
    assert "ALM" in output.read_text(encoding="utf-8")
