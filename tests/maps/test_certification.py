"""Certificates: stored once, never changed, made in slices, and the newest counts."""

import datetime as dt
import json
from dataclasses import replace

import pytest
from tests.maps.measurements import make_measurement

from diplomaccloud.bots.pinned import CAPTAIN, GENERAL, GREEDY
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.maps import certification, library, measurement
from diplomaccloud.maps.measurement import load_scale
from diplomaccloud.maps.models import Certificate, ImmutableError, StoredChart


def store_other(now, **changes):
    """Store a map whose board is not Europe's, and return its hash."""
    board = replace(standard_chart().board, first_year=1801)
    return library.store_chart(replace(standard_chart(), board=board, **changes), now=now)


def store_earlier(key, now, spread=0.3):
    """Store a certificate as an earlier version did."""
    chart = StoredChart.objects.get(content_hash=key)
    Certificate.objects.create(
        chart=chart,
        bot="greedy",
        games=200,
        engine="0.2",
        spread=spread,
        numbers={"form": 3},
        created_at=now,
    )


@pytest.fixture
def short_plan(monkeypatch, settings, tmp_path):
    """Let measurements take a few quick games; return the batches that were played."""
    settings.DATA_DIR = tmp_path
    played = []
    plan = ((GREEDY, 4), (CAPTAIN, 3))
    monkeypatch.setattr(certification, "plan_measurement", lambda powers: plan)
    monkeypatch.setattr(measurement, "_BATCH_SIZES", {GREEDY: 2, CAPTAIN: 1})

    def play(batch):
        played.append((batch.bot, batch.first))
        return [(batch.first + number, 1, 2, 3, 4, 5, 6) for number in range(batch.games)]

    monkeypatch.setattr(certification, "play_batch", play)
    return played


def test_a_certificate_is_read_as_it_was_stored(standard, now):
    found = make_measurement(standard)
    certification.store_measurement(found, now=now)
    assert certification.find_measurement(standard) == found


def test_a_map_is_certified_once_by_a_version_and_the_newest_counts(standard, now, monkeypatch):
    assert certification.find_measurement(standard) is None
    assert certification.list_unmeasured_maps() == (standard,)
    for spread in (0.3, 0.4):
        certification.store_measurement(make_measurement(standard, spread), now=now)
    assert certification.find_measurement(standard).strongest.spread.value == 0.3
    assert certification.list_unmeasured_maps() == ()
    monkeypatch.setattr(certification, "__version__", "99")
    later = now + dt.timedelta(days=1)
    certification.store_measurement(make_measurement(standard, 0.1), now=later)
    assert certification.find_measurement(standard).strongest.spread.value == 0.1


def test_a_certificate_never_changes(standard, now):
    certification.store_measurement(make_measurement(standard), now=now)
    row = Certificate.objects.get()
    row.spread = 0.01
    with pytest.raises(ImmutableError):
        row.save()
    with pytest.raises(ImmutableError):
        row.delete()


def test_a_map_is_measured_in_slices_and_nothing_is_played_twice(db, now, short_plan):
    key = store_other(now)
    slices = 1
    while not certification.certify_map(key, quickly=True, now=now, seconds=0):
        slices += 1
    assert slices == 2
    quick = certification.find_measurement(key)
    assert [(row.bot, len(row.games)) for row in quick.rows] == [(GREEDY, 4)]
    assert certification.list_partly_measured_maps(earlier=False) == (key,)
    while not certification.certify_map(key, quickly=False, now=now, seconds=0):
        slices += 1
    whole = certification.find_measurement(key)
    assert [(row.bot, len(row.games)) for row in whole.rows] == [(GREEDY, 4), (CAPTAIN, 3)]
    expected = [(GREEDY, 0), (GREEDY, 2), (CAPTAIN, 0), (CAPTAIN, 1), (CAPTAIN, 2)]
    assert short_plan == expected
    assert not certification.find_games_file(key).exists()
    assert key in whole.seed


def test_another_process_that_measures_the_map_is_left_alone(db, now, short_plan):
    key = store_other(now)
    path = certification.find_games_file(key)
    with (
        measurement.GamesFile(path, key, measurement.choose_seed(key), 7),
        pytest.raises(ValueError, match="in use"),
    ):
        certification.certify_map(key, quickly=True, now=now)


def test_europe_has_the_scale_itself(standard, now):
    assert certification.certify_map(standard, quickly=True, now=now)
    assert certification.find_measurement(standard) == replace(load_scale(), map=standard)
    pk = Certificate.objects.get().pk
    assert certification.read_facts(pk).verdict is None


def test_a_map_that_only_an_earlier_version_measured_waits_for_stronger_bots(db, now):
    key, other = store_other(now), store_other(now, world="Other")
    store_earlier(key, now)
    assert certification.find_measurement(key) is None
    assert certification.count_earlier_games(key) == 200
    assert certification.count_earlier_games(other) == 0
    assert certification.list_unmeasured_maps() == (other,)
    assert certification.list_partly_measured_maps(earlier=True) == (key,)
    assert certification.list_partly_measured_maps(earlier=False) == ()
    certification.store_measurement(make_measurement(key), now=now)
    assert certification.list_partly_measured_maps(earlier=True) == ()
    assert certification.find_measurement(key).strongest.bot == GENERAL


def test_the_certificate_is_no_part_of_the_map(standard, now):
    certification.store_measurement(make_measurement(standard), now=now)
    text = library.find_text(standard)
    assert library.hash_text(text) == standard == library.standard_hash()
    assert "bots" not in json.loads(text)


def test_a_map_with_fewer_players_than_powers_is_not_measured(standard, now):
    StoredChart.objects.update(players=6)
    with pytest.raises(certification.NotMeasurableError, match="6 players for 7 powers"):
        certification.certify_map(standard, quickly=True, now=now)
