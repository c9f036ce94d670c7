"""The command that makes the maps of a release: its plan, its bounds, and how it continues."""

from collections import Counter
from dataclasses import replace

import pytest
from tests.maps.measurements import make_measurement

from diplomaccloud.atlas.chartfile import content_hash
from diplomaccloud.atlas.landforms import Landform
from diplomaccloud.judge.cli import main
from diplomaccloud.judge.drawing.europe import standard_chart
from diplomaccloud.maps import batch
from diplomaccloud.maps.factory import NoMapError
from diplomaccloud.maps.gallery_file import ShippedMaps
from diplomaccloud.maps.measurement import load_scale

STOPPED = 130
EUROPE = load_scale().strongest.spread.value


@pytest.fixture
def work(monkeypatch, tmp_path):
    """Replace the generator, the games and the pictures; return a stand-in for the work.

    `spreads` are those of the next maps, compared with Europe's; `made` lists the seeds.
    """

    class Work:
        spreads: list[float] = []
        made: list[str] = []
        path = tmp_path / "maps.zip"

        def run(self, *options: str) -> int:
            keep = str(tmp_path / "keep")
            return main(["map", "batch", "-o", str(self.path), "--keep", keep, *options])

    work = Work()
    work.made = []

    def make(seeds, players, *, landform):
        assert len(set(seeds)) == len(seeds)
        work.made.append(seeds[0])
        if landform == "archipelago":
            raise NoMapError("No map can be made.")
        maker = f"generator, landform {landform}"
        return replace(standard_chart(), world=seeds[0], seed=seeds[0], maker=maker)

    def measure(chart, path):
        path.touch()
        ratio = work.spreads.pop(0) if work.spreads else 0.5
        if ratio is None:
            raise KeyboardInterrupt
        return make_measurement(content_hash(chart), ratio * EUROPE)

    monkeypatch.setattr(batch, "make_fair_map", make)
    monkeypatch.setattr(batch, "_measure", measure)
    monkeypatch.setattr(batch, "find_named_faults", lambda chart: ())
    monkeypatch.setattr(batch, "_find_broken_constraints", lambda chart: ())
    monkeypatch.setattr(batch, "draw_shipped_pictures", lambda chart: {"light-small": b"light"})
    monkeypatch.setattr("diplomaccloud.bots.kernel.SLOW_KERNEL", "")
    monkeypatch.setattr(batch, "WANTED", {7: 3})
    return work


def test_all_landforms_take_turns_for_each_number_of_players():
    jobs = batch.Collection([], {}, batch.WANTED).choose_jobs()
    numbers = Counter(job.players for job in jobs)
    for players, wanted in batch.WANTED.items():
        assert numbers[players] == (wanted if batch.list_landforms(players) else 0)
    forms = Counter(job.landform for job in jobs if job.players == 7)
    assert set(forms) == set(batch.list_landforms(7))
    assert max(forms.values()) - min(forms.values()) <= 1
    assert len({job.name for job in jobs}) == len(jobs)


def test_the_plan_has_100_maps():
    assert sum(batch.WANTED.values()) == 100


def test_maps_within_the_bounds_are_kept_and_others_reported(work, capsys):
    work.spreads = [0.5, 0.95]
    assert work.run("--maps", "2") == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("kept")
    assert "spread is 0.95 of Europe's, above 0.9" in lines[1]
    assert lines[2].startswith(" 7 players: 1 of 3 maps")
    assert "2 missing" in lines[2]
    assert len(ShippedMaps(work.path).hashes) == 1


def test_a_power_with_half_of_a_share_is_too_weak():
    shares = (0.06, 0.16, 0.16, 0.16, 0.15, 0.15, 0.16)
    found = make_measurement(spread=0.5 * EUROPE, shares=shares)
    assert list(batch.find_misses(found)) == ["a power has 0.42 of an equal share, below 0.5"]
    assert list(batch.find_misses(make_measurement(spread=0.5 * EUROPE))) == []


def test_a_map_without_all_games_is_left_out():
    assert "some games are missing" in list(batch.find_misses(make_measurement(quick=True)))


@pytest.mark.long
def test_it_continues_where_it_was_stopped_and_makes_no_map_twice(work):
    work.spreads = [0.5, None]
    assert work.run() == STOPPED
    first = ShippedMaps(work.path)
    assert len(first.hashes) == 1
    stopped = list(work.made)
    work.spreads = []
    work.run()
    shipped = ShippedMaps(work.path)
    assert shipped.hashes[0] == first.hashes[0]
    assert len(shipped.hashes) == 3
    assert work.made[: len(stopped)] == stopped
    assert len(set(work.made)) == len(work.made), "the file of the stopped map is read"
    assert work.run("--maps", "0") == 0
    assert not list(work.path.parent.glob("keep/*"))


def test_a_landform_without_maps_does_not_hold_up_the_others(work, monkeypatch):
    monkeypatch.setattr(batch, "list_landforms", lambda _: (Landform.ARCHIPELAGO,))
    assert work.run() == 1
    assert ShippedMaps(work.path).tries == {"7 archipelago": 12}
    monkeypatch.setattr(batch, "list_landforms", lambda _: (Landform.ARCHIPELAGO, Landform.PANGAEA))
    work.run()
    assert len(ShippedMaps(work.path).hashes) == 3


@pytest.mark.long
def test_the_worst_maps_are_replaced_until_the_median_is_small_enough(work, capsys):
    work.spreads = [0.5, 0.8, 0.7, 0.75, 0.55]
    work.run("--maps", "3")
    assert "the median is above 0.6" in capsys.readouterr().out
    assert work.run() == 0
    assert (
        capsys.readouterr()
        .out.splitlines()[-1]
        .startswith(" 7 players: 3 of 3 maps, spread 0.50 to 0.70 of Europe's, median 0.55")
    )


def test_outdated_pictures_are_drawn_again(work, monkeypatch):
    work.run("--maps", "1")
    monkeypatch.setattr(batch, "renderer_version", lambda: "new")
    monkeypatch.setattr(batch, "draw_shipped_pictures", lambda chart: {"light-small": b"new"})
    work.run("--maps", "0")
    shipped = ShippedMaps(work.path)
    assert shipped.read(shipped.hashes[0]).pictures == {"light-small": b"new"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--players", "7", "11"], "11 is not among 7"),
        (["-o", "missing/maps.zip"], "is not a folder"),
    ],
)
def test_a_wrong_option_is_named(work, capsys, options, message):
    assert work.run(*options) != 0
    assert message in capsys.readouterr().err
