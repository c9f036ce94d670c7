"""`diplomaccloud play` as a newcomer starts it: an empty directory, a page, a clean end."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from tests.ports import free_port

ROOT = Path(__file__).parents[2]


def page(url):
    end = time.monotonic() + 180  # a new database, and a machine with other work to do
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(url) as answer:  # noqa: S310 our own server
                return answer.read().decode()
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
    raise AssertionError("the site never answered")


def test_the_site_comes_up_anywhere_shows_the_demo_and_leaves_nothing_running(tmp_path):
    # What a person happens to have where they are must not be taken for a library.
    (tmp_path / "click.py").write_text("raise SystemExit('a file of the person at the keyboard')")
    port = free_port()
    away = ("DIPLOMACCLOUD_", "DJANGO_")
    site = subprocess.Popen(
        [sys.executable, "-P", "-m", "diplomaccloud", "play", "--port", str(port), "--data", "d"],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if not name.startswith(away)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        url = f"http://127.0.0.1:{port}"
        assert "Play now against bots" in page(f"{url}/")
        assert "Europe" in page(f"{url}/games/")
    finally:
        site.send_signal(signal.SIGINT)
        out, _ = site.communicate(timeout=60)
    assert site.returncode == 0
    assert re.search(r"Log in as demo with the password \S{12}\n", out)
    assert f"http://localhost:{port}/" in out
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0
