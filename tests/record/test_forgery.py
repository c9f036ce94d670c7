"""Records changed by someone who can recompute every hash and sign with another key."""

import json
from datetime import timedelta

import pytest
from judge.tests.test_codec import NOT_WHOLE
from tests.record.forgery import (
    FORGER,
    KEYS,
    find_fault,
    find_kind,
    forge,
    place_of,
    rehash,
    verify,
)
from tests.record.honest_games import Table, coin_game, eventful_game, hidden_game

from diplomaccloud.record.commitments import commit, orders_text, salted_digest
from diplomaccloud.record.lines import seal_message


@pytest.fixture(scope="module")
def eventful():
    return eventful_game().record(reader=2)


@pytest.fixture(scope="module")
def hidden():
    return hidden_game().record()


@pytest.fixture(scope="module")
def coin():
    return coin_game().record()


def set_part(kind, *path, number=1):
    """Return an edit that sets a part of a line; the last of `path` is the new value."""

    def edit(bodies):
        part = find_kind(bodies, kind, number)
        *keys, last, value = path
        for key in keys:
            part = part[key]
        part[last] = value

    return edit


SECRET = "ab" * 32
EVENTFUL = [
    ("another rule", set_part("game", "rules", "victory", "pieces"), "game", "rules_hash"),
    ("another map", set_part("game", "map_hash", SECRET), "game", "map_hash"),
    ("another number of seats", set_part("game", "seats", 6), "game", "seats: "),
    ("an unknown setup", set_part("game", "setup", "2000-9"), "game", "no setup called"),
    ("another draw", set_part("draw", "secret", SECRET), "draw", "committed to"),
    ("another power", set_part("draw", "seats", 0, "powers", ["TURKEY"]), "draw", "gives seat 1"),
    ("another bot", set_part("draw", "seats", 0, "bot", "hold"), "resolve", "by the bot 'hold'"),
    ("another sequence", set_part("open", "sequence", 5), "open", "must be 1"),
    ("another branch", set_part("open", "branch", 1), "open", "branch must be 0"),
    ("another start", set_part("open", "position", "units", {}), "open", "it begins with"),
    ("another digest", set_part("lock", "seats", 1, "orders", SECRET), "resolve", "seat 2 are not"),
    ("another salt", set_part("resolve", "salts", 0, "salt", SECRET), "resolve", "seat 1 are not"),
    ("no salts", set_part("resolve", "salts", []), "resolve", "one for each digest"),
    ("another judge", set_part("resolve", "secrets", "judge", SECRET), "resolve", "'judge' is not"),
    ("a short secret", set_part("resolve", "secrets", "judge", "ab"), "resolve", "64 hexa"),
    ("no bots", set_part("resolve", "bots", []), "resolve", "by the bot 'greedy'"),
    ("a bot for a person", set_part("draw", "seats", 0, "bot", ""), "resolve", "by no bot"),
    ("no secret of bots", set_part("resolve", "secrets", {"judge": ""}), "resolve", "64 hexa"),
    ("no results", set_part("resolve", "results", {}), "resolve", "the record says nothing"),
    ("another end", set_part("resolve", "ending", {"winners": []}), "resolve", "ending: the"),
    ("an unknown seat", set_part("seat", "seat", 8), "seat", "not from 1 to 7"),
    ("an unknown change", set_part("seat", "change", "sold"), "seat", "'sold' is not one of"),
    ("another branch back", set_part("rollback", "branch", 4), "rollback", "branch must be 1"),
    ("an open phase back", set_part("rollback", "to", 9), "rollback", "not an earlier phase"),
    ("no rollback", set_part("rollback", "direction", "forward"), "rollback", "does not undo"),
    ("another sealed text", set_part("reveal", "sealed", 1, "text", ""), "reveal", "of seat 2"),
    ("another number", set_part("game", "places", 2, SECRET), "draw", "gives the seats other"),
    ("no commitment", set_part("game", "places", []), "game", "places: "),
    ("another order", set_part("draw", "secrets", "seats", SECRET), "draw", "'seats' is not"),
    ("hidden numbers", set_part("end", "secrets", {}), "end", "characters: missing"),
    (
        "other characters",
        set_part("end", "secrets", "characters", SECRET),
        "end",
        "'characters' is",
    ),
    ("a strange winner", set_part("end", "ending", "winners", ["SPAIN"]), "end", "not a power"),
    ("another coin", set_part("end", "secrets", "coin", SECRET), "end", "'coin' is not"),
    ("an unknown kind", set_part("log", "kind", "gossip"), None, "'gossip' do not belong"),
    ("a person", set_part("log", "by", "Alice"), "log", f"by: {NOT_WHOLE}"),
    ("no time", set_part("log", "at", "noon"), "log", "noon"),
]


