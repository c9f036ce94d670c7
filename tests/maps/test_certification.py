"""Certificates: they depend on the map alone, are stored once and never change."""

import datetime as dt
from dataclasses import replace

import pytest

from diplomaccloud.bots.standings import PowerRecord, SelfPlay
from diplomaccloud.judge.board import Power
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.maps import certification, library
from diplomaccloud.maps.factory import make_map
from diplomaccloud.maps.fairness import MAX_FAIR_SPREAD, measure_fairness
from diplomaccloud.maps.models import Certificate, ImmutableError, StoredChart
from diplomaccloud.maps.stock import FIRST_SEED


def make_result(spread: float = 0.2, games: int = 200) -> SelfPlay:
    powers = standard_chart().board.power_info
    records = tuple(PowerRecord(power, round(1 / 7, 4), 0.01, 0.1) for power in powers)
    return SelfPlay(games, 18, 17.5, records, spread, 0.016, 0.05)


def test_a_certificate_is_read_as_it_was_stored(standard, now):
    certification.store_certificate(standard, make_result(), now=now)
    assert certification.find_certificate(standard) == make_result()


def test_a_map_is_certified_once_and_the_newest_counts(standard, now, monkeypatch):
    assert certification.find_certificate(standard) is None
    assert certification.list_uncertified_maps() == (standard,)
    certification.store_certificate(standard, make_result(0.3), now=now)
    certification.store_certificate(standard, make_result(0.4), now=now)
    assert certification.find_certificate(standard).spread == 0.3
    assert certification.list_uncertified_maps() == ()
    monkeypatch.setattr(certification, "__version__", "99")
    certification.store_certificate(standard, make_result(0.1), now=now + dt.timedelta(days=1))
    assert certification.find_certificate(standard).spread == 0.1


def test_a_certificate_never_changes(standard, now):
    certification.store_certificate(standard, make_result(), now=now)
    row = Certificate.objects.get()
    row.spread = 0.01
    with pytest.raises(ImmutableError):
        row.save()
    with pytest.raises(ImmutableError):
        row.delete()


def test_the_result_depends_on_the_map_alone():
    chart = standard_chart()
    assert measure_fairness(chart, games=2) == measure_fairness(chart, games=2)
    other = measure_fairness(replace(chart, world="Elsewhere"), games=2)
    assert other != measure_fairness(chart, games=2)


def test_an_unknown_form_is_rejected(standard, now):
    chart = StoredChart.objects.get()
    Certificate.objects.create(
        chart=chart,
        bot="greedy",
        games=1,
        engine="0",
        spread=0,
        numbers={"form": 99},
        created_at=now,
    )
    with pytest.raises(ValueError, match="unknown form"):
        certification.find_certificate(standard)


def test_powers_keep_their_order(standard, now):
    certification.store_certificate(standard, make_result(), now=now)
    read = certification.find_certificate(standard)
    assert [record.power for record in read.powers] == list(standard_chart().board.power_info)
    assert read.powers[0] == PowerRecord(Power("AUSTRIA"), 0.1429, 0.01, 0.1)


@pytest.mark.parametrize("form", [1, 2])
def test_certificates_of_older_forms_can_be_read_without_the_spread_by_chance(standard, form):
    numbers = certification._to_json(make_result()) | {"form": form}
    del numbers["chance"]
    if form == 1:
        numbers["powers"] = {name: rest for name, *rest in numbers["powers"]}
    assert certification._from_json(200, numbers) == replace(make_result(), chance=None)


def test_a_map_of_an_older_generator_keeps_its_certificate(standard, now):
    key = library.store_chart(replace(standard_chart(), maker="generator 1"), now=now)
    certification.store_certificate(key, make_result(0.4), now=now)
    certification.store_certificate(standard, make_result(0.1), now=now)
    assert certification.list_uncertified_maps() == ()
    assert certification.find_certificate(key).spread == 0.4
    assert library.find_chart(key).maker == "generator 1"


@pytest.mark.long
def test_the_first_map_of_a_new_site_is_fair():
    assert measure_fairness(make_map(FIRST_SEED)).spread <= MAX_FAIR_SPREAD
