"""Any damage to a record is refused, and the damaged line is named."""

import random

import pytest
from tests.record.forgery import find_fault, read_bodies, rehash
from tests.record.honest_games import Table, eventful_game

from diplomaccloud.record.chain import make_line
from diplomaccloud.record.reader import BadLine, RawLine, read_lines


class Lines:
    """A stream of one line."""

    def __init__(self, raw):
        self.raw = raw

    def readline(self, limit=-1):
        raw, self.raw = self.raw, b""
        return raw


@pytest.fixture(scope="module")
def record():
    return eventful_game().record(reader=2)


@pytest.fixture(scope="module")
def short_record():
    table = Table("short", bots={1: "hold"})
    table.play(1, save=(2,))
    return table.record(reader=2)


def line_at(record, place):
    """Return the number of the line that has the byte `place`."""
    return record.count(b"\n", 0, place) + 1


def test_no_byte_of_any_line_can_be_changed(short_record):
    for line in short_record.splitlines(keepends=True):
        (read,) = read_lines(Lines(line))
        assert isinstance(read, RawLine)
        for place, byte in enumerate(line):
            for other in (byte ^ 1, byte ^ 0x20):
                changed = line[:place] + bytes([other]) + line[place + 1 :]
                (read,) = read_lines(Lines(changed))
                assert isinstance(read, BadLine), changed


@pytest.mark.parametrize("number", range(40))
def test_a_changed_byte_is_found_in_its_line(record, number):
    rng = random.Random(f"change {number}")
    place = rng.randrange(len(record))
    byte = rng.choice([other for other in range(256) if other != record[place]])
    changed = record[:place] + bytes([byte]) + record[place + 1 :]
    assert find_fault(changed)[0] == line_at(record, place)


@pytest.mark.parametrize("number", range(25))
def test_a_missing_byte_is_found_in_its_line(record, number):
    place = random.Random(f"delete {number}").randrange(len(record))
    assert find_fault(record[:place] + record[place + 1 :])[0] == line_at(record, place)


@pytest.mark.parametrize("number", range(25))
def test_an_extra_byte_is_found_in_its_line(record, number):
    rng = random.Random(f"insert {number}")
    place, byte = rng.randrange(len(record) + 1), rng.randrange(256)
    assert find_fault(record[:place] + bytes([byte]) + record[place:])[0] == line_at(record, place)


def test_line_ends_cannot_be_changed(record):
    count = record.count(b"\n")
    assert find_fault(record[:-1])[0] == count
    assert find_fault(record.replace(b"\n", b"\r\n"))[0] == 1
    assert find_fault(record + b"\n")[0] == count + 1
    assert find_fault(b"\n" + record)[0] == 1
    assert find_fault(b"\xef\xbb\xbf" + record)[0] == 1


@pytest.mark.long
def test_a_line_cannot_be_dropped_doubled_or_swapped(record):
    listed = record.splitlines(keepends=True)
    for place in range(len(listed)):
        number = place + 1
        dropped = [*listed[:place], *listed[place + 1 :]]
        assert find_fault(b"".join(dropped))[0] == min(number, len(dropped))
        doubled = [*listed[:number], *listed[place:]]
        assert find_fault(b"".join(doubled))[0] == number + 1
        if number < len(listed):
            swapped = [*listed[:place], listed[number], listed[place], *listed[number + 1 :]]
            assert find_fault(b"".join(swapped))[0] == number


def test_a_tail_cannot_be_cut_off(record):
    listed = record.splitlines(keepends=True)
    seal = next(i for i, line in enumerate(listed) if b'"kind":"seal"' in line)
    for place in range(1, len(listed)):
        if place == seal + 1:
            continue  # the record without the receipts, which every reader gets
        line, what = find_fault(b"".join(listed[:place]))
        assert line == place
        assert "cut off" in what or "missing" in what


def test_a_line_with_a_new_hash_is_named_by_the_line_after(record):
    listed = record.splitlines(keepends=True)
    seal = next(i for i, line in enumerate(listed) if b'"kind":"seal"' in line)
    for place, body in enumerate(read_bodies(record)[:seal]):
        previous = find_previous(listed, place)
        forged = make_line({**body, "extra": 1}, number=place + 1, previous=previous)
        changed = [*listed[:place], f"{forged.text}\n".encode(), *listed[place + 1 :]]
        assert find_fault(b"".join(changed))[0] == place + 1


def test_a_line_with_a_new_link_and_hash_is_named_itself(record):
    listed = record.splitlines(keepends=True)
    body = read_bodies(record)[7]
    forged = make_line(body, number=8, previous="0" * 64)
    changed = [*listed[:7], f"{forged.text}\n".encode(), *listed[8:]]
    assert find_fault(b"".join(changed)) == (8, "prev is not the hash of line 7")


def find_previous(listed, place):
    return "" if place == 0 else read_hash(listed[place - 1])


def read_hash(line):
    (read,) = read_lines(Lines(line))
    return read.hash


def test_a_chain_with_all_hashes_new_is_found_by_its_seal(record):
    def edit(bodies):
        log = next(body for body in bodies if body["kind"] == "log")
        log["text"] = "Nothing happened."

    line, what = find_fault(rehash(record, edit))
    assert "seal does not match" in what
    assert b'"kind":"seal"' in record.splitlines()[line - 1]
