"""How different maps look, and `map table --variety`."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from judge.tests.drawing.toy_map import toy_chart

from diplomaccloud.atlas.chartfile import dump_chart
from diplomaccloud.atlas.generator import pipeline
from diplomaccloud.atlas.landforms import read_ground
from diplomaccloud.atlas.variety import (
    Form,
    build_table,
    compare_silhouettes,
    measure_form,
    measure_variety,
)
from diplomaccloud.judge.cli import main
from diplomaccloud.judge.drawing.europe import standard_chart


def make_form(name, silhouette, **features):
    return Form(name, "", np.array(silhouette, dtype=bool), features)


LEFT, RIGHT, BOTH, LOW = [[1, 0], [1, 0]], [[0, 1], [0, 1]], [[1, 1], [1, 1]], [[0, 0], [1, 1]]


class TestSilhouettes:
    def test_they_are_compared_as_the_best_of_four_mirrorings(self):
        found = compare_silhouettes(np.array([LEFT, RIGHT, BOTH, LOW], dtype=bool))
        wanted = [[0, 0, 1 / 2, 2 / 3], [0, 0, 1 / 2, 2 / 3], [1 / 2, 1 / 2, 0, 1 / 2]]
        assert found[:3] == pytest.approx(np.array(wanted))

    @given(arrays(bool, (3, 4, 6)), st.booleans(), st.booleans())
    def test_a_mirrored_one_is_equally_far_from_all(self, silhouettes, across, down):
        mirrored = silhouettes.copy()
        mirrored[0] = mirrored[0, :: -1 if down else 1, :: -1 if across else 1]
        found = compare_silhouettes(silhouettes)
        assert found == pytest.approx(compare_silhouettes(mirrored))
        assert found == pytest.approx(found.T)
        assert found.diagonal() == pytest.approx(0)
        assert ((found >= 0) & (found <= 1)).all()

    def test_of_europe(self):
        form = measure_form("Europe", standard_chart())
        assert form.silhouette.shape == (64, 96)
        assert form.silhouette[0, -1]  # Russia, in the upper right corner
        assert not form.silhouette[:20, 0].any()  # the Atlantic Ocean
        across, down = read_ground(standard_chart()).middles[-1]
        assert form.silhouette[int(64 * down), int(96 * across)]  # Switzerland is land
        assert form.features["split coasts"] == 3
        assert form.features["deviation of homes"] == pytest.approx(0.35, abs=0.01)


class TestVariety:
    SETS = (
        [make_form("a", LEFT, x=0.0, y=1.0), make_form("b", RIGHT, x=1.0, y=1.0)],
        [make_form("c", LEFT, x=4.0, y=1.0), make_form("d", BOTH, x=4.0, y=1.0)],
    )

    def test_features_are_scaled_over_both_sets(self):
        (alone,) = measure_variety(self.SETS[0])
        assert alone.find_medians()["feature half"] == 0.25  # half of the mean of 1 and 0
        ours, theirs = measure_variety(*self.SETS)
        assert ours.find_medians() == {
            "distance": 0.0625,
            "silhouette half": 0.0,
            "feature half": 0.0625,
        }
        assert theirs.find_medians()["silhouette half"] == 0.25
        assert [one.nearest for one in (*ours.distances, *theirs.distances)] == ["b", "a", "d", "c"]

    def test_the_nearest_is_by_both_halves(self):
        forms = [
            make_form("a", LEFT, x=0.0),
            make_form("b", LEFT, x=1.0),  # 0.5 from a
            make_form("c", BOTH, x=0.0),  # 0.25 from a
        ]
        (variety,) = measure_variety(forms)
        nearest = variety.distances[0]
        assert (nearest.nearest, nearest.silhouette_half, nearest.feature_half) == ("c", 0.25, 0.0)

    def test_the_table_names_what_misses_its_target(self):
        ours, theirs = measure_variety(*self.SETS)
        lines = build_table(ours, theirs).splitlines()
        (line,) = [line for line in lines if line.startswith("distance")]
        assert line.split() == ["distance", "0.0625", "0.2500", "0.25", "≥", "1.4", "missed"]
        assert "against" not in build_table(ours, None)


class TestCommand:
    @pytest.fixture
    def made(self, monkeypatch):
        """Make toy maps, and return the seeds that were used."""
        made = []

        def make_chart(seed):
            made.append(seed)
            return replace(toy_chart(), seed=seed, maker="generator 8, landform globe")

        monkeypatch.setattr(pipeline, "make_chart", make_chart)
        return made

    def test_kept_maps_are_compared_again_with_others(self, made, tmp_path, capsys):
        options = ["map", "table", "--variety", "3", "--jobs", "1", "--keep", str(tmp_path / "new")]
        assert main(options) == 0
        assert made == ["survey 0", "survey 1", "survey 2"]
        assert "medians of 3 maps" in capsys.readouterr().out
        assert main([*options, "--against", str(tmp_path / "new"), "--json"]) == 0
        assert len(made) == 3
        result = json.loads(capsys.readouterr().out)
        assert result["ours"] == result["against"]
        assert result["ours"]["maps"][0]["landform"] == "globe"

    def test_wrong_folders_are_named(self, made, tmp_path, monkeypatch, capsys):
        monkeypatch.chdir(tmp_path)
        for name in ("empty", "bad"):
            (tmp_path / name).mkdir()
        for name, text in (("a", "{}"), ("b", dump_chart(toy_chart()))):
            (tmp_path / "bad" / f"{name}.json").write_text(text)
        refused = [
            (["--variety", "1"], "--variety: 1 is less than 2 maps"),
            (["--against", "bad"], "--against requires --variety"),
            (["--variety", "2", "--against", "no"], "there is no folder 'no'"),
            (["--variety", "2", "--against", "empty"], "'empty' holds 0 map files"),
            (["--variety", "2", "--against", "bad"], "bad/a.json: "),
        ]
        for options, message in refused:
            assert main(["map", "table", *options]) == 2
            assert message in capsys.readouterr().err
        assert not made
