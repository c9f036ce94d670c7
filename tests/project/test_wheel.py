"""The wheel has everything that the judge needs, and works in an otherwise empty environment."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from email import message_from_string
from pathlib import Path

import pytest

from diplomaccloud.bots import kernel
from diplomaccloud.judge.kernel import sources
from diplomaccloud.judge.version import __version__

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import environment  # noqa: E402

MAX_FILES, MAX_WHEEL, MAX_INSTALLED = 170, 900_000, 3_000_000
"""How many files, and bytes, packed and installed, a program gets that wants a judge."""
TRIAL = ROOT / "scripts" / "wheel_trial.py"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Return a wheel of this checkout, made from its source archive as a published one is."""
    folder = tmp_path_factory.mktemp("wheel")
    build("sdist", ROOT / "judge", folder)
    (archive,) = folder.glob("*.tar.gz")
    shutil.unpack_archive(archive, folder)
    (unpacked,) = (path for path in folder.iterdir() if path.is_dir())
    build("wheel", unpacked, folder)
    (built,) = folder.glob("*.whl")
    return built


def build(target, place, folder):
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=place, check=True, capture_output=True)


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Return the Python of an environment with the wheel and nothing else, and its packages."""
    folder = tmp_path_factory.mktemp("empty")
    venv.create(folder, with_pip=False, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    return folder / "bin" / "python", packages


def read_metadata(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return message_from_string(archive.read(name).decode())


def try_wheel(python, kernel, folder):
    return subprocess.run(
        [str(python), "-I", str(TRIAL), kernel], cwd=folder, capture_output=True, text=True
    )


def test_every_requirement_belongs_to_an_extra(wheel):
    required = read_metadata(wheel).get_all("Requires-Dist")
    assert [line for line in required if not re.search(r"; .*\bextra == ", line)] == []


def test_it_has_every_extra_of_the_site(wheel):
    site = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = set(read_metadata(wheel).get_all("Provides-Extra"))
    assert extras == {*site["optional-dependencies"], "png"}
    assert f"diplomaccloud == {read_metadata(wheel)['Version']}" in site["dependencies"]
    for line in read_metadata(wheel).get_all("Requires-Dist"):
        assert re.match(rf"diplomaccloud-site\[\w+\]=={__version__};|resvg-py>", line), line


def test_it_has_types_schemas_and_a_kernel_for_this_machine(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    parts = {"py.typed", "version.py", "board.schema.json", "protocol/protocol.schema.json"}
    assert {f"diplomaccloud/judge/{part}" for part in parts} <= names
    outside = [name for name in names if not re.match(r"diplomaccloud(/judge/|-[^/]+/)", name)]
    assert outside == ["diplomaccloud/__main__.py"]
    assert not any(name.endswith((".pxd", "digest.txt")) for name in names)
    compiled = [name for name in names if "/kernel/compiled/joined." in name]
    assert len(compiled) == sources.is_current()
    assert wheel.name.endswith("-py3-none-any.whl") == (not compiled)


def test_it_is_small(wheel):
    with zipfile.ZipFile(wheel) as archive:
        files = archive.infolist()
    assert len(files) <= MAX_FILES
    assert sum(file.file_size for file in files) <= MAX_INSTALLED
    assert wheel.stat().st_size <= MAX_WHEEL


def test_its_types_pass_a_strict_check_of_every_name(installed, tmp_path):
    python, _ = installed
    example = shutil.copy(ROOT / "docs" / "examples" / "every_name.py", tmp_path)
    strict = ["--strict", "--config-file=", "--no-incremental", f"--python-executable={python}"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *strict, example],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "Success: no issues found in 1 source file\n", done.stdout + done.stderr


def test_it_works_alone_with_either_kernel(installed, tmp_path):
    python, packages = installed
    if sources.is_current():
        done = try_wheel(python, "compiled", tmp_path)
        assert done.stdout == "wheel: works alone, with the compiled kernel\n", done.stderr
    shutil.rmtree(packages / "diplomaccloud" / "judge" / "kernel" / "compiled", ignore_errors=True)
    done = try_wheel(python, "python", tmp_path)
    assert done.stdout == "wheel: works alone, with the python kernel\n", done.stderr


def test_the_site_s_wheel_has_the_kernel_of_the_bots(tmp_path):
    build("wheel", ROOT, tmp_path)
    (built,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(built) as archive:
        compiled = [name for name in archive.namelist() if "/kernel/compiled/joined." in name]
    assert len(compiled) == sources.is_current(kernel.HERE, sources.KERNEL)
    assert built.name.endswith("-py3-none-any.whl") == (not compiled)


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """Return the wheels of this checkout by the names of their packages."""
    folder = tmp_path_factory.mktemp("wheels")
    trees = [str(tree.relative_to(ROOT)) for tree in environment.TREES]
    command = [str(ROOT / "scripts" / "wheels"), str(folder), *trees]
    variables = os.environ | {"PYTHON": sys.executable}
    subprocess.run(command, check=True, capture_output=True, env=variables)
    built = {path.name.partition("-")[0]: path for path in folder.glob("*.whl")}
    assert len(built) == len(trees)
    return built


def run_installed(folder, wheels, code):
    """Run code where nothing is installed but these wheels, and what the checks have of others."""
    venv.create(folder, with_pip=False, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if "diplomaccloud" not in path.name and not (packages / path.name).exists():
            (packages / path.name).symlink_to(path)
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(packages)
    done = subprocess.run(
        [str(folder / "bin" / "python"), "-P", "-c", code],
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": "", "DIPLOMACCLOUD_DATA": str(folder)},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


HELP = """
from diplomaccloud.judge.cli import main
main(["manage", "check"])
main(["--help"])
"""
OF_JUDGE = {"judge", "replay", "convert", "draw", "schema"}


def find_commands(text):
    return set(re.findall(r"^    (\w+)", text, re.MULTILINE))


def read_commands(*trees):
    """Return the commands that these packages add, and those of the judge."""
    files = [tomllib.loads((tree / "pyproject.toml").read_text("utf-8")) for tree in trees]
    points = [file["project"].get("entry-points", {}) for file in files]
    return OF_JUDGE.union(*(point.get("diplomaccloud.commands", {}) for point in points))


def test_no_file_is_in_two_wheels(wheels):
    """Each can then be removed alone."""
    names = []
    for wheel in wheels.values():
        with zipfile.ZipFile(wheel) as archive:
            names += archive.namelist()
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", [tree.name for tree in environment.EXTRAS])
def test_each_of_extras_works_without_the_others(wheels, name, tmp_path):
    needed = [wheels[f"diplomaccloud{part}"] for part in ("", "_site", f"_{name}")]
    code = f"import diplomaccloud.{name}\n{HELP}"
    listed = find_commands(run_installed(tmp_path, needed, code))
    assert listed == read_commands(ROOT, ROOT / "extras" / name)


def test_all_wheels_work_together(wheels, tmp_path):
    listed = find_commands(run_installed(tmp_path, wheels.values(), HELP))
    assert listed == read_commands(*environment.TREES)


def test_wheels_are_built_for_three_systems_and_tried():
    text = (ROOT / "judge" / "pyproject.toml").read_text(encoding="utf-8")
    wheels = tomllib.loads(text)["tool"]["cibuildwheel"]
    assert all(wheels[system]["archs"] for system in ("linux", "macos", "windows"))
    assert (ROOT / "scripts" / "wheel_trial.py").name in wheels["test-command"]
