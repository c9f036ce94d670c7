"""`diplomaccloud-site` reads settings as systemd does, and runs a command as the site's user."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diplomaccloud.cli import site_user
from diplomaccloud.cli.site_user import BadLineError, main, parse_settings
from diplomaccloud.project.environment import quote_value

FILE = Path("/etc/site.env")
EXAMPLES = sorted((Path(__file__).parents[2] / "deploy").rglob("*.env"))
NOBODY = 65534
NEEDS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("A=b", "b"),
        ("A=", ""),
        ("  A = b c \t", "b c"),
        ("A=Games <games@example.org>", "Games <games@example.org>"),
        ("A='b \"c\" \\'", 'b "c" \\'),
        ('A="b \\" \\$ \\` \\\\ \\n c"', 'b " $ ` \\ \\n c'),
        ("A=\"b\"  'c' d", "bcd"),
        ("A=b'c'", "b'c'"),
        ("A=b \\\n c", "b  c"),
        ('A="b\\\nc"', "bc"),
        ('A="b\nc"', "b\nc"),
        ("A=b\\ ", "b "),
        ("A=b # c", "b # c"),
        ("#A=c\n;A=d\nA=b", "b"),
        ("A=c\nA=b", "b"),
        ("A=b\r\n", "b"),
    ],
)
def test_a_value_is_what_systemd_reads(text, value):
    # The values were compared with those of systemd 252.
    assert parse_settings(text.encode(), FILE) == {"A": value}


@pytest.mark.parametrize(
    ("text", "number", "reason"),
    [
        ("A=b\nc", 2, "it has no ="),
        ("export A=b", 1, "'export A' is not the name"),
        ("\n\n1A=b", 3, "'1A' is not the name"),
        ("=b", 1, "'' is not the name"),
        ("A=b\nC='d\nE=f\n", 2, "a quote ' is not closed"),
        ('A=b\nC="d\\"', 2, 'a quote " is not closed'),
        ("A=b\n# c \\\nD=e", 2, "a comment must not end with a backslash"),
        ("A=\\\nb\nC=d\x00", 3, "the value of C has a control character"),
        ("A=b\nC=\udcff", 2, "it is not UTF-8"),
    ],
)
def test_a_bad_line_is_named_with_its_number(text, number, reason):
    with pytest.raises(BadLineError) as raised:
        parse_settings(text.encode("utf-8", "surrogateescape"), FILE)
    assert str(raised.value).startswith(f"Line {number} of {FILE} cannot be read: {reason}")


VALUES = st.text("aB =#;'\"\\$`<>é\u2028", max_size=20)


@given(st.lists(VALUES, min_size=1, max_size=5))
def test_a_quoted_value_is_read_as_it_was(values):
    values = [value.strip() for value in values]
    lines = [f"A{number}={quote_value(value)}\n" for number, value in enumerate(values)]
    assert list(parse_settings("".join(lines).encode(), FILE).values()) == values


@given(st.text("aB1_ =#;'\"\\\n\r\t$\0é", max_size=30))
def test_any_text_is_read_or_refused(text):
    try:
        settings = parse_settings(text.encode("utf-8", "replace"), FILE)
    except BadLineError:
        return
    assert all(name.isascii() for name in settings)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_a_shell_reads_the_examples_in_the_same_way(path, tmp_path):
    text = "".join(
        line.removeprefix("#") if line.startswith("#D") else line
        for line in path.read_text("utf-8").splitlines(keepends=True)
    )
    (tmp_path / "site.env").write_text(text)
    script = "set -a; . ./site.env; exec env -0"
    shown = subprocess.run(
        ["sh", "-c", script], cwd=tmp_path, env={}, capture_output=True, check=True, text=True
    ).stdout
    read = dict(line.split("=", 1) for line in shown.split("\0") if line)
    settings = parse_settings(text.encode(), path)
    assert settings
    assert {name: read[name] for name in settings} == settings


RUN = """
import json, os, sys
from diplomaccloud.cli import site_user

def show(program, words, environment):
    ids = os.getresuid(), os.getresgid(), os.getgroups(), oct(os.umask(0))
    print(json.dumps([ids, os.getcwd(), words[1:], environment]))
    sys.exit()

