"""The instructions in the documents work."""

import re
import shlex
from pathlib import Path

import pytest

from diplomaccloud.judge.cli import build_parser

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^    \.venv/bin/diplomaccloud (.*)$", README, re.MULTILINE)


def test_the_example_in_the_readme_prints_what_follows_from_it(capsys):
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(example, {})  # noqa: S102 our own text
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2].startswith("moved - Moved to Burgundy")
    assert lines[-1].startswith("F1901M ('A BUR H', ")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_in_the_readme_is_understood(command):
    assert build_parser().parse_args(shlex.split(command)).run


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))], ids=lambda p: p.name
)
def test_every_link_within_the_project_leads_somewhere(page):
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_page_is_in_a_table_of_contents():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    tables = re.findall(r"^```{toctree}\n(.*?)^```", index, re.MULTILINE | re.DOTALL)
    listed = {line for table in tables for line in table.splitlines()}
    pages = {path.stem for path in (ROOT / "docs").glob("*.md")} - {"index"}
    assert pages - listed == set()
