"""The contracts between rooms hold, and a planted breach of each is found."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINT = Path(sys.executable).with_name("lint-imports")


def lint(tree: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(LINT), "--no-cache", "--config", str(tree / "pyproject.toml")],
        cwd=tree / "src",
        env={"PYTHONPATH": str(tree / "src")},
        capture_output=True,
        text=True,
    )


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    tree = tmp_path_factory.mktemp("tree")
    shutil.copy(ROOT / "pyproject.toml", tree)
    shutil.copytree(
        ROOT / "src", tree / "src", ignore=shutil.ignore_patterns("*.pyc", "static", "fonts")
    )
    return tree


@pytest.mark.parametrize(
    ("module", "planted", "contract"),
    [
        ("judge/units.py", "import django", "No framework and no network"),
        ("atlas/chart.py", "import socket", "No framework and no network"),
        ("judge/orders.py", "import numpy", "nothing but the standard library"),
        ("judge/board.py", "from diplomaccloud.judge import units", "Inside the judge"),
        ("judge/units.py", "import diplomaccloud.bots.player", "one way"),
        ("games/views/playing.py", "import diplomaccloud.games.models", "touched in few places"),
    ],
)
def test_a_planted_import_breaks_its_contract(copy, module, planted, contract):
    path = copy / "src" / "diplomaccloud" / module
    before = path.read_text()
    try:
        path.write_text(f"{before}\n{planted}\n")
        done = lint(copy)
    finally:
        path.write_text(before)
    broken = [line for line in done.stdout.splitlines() if line.endswith("BROKEN")]
    assert done.returncode != 0
    assert any(contract in line for line in broken), done.stdout + done.stderr
