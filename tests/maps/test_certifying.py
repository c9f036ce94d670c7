"""Certificates: measured from the map alone, stored once, never changed."""

import datetime as dt
from dataclasses import replace

import pytest

from diplomaccloud.atlas.standard import standard_chart
from diplomaccloud.bots.selfplay import PowerRecord, SelfPlay
from diplomaccloud.judge.board import Power
from diplomaccloud.maps import certifying, library
from diplomaccloud.maps.fairness import FAIR
from diplomaccloud.maps.measuring import measure
from diplomaccloud.maps.models import Certificate, ImmutableError
from diplomaccloud.maps.pool import FIRST
from diplomaccloud.maps.workshop import make_map


def found(spread: float = 0.2, games: int = 200) -> SelfPlay:
    powers = standard_chart().board.power_info
    records = tuple(PowerRecord(power, round(1 / 7, 4), 0.01, 0.1) for power in powers)
    return SelfPlay(games, 18, 17.5, records, spread, 0.016, 0.05)


def test_a_certificate_comes_back_as_it_was(standard, now):
    certifying.record(standard, found(), now=now)
    assert certifying.certificate_of(standard) == found()


def test_a_map_is_certified_once_and_the_newest_counts(standard, now, monkeypatch):
    assert certifying.certificate_of(standard) is None
    assert certifying.uncertified() == (standard,)
    certifying.record(standard, found(0.3), now=now)
    certifying.record(standard, found(0.4), now=now)
    assert certifying.certificate_of(standard).spread == 0.3
    assert certifying.uncertified() == ()
    monkeypatch.setattr(certifying, "__version__", "99")
    certifying.record(standard, found(0.1), now=now + dt.timedelta(days=1))
    assert certifying.certificate_of(standard).spread == 0.1


def test_a_certificate_never_changes(standard, now):
    certifying.record(standard, found(), now=now)
    row = Certificate.objects.get()
    row.spread = 0.01
    with pytest.raises(ImmutableError):
        row.save()
    with pytest.raises(ImmutableError):
        row.delete()


def test_a_measure_follows_from_the_map():
    chart = standard_chart()
    assert measure(chart, games=2) == measure(chart, games=2)
    other = measure(replace(chart, world="Elsewhere"), games=2)
    assert other != measure(chart, games=2)


def test_numbers_of_an_unknown_form_are_refused(standard, now):
    chart = library.StoredChart.objects.get()
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
        certifying.certificate_of(standard)


def test_powers_keep_their_order(standard, now):
    certifying.record(standard, found(), now=now)
    read = certifying.certificate_of(standard)
    assert [one.power for one in read.powers] == list(standard_chart().board.power_info)
    assert read.powers[0] == PowerRecord(Power("AUSTRIA"), 0.1429, 0.01, 0.1)


@pytest.mark.parametrize("form", [1, 2])
def test_certificates_of_older_forms_are_read_and_tell_nothing_of_chance(standard, form):
    numbers = certifying._to_json(found()) | {"form": form}
    del numbers["chance"]
    if form == 1:
        numbers["powers"] = {name: rest for name, *rest in numbers["powers"]}
    assert certifying._from_json(200, numbers) == replace(found(), chance=None)


def test_a_map_of_an_older_generator_keeps_its_certificate(standard, now):
    key = library.store(replace(standard_chart(), maker="generator 1"), now=now)
    certifying.record(key, found(0.4), now=now)
    certifying.record(standard, found(0.1), now=now)
    assert certifying.uncertified() == ()
    assert certifying.certificate_of(key).spread == 0.4
    assert library.find_chart(key).maker == "generator 1"


def test_the_first_map_of_a_new_site_is_a_fair_one():
    assert measure(make_map(FIRST)).spread <= FAIR
