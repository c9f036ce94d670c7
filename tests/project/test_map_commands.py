"""Invalid calls of `diplomaccloud map`: one line of error, and no files left behind."""

import pytest
from judge.tests.drawing.toy_map import toy_chart

from diplomaccloud.atlas.chartfile import dump_chart
from diplomaccloud.cli import map_files as transfer
from diplomaccloud.cli.map_files import write_map
from diplomaccloud.judge.cli import main
from diplomaccloud.judge.cli.commands import open_atomically
from diplomaccloud.maps.models import StoredChart

MAKE = ("make", "--seed", "a", "-o", "x.json")

# id, arguments, part of the message
REFUSED = [
    ("no players", (*MAKE, "--players", "0"), "players: 0 is not between 2 and 10"),
    ("one player", (*MAKE, "--players", "1"), "players: 1 is not between 2 and 10"),
    ("eleven players", (*MAKE, "--players", "11"), "players: 11 is not between 2 and 10"),
    ("players in letters", (*MAKE, "--players", "x"), "invalid int value: 'x'"),
    ("five provinces", (*MAKE, "--provinces", "5"), "provinces: 5 is not between 34 and 400"),
    ("no sea", (*MAKE, "--sea", "0"), "sea: 0.0 is not between 0.17 and 0.32"),
    ("a sea that is not a number", (*MAKE, "--sea", "nan"), "sea: nan is not between"),
    ("no seed", ("make", "--seed", " ", "-o", "x.json"), "--seed must not be empty"),
    ("a long seed", ("make", "--seed", "a" * 9999, "-o", "x.json"), "longer than 200"),
    ("a seed with NUL", ("make", "--seed", "a\0", "-o", "x.json"), "not printable"),
    ("an unknown ending", ("make", "--seed", "a", "-o", "x.gif"), "cannot write .gif"),
    ("a folder to write", ("make", "--seed", "a", "-o", "dir.svg"), "'dir.svg' is a folder"),
    ("a folder there is not", ("make", "--seed", "a", "-o", "no/x.svg"), "no folder 'no'"),
    ("no file to look at", ("validate", "x.json"), "'x.json': no such file"),
    ("a folder to look at", ("validate", "dir.svg"), "'dir.svg': is a directory"),
    ("fewer than no maps", ("table", "--seeds", "-1"), "-1 must not be negative"),
    ("a folder that is no site", ("import", "toy.json", "--data", "dir.svg"), "no site in"),
    ("an export from nowhere", ("export", "abcdef", "-o", "x.svg", "--data", "dir.svg"), "no site"),
]  # fmt: skip


@pytest.fixture
def here(tmp_path, monkeypatch):
    (tmp_path / "dir.svg").mkdir()
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
    assert len(last) < 200
    assert sorted(path.name for path in here.rglob("*")) == ["dir.svg", "toy.json"]


def test_the_beginning_of_several_hashes_is_refused(here, standard, monkeypatch, capsys):
    twin = StoredChart.objects.get(content_hash=standard)
    twin.pk, twin.content_hash = None, standard[:8] + "0" * 56
    StoredChart.objects.bulk_create([twin])
    monkeypatch.setattr(transfer, "_set_up_site", lambda data: None)
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
    assert sorted(path.name for path in here.iterdir()) == ["dir.svg", "toy.json"]


@pytest.mark.parametrize("ending", ["json", "svg"])
def test_a_map_written_over_another_replaces_it(ending, here):
    output = here / f"toy.{ending}"
    output.write_text("old", encoding="utf-8")
    write_map(toy_chart(), output)
    assert "ALM" in output.read_text(encoding="utf-8")
