"""A phase's statistics are counted when it is processed, and stored."""

import pytest
from tests.games.steps import due, save

from diplomaccloud.games.master.rollback import roll_back, roll_forward
from diplomaccloud.games.statistics import page
from diplomaccloud.games.statistics.deeds import RunningTally
from diplomaccloud.games.statistics.models import PhaseFigures
from diplomaccloud.games.statistics.read import read_tally
from diplomaccloud.games.table.models import Game
from diplomaccloud.games.table.read import Reader
from diplomaccloud.games.visibility.read import Viewer

MOVES = (("A BUD - SER", "A CON - BUL"), ("A SER S A BUL - GRE", "A BUL - GRE"))
"""Alice plays Austria, and helps Bob, who plays Turkey."""


@pytest.fixture
def played(cast):
    page._views.clear()
    for alice, bob in MOVES:
        save(cast, "alice", alice)
        save(cast, "bob", bob)
        assert due(cast)
    return cast


@pytest.fixture
def no_counting(monkeypatch):
    monkeypatch.setattr(RunningTally, "count", None)


def tally_of(table):
    return read_tally(Reader(table.slug, Viewer(None)))


def count_again(table):
    """Return the statistics, counted from the results of all phases."""
    rows = dict(PhaseFigures.objects.values_list("phase", "counts"))
    PhaseFigures.objects.all().delete()
    counted = tally_of(table)
    PhaseFigures.objects.bulk_create(
        PhaseFigures(phase_id=key, counts=counts) for key, counts in rows.items()
    )
    return counted.total


@pytest.mark.every_database
def test_a_page_reads_what_the_turn_has_counted(played, no_counting):
    answer = played.client("nobody").get(played.url("statistics/"))
    helped = {row.seat.power: row.helped for row in answer.context["figures"].deeds}
    assert sum(filter(None, helped["AUSTRIA"])) == 1
    tally = tally_of(played).total
    assert dict(tally.helped) == {("AUSTRIA", "TURKEY"): 1}
    assert (tally.of("TURKEY").moves, tally.of("TURKEY").moved) == (2, 2)


@pytest.mark.every_database
@pytest.mark.parametrize("address", ["/games/{}/statistics/", "/api/v1/games/{}/statistics"])
def test_phases_of_an_earlier_version_are_counted_once(played, address, monkeypatch):
    stored = list(PhaseFigures.objects.order_by("phase").values_list("phase", "counts"))
    PhaseFigures.objects.filter(phase=stored[0][0]).delete()
    client = played.client("nobody")
    assert client.get(address.format(played.slug)).status_code == 200
    assert list(PhaseFigures.objects.order_by("phase").values_list("phase", "counts")) == stored
    monkeypatch.setattr(RunningTally, "count", None)
    assert not tally_of(played).uncounted
    assert client.get(address.format(played.slug)).status_code == 200


def test_a_turn_after_phases_of_an_earlier_version_counts_only_its_own(played):
    PhaseFigures.objects.all().delete()
    save(played, "alice", "A SER - GRE")
    assert due(played)
    assert PhaseFigures.objects.count() == 1
    assert tally_of(played).total == count_again(played)


@pytest.mark.every_database
def test_a_rollback_and_its_undoing_leave_nothing_stale(played, now):
    Game.objects.update(master=played.user_id("charlie"))
    master = {"slug": played.slug, "user_id": played.user_id("charlie"), "reason": "A mistake."}
    before = tally_of(played).total
    roll_back(**master, sequence=3, to=2, now=now)
    back = tally_of(played).total
    assert back.helped == {}
    assert back == count_again(played)
    roll_forward(**master, sequence=4, now=now)
    assert tally_of(played).total == before == count_again(played)
