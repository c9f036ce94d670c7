"""The judge, the site and each of `extras` are distributions that share a namespace."""

import re
import sys
import tomllib
from pathlib import Path

import pytest

from diplomaccloud import version
from diplomaccloud.judge import version as judge_version
from diplomaccloud.judge.version import tell_install

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import environment  # noqa: E402

EXTRAS = {tree.name: tree for tree in environment.EXTRAS}
TREES = [tree / "src" / "diplomaccloud" for tree in environment.TREES]
CURRENT = f"== {version.__version__}"


def read_project(tree):
    return tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))


def list_extras(tree=ROOT):
    return read_project(tree)["project"]["optional-dependencies"]


def test_all_have_the_same_version():
    assert version.__version__ == judge_version.__version__
    assert read_project(ROOT)["project"]["dependencies"] == [f"diplomaccloud {CURRENT}"]
    for tree in EXTRAS.values():
        project = read_project(tree)["project"]
        assert project["version"] == version.__version__
        assert f"diplomaccloud-site {CURRENT}" in project["dependencies"]


def test_the_extras_of_the_judge_bring_those_of_the_site():
    extras = list_extras(ROOT / "judge")
    del extras["png"]  # its own
    assert extras == {name: [f"diplomaccloud-site[{name}] {CURRENT}"] for name in list_extras()}


def find_folders(extra):
    """Return the packages in `extras` that an extra of the site needs."""
    text = " ".join(list_extras()[extra])
    needed = set(re.findall(rf"diplomaccloud-(\w+)(?:\[[\w,]+\])? {CURRENT}", text)) & set(EXTRAS)
    others = re.findall(r"diplomaccloud-site\[(\w+)\]", text)
    return needed.union(*map(find_folders, others))


def test_each_of_extras_comes_with_an_extra_of_the_site():
    assert set().union(*map(find_folders, list_extras())) == set(EXTRAS)


@pytest.mark.parametrize("extra", list_extras())
def test_the_command_for_an_extra_names_all_that_it_needs(extra):
    named = set(re.findall(r" \./extras/(\w+)", tell_install(extra)))
    assert named == find_folders(extra)


def test_play_needs_what_a_site_needs():
    trees = environment.list_trees("play")
    assert {tree.name for tree in trees if tree in environment.EXTRAS} == find_folders("site")


def test_the_tools_know_all_of_extras():
    tools = read_project(ROOT)["tool"]
    trees = {f"extras/{name}" for name in EXTRAS}
    sources = {f"{tree}/src" for tree in trees}
    assert sources <= set(tools["mypy"]["mypy_path"])
    assert sources <= set(tools["pytest"]["ini_options"]["pythonpath"])
    assert {f"{source}/diplomaccloud" for source in sources} <= {
        *tools["ruff"]["namespace-packages"]
    }
    assert trees <= {source["path"] for source in tools["uv"]["sources"].values()}


@pytest.mark.parametrize("tree", EXTRAS.values(), ids=EXTRAS)
def test_each_of_extras_has_one_package_with_tests_and_says_what_it_is(tree):
    packages = [path.parent.name for path in tree.glob("src/diplomaccloud/*/__init__.py")]
    assert packages == [tree.name]
    assert next(tree.glob("tests/test_*.py"))
    assert len((tree / "README.md").read_text("utf-8").splitlines()) > 3
    assert (tree / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


@pytest.mark.parametrize("tree", TREES, ids=str)
def test_no_tree_hides_the_other(tree):
    """A module of the namespace itself in one of them would hide what is in the other."""
    assert not (tree / "__init__.py").exists()


@pytest.mark.parametrize("tree", TREES, ids=str)
def test_every_package_says_that_it_has_types(tree):
    packages = [path for path in tree.iterdir() if (path / "__init__.py").exists()]
    assert [path.name for path in packages if not (path / "py.typed").exists()] == []


def test_no_package_is_in_two():
    names = [path.parent.name for tree in TREES for path in tree.glob("*/__init__.py")]
    assert len(names) == len(set(names))


def test_what_is_left_of_the_judge_in_an_old_checkout_stays_out_of_the_wheel():
    """Its compiled kernel would replace the judge's, under the same name."""
    wheel = read_project(ROOT)["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert "/src/diplomaccloud/judge" in wheel["exclude"]
