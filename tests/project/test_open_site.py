"""Every command finds the site in the same way: `--data`, a variable, or `./data`."""

import argparse
import os
import subprocess
import sys

import pytest
from judge.tests.drawing.toy_map import toy_chart

from diplomaccloud.atlas.chartfile import dump_chart
from diplomaccloud.cli import open_site, site
from diplomaccloud.judge.cli import build_parser, main

CALLS = {
    "backup": "backup new.zip",
    "daide": "daide --game abc --tokens tokens.txt",
    "doctor": "doctor",
    "manage": "manage recount",
    "map certify": "map certify abcdef --check",
    "map export": "map export abcdef -o new.json",
    "map import": "map import toy.json",
    "play": "play",
    "restore": "restore old.zip",
    "web": "web",
}
"""A call of each command that opens a site."""
CREATE = {"manage migrate": "manage migrate", "play": "play", "restore": "restore old.zip"}
"""Calls that need no site."""
WITHOUT_SITE = {
    *("arena", "bot", "convert", "draw", "judge", "ladder", "mcp", "replay", "schema"),
    *("map batch", "map draw", "map make", "map schema", "map table", "map validate"),
}
"""Commands that open no site."""


class Opened(Exception):
    """Raised in place of opening a site; has its settings."""


def list_commands(parser, words=()):
    """Yield the words of each command without subcommands, and its parser."""
    actions = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    for action in actions:
        for name, command in action.choices.items():
            yield from list_commands(command, (*words, name))
    if not actions:
        yield " ".join(words), parser


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Return an empty folder, the current one, where sites can be recognized but not opened."""

    def stop(*_, **__):
        raise Opened(os.environ["DIPLOMACCLOUD_DATA"], os.environ.get("DATABASE_URL"))

    for name in ("DIPLOMACCLOUD_DATA", "DIPLOMACCLOUD_DATABASE_URL", "DATABASE_URL"):
        monkeypatch.delenv(name, raising=False)
    # `use` changes it, too.
    monkeypatch.setenv("DIPLOMACCLOUD_DATA", "")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("django.setup", stop)
    monkeypatch.setattr(site, "_execute", stop)
    monkeypatch.setattr("os.execv", stop)
    monkeypatch.setattr("diplomaccloud.project.play.play", stop)
    (tmp_path / "toy.json").write_text(dump_chart(toy_chart()), "utf-8")
    (tmp_path / "tokens.txt").touch()
    return tmp_path


def make_site(folder):
    folder.mkdir()
    (folder / "diplomaccloud.sqlite3").touch()


def find_opened(call):
    """Return the data directory and the database's URL of the site that a command opens."""
    with pytest.raises(Opened) as opened:
        main(call.split())
    return opened.value.args


def test_every_command_opens_a_site_or_none():
    commands = dict(list_commands(build_parser()))
    with_option = {
        name for name, parser in commands.items() if "--data" in parser._option_string_actions
    }
    assert with_option | {"manage"} == CALLS.keys()
    assert {name for name in commands if not {name, name.split()[0]} & WITHOUT_SITE} == CALLS.keys()


@pytest.mark.parametrize("call", CALLS.values(), ids=list(CALLS))
@pytest.mark.parametrize("way", ["option", "variable", "folder"])
def test_a_command_opens_the_site_that_was_named(place, monkeypatch, capsys, call, way):
    for name in ("data", "mine", "other"):
        make_site(place / name)
    expected = place / "data"
    if way == "option":
        monkeypatch.setenv("DIPLOMACCLOUD_DATA", str(place / "other"))
        call, expected = f"{call} --data mine", place / "mine"
    elif way == "variable":
        monkeypatch.setenv("DIPLOMACCLOUD_DATA", "other")
        expected = place / "other"
    assert find_opened(call) == (str(expected), None)
    assert f"The site is in {expected}.\n" in capsys.readouterr().err


@pytest.mark.parametrize("call", CALLS.values(), ids=list(CALLS))
@pytest.mark.parametrize("name", ["DATABASE_URL", "DIPLOMACCLOUD_DATABASE_URL"])
def test_a_command_says_which_database_it_opens(place, monkeypatch, capsys, call, name):
    monkeypatch.setenv(name, "postgresql://site:sesame@db.example.org/games")
    find_opened(call)
    told = capsys.readouterr().err
    assert f"The site is in {place / 'data'}, its database games on db.example.org.\n" in told
    assert "sesame" not in told


