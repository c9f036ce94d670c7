"""The judge, maps, bots and records work without any other package."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from diplomaccloud.judge.version import tell_install

ROOT = Path(__file__).parents[2]
SOURCES = [str(tree / "src") for tree in (ROOT / "judge", ROOT, *ROOT.glob("extras/*"))]
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
COMMAND = "from diplomaccloud.judge.cli import main; raise SystemExit(main())"
# As if no other distribution were installed.
ALONE = """
from diplomaccloud.judge import cli
cli.entry_points = lambda group: ()
raise SystemExit(cli.main())
"""
PURE = ["judge", "judge.batch", "atlas.board_loader", "atlas.setups", "bots"]
PURE += ["bots.arena", "record.arena", "record.verification", "deals"]


def run_alone(code, *arguments, given="", allowed=()):
    script = BLOCKER.replace("SOURCES", repr(SOURCES)).replace("ALLOWED", repr(allowed)) + code
    return subprocess.run(
        [sys.executable, "-c", script, *arguments], input=given, capture_output=True, text=True
    )


def run_command(*arguments, given=""):
    return run_alone(COMMAND, *arguments, given=given)


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


@pytest.mark.parametrize("command", [["play"], ["manage", "help"]])
def test_other_commands_name_the_extra_in_one_sentence(command, tmp_path):
    done = run_command(*command, *(["--data", str(tmp_path)] if command == ["play"] else []))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith(f" {tell_install('site')}\n")


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
    assert tell_install("ladder") in done.stderr
    assert not (tmp_path / "ladder.json").exists()


def test_only_what_can_run_is_listed():
    alone = run_alone(ALONE, "--help").stdout
    listed, _, told = alone.partition("The site adds")
    assert re.findall(r"^    (\w+)", listed, re.MULTILINE) == [
        "judge",
        "replay",
        "convert",
        "draw",
        "schema",
    ]
    assert tell_install("site") in " ".join(told.split())
    assert "mcp" not in told  # which that command does not install
    assert "each says what installs it: ladder, bot, mcp." in " ".join(alone.split())
    with_site = run_command("--help").stdout
    assert {"arena", "daide"} <= set(re.findall(r"^    (\w+)", with_site, re.MULTILINE))
    assert "ladder" not in re.findall(r"^    (\w+)", with_site, re.MULTILINE)


@pytest.mark.parametrize(
    ("command", "extra"), [("play", "site"), ("arena", ""), ("daide", "daide")]
)
def test_the_judge_alone_says_what_installs_another_command(command, extra):
    done = run_alone(ALONE, command, "--any")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"install it with {tell_install(extra)}\n")


@pytest.mark.parametrize("command", ["--help", "arena"])
def test_a_site_whose_files_are_gone_is_named_in_one_sentence(command):
    done = run_alone("sys.modules['diplomaccloud.cli.arena'] = None\n" + COMMAND, command)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "arena lacks diplomaccloud.cli.arena: uninstall " in done.stderr


def test_the_judge_alone_says_what_has_a_schema_of_the_site():
    script = "from diplomaccloud.judge import schemas\nschemas.find_spec = lambda _: None\n"
    done = run_alone(script + ALONE, "schema", "record")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"install it with {tell_install('')}\n")


def test_a_command_that_nothing_has_is_refused_with_those_there_are():
    done = run_alone(ALONE, "jugde")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'judge'" in done.stderr


def test_the_judge_alone_says_what_reads_a_record_of_a_site():
    done = run_alone(ALONE, "replay", str(ROOT / "docs" / "record-example.jsonl"))
    assert done.returncode == 2
    assert tell_install("record") in done.stderr


def test_signatures_are_said_to_be_unchecked():
    example = ROOT / "docs" / "record-example.jsonl"
    done = run_command("replay", str(example))
    assert done.returncode == 0, done.stderr
    assert "Not checked: the signatures" in done.stdout
    assert tell_install("record") in done.stdout


@pytest.mark.parametrize(("command", "extra"), [(["bot", "play"], "client"), (["mcp"], "mcp")])
def test_programs_for_other_sites_name_their_extras(command, extra):
    done = run_command(*command, "--url", "https://games.example", "--token", "dc_x")
    assert done.returncode == 2
    assert tell_install(extra) in done.stderr


def test_the_judge_s_tests_need_pytest_and_hypothesis_alone():
    allowed = {"pytest", "hypothesis", "judge.tests", "diplomaccloud.judge"}
    foreign = set()
    tests = ROOT / "judge" / "tests"
    # This runs in an environment of its own, with the package that the judge is compared with.
    elsewhere = {tests / "peer" / "package_process.py"}
    for path in set(tests.rglob("*.py")) - elsewhere:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        optional = {
            one for each in ast.walk(tree) if isinstance(each, ast.Try) for one in each.body
        }
        for node in set(ast.walk(tree)) - optional:
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{name.name}" for name in node.names]
            foreign |= {
                f"{path.name}: {name}"
                for name in names
                if name.partition(".")[0] not in sys.stdlib_module_names
                and not any(f"{name}.".startswith(f"{one}.") for one in allowed)
            }
    assert foreign == set()
