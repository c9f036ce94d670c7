"""The judge and the site are two distributions that share the namespace `diplomaccloud`."""

import tomllib
from pathlib import Path

import pytest

from diplomaccloud import version
from diplomaccloud.judge import version as judge_version

ROOT = Path(__file__).parents[2]
TREES = [ROOT / source / "diplomaccloud" for source in ("judge/src", "src")]


def read_project(tree):
    return tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))


def test_both_have_the_same_version():
    assert version.__version__ == judge_version.__version__
    site = read_project(ROOT)["project"]
    assert site["dependencies"] == [f"diplomaccloud == {version.__version__}"]


def test_the_extras_of_the_judge_bring_those_of_the_site():
    extras = read_project(ROOT / "judge")["project"]["optional-dependencies"]
    del extras["png"]  # its own
    assert extras == {
        name: [f"diplomaccloud-site[{name}] == {version.__version__}"]
        for name in read_project(ROOT)["project"]["optional-dependencies"]
    }


@pytest.mark.parametrize("tree", TREES, ids=str)
def test_no_tree_hides_the_other(tree):
    """A module of the namespace itself in one of them would hide what is in the other."""
    assert not (tree / "__init__.py").exists()


@pytest.mark.parametrize("tree", TREES, ids=str)
def test_every_package_says_that_it_has_types(tree):
    packages = [path for path in tree.iterdir() if (path / "__init__.py").exists()]
    assert [path.name for path in packages if not (path / "py.typed").exists()] == []


def test_no_package_is_in_both():
    first, second = ({path.parent.name for path in tree.glob("*/__init__.py")} for tree in TREES)
    assert first & second == set()


def test_what_is_left_of_the_judge_in_an_old_checkout_stays_out_of_the_wheel():
    """Its compiled kernel would replace the judge's, under the same name."""
    wheel = read_project(ROOT)["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert "/src/diplomaccloud/judge" in wheel["exclude"]
