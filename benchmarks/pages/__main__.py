"""Measure pages as a phone loads them, and compare them with an older commit in the same run.

    python -m benchmarks.pages                     # this tree
    python -m benchmarks.pages --base ../older     # and a checkout of an older commit

    python -m benchmarks.pages --phone             # over the network of a phone: 1.6 Mbit/s, 150 ms

Uses a cold cache, a width of 390 pixels, a processor slowed down four times, and the server and
demo games of `./play`. Sizes are compressed transfer sizes. Times depend on the machine, so the two
sites are measured alternately, and the ratios are of medians. Home and the lessons are compared
with the older lobby. Two more lines show how much a page loads after a turn in which owners change,
and the lobby with 500 games.
"""

import argparse
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import browser_setup  # noqa: E402

PHONE = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
"""Lighthouse's slow 4G: latency in milliseconds, and bytes per second."""
PASSWORD = "a long enough word"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SLOWDOWN = 4
SETTLED = 1500
"""Milliseconds to wait after the last request, so that long tasks are over."""
TURN_TIMEOUT = 30_000
PAGES = {
    "game": "GAME",
    "lobby": "/games/",
    "home": "/",
    "learn": "/learn/",
    "lesson": "/learn/move/1/",
    "puzzle": "/learn/puzzles/3/",
    "rules": "/rules/",
    "map": "/maps/",
}
COMPARED_WITH_LOBBY = {"home", "learn", "lesson", "puzzle", "rules"}
MANY_GAMES = 500
MAKE_DEMO = """
import django
django.setup()
from diplomaccloud.project.demo import make_demo
make_demo()
"""
WATCH = """
  window.measured = { lcp: 0, tbt: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) measured.lcp = entry.startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) measured.tbt += Math.max(entry.duration - 50, 0);
  }).observe({ type: "longtask", buffered: true });
"""


@dataclass(frozen=True)
class Figures:
    """The cost of one page load: kilobytes transferred, elements, and times in ms."""

    kilobytes: float
    nodes: int
    lcp: float
    tbt: float


class Site:
    """A site run from one checkout, with its own game; `game` is the game's address."""

    def __init__(self, tree: Path, data: Path) -> None:
        self.tree, own = tree, tree / ".venv" / "bin" / "python"
        self.python = str(own) if own.exists() else sys.executable
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = os.environ | {
            "DIPLOMACCLOUD_DATA": str(data),
            "DJANGO_SETTINGS_MODULE": "diplomaccloud.project.settings",
            "PYTHONPATH": f"{tree / 'src'}:{tree / 'judge/src'}",
        }
        self._run("-m", "django", "migrate", "--verbosity", "0")
        self._run("-c", MAKE_DEMO)
        setup = tree / "tests" / "browser" / "game_setup.py"
        if not setup.exists():
            setup = tree / "tests" / "browser" / "arrange.py"
        out = self._run(str(setup), "opening", "Pat")
        self.game = out.split('"path": "')[1].split('"')[0]

    def add_games(self) -> None:
        """Create games that wait for players."""
        self._run("-m", "benchmarks.pages.many_games", str(MANY_GAMES))

    def start_turn(self) -> str:
        """Return the address of a game in which owners are about to change; its player is Pat."""
        setup = self.tree / "tests" / "browser" / "game_setup.py"
        return self._run(str(setup), "fall", "Pat").split('"path": "')[1].split('"')[0]

    def judge(self, path: str) -> None:
        """Judge the open phase of a game."""
        self._run("-m", "benchmarks.pages.judge_phase", path.strip("/").split("/")[-1])

    def _run(self, *arguments: str) -> str:
        return subprocess.run(
            [self.python, *arguments],
            env=self.environment,
            cwd=self.tree,
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    @contextmanager
    def serve(self):
        """Run the web server as `./play` does."""
        command = [self.python, "-P", "-m", "granian", "--interface", "asgi", "--no-ws"]
        where = ["--host", "127.0.0.1", "--port", str(self.port)]
        server = subprocess.Popen(
            [*command, *where, "--log-level", "warning", "diplomaccloud.project.asgi:application"],
            env=self.environment,
            cwd=self.tree,
            stderr=subprocess.DEVNULL,
        )
        try:
            self._wait()
            yield
        finally:
            server.terminate()
            server.wait()

    def _wait(self) -> None:
        for _ in range(300):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=5).close()
            except OSError:
                time.sleep(0.2)
            else:
                return
        raise SystemExit("pages: a site did not start")


def log_in(browser, site: Site) -> str:
    """Return the session of the player, after opening the game once, so that its map is drawn."""
    context = browser.new_context(base_url=site.url)
    page = context.new_page()
    page.goto(f"/accounts/login/?next={site.game}")
    page.get_by_label("Screen name").fill("Pat")
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Log in").click()
    page.wait_for_url(f"**{site.game}")
    page.wait_for_load_state("load")
    session: str = next(one["value"] for one in context.cookies() if one["name"] == "sessionid")
    context.close()
    return session