os.execve = show
sys.exit(site_user.main(sys.argv[1:]))
"""


@pytest.fixture
def place():
    """Return a folder that every user can enter, with the data directory of nobody."""
    place = Path(tempfile.mkdtemp(dir="/tmp"))
    place.chmod(0o755)
    (place / "data").mkdir()
    (place / "site.env").write_text(f'DIPLOMACCLOUD_DATA="{place}/data"\nDIPLOMACCLOUD_HTTPS=1\n')
    if os.geteuid() == 0:
        os.chown(place / "data", NOBODY, NOBODY)
    yield place
    shutil.rmtree(place)


def run_as_site(*words, **variables):
    return subprocess.run(
        [sys.executable, "-c", RUN, *map(str, words)],
        env=os.environ | variables,
        capture_output=True,
        text=True,
    )


def test_the_site_s_package_has_the_command():
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")
    assert tomllib.loads(text)["project"]["scripts"] == {
        "diplomaccloud-site": f"{main.__module__}:{main.__qualname__}"
    }


@NEEDS_ROOT
def test_a_command_runs_as_the_owner_of_the_data(place):
    (place / "site-owner.env").write_text("DIPLOMACCLOUD_EMAIL_URL=x\n")
    secret = {"DIPLOMACCLOUD_SECRET_KEY": "of another site", "PYTHONSTARTUP": "x.py", "LANG": "C"}
    done = run_as_site("--settings", place / "site.env", "doctor", "--json", **secret)
    ids, here, words, environment = json.loads(done.stdout)
    assert ids[:2] == [[NOBODY] * 3] * 2
    assert (0 in ids[2], ids[3]) == (False, "0o27")
    assert here == str(place / "data")
    assert words == ["-P", "-m", "diplomaccloud", "doctor", "--json"]
    ours = {name: value for name, value in environment.items() if name.startswith("DIPLOMACC")}
    assert ours == {
        "DIPLOMACCLOUD_DATA": here,
        "DIPLOMACCLOUD_HTTPS": "1",
        "DIPLOMACCLOUD_EMAIL_URL": "x",
    }
    assert environment.keys() - ours <= {"HOME", "USER", "LOGNAME", *site_user._KEPT}
    assert environment["HOME"] != os.environ.get("HOME")


@NEEDS_ROOT
@pytest.mark.parametrize("name", ["site.env", "site-owner.env"])
def test_root_uses_no_settings_that_other_users_may_write(place, name):
    file = place / name
    file.touch()
    words = "--settings", place / "site.env", "doctor"
    for mode, owner, status in [
        (0o600, 0, 0),
        (0o600, NOBODY, 0),
        (0o640, 0, 0),
        (0o620, 0, 2),
        (0o602, 0, 2),
        (0o600, 12345, 2),
    ]:
        file.chmod(mode)
        os.chown(file, owner, owner)
        done = run_as_site(*words)
        assert done.returncode == status, (mode, owner)
        assert (f"may write {file}, so" in done.stderr) == bool(status)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("DIPLOMACCLOUD_DATA=data\n", "to an absolute path"),
        ("", "must set DIPLOMACCLOUD_DATA"),
        ("DIPLOMACCLOUD_DATA=/nowhere/at/all\n", "There is no directory /nowhere/at/all"),
        ("DIPLOMACCLOUD_DATA=/proc\n", "not to root"),
        ("DIPLOMACCLOUD_DATA /data\n", "Line 1 of"),
    ],
)
def test_what_cannot_be_gets_one_sentence(tmp_path, capsys, text, reason):
    file = tmp_path / "site.env"
    file.write_text(text)
    assert main(["--settings", str(file), "doctor"]) == 2
    told = capsys.readouterr().err
    assert reason in told
    assert told.count("\n") == 1


def test_a_missing_file_is_named(tmp_path, capsys):
    assert main(["--settings", str(tmp_path / "no.env"), "doctor"]) == 2
    assert f"There is no file {tmp_path}/no.env" in capsys.readouterr().err


def test_another_user_reads_who_must_run_it(place, monkeypatch, capsys):
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert main(["--settings", str(place / "site.env"), "doctor"]) == 2
    assert "not to 12345: run this as root" in capsys.readouterr().err

    def refuse(path, _mode):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refuse)
    assert main(["--settings", str(place / "site.env"), "doctor"]) == 2
    assert f"12345 may not read {place}/site.env: run this as root" in capsys.readouterr().err
