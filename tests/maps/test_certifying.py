"""Certificates: measured from the map alone, stored once, never changed."""

import datetime as dt
from dataclasses import replace

import pytest

from diplomaccloud.atlas.standard import standard_chart
from diplomaccloud.bots.selfplay import PowerRecord, SelfPlay
from diplomaccloud.judge.board import Power
from diplomaccloud.maps import certifying, library
from diplomaccloud.maps.models import Certificate, ImmutableError


def found(spread: float = 0.2, games: int = 200) -> SelfPlay:
    powers = standard_chart().board.power_info
    records = tuple(PowerRecord(power, round(1 / 7, 4), 0.01, 0.1) for power in powers)
    return SelfPlay(games, 18, 17.5, records, spread, 0.016)


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


def test_certifying_plays_the_games_that_follow_from_the_map(standard, now, monkeypatch):
    monkeypatch.setattr(certifying, "GAMES", 2)
    chart = standard_chart()
    assert certifying.measure(chart, games=2) == certifying.measure(chart, games=2)
    other = certifying.measure(replace(chart, world="Elsewhere"), games=2)
    assert other != certifying.measure(chart, games=2)


def test_the_fairest_is_measured_in_full_and_others_only_screened(monkeypatch):
    charts = [replace(standard_chart(), world=f"World {number}") for number in range(4)]
    asked = []

    def measure(chart, *, games=certifying.GAMES):
        asked.append((chart.world, games))
        return found(0.1 if chart.world == "World 2" else 0.3, games)

    monkeypatch.setattr(certifying, "measure", measure)
    best = certifying.fairest(charts)
    assert (best.chart.world, best.found.games) == ("World 2", certifying.GAMES)
    assert [world for world, games in asked if games == certifying.GAMES] == ["World 2"]


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


def test_certificates_of_the_first_form_are_read(standard):
    numbers = certifying._to_json(found())
    numbers |= {"form": 1, "powers": {name: rest for name, *rest in numbers["powers"]}}
    assert certifying._from_json(200, numbers) == found()