@pytest.mark.parametrize(
    ("edit", "kind", "what"), [entry[1:] for entry in EVENTFUL], ids=[e[0] for e in EVENTFUL]
)
def test_a_forged_part_is_found(eventful, edit, kind, what):
    line, said = find_fault(forge(eventful, edit))
    assert what in said
    if kind is not None:
        assert line == place_of(eventful, kind)


def test_an_order_that_changes_no_result_is_found(eventful):
    def edit(bodies):
        orders = find_kind(bodies, "resolve")["orders"]
        power = next(p for p, texts in orders.items() if any(" H" in text for text in texts))
        orders[power] = [text for text in orders[power] if " H" not in text]

    line, what = find_fault(forge(eventful, edit))
    assert line == place_of(eventful, "resolve")
    assert "their digest differs" in what


def test_another_game_cannot_have_the_same_orders(eventful):
    line, what = find_fault(forge(eventful, set_part("game", "id", "rhine")))
    assert line == place_of(eventful, "resolve")
    assert "their digest differs" in what


def test_orders_of_a_bot_must_be_those_of_its_secret(eventful):
    def edit(bodies):
        powers = {seat["seat"]: seat["powers"] for seat in find_kind(bodies, "draw")["seats"]}
        resolve, lock = find_kind(bodies, "resolve"), find_kind(bodies, "lock")
        (power,) = powers[1]
        resolve["orders"][power] = resolve["orders"][power][1:]
        text = orders_text(
            game="danube",
            sequence=1,
            phase="S1901M",
            seat=1,
            powers=(power,),
            orders=resolve["orders"],
        )
        lock["seats"][0]["orders"] = salted_digest(resolve["salts"][0]["salt"], text)

    line, what = find_fault(forge(eventful, edit))
    # The orders of a bot can change the results, which are compared first.
    assert line == place_of(eventful, "resolve")
    assert "of the bot 'greedy'" in what or "judged" in what


def test_a_commitment_is_used_once(eventful):
    def edit(bodies):
        find_kind(bodies, "open", 2)["commits"] = find_kind(bodies, "open")["commits"]

    line, what = find_fault(forge(eventful, edit))
    assert line == place_of(eventful, "open", 2)
    assert "used before" in what


def test_every_seat_that_can_order_has_a_digest(eventful):
    def drop(bodies):
        del find_kind(bodies, "lock")["seats"][2]["orders"]

    def shuffle(bodies):
        find_kind(bodies, "lock")["seats"].reverse()

    def drop_line(bodies):
        bodies.remove(find_kind(bodies, "lock"))

    place = place_of(eventful, "lock")
    assert find_fault(forge(eventful, drop)) == (
        place,
        "the digest of the orders of seat 3 is missing",
    )
    assert find_fault(forge(eventful, shuffle)) == (place, "the seats are not in order")
    assert "have not been locked" in find_fault(forge(eventful, drop_line))[1]


