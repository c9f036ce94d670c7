"""The launcher that all sites share starts what a launcher of one site would start."""

import json
import os
import re
import signal
from pathlib import Path

import pytest
from tests.worker.separate_site import Launcher, is_alive, wait_until

pytestmark = pytest.mark.real_database


def describe(launcher, file):
    """Return what a process sees of its site."""
    launcher.wait(launcher.start("describe", str(file)))
    return json.loads(file.read_text())


@pytest.mark.long
def test_a_process_sees_what_one_that_loads_the_site_again_sees(site, tmp_path):
    url, place = os.environ.get("DIPLOMACCLOUD_CHECKS_DATABASE") or "sqlite:////checks", tmp_path
    variables = {"DIPLOMACCLOUD_PROXIES": "0"}  # as without it
    with Launcher(url, place / "new") as shared, Launcher(url, place / "new", **variables) as own:
        seen, seen_elsewhere = describe(shared, place / "shared"), describe(own, place / "own")
    assert seen["environment"] | variables == seen_elsewhere.pop("environment")
    del seen["environment"]
    assert seen == seen_elsewhere
    assert seen["DATA_DIR"] == str(place / "new")
    assert seen != describe(site, place / "site")


def test_a_killed_process_takes_no_other_with_it(site, tmp_path):
    worker = site.start("worker", 0)
    site.kill(site.start("worker", 0))
    assert is_alive(worker)
    describe(site, tmp_path / "after")


def test_processes_end_with_their_launcher(site):
    worker = site.start("worker", 0)
    (parent,) = re.findall(r"PPid:\t(\d+)", Path(f"/proc/{worker}/status").read_text())
    os.kill(int(parent), signal.SIGKILL)
    wait_until(lambda: not is_alive(worker))
