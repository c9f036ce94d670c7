"""`./play` and `./check` report errors in one sentence, and exit with a status."""

import os
import re
import socket
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from judge.tests.effort import PATIENCE
from tests.browser.page_pictures import SIZES
from tests.ports import hold_port

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import browser_setup  # noqa: E402
import environment  # noqa: E402


def play(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "diplomaccloud", "play", *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=dict(os.environ, DIPLOMACCLOUD_SECRET_KEY=""),
    )


def one_sentence(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode != 0
    place, message = done.stderr.splitlines()
    assert place.startswith("The site is in ")
    return message


def test_a_taken_port_is_named(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        message = one_sentence(play("--port", str(port), "--data", str(tmp_path)))
    assert f"port {port}" in message
    assert "in use" in message


def test_an_impossible_port_is_refused():
    assert "99999 is not a port" in play("--port", "99999").stderr


def test_a_directory_that_is_a_file_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    message = one_sentence(play("--port", str(hold_port()), "--data", str(tmp_path / "file")))
    assert str(tmp_path / "file") in message


@pytest.mark.skipif(sys.platform != "linux", reason="/proc refuses all users, even root")
def test_an_unwritable_directory_is_named():
    message = one_sentence(play("--port", str(hold_port()), "--data", "/proc/diplomaccloud"))
    assert "cannot write to /proc/diplomaccloud" in message


def test_an_old_python_is_refused(monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    with pytest.raises(environment.Unready, match=r"needs Python 3\.11 or newer; this is .* 3\.9"):
        environment.ensure("play")


def test_a_python_without_venv_is_refused_with_what_to_install(monkeypatch, tmp_path):
    (tmp_path / "requirements").mkdir()
    for name in ("requirements/play.lock", "requirements/check.lock"):
        (tmp_path / name).write_text("")
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setattr(environment, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(environment.shutil, "which", lambda name: None)
    monkeypatch.setattr(environment.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(environment.Unready, match="install its venv module"):
        environment.ensure("play")
    assert not (tmp_path / ".venv").exists()


@pytest.mark.parametrize(("argument", "status"), [("--help", 0), ("-h", 0), ("now", 2)])
def test_the_screenshots_script_says_how_to_use_it(argument, status):
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "screenshots", argument],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == status
    assert "Usage: scripts/screenshots" in done.stdout + done.stderr


def test_no_hash_is_missing_and_no_host_is_named():
    for kind in ("play", "check"):
        lock = (ROOT / "requirements" / f"{kind}.lock").read_text()
        assert "://" not in lock
        pinned = [line for line in lock.splitlines() if "==" in line and not line.startswith(" ")]
        assert len(pinned) > 20
        assert all(line.rstrip().endswith("\\") for line in pinned)


def test_both_locks_pin_the_same_versions_for_the_site():
    def pins(kind):
        lines = (ROOT / "requirements" / f"{kind}.lock").read_text().splitlines()
        return {line.split(" ")[0] for line in lines if "==" in line}

    assert pins("play") <= pins("check")


def test_a_server_has_what_its_broker_needs():
    """kombu calls that an extra, whose limits for redis we don't want."""
    text = (ROOT / "requirements" / "server.lock").read_text("utf-8")
    extra = [line for line in metadata.requires("kombu") if 'extra == "redis"' in line]
    names = {re.match(r"[\w-]+", line)[0] for line in extra}
    assert names >= {"packaging", "redis"}
    assert names <= set(re.findall(r"(?m)^([\w-]+)==", text))


def test_an_unknown_check_is_refused_with_the_names_there_are():
    done = subprocess.run(
        [sys.executable, ROOT / "check", "stile"], capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 1
    assert done.stderr.startswith("check: there is no check named 'stile' (there are: ")


def test_missing_packages_for_the_browser_tests_are_named(monkeypatch, capsys):
    monkeypatch.setattr(browser_setup.shutil, "which", lambda name: None)
    monkeypatch.setattr(browser_setup, "starts_driver", lambda python: False)
    browser_setup.prepare(Path(sys.executable))
    (line,) = capsys.readouterr().out.splitlines()
    assert "install chromium-headless-shell and libatomic1 (on Debian: apt install" in line


def test_a_machine_that_cannot_make_a_bare_one_says_why(tmp_path):
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "fresh-machine"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0
    assert done.stdout.startswith("fresh-machine: not tried, because ")


def test_the_bare_machine_runs_a_browser_test_that_exists():
    script = (ROOT / "scripts" / "fresh-machine").read_text("utf-8")
    name, size = re.search(r'^BROWSER_TEST = "(.*) and (.*)"$', script, re.MULTILINE).groups()
    assert f"def {name}" in (ROOT / "tests" / "browser" / "test_pages.py").read_text("utf-8")
    assert size in SIZES
