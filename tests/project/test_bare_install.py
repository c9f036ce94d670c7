"""The judge, maps, bots and records work without any other package."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = [str(ROOT / "judge" / "src"), str(ROOT / "src")]
BLOCKER = """
import sys
from importlib.abc import MetaPathFinder

class Blocker(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in sys.stdlib_module_names and top not in {"diplomaccloud", *ALLOWED}:
            raise ModuleNotFoundError(f"No module named {top!r}", name=top)

sys.path[:0] = SOURCES
sys.meta_path.insert(0, Blocker())
"""
PURE = ["judge", "judge.batch", "atlas.board_loader", "atlas.setups", "bots"]
PURE += ["bots.arena", "record.arena", "record.verification", "deals"]


def run_alone(code, *arguments, given="", allowed=()):
    script = BLOCKER.replace("SOURCES", repr(SOURCES)).replace("ALLOWED", repr(allowed)) + code
    return subprocess.run(
        [sys.executable, "-c", script, *arguments], input=given, capture_output=True, text=True
    )


def run_command(*arguments, given=""):
    code = "from diplomaccloud.cli import main; raise SystemExit(main())"
    return run_alone(code, *arguments, given=given)


def test_the_pure_packages_import_nothing_else():
    done = run_alone("".join(f"import diplomaccloud.{name}\n" for name in PURE))
    assert done.stderr == ""


def test_the_client_imports_httpx_alone():
    needs = ("httpx", "httpcore", "anyio", "certifi", "h11", "idna", "sniffio", "typing_extensions")
    done = run_alone("import diplomaccloud.client", allowed=needs)
    assert done.stderr == ""


def test_the_judge_and_the_arena_work(tmp_path):
    line = {"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR-BUR"]}}
    done = run_command("judge", given=json.dumps(line) + "\n")
    assert json.loads(done.stdout)["results"] == {"A PAR": "moved"}
    record = tmp_path / "games.jsonl"
    done = run_command("arena", "--games", "1", "--until", "1902", "--record", str(record))
    assert (done.returncode, done.stderr) == (0, "")
    assert run_command("replay", str(record)).stdout.startswith("1 games")


@pytest.mark.parametrize("command", [["play"], ["manage", "help"], ["dbgrants", "--vendor=mysql"]])
def test_other_commands_name_the_extra_in_one_sentence(command, tmp_path):
    done = run_command(*command, *(["--data", str(tmp_path)] if command == ["play"] else []))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "pip install 'diplomaccloud[site]'" in done.stderr


@pytest.mark.long
def test_the_arena_plays_any_bots_and_the_ladder_names_its_extra(tmp_path):
    results = str(tmp_path / "results.jsonl")
    for bots in ("greedy", "dumbbot", "random", "search:20,hold"):
        asked = ["--bots", bots, "--games", "1", "--until", "1901", "--processes", "1"]
        done = run_command("arena", *asked)
        assert (done.returncode, "games" in done.stdout) == (0, True), done.stderr
    done = run_command("arena", *asked, "--results", results)
    done = run_command("ladder", "add", str(tmp_path / "ladder.json"), results)
    assert done.returncode == 2
    assert "pip install 'diplomaccloud[ladder]'" in done.stderr
    assert not (tmp_path / "ladder.json").exists()


def test_signatures_are_said_to_be_unchecked():
    example = ROOT / "docs" / "record-example.jsonl"
    done = run_command("replay", str(example))
    assert done.returncode == 0, done.stderr
    assert "Not checked: the signatures: pip install 'diplomaccloud[record]'" in done.stdout


@pytest.mark.parametrize(("command", "extra"), [(["bot", "play"], "client"), (["mcp"], "mcp")])
def test_programs_for_other_sites_name_their_extras(command, extra):
    done = run_command(*command, "--url", "https://games.example", "--token", "dc_x")
    assert done.returncode == 2
    assert f"pip install 'diplomaccloud[{extra}]'" in done.stderr