def measure(browser, site: Site, session: str, path: str, *, phone: bool) -> Figures | None:
    """Load a page with a cold cache; return None if this site does not have it."""
    context = browser.new_context(
        base_url=site.url,
        viewport={"width": 390, "height": 844},
        device_scale_factor=2,
        service_workers="block",
    )
    if path == "GAME":
        context.add_cookies([{"name": "sessionid", "value": session, "url": site.url}])
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    if phone:
        devtools.send("Network.emulateNetworkConditions", PHONE)
    sizes: list[float] = []
    devtools.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.add_init_script(WATCH)
    answer = page.goto(site.game if path == "GAME" else path, wait_until="load")
    page.wait_for_timeout(SETTLED)
    seen = page.evaluate("measured")
    nodes = page.evaluate("document.querySelectorAll('*').length")
    context.close()
    if answer is None or answer.status != 200:
        return None
    return Figures(sum(sizes) / 1000, nodes, seen["lcp"], seen["tbt"])


def measure_turn(browser, site: Site, session: str) -> float:
    """Return the kilobytes that an open page loads when a turn is judged and owners change."""
    path = site.start_turn()
    context = browser.new_context(
        base_url=site.url, viewport={"width": 390, "height": 844}, service_workers="block"
    )
    context.add_cookies([{"name": "sessionid", "value": session, "url": site.url}])
    page = context.new_page()
    page.goto(path, wait_until="load")
    page.wait_for_timeout(SETTLED)
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    sizes: list[float] = []
    devtools.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    site.judge(path)
    page.locator(".season", has_text="Winter").wait_for(timeout=TURN_TIMEOUT)
    page.wait_for_timeout(2 * SETTLED)
    context.close()
    return sum(sizes) / 1000


def median(runs: list[Figures], name: str) -> float:
    """Return the median of one measurement."""
    return float(statistics.median(getattr(run, name) for run in runs))


def main() -> None:
    """Measure both sites alternately and print a table."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--base", type=Path, help="a checkout of an older commit")
    arguments.add_argument("--runs", type=int, default=5)
    arguments.add_argument("--phone", action="store_true", help="over the network of a phone")
    given = arguments.parse_args()
    trees = [ROOT, *([given.base.resolve()] if given.base else [])]
    chromium = browser_setup.find_browser()
    with ExitStack() as stack:
        sites = []
        for tree in trees:
            data = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            sites.append(Site(tree, data))
            stack.enter_context(sites[-1].serve())
        tools = stack.enter_context(sync_playwright())
        browser = tools.chromium.launch(executable_path=chromium, args=FLAGS)
        sessions = [log_in(browser, site) for site in sites]
        print(f"{'page':8}{'kB':>14}{'nodes':>14}{'LCP ms':>16}{'TBT ms':>16}{'LCP':>7}{'TBT':>7}")
        lobby: list[Figures] = []
        for name, path in PAGES.items():
            runs: list[list[Figures]] = [[] for _ in sites]
            for _ in range(given.runs):
                for site, session, results in zip(sites, sessions, runs, strict=True):
                    figures = measure(browser, site, session, path, phone=given.phone)
                    if figures is not None:
                        results.append(figures)
            if name == "lobby":
                lobby = runs[-1]
            if name in COMPARED_WITH_LOBBY and len(sites) > 1:
                runs[1] = lobby
            print_row(name, [results for results in runs if results])
        turn = measure_turn(browser, sites[0], sessions[0])
        print(f"after a turn in which owners change: {turn:.0f} kB")
        sites[0].add_games()
        crowded = measure(browser, sites[0], sessions[0], "/games/", phone=False)
        print(f"lobby with {MANY_GAMES} games: {crowded and crowded.kilobytes:.0f} kB")
        browser.close()


def print_row(name: str, runs: list[list[Figures]]) -> None:
    """Print the medians of a page: this tree, then the older one in parentheses, then ratios."""
    row = f"{name:8}"
    widths = {"kilobytes": 14, "nodes": 14, "lcp": 16, "tbt": 16}
    for figure, width in widths.items():
        values = [f"{median(results, figure):.0f}" for results in runs]
        text = values[0] if len(values) == 1 else f"{values[0]} ({values[1]})"
        row += f"{text:>{width}}"
    if len(runs) > 1:
        for figure in ("lcp", "tbt"):
            old = median(runs[1], figure)
            row += f"{median(runs[0], figure) / old:7.2f}" if old else f"{'-':>7}"
    print(row, flush=True)


if __name__ == "__main__":
    main()
