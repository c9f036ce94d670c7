"""Public IDs: one for each row, which hides its number and cannot be forged."""

import pytest
from tests.api.calls import Program, token_of

from diplomaccloud.api.addresses import IdOf, make_id, read_id
from diplomaccloud.games.table.models import Game


@pytest.mark.parametrize("number", [1, 2, 255, 10**15, 2**64 - 1])
def test_an_id_leads_back_to_its_row_alone(number):
    made = make_id(IdOf.VOTE, number)
    assert make_id(IdOf.VOTE, number) == made
    assert read_id(IdOf.VOTE, made) == number
    assert read_id(IdOf.SEAT, made) == 0


def test_neighbors_have_nothing_in_common():
    ids = [make_id(IdOf.VOTE, number) for number in range(1, 201)]
    for place in range(len(ids[0])):
        assert len({text[place] for text in ids}) > 8, place


def test_nobody_makes_one_up():
    made = make_id(IdOf.VOTE, 7)
    digits = "0123456789abcdef"
    for place, digit in enumerate(made):
        other = digits[(digits.index(digit) + 1) % 16]
        assert read_id(IdOf.VOTE, made[:place] + other + made[place + 1 :]) == 0
    for text in ("", "7", "0" * 32, "f" * 32, made[:-2], made + "00", "x" * 32, "é" * 32):
        assert read_id(IdOf.VOTE, text) == 0


def test_another_site_has_other_ids(settings):
    made = make_id(IdOf.VOTE, 7)
    settings.SECRET_KEY = "of another site"
    assert make_id(IdOf.VOTE, 7) != made
    assert read_id(IdOf.VOTE, made) == 0


def test_a_list_goes_on_where_its_part_ended(table, monkeypatch):
    program = Program(token_of(table.alice))
    for world in ("One", "Two", "Three"):
        program.post("/games", {"world": world})
    monkeypatch.setattr("diplomaccloud.api.games._PAGE", 2)
    first = Program().get("/games?status=forming").json()
    assert [game["world"] for game in first["games"]] == ["Three", "Two"]
    assert str(Game.objects.get(world="Two").pk) != first["older"]
    rest = Program().get(f"/games?status=forming&before={first['older']}").json()
    assert [game["world"] for game in rest["games"]] == ["One"]
    assert rest["older"] is None