@pytest.mark.parametrize(
    "call", [call for call in CALLS.values() if call not in CREATE.values()], ids=str.split
)
@pytest.mark.parametrize("way", ["option", "variable", "database", "nothing"])
def test_a_command_without_a_site_says_where_it_looked(place, monkeypatch, capsys, call, way):
    looked = place / "data"
    if way == "option":
        call, looked = f"{call} --data mine", place / "mine"
    elif way == "variable":
        monkeypatch.setenv("DIPLOMACCLOUD_DATA", str(looked := place / "other"))
    elif way == "database":
        monkeypatch.setenv("DATABASE_URL", f"sqlite:///{(looked := place / 'games.sqlite3')}")
    before = sorted(place.iterdir())
    assert main(call.split()) == 2
    told = capsys.readouterr().err
    assert f"there is no site in {str(looked)!r}" in told
    assert told.count("\n") == 1
    assert sorted(place.iterdir()) == before


@pytest.mark.parametrize("call", CREATE.values(), ids=list(CREATE))
def test_three_commands_create_a_site(place, call):
    assert find_opened(call) == (str(place / "data"), None)


@pytest.mark.parametrize("call", CALLS.values(), ids=list(CALLS))
def test_a_wrong_setting_stops_every_command(place, monkeypatch, capsys, call):
    make_site(place / "data")
    monkeypatch.setenv("DIPLOMACCLOUD_HTTPS", "perhaps")
    assert main(call.split()) == 2
    assert "For example: DIPLOMACCLOUD_HTTPS=1" in capsys.readouterr().err


def test_a_command_of_django_keeps_its_other_words():
    words = ["--data", "mine", "migrate", "--database", "default", "-v", "0"]
    data, others = open_site.take_data_option(words)
    assert (str(data), others) == ("mine", words[2:])


def run(words, place, **variables):
    ours = ("DIPLOMACCLOUD_", "DATABASE_URL", "DJANGO_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return subprocess.run(
        [sys.executable, "-m", "diplomaccloud", *words.split()],
        cwd=place,
        env=kept | variables,
        capture_output=True,
        text=True,
    )


@pytest.mark.long
def test_a_site_is_created_and_opened_in_each_way(tmp_path):
    (tmp_path / "toy.json").write_text(dump_chart(toy_chart()), "utf-8")
    assert run("manage migrate -v 0 --data mine", tmp_path).returncode == 0
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == ["mine"]
    done = run("map import toy.json --data mine", tmp_path)
    assert done.returncode == 0, done.stderr
    named = {"DIPLOMACCLOUD_DATA": str(tmp_path / "mine")}
    key = done.stdout.strip()
    assert run(f"map export {key} -o new.json", tmp_path, **named).returncode == 0
    url = f"sqlite:///{tmp_path}/mine/diplomaccloud.sqlite3"
    done = run("backup new.zip", tmp_path, DATABASE_URL=url)
    assert (done.returncode, (tmp_path / "new.zip").exists()) == (0, True), done.stderr
    done = run("manage release abc", tmp_path / "mine", DIPLOMACCLOUD_DATA=".")
    assert (done.returncode, done.stderr.splitlines()[-1][:14]) == (1, "CommandError: ")


@pytest.mark.long
@pytest.mark.parametrize(
    ("call", "scheme", "owner"),
    [
        ("manage recount", "mysql", ""),
        ("backup x.zip", "mysql", ""),
        ("backup x.zip", "postgresql", ""),
        ("manage migrate", "postgresql", ""),
        ("manage migrate", "postgresql", "games"),
    ],
)
def test_an_unreachable_database_gets_one_sentence(tmp_path, call, scheme, owner):
    url = f"{scheme}://%s:sesame@127.0.0.1:1/games"
    given = {"DATABASE_URL": url % "site"}
    given |= {"DIPLOMACCLOUD_OWNER_DATABASE_URL": url % owner} if owner else {}
    done = run(call, tmp_path, **given)
    said, reason = done.stderr.splitlines()
    assert done.returncode == 2
    assert said.startswith("The site is in ")
    assert "the database does not answer" in reason
    assert "refused" in reason
    assert f"or correct {[*given][-1]})" in reason
    assert "sesame" not in reason


@pytest.mark.parametrize("call", ["manage migrate", "restore old.zip"])
def test_a_folder_that_cannot_be_created_is_named_with_its_setting(place, capsys, call):
    assert main([*call.split(), "--data", "/proc/site"]) == 2
    told = capsys.readouterr().err
    assert "'/proc/site' cannot be created" in told
    assert "DIPLOMACCLOUD_DATA" in told