def test_a_phase_of_the_past_cannot_be_played_again(eventful):
    def edit(bodies):
        bodies.remove(find_kind(bodies, "rollback"))

    line, what = find_fault(forge(eventful, edit))
    assert line == place_of(eventful, "rollback")
    assert "branch must be 0" in what


def test_a_rollback_begins_with_the_position_of_its_phase(eventful):
    line, what = find_fault(forge(eventful, set_part("rollback", "to", 1)))
    assert line == place_of(eventful, "rollback") + 1
    assert "at the start of phase 1" in what


def test_nothing_is_played_after_the_end(eventful):
    def edit(bodies):
        bodies.append(find_kind(bodies, "open"))

    line, what = find_fault(forge(eventful, edit))
    assert line == place_of(eventful, "end") + 1
    assert what == "the game has ended"


HIDDEN = [
    (set_part("draw", "seats", 0, "bot", "hold"), "draw", "hides which seats are bots"),
    (set_part("reveal", "secrets", "bots", SECRET), "reveal", "'bots' is not the one"),
    (set_part("reveal", "bots", 0, "bot", "hold"), "reveal", "not the ones of the bot 'hold'"),
    (set_part("reveal", "sequence", 9), "reveal", "no such phase"),
]


@pytest.mark.parametrize(("edit", "kind", "what"), HIDDEN)
def test_hidden_bots_are_checked_at_the_end(hidden, edit, kind, what):
    line, said = find_fault(forge(hidden, edit))
    assert (line, what in said) == (place_of(hidden, kind), True)


def test_a_coin_cannot_be_flipped_again(coin):
    def swap(bodies):
        body = find_kind(bodies, "coin")
        body["seat"] = 3 - body["seat"]

    def drop(bodies):
        bodies.remove(find_kind(bodies, "coin"))

    place = place_of(coin, "coin")
    line, what = find_fault(forge(coin, swap))
    assert (line, "ITALY joins" in what) == (place, True)
    line, what = find_fault(forge(coin, drop))
    assert (line, "must be published" in what) == (place, True)


def test_a_coin_that_is_known_must_be_flipped_again(coin):
    def keep(bodies):
        del find_kind(bodies, "rollback")["commits"]

    line, what = find_fault(forge(coin, keep))
    assert (line, "flipped again" in what) == (place_of(coin, "rollback"), True)


def test_the_map_changes_only_as_the_setup_says(eventful, coin):
    def change(bodies):
        first, second = find_kind(bodies, "game"), find_kind(bodies, "open", 2)
        second.update(map=first["map"], map_hash=first["map_hash"])

    def keep(bodies):
        body = next(body for body in bodies if body["kind"] == "open" and "map" in body)
        del body["map"], body["map_hash"]

    line, what = find_fault(forge(eventful, change))
    assert (line, "cannot change" in what) == (place_of(eventful, "open", 2), True)
    line, what = find_fault(forge(coin, keep))
    assert (line, "not the board of the setup" in what) == (place_of(coin, "coin") + 1, True)


def test_other_versions_play_bots_in_another_way(eventful):
    def edit(bodies):
        for body in bodies:
            if body["kind"] in {"open", "resolve"}:
                body["engine"] = "0.0.1"

    def break_results(bodies):
        edit(bodies)
        find_kind(bodies, "resolve")["results"] = {}

    report = verify(forge(eventful, edit))
    assert report.faults == []
    assert report.checked["order sets of bots"] == 0
    assert "the orders of the bot 'greedy' of version 0.0.1, which" in "".join(report.unchecked)
    assert "judged by version 0.0.1" in find_fault(forge(eventful, break_results))[1]


def test_the_beginning_of_a_sealed_text_cannot_pass_for_its_salt(eventful):
    def move_lines(bodies):
        for body in bodies:
            for sealed in body["sealed"] if body["kind"] == "reveal" else ():
                first, _, rest = sealed["text"].partition("\n")
                sealed.update(salt=f"{sealed['salt']}\n{first}", text=rest)

    forged = forge(eventful, move_lines)
    line, what = find_fault(forged)
    assert line == place_of(forged, "reveal")
    assert "salt" in what


