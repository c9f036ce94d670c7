"""Memory of a whole site that `play` runs: new, while a map is made, and after it was used.

    python benchmarks/memory.py [--maps 30] [--games 3] [--pages 500]

Each line has the share of memory (PSS) of a process in MB: memory that processes share is divided
among them. The last lines are the sums. It needs Linux and takes some minutes.
"""

import argparse
import http.cookiejar
import json
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PATIENCE = 300
REST = 75
"""How long to wait, in seconds, until processes that nobody needs have ended."""


class Browser:
    """A person who visits the site."""

    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}"
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self._opener = urllib.request.build_opener(cookies)

    def visit(self, path: str, **fields: str) -> str:
        """Return the text of a page, also that of an error."""
        data = urllib.parse.urlencode(fields).encode() if fields else None
        request = urllib.request.Request(f"{self.address}{path}", data)
        request.add_header("Referer", self.address)
        try:
            with self._opener.open(request, timeout=PATIENCE) as answer:
                return str(answer.read(), errors="replace")
        except urllib.error.HTTPError as error:
            return error.read().decode(errors="replace")

    def send(self, path: str, **fields: str) -> str:
        """Send a form of the page at `path`."""
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self.visit(path))
        return self.visit(path, csrfmiddlewaretoken=token[1] if token else "", **fields)


def list_family(pid: int) -> Iterator[int]:
    """Yield a process and all that it has started."""
    yield pid
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in path.read_text().split():
                yield from list_family(int(child))


def measure(pid: int) -> dict[str, float]:
    """Return the memory of each process in MB, by its name."""
    found: dict[str, float] = {}
    for one in list_family(pid):
        with suppress(OSError):
            lines = Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()
            command = Path(f"/proc/{one}/cmdline").read_bytes().decode().split("\0")
            memory = next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
            name = name_process(command, is_first=one == pid)
            found[name] = found.get(name, 0.0) + memory / 1024
    return found


def name_process(command: list[str], *, is_first: bool) -> str:
    """Return what a process is, from its words."""
    if any(word.endswith("supervisor.py") for word in command):
        return "supervisor" if is_first else "keeper"
    for name in ("granian", "worker", "mapmaker", "bot_process"):
        if any(word.rpartition(".")[2] == name for word in command):
            return {"granian": "web server", "bot_process": "bots"}.get(name, name)
    return command[3] if len(command) > 3 else command[0]


@contextmanager
def play(place: str) -> Iterator[tuple[int, Browser, str]]:
    """Serve a new site; yield the process, a browser and the password of the demo's person."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-P", "-m", "diplomaccloud", "play", "--port", str(port)]
    log = Path(place, "log")
    with log.open("w") as output:
        process = subprocess.Popen(
            [*command, "--data", f"{place}/data"], stdout=output, stderr=subprocess.STDOUT
        )
    browser = Browser(port)
    try:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with suppress(OSError, ValueError):
                if json.loads(browser.visit("/health/ready")).get("ready"):
                    break
            time.sleep(0.5)
        yield process.pid, browser, re.findall(r"password (\S+)", log.read_text())[0]
    finally:
        process.terminate()
        process.wait()


def wait_for_map(pid: int, *, is_made: bool) -> None:
    """Wait until a map is being made, or until none is."""
    end = time.monotonic() + PATIENCE
    while ("mapmaker" in measure(pid)) != is_made and time.monotonic() < end:
        time.sleep(1)


def use(browser: Browser, password: str, *, maps: int, games: int, pages: int) -> None:
    """Open maps, start games and look at pages."""
    browser.send("/accounts/login/", login="demo", password=password)
    found = dict.fromkeys(re.findall(r"/maps/[0-9a-f]{64}/", browser.visit("/maps/")))
    for path in list(found)[:maps]:
        browser.visit(path)
        for name in ("light.svg", "shapes.json", "preview.png"):
            browser.visit(f"{path}{name}")
    for path in list(found)[:games]:
        browser.send(path, bot="greedy")
    shown = [f"/games/{slug}/" for slug in re.findall(r"/games/(\w{10})/", browser.visit("/"))]
    around = ["/", "/games/", "/maps/", "/people/", "/ratings/", "/notices/", "/rules/"]
    paths = [*dict.fromkeys(shown), *around]
    for number in range(pages):
        browser.visit(paths[number % len(paths)])


def show(title: str, found: dict[str, float]) -> None:
    """Print the memory of each process."""
    sys.stdout.write(f"\n{title}\n")
    for name, memory in found.items():
        sys.stdout.write(f"{name:<32}{memory:8.1f} MB\n")
    sys.stdout.write(f"{'together':<32}{sum(found.values()):8.1f} MB\n")


def measure_site(*, maps: int, games: int, pages: int) -> dict[str, float]:
    """Print the memory of each process, and return the sums in MB."""
    sums = {}
    with tempfile.TemporaryDirectory() as place, play(place) as (pid, browser, password):
        made = measure(pid)
        wait_for_map(pid, is_made=True)
        end = time.monotonic() + 20
        while time.monotonic() < end:
            made = max(made, measure(pid), key=lambda found: sum(found.values()))
            time.sleep(1)
        show("while a map is made", made)
        sums["map"] = sum(made.values())
        new = {name: memory for name, memory in measure(pid).items() if name != "mapmaker"}
        show("new, without the mapmaker", new)
        sums["new"] = sum(new.values())
        sums["supervisor"] = new["supervisor"]
        use(browser, password, maps=maps, games=games, pages=pages)
        time.sleep(REST)
        used = {name: memory for name, memory in measure(pid).items() if name != "mapmaker"}
        show("after use, without the mapmaker", used)
        sums["used"] = sum(used.values())
    return {name: round(memory, 1) for name, memory in sums.items()}


def main() -> None:
    """Measure, and print a line of JSON with the sums at the end."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--maps", type=int, default=30)
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--pages", type=int, default=500)
    options = parser.parse_args()
    sums = measure_site(maps=options.maps, games=options.games, pages=options.pages)
    sys.stdout.write(f"{json.dumps(sums)}\n")


if __name__ == "__main__":
    main()
