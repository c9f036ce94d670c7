"""A real server, a real Chromium, and games prepared for each test.

Without Chromium, all tests here are skipped with a message. The browser is Debian's, never a
downloaded one.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from functools import cached_property
from pathlib import Path

import pytest
from judge.tests.effort import PATIENCE
from playwright.sync_api import expect
from tests.browser.holding import Held
from tests.ports import hold_port
from tests.tables import find_file
from tests.worker.separate_site import require_intact

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import browser_setup

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CHROMIUM = browser_setup.find_browser()
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",  # letters as drawn by browsers with windows
)
PASSWORD = "a long enough word"
LINES_SHOWN = 60
"""How many lines of each log a failed test shows."""
expect.set_options(timeout=PATIENCE * 1000)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Show what the site last logged beside the traceback of a failed test."""
    report = yield
    site = getattr(item, "funcargs", {}).get("site")
    if report.failed and isinstance(site, Site):
        report.sections.append(("Captured log of the site", site.read_log()))
    return report


@pytest.fixture(scope="session", autouse=True)
def chromium():
    if CHROMIUM is None:
        pytest.skip(f"no Chromium on this machine: install Debian's {browser_setup.PACKAGE}")
    if not browser_setup.starts_driver(Path(sys.executable)):
        pytest.skip("Playwright's driver does not start: install Debian's package libatomic1")
    return CHROMIUM


@pytest.fixture(scope="session")
def browser_type_launch_args(chromium):
    return {"executable_path": chromium, "args": list(FLAGS)}


class Site:
    """A server with its own data, and the games in it.

    `tables` is a database file to start from, which already has the tables.
    """

    patience = 120
    """In seconds, for a server that starts."""

    def __init__(self, data: Path, tables: Path | None = None) -> None:
        self.port = hold_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = os.environ | {
            "DIPLOMACCLOUD_DATA": str(data),
            "DIPLOMACCLOUD_PLAY": "1",  # so that there are log files
            "DJANGO_SETTINGS_MODULE": "tests.browser.settings",
            "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
        }
        self.database = data / "diplomaccloud.sqlite3"
        data.mkdir(parents=True, exist_ok=True)
        if tables is None:
            self.run("-m", "django", "migrate", "--verbosity", "0")
        else:
            shutil.copyfile(tables, self.database)

    def run(self, *arguments: str) -> str:
        """Return what a script of the tests prints, or a call of Python with these arguments."""
        if arguments[0].endswith(".py") or arguments[1].startswith("tests."):
            return self._run_script(arguments)
        process = subprocess.run(
            [sys.executable, *arguments],
            env=self.environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert process.returncode == 0, process.stderr
        return process.stdout

    def _run_script(self, arguments: tuple[str, ...]) -> str:
        print(json.dumps(arguments), file=self._runner.stdin, flush=True)
        status, out, errors = json.loads(self._runner.stdout.readline())
        assert status == 0, errors
        return out

    @cached_property
    def _runner(self) -> subprocess.Popen[str]:
        """The process that runs scripts; it ends with this one."""
        return subprocess.Popen(
            [sys.executable, "-m", "tests.browser.script_runner"],
            env=self.environment,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def read_log(self) -> str:
        """Return the last lines that each process of the site logged."""
        files = sorted((self.database.parent / "logs").glob("*.log"))
        lines = {file.name: file.read_text().splitlines()[-LINES_SHOWN:] for file in files}
        return "\n".join(f"{name}: {line}" for name, last in lines.items() for line in last)

    def arrange(self, scene: str, *people: str, due: int | None = None) -> str:
        """Return the path of a new game, set up as `scene` and played by `people`.

        `due` is in how many seconds orders close, by default in a day.
        """
        deadline = () if due is None else (f"--due={due}",)
        out = self.run(str(HERE / "game_setup.py"), scene, *people, *deadline)
        return json.loads(out.splitlines()[-1])["path"]

    def serve(self) -> subprocess.Popen[bytes]:
        server = self.start(
            *("-m", "granian", "--interface", "asgi"),
            *("--host", "127.0.0.1", "--port", str(self.port), "--no-ws"),
            *("--factory", "tests.browser.holding:make_application"),
        )
        self.wait_for(server)
        return server

    def wait_for(self, server: subprocess.Popen[bytes]) -> None:
        """Return once the server answers; fail if it ends first or takes too long."""
        end = time.monotonic() + self.patience
        while time.monotonic() < end:
            if server.poll() is not None:
                raise AssertionError(f"the server ended with status {server.returncode}")
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=5).close()
            except OSError:
                time.sleep(0.2)
            else:
                return
        server.kill()
        raise AssertionError("the server does not answer")

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a process of the site as the leader of a group, which can be killed as a whole."""
        return subprocess.Popen(
            [sys.executable, *arguments],
            env=self.environment,
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )


@pytest.fixture(scope="session")
def tables():
    """Return the file of a database with tables and without rows."""
    return find_file()


@pytest.fixture(scope="session")
def site(chromium, tables, tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("data"), tables)
    server = site.serve()
    yield site
    server.terminate()
    try:
        server.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(server.pid, signal.SIGKILL)  # with its workers
    require_intact(site.database)


@pytest.fixture(scope="session")
def base_url(site):
    return site.url


@pytest.fixture
def hold(site):
    """Return a function that lets the site hold back requests; it ends with the test."""
    all_held = []

    def hold(method: str, pattern: str) -> Held:
        all_held.append(Held(site.port, method, pattern))
        return all_held[-1]

    yield hold
    for held in all_held:
        held.end()


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
def context(context):
    context.set_default_timeout(PATIENCE * 1000)
    return context


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


@pytest.fixture
def visit(browser, site, log_in):
    """Return a function that opens a page for a person in a separate browser."""
    contexts = []

    def visit(name, path, **options):
        context = browser.new_context(base_url=site.url, reduced_motion="reduce", **options)
        contexts.append(context)
        page = context.new_page()
        log_in(page, name, path)
        return page

    yield visit
    for context in contexts:
        context.close()