# The seal and the keys.


def test_a_forger_has_another_key(eventful):
    forged = forge(eventful, set_part("log", "text", "Nothing happened."))
    assert find_fault(forged) is None  # consistent in itself: only the key and the head differ
    line, what = find_fault(forged, keys=KEYS)
    assert line == place_of(forged, "seal")
    assert what == f"the key {FORGER.key_id} is not one of the given keys"
    head = json.loads(eventful.splitlines()[place_of(eventful, "seal") - 1])["head"]
    assert "no line has the hash" in find_fault(forged, heads=[head])[1]


def test_the_seal_must_be_signed_and_fit(eventful):
    def unsign(bodies):
        for part in ("key", "public", "signature"):
            del find_kind(bodies, "seal")[part]

    def sign_other(bodies):
        seal = find_kind(bodies, "seal")
        message = seal_message(game="danube", lines=1, head="", key_id=FORGER.key_id)
        seal["signature"] = FORGER.sign(message)

    place = place_of(eventful, "seal")
    assert find_fault(rehash(eventful, unsign)) == (place, "the seal is not signed")
    assert find_fault(rehash(eventful, sign_other)) == (place, "the signature is wrong")
    edit = set_part("seal", "id", "rhine")
    assert find_fault(rehash(eventful, edit)) == (place, "this is the seal of another game")
    edit = set_part("seal", "key", "0" * 16)
    assert find_fault(rehash(eventful, edit))[0] == place


RECEIPTS = [
    (set_part("receipt", "text", "orders danube 1 S1901M seat 2\nNO ORDERS"), "its digest"),
    (set_part("receipt", "text", "NO ORDERS"), "must begin with"),
    (set_part("receipt", "at", "2026-11-01T03:00:00.000000Z"), "the signature is wrong"),
    (set_part("receipt", "seat", 3), "must begin with"),
    (set_part("receipt", "game", "rhine"), "for another game"),
    (set_part("receipt", "sequence", 99), "does not have"),
    (set_part("receipt", "number", 2), "must be receipt 1"),
    (set_part("receipt", "of", 2), "number of receipts"),
]


@pytest.mark.parametrize(("edit", "what"), RECEIPTS)
def test_a_forged_receipt_is_found(eventful, edit, what):
    line, said = find_fault(rehash(eventful, edit))
    assert what in said
    assert place_of(eventful, "receipt") <= line <= place_of(eventful, "receipt") + 2


def test_a_receipt_shows_that_locked_orders_were_changed():
    table = Table("changed")
    table.open()
    table.save(2)
    salt, orders = table.typed[2]
    table.typed[2] = salt, orders[1:]  # the site changes what was saved
    table.lock()
    table.resolve()
    line, what = find_fault(table.record(reader=2))
    assert line == place_of(table.record(reader=2), "receipt")
    assert "seat 2 had other orders at the lock of S1901M" in what


def test_the_clock_of_a_server_may_be_ahead():
    table = Table("ahead")
    table.open()
    table.save(2)
    table.now -= timedelta(hours=2)
    table.lock()
    table.resolve()
    report = verify(table.record(reader=2))
    assert report.faults == []
    proof = "before the lock at 2026-11-01T02:07:00.000000Z by another clock, and they match"
    assert proof in report.receipts[0]


def test_a_receipt_after_the_lock_is_worthless():
    table = Table("late")
    table.open()
    table.lock()
    position = table.position
    table.resolve()
    table.position, after = position, table.position
    table.save(2)
    table.position = after
    what = find_fault(table.record(reader=2))[1]
    assert "other orders at the lock of S1901M (line 4) than in its later receipt" in what


def test_a_secret_is_bound_to_its_purpose():
    assert commit("judge", SECRET) != commit("bots", SECRET)
