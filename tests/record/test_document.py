"""The commands in `docs/record.md` print what it says."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "record.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
TOOLS = ("bash", "grep", "openssl", "sed", "sha256sum", "xxd")


def read_steps(block):
    """Yield each command of a block with what it prints."""
    for step in block.split("$ ")[1:] if block.startswith("$ ") else ():
        command, _, shown = step.partition("\n")
        yield command, shown


@pytest.mark.parametrize("block", BLOCKS, ids=range(1, len(BLOCKS) + 1))
def test_the_worked_example_works(block, tmp_path):
    if missing := [tool for tool in TOOLS if shutil.which(tool) is None]:
        pytest.skip(f"not installed: {', '.join(missing)}")
    shutil.copy(DOCS / "record-example.jsonl", tmp_path)
    steps = list(read_steps(block))
    assert steps
    for command, shown in steps:
        python = f"{shlex.quote(sys.executable)} -m diplomaccloud"
        command_here = command.replace("diplomaccloud", python, 1)
        done = subprocess.run(
            ["bash", "-c", command_here],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
        )
        assert done.stdout + done.stderr == shown, command


def test_the_page_is_one_page():
    assert PAGE.count("\n") < 130
