"""Hostile files: one sentence each, no traceback, and little memory however long they are."""

import gzip
import json
import random
import tracemalloc

import pytest
from tests.record.forgery import dump, find_fault, forge, read_bodies, verify
from tests.record.honest_games import Table

from diplomaccloud.judge.cli import main
from diplomaccloud.record import phase_checks
from diplomaccloud.record.chain import make_lines
from diplomaccloud.record.reader import MAX_LINE_SIZE
from diplomaccloud.record.report import MAX_LISTED


@pytest.fixture(scope="module")
def record():
    table = Table("short", bots={1: "hold"})
    table.play(1, save=(2,))
    table.end()
    return table.record(reader=2)


def put(record, text):
    """Return the record with `text` in place of its second line."""
    listed = record.splitlines(keepends=True)
    return b"".join([listed[0], text, b"\n", *listed[2:]])


NASTY = {
    "a huge line": b'{"kind":"' + b"x" * MAX_LINE_SIZE + b'"}',
    "deep lists": b"[" * 200_000,
    "deep objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "deep but readable": b'{"a":' + b"[" * 400 + b"]" * 400 + b"}",
    "NaN": b'{"hash":NaN}',
    "a huge number": b'{"n":' + b"9" * 10_000 + b"}",
    "an infinite number": b'{"n":1e999}',
    "a key twice": b'{"n":2,"n":2}',
    "not UTF-8": b'{"kind":"\xff\xfe"}',
    "UTF-8": '{"kind":"é"}'.encode(),
    "a NUL": b"\0",
    "nothing": b"",
    "a list": b"[1,2]",
    "a text": b'"draw"',
    "a lone surrogate": b'{"hash":"\\ud800","kind":"\\ud800","n":2,"prev":""}',
    "other types": b'{"hash":1,"kind":2,"n":"3","prev":4}',
    "a line end": b"\r",
}


@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY)
def test_a_nasty_line_is_named(record, text, tmp_path, capsys):
    line, what = find_fault(put(record, text))
    assert line == 2
    assert len(what) < 300
    file = tmp_path / "record.jsonl"
    file.write_bytes(put(record, text))
    assert main(["replay", str(file)]) == 1
    shown = capsys.readouterr()
    assert shown.out.startswith("line 2: ")
    assert shown.err == ""


JUNK = [None, True, -1, 0, 10**30, 1.5, "", "x" * 3000, "\ud800", [], {}, [[]], {"": None}, [None]]


def find_paths(value, path=()):
    """Yield the path of every part of a JSON value."""
    yield path
    members = enumerate(value) if isinstance(value, list) else ()
    for key, member in value.items() if isinstance(value, dict) else members:
        yield from find_paths(member, (*path, key))


@pytest.mark.parametrize("number", range(120))
def test_junk_in_a_chain_is_a_fault_and_never_an_error(record, number):
    rng = random.Random(number)
    place, junk = rng.randrange(len(read_bodies(record))), rng.choice(JUNK)

    def edit(bodies):
        *path, last = rng.choice([p for p in find_paths(bodies[place]) if p])
        part = bodies[place]
        for key in path:
            part = part[key]
        if rng.random() < 0.2:
            del part[last]
        else:
            part[last] = junk

    bodies = read_bodies(record)
    edit(bodies)
    for fault in verify(dump(bodies)).faults:
        assert str(fault).isprintable()


@pytest.mark.long
def test_many_lines_need_little_memory():
    def measure(count):
        table = Table("long")
        log = {"kind": "log", "at": "2026-11-01T00:00:00.000000Z", "entry": "e", "by": "site"}
        table.bodies += [{**log, "text": f"Entry {number}."} for number in range(count)]
        record = table.record()
        tracemalloc.start()
        assert find_fault(record) is None
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return peak - len(record)  # the record itself is in memory here

    few, many = measure(100), measure(4000)
    assert many < few + 200_000


def test_many_bad_lines_are_counted_and_some_are_listed(record):
    report = verify(record.splitlines(keepends=True)[0] * 1000)
    assert report.fault_count == 1000
    assert len(report.faults) == MAX_LISTED
    assert len(verify(b"{}\n" * 100_000).faults) == 1


@pytest.mark.parametrize("size", [0, 1, 2, 10, 60, 150, 400, 3000, -1000, -10, -1])
def test_a_cut_file_is_no_record(record, size, tmp_path, capsys):
    file = tmp_path / "record.jsonl"
    file.write_bytes(record[:size])
    assert main(["replay", str(file)]) in {1, 2}
    shown = capsys.readouterr()
    assert shown.err.count("\n") + shown.out.count(" differences\n") == 1


def test_a_compressed_record_may_be_damaged(record, tmp_path, capsys):
    file = tmp_path / "record.jsonl.gz"
    packed = gzip.compress(record)
    file.write_bytes(packed[: len(packed) // 2])
    assert main(["replay", str(file)]) == 2
    shown = capsys.readouterr().err
    assert "is damaged" in shown
    assert shown.count("\n") == 1


def test_a_game_has_a_limit_of_phases(monkeypatch):
    table = Table("long")
    table.play(2)
    monkeypatch.setattr(phase_checks, "MAX_PHASES", 1)
    assert find_fault(table.record())[1] == "there are more than 1 phases"


def test_text_of_a_record_cannot_write_to_the_terminal(record):
    def edit(bodies):
        bodies[0]["setup"] = "\x1b[2J\n"

    report = verify(forge(record, edit))
    assert str(report.faults[0]).isprintable()


def test_a_chart_in_a_file_is_not_read(record):
    def edit(bodies):
        bodies[0]["map"] = "/etc/passwd"

    line, what = find_fault(forge(record, edit))
    assert (line, "neither 'standard' nor a chart" in what) == (1, True)


def test_lines_are_ascii(record):
    assert record.isascii()
    (line,) = make_lines([{"kind": "log", "text": "Ünïcode 🎲"}])
    assert line.text.isascii()
    assert json.loads(line.text)["text"] == "Ünïcode 🎲"
