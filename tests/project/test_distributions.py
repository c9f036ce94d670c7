"""The judge and the site are two distributions that share the namespace `diplomaccloud`."""

from pathlib import Path

import pytest

from diplomaccloud import version
from diplomaccloud.judge import version as judge_version

ROOT = Path(__file__).parents[2]
TREES = [ROOT / source / "diplomaccloud" for source in ("judge/src", "src")]


def test_both_have_the_same_version():
    assert version.__version__ == judge_version.__version__
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    assert f'"diplomaccloud == {version.__version__}"' in text


@pytest.mark.parametrize("tree", TREES, ids=str)
def test_no_tree_hides_the_other(tree):
    """A module of the namespace itself in one of them would hide what is in the other."""
    assert not (tree / "__init__.py").exists()


@pytest.mark.parametrize("tree", TREES, ids=str)
def test_every_package_says_that_it_has_types(tree):
    packages = [path for path in tree.iterdir() if (path / "__init__.py").exists()]
    assert [path.name for path in packages if not (path / "py.typed").exists()] == []


def test_no_package_is_in_both():
    first, second = ({path.name for path in tree.glob("[!_]*")} for tree in TREES)
    assert first & second == set()
