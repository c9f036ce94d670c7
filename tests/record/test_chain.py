"""The lines of a record, their hashes, and what secrets and signatures are made of."""

import datetime as dt
import hashlib
import re
from collections import Counter

import pytest

from diplomaccloud.record.chain import format_time, make_lines, parse_time
from diplomaccloud.record.commitments import (
    bot_seed,
    commit,
    draw_numbers,
    draw_powers,
    orders_text,
    salted_digest,
    sealed_text,
)
from diplomaccloud.record.lines import Receipt
from diplomaccloud.record.signatures import SigningKey, find_key_id, make_key, verify


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


def test_a_line_carries_the_hash_of_the_line_before_and_of_itself():
    first, second = make_lines([{"kind": "a", "text": "Zürich"}, {"kind": "b"}])
    bare = re.sub('"hash":"[0-9a-f]*",', "", second.text)
    assert f'"prev":"{first.hash}"' in second.text
    assert sha(bare) == second.hash
    assert first.text.isascii()
    assert '"n":1,"prev":""' in first.text


def test_lines_continue_a_chain():
    lines = list(make_lines([{"kind": "a"}, {"kind": "b"}, {"kind": "c"}]))
    assert list(make_lines([{"kind": "b"}, {"kind": "c"}], after=lines[0])) == lines[1:]


def test_a_time_reads_back():
    at = dt.datetime(2026, 11, 22, 13, 0, tzinfo=dt.UTC)
    assert format_time(at) == "2026-11-22T13:00:00.000000Z"
    assert parse_time(format_time(at)) == at
    with pytest.raises(ValueError, match=r".*"):
        parse_time("2026-11-22T13:00:00.0Z")


def test_a_commitment_is_a_plain_hash():
    assert commit("draw", "00") == sha("draw\n00")
    assert bot_seed("00", "FRANCE") == "00/FRANCE"


def test_powers_are_drawn_by_their_hashes():
    powers = ("AUSTRIA", "FRANCE", "TURKEY")
    drawn = draw_powers("ab", powers, 3)
    assert sorted(drawn) == sorted(powers)
    assert [sha(f"ab\n{power}") for power in drawn] == sorted(sha(f"ab\n{p}") for p in powers)


def test_every_place_may_get_every_number():
    numbers = [draw_numbers(f"secret {number}", 7) for number in range(700)]
    assert all(sorted(drawn) == [1, 2, 3, 4, 5, 6, 7] for drawn in numbers)
    counts = Counter((place, drawn[place]) for drawn in numbers for place in range(7))
    assert len(counts) == 49
    assert 60 < min(counts.values()) <= max(counts.values()) < 140  # five deviations around 100
    assert len({drawn[:2] for drawn in numbers}) == 42


def test_texts_of_orders_name_game_phase_seat_and_powers():
    place = {"game": "danube", "sequence": 3, "phase": "F1901M", "seat": 2}
    orders = {"FRANCE": ["A PAR - BUR", "A MAR H"], "TURKEY": ["F ANK H"]}
    assert orders_text(**place, powers=("FRANCE", "ITALY"), orders=orders).splitlines() == [
        "orders danube 3 F1901M seat 2",
        "FRANCE A PAR - BUR",
        "FRANCE A MAR H",
    ]
    assert orders_text(**place, powers=("ITALY",), orders=orders).endswith("\nNO ORDERS")
    sealed = sealed_text(**place, conditional={"FRANCE": "if 1 gained: A BRE"}, draw_vote="draw")
    assert sealed.splitlines()[1:] == ["CONDITIONAL FRANCE if 1 gained: A BRE", "VOTE DRAW"]
    assert sealed_text(**place, conditional={}, draw_vote="").endswith("\nNOTHING")


def test_a_receipt_is_signed_over_all_it_says():
    key = make_key()
    at = dt.datetime(2026, 11, 22, 13, 0, tzinfo=dt.UTC)
    receipt = Receipt("danube", "F1901M", 3, 2, at, "5a17", "orders danube 3 F1901M seat 2")
    signature = receipt.sign(key)
    assert receipt.digest == salted_digest("5a17", receipt.text) == sha(f"5a17\n{receipt.text}")
    assert verify(key.public, receipt.message(key.key_id), signature)
    assert not verify(key.public, receipt.message(key.key_id) + " ", signature)
    assert not verify("zz", "", "")
    assert find_key_id(key.public) == key.key_id
    assert key.private not in repr(key)
    assert signature == SigningKey(key.private).sign(receipt.message(key.key_id))
