"""Every `pip` line of the documentation works as it stands, and an old package is replaced."""

import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from diplomaccloud.judge.version import tell_install

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "judge" / "README.md", *(ROOT / "docs").glob("*.*")]
LINE = re.compile(r"(?:\S*/)?pip3? (?:install|uninstall)[^\n`#|]*")
PIP = "/opt/diplomaccloud/$VERSION/bin/pip"
SERVER = {
    f"{PIP} install --require-hashes -r requirements/server.lock",
    f"{PIP} install --no-deps --force-reinstall dist/diplomaccloud*.whl",
    f"{PIP} uninstall --yes diplomaccloud diplomaccloud-site",
}
"""The lines for a server: `scripts/fresh-machine` and the test of the old package run them."""


def find_lines():
    """Return the commands that the pages show, without those for a server."""
    texts = [path.read_text("utf-8") for path in PAGES if path.suffix in {".md", ".txt"}]
    lines = {line.strip() for text in texts for line in LINE.findall(text)}
    assert lines >= SERVER
    return sorted(lines - SERVER)


def test_every_extra_has_its_line_and_no_line_is_another():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = set(find_lines())
    names = {name for extra in find_extras(lines) for name in extra.split(",")}
    # Push comes with the site, and PNG is an extra of the judge.
    assert names == {*extras["optional-dependencies"], "png"} - {"push"}
    assert lines == {tell_install(), tell_install(""), *map(tell_install, find_extras(lines))}


def find_extras(lines):
    return re.findall(r"\[([\w,]+)\]", "\n".join(lines))


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """An environment with pip, in which everything that the checks need counts as installed."""
    folder = tmp_path_factory.mktemp("place")
    venv.create(folder, with_pip=True, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    (own,) = Path(sys.prefix).glob("lib/python*/site-packages")
    (packages / "checks.pth").write_text(f"{own}\n")
    return folder


def run_pip(place, line, *, cwd=ROOT, **variables):
    """Run a line with the environment's pip, which builds with what is installed."""
    path = os.pathsep.join([str(place / "bin"), os.environ["PATH"]])
    given = {"PATH": path, "PIP_NO_BUILD_ISOLATION": "0", "PIP_NO_COMPILE": "1"}
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=cwd,
        env=os.environ | given | variables,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.long
@pytest.mark.parametrize("line", find_lines())
def test_a_line_of_the_documentation_works(place, line):
    only = {"PIP_DRY_RUN": "1"} if "[" in line else {}
    told = run_pip(place, line, **only)
    assert re.search(r"(Would install|Successfully installed) .*\bdiplomaccloud-0", told)


OLD = {
    "diplomaccloud": ["diplomaccloud-*", "diplomaccloud_*"],  # until 0.2, one package
    "diplomaccloud_site": ["diplomaccloud_*"],  # then the site's had what is in `extras` now
}
"""Packages of before, each with the patterns of the wheels that have its files now."""


@pytest.mark.long
@pytest.mark.parametrize("name", OLD)
def test_a_package_from_before_a_division_is_replaced(tmp_path, name):
    """pip alone would delete new files, which the old package had under the same names."""
    run_pip(tmp_path, f"{ROOT}/scripts/wheels {tmp_path / 'dist'}", PYTHON=sys.executable)
    make_old_wheel(tmp_path, name)
    venv.create(tmp_path / "place", with_pip=True, symlinks=True)
    command = tmp_path / "place" / "bin" / "diplomaccloud"
    (packages,) = (tmp_path / "place").glob("lib/python*/site-packages")
    steps = {line.split()[1]: line.partition("bin/")[2] for line in SERVER if " -r " not in line}
    for names in (["install"], ["uninstall", "install"]):
        run_pip(tmp_path / "place", "pip install ./*.whl", cwd=tmp_path)
        for step in names:
            run_pip(tmp_path / "place", steps[step], cwd=tmp_path)
        lost = [file for file in read_names(tmp_path, OLD[name]) if not (packages / file).exists()]
        if "uninstall" in names:
            assert lost == []
        elif name == "diplomaccloud":  # which pip replaces last
            assert lost
            assert "all again" in run_help(command).stderr
    assert subprocess.run([command, "--version"], capture_output=True).returncode == 0
    assert "arena" in run_help(command).stdout


def run_help(command):
    return subprocess.run([command, "--help"], capture_output=True, text=True)


def read_names(folder, patterns):
    """Return the names of the files in the wheels with names like these."""
    names = []
    for path in (path for pattern in patterns for path in (folder / "dist").glob(pattern)):
        with zipfile.ZipFile(path) as wheel:
            names += [file for file in wheel.namelist() if ".dist-info/" not in file]
    return names


def make_old_wheel(folder, package):
    """Make a wheel of version 0.2.0 that has the files of several of today's."""
    name = f"{package}-0.2.0"
    with zipfile.ZipFile(folder / f"{name}-py3-none-any.whl", "w") as old:
        for file in read_names(folder, OLD[package]):
            old.writestr(file, "")
        about = f"Metadata-Version: 2.1\nName: {package}\nVersion: 0.2.0\n"
        old.writestr(f"{name}.dist-info/METADATA", about)
        old.writestr(f"{name}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n")
        names = [*old.namelist(), f"{name}.dist-info/RECORD"]
        old.writestr(names[-1], "".join(f"{one},,\n" for one in names))
