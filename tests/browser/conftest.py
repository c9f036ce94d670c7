"""A real server, a real Chromium, and games prepared for each test.

Without Chromium, all tests here are skipped with a message. The browser is Debian's, never a
downloaded one.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.ports import free_port

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import browser_setup

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PASSWORD = "a long enough word"


@pytest.hookimpl(trylast=True)  # after pytest has grouped tests by the fixtures they share
def pytest_collection_modifyitems(items):
    """Run browser tests last: their event loop would break database tests that run after them."""
    items.sort(key=lambda item: HERE in item.path.parents)


@pytest.fixture(scope="session", autouse=True)
def chromium():
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine: install Debian's package chromium")
    if not browser_setup.starts_driver(Path(sys.executable)):
        pytest.skip("Playwright's driver does not start: install Debian's package libatomic1")
    return CHROMIUM


@pytest.fixture(scope="session")
def browser_type_launch_args(chromium):
    return {"executable_path": chromium, "args": list(FLAGS)}


class Site:
    """A server with its own data, and the games in it."""

    def __init__(self, data: Path) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = os.environ | {
            "DIPLOMACCLOUD_DATA": str(data),
            "DJANGO_SETTINGS_MODULE": "diplomaccloud.project.settings",
            "PYTHONPATH": str(ROOT / "src"),
        }
        self.run("-m", "django", "migrate", "--verbosity", "0")

    def run(self, *arguments: str) -> str:
        process = subprocess.run(
            [sys.executable, *arguments],
            env=self.environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert process.returncode == 0, process.stderr
        return process.stdout

    def arrange(self, scene: str, *people: str, due: int | None = None) -> str:
        """Return the path of a new game, set up as `scene` and played by `people`.

        `due` is in how many seconds orders close, by default in a day.
        """
        deadline = () if due is None else (f"--due={due}",)
        out = self.run(str(HERE / "game_setup.py"), scene, *people, *deadline)
        return json.loads(out.splitlines()[-1])["path"]

    def serve(self) -> subprocess.Popen[bytes]:
        server = subprocess.Popen(
            [
                *(sys.executable, "-m", "granian", "--interface", "asgi"),
                *("--host", "127.0.0.1", "--port", str(self.port), "--no-ws"),
                "diplomaccloud.project.asgi:application",
            ],
            env=self.environment,
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for _ in range(150):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=5).close()
            except OSError:
                time.sleep(0.2)
            else:
                return server
        server.kill()
        raise AssertionError("the server did not answer within half a minute")


@pytest.fixture(scope="session")
def site(chromium, tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("data"))
    server = site.serve()
    yield site
    server.terminate()
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        server.kill()


@pytest.fixture(scope="session")
def base_url(site):
    return site.url


@pytest.fixture
def complaints(page):
    """Return the browser's error messages, from scripts and from the content security policy."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "console",
        lambda message: (
            errors.append(message.text)
            if message.type == "error" and "the server responded with" not in message.text
            else None
        ),
    )
    return errors


@pytest.fixture
def log_in(site):
    """Return a function that logs in a player of a prepared game on a page and opens `path`."""

    def log_in(page, name: str, path: str) -> None:
        page.goto(f"/accounts/login/?next={path}")
        page.get_by_label("Screen name").fill(name)
        page.get_by_label("Password").fill(PASSWORD)
        page.locator("main").get_by_role("button", name="Log in").click()
        page.wait_for_url(f"**{path}")

    return log_in
