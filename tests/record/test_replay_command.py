"""`diplomaccloud replay` on records of version 2, and the records that the arena writes."""

import functools
import gzip
import io
import re
import subprocess
import sys

import pytest
from tests.record.forgery import FORGER, find_fault, find_kind, forge, place_of, verify
from tests.record.honest_games import KEY, Table, eventful_game, hidden_game

from diplomaccloud.judge.cli import main
from diplomaccloud.judge.protocol import dump_record
from diplomaccloud.judge.rules import DEFAULT
from diplomaccloud.judge.standard.europe import standard_board
from diplomaccloud.record.signatures import dump_keys, make_key, read_keys


@pytest.fixture(scope="module")
def table():
    return eventful_game()


@pytest.fixture
def write(tmp_path):
    def write_file(content, name="record.jsonl"):
        file = tmp_path / name
        file.write_bytes(content)
        return str(file)

    return write_file


def test_an_honest_record_is_described(table, write, capsys):
    keys = write(dump_keys([{"public": KEY.public, "retired_at": None}]).encode(), "keys.json")
    head = table.chain()[-1].hash
    file = write(table.record(reader=2))
    assert main(["replay", file, "--head", head, "--keys", keys]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "1 games, 6 phases adjudicated, 0 differences"
    assert "seat 2 saved its orders for S1901M at 2026-11-01" in shown[1]
    assert shown[1].endswith("and they match the locked orders.")
    assert any(line.startswith("Checked: ") and "commitments (17), " in line for line in shown)
    assert not any("the key" in line for line in shown)


def test_a_stranger_is_told_what_is_open(table, write, capsys):
    assert main(["replay", write(table.record())]) == 0
    shown = capsys.readouterr().out
    assert f"Not checked: whether the key {KEY.key_id} is the site's" in shown
    assert "compare its head with the game's page" in shown
    assert "the times, which come from the site's clock" in shown


def test_a_difference_is_one_line(table, write, capsys):
    def edit(bodies):
        find_kind(bodies, "resolve")["results"] = {}

    forged = forge(table.record(), edit)
    assert main(["replay", write(forged)]) == 1
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith(f"line {place_of(forged, 'resolve')}: ")
    assert second == "1 games, 0 phases adjudicated, 1 differences"


def test_open_secrets_are_listed(write, capsys):
    hidden = hidden_game()
    hidden.bodies = [body for body in hidden.bodies if body["kind"] not in {"reveal", "end"}]
    hidden.open()
    hidden.lock()
    assert main(["replay", write(hidden.record())]) == 0
    shown = capsys.readouterr().out
    assert "Not checked: the orders of hidden bots, because their secrets are not" in shown
    assert "Not checked: the orders of a locked phase that was not processed" in shown


def test_the_head_and_the_keys_must_be_those_of_the_record(table, write, capsys):
    file = write(table.record())
    assert main(["replay", file, "--head", "0" * 64]) == 1
    assert "no line has the hash 000000000000" in capsys.readouterr().out
    keys = write(dump_keys([{"public": FORGER.public}]).encode(), "keys.json")
    assert main(["replay", file, "--keys", keys]) == 1
    assert re.match(r"line \d+: the key \w+ is not ", capsys.readouterr().out)
    with pytest.raises(SystemExit):
        main(["replay", file, "--head", "abc"])


@pytest.mark.parametrize("text", [b"", b"[]", b"{}", b'{"keys":[{"public":"ab"}]}', b"\xff"])
def test_a_file_without_keys_is_refused(table, text, write, capsys):
    assert main(["replay", write(table.record()), "--keys", write(text, "keys.json")]) == 2
    shown = capsys.readouterr()
    assert shown.err.count("\n") == 1
    assert shown.out == ""


def test_a_receipt_that_the_record_lacks_is_checked(table, write, capsys):
    receipts = [line for line in table.record(reader=2).splitlines(True) if b'"receipt"' in line]
    file, given = write(table.record()), write(receipts[-1], "receipt.json")
    assert main(["replay", file, "--receipts", given]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[1].startswith("Given receipt 1: seat 2 saved its orders for S1902M")
    assert shown[1].endswith("and they match the locked orders.")
    other = write(Table("other").record(), "other.jsonl")
    assert main(["replay", other, "--receipts", given]) == 1
    assert capsys.readouterr().out.startswith("given receipt 1 is for another game\n")
    forged = write(receipts[-1].replace(b"T04", b"T03"), "forged.json")
    assert main(["replay", file, "--receipts", forged]) == 1
    assert capsys.readouterr().out.startswith("Given receipt 1: the signature ")
    assert main(["replay", file, "--receipts", file]) == 2
    assert "line 1 of the receipts is not a receipt" in capsys.readouterr().err


def test_a_given_receipt_shows_that_orders_were_changed(write, capsys):
    table = Table("changed")
    table.open()
    table.save(2)
    given = write(table.record(reader=2).splitlines()[-1], "receipt.json")
    table.typed[2] = "00", []
    table.receipts.clear()
    table.lock()
    table.resolve()
    assert main(["replay", write(table.record()), "--receipts", given]) == 1
    assert "Given receipt 1: seat 2 had other orders at the lock" in capsys.readouterr().out


def test_keys_read_back():
    keys = dump_keys([{"public": KEY.public}, {"public": FORGER.public, "retired_at": "2026"}])
    expected = {KEY.key_id: KEY.public, FORGER.key_id: FORGER.public}
    assert read_keys(keys.encode()) == expected


def test_records_come_compressed_and_through_pipes(table, write, monkeypatch, capsys):
    assert main(["replay", write(gzip.compress(table.record()), "record.jsonl.gz")]) == 0

    class Pipe(io.RawIOBase):
        """A pipe that gives a few bytes at a time."""

        content = io.BytesIO(table.record())

        def read(self, size=-1):
            return self.content.read(min(size, 100))

    monkeypatch.setattr(sys, "stdin", type("Stdin", (), {"buffer": Pipe()}))
    assert main(["replay", "-"]) == 0
    assert capsys.readouterr().out.count("0 differences") == 2


def test_records_of_version_1_are_read(write, capsys):
    lines = "\n".join(dump_record(standard_board(), DEFAULT, [], name="old"))
    assert main(["replay", write(lines.encode())]) == 0
    assert capsys.readouterr().out == "1 games, 0 phases adjudicated, 0 differences\n"
    assert main(["replay", write(lines.encode()), "--head", "0" * 64]) == 2
    assert "version 2" in capsys.readouterr().err


def test_the_site_is_not_needed(table, write):
    code = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"django", "allauth", "structlog", "numpy", "shapely"}:
            raise ImportError(name)
sys.meta_path.insert(0, Refuse())
from diplomaccloud.judge.cli import main
sys.exit(main(["replay", sys.argv[1]]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code, write(table.record(reader=2))],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "0 differences" in done.stdout


# The arena.


@pytest.fixture(scope="module")
def arena(tmp_path_factory):
    @functools.cache
    def play(name, *options):
        file = tmp_path_factory.mktemp("arena") / name
        asked = ["--bots", "greedy,random", "--until", "1902", "--games", "2", "--processes", "1"]
        assert main(["arena", *asked, *options, "--record", str(file)]) == 0
        return file.read_bytes()

    return play


def test_the_arena_writes_the_same_form_and_is_repeatable(arena, write, capsys):
    record = arena("games.jsonl")
    assert record == arena("again.jsonl")
    assert record != arena("other.jsonl", "--seed", "2")
    assert find_fault(record) is None
    capsys.readouterr()
    assert main(["replay", write(record)]) == 0
    shown = capsys.readouterr().out
    assert "order sets of bots" in shown
    assert "Not checked: who made this record: it is not signed" in shown


def test_a_record_that_is_not_signed_is_refused_with_keys(arena, write, tmp_path, capsys):
    keys = tmp_path / "keys.json"
    keys.write_text(dump_keys([{"public": make_key().public}]))
    record = arena("games.jsonl")
    capsys.readouterr()
    assert main(["replay", write(record), "--keys", str(keys)]) == 1
    assert "the record is not signed" in capsys.readouterr().out


def test_a_fault_names_the_game(arena):
    first, second = (part for part in arena("games.jsonl").split(b'{"bots":"public"') if part)
    games = [b'{"bots":"public"' + part for part in (first, second)]
    broken = games[0] + games[1].replace(b" H", b" X", 1)
    (fault,) = verify(broken).faults
    assert fault.game == "arena 1/1"
    assert fault.line > games[0].count(b"\n")
    assert "(game arena 1/1): it has been changed" in str(fault)


def test_a_board_of_its_own_is_in_the_record(arena):
    record = arena("map.jsonl", "--map", "seed:record", "--players", "3", "--games", "1")
    assert find_fault(record) is None


def test_a_table_alone_is_honest():
    table = Table("alone")
    assert find_fault(table.record()) is None
