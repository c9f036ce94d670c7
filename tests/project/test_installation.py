"""Advice names the units, services and files of the way in which the site was installed."""

import re
import sys
from pathlib import Path

import pytest
import yaml
from django.conf import settings

from diplomaccloud.project import installation
from diplomaccloud.project.installation import Installation, Way, find_installation

DEPLOY = Path(__file__).parents[2] / "deploy"
UNITS = {path.stem for path in (DEPLOY / "systemd").iterdir()}
SERVICES = yaml.safe_load((DEPLOY / "container/compose.yaml").read_text("utf-8"))["services"]


@pytest.mark.parametrize("with_celery", [False, True])
@pytest.mark.parametrize("way", Way)
def test_what_advice_names_is_in_the_examples(way, with_celery):
    place = Installation(way, with_celery, "podman" if way is Way.CONTAINERS else "/opt/x/bin")
    told = " ".join(
        [
            place.adapt("Set DIPLOMACCLOUD_HTTPS=1, and run `diplomaccloud backup /backups`."),
            place.adapt("Run `diplomaccloud manage release SLUG`."),
            *(place.start_worker([queue]) for queue in settings.QUEUES),
            place.start_worker(),
            place.show_log(),
            place.compile_kernels(),
        ]
    )
    assert "`diplomaccloud " not in told
    assert "manage release SLUG`" in told
    for unit in re.findall(r"(?:start|-u|restart) '?(diplomaccloud[\w@.*-]+)", told):
        assert re.sub(r"@.*", "@", unit).removesuffix(".target") in UNITS
    command = r" compose (?:--profile (\w+) )?(?:up -d|run --rm --no-deps|logs) ([^`-]+)`"
    for profile, words in re.findall(command, told):
        named = words.split()[:1] if "backup" in words or "release" in words else words.split()
        assert {*named} <= SERVICES.keys()
        # `podman-compose` doesn't know the services of other profiles.
        assert all({*SERVICES[name].get("profiles", [])} <= {profile} for name in named)
    assert ("systemctl" in told) == (way is Way.SYSTEMD)
    assert (" compose " in told) == (way is Way.CONTAINERS)


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine without a clone, units or containers; its root."""
    monkeypatch.setattr(installation, "_ROOT", tmp_path / "code")
    monkeypatch.setattr(installation, "_UNITS", [str(tmp_path / "units")])
    monkeypatch.setattr(installation, "_CONTAINERS", {"docker": str(tmp_path / ".dockerenv")})
    find_installation.cache_clear()
    yield tmp_path
    find_installation.cache_clear()


@pytest.mark.parametrize(
    ("files", "way"),
    [
        ([], Way.OTHER),
        (["units/diplomaccloud-web.service"], Way.SYSTEMD),
        (["code/.git", "units/diplomaccloud-web.service", ".dockerenv"], Way.CLONE),
        ([".dockerenv", "units/diplomaccloud-web.service"], Way.CONTAINERS),
    ],
)
def test_the_way_is_found_by_its_files(machine, monkeypatch, files, way):
    monkeypatch.setenv("DIPLOMACCLOUD_BROKER_URL", "redis://broker.example")
    for name in files:
        path = machine / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    found = find_installation()
    assert (found.way, found.with_celery) == (way, True)
    if way is Way.CONTAINERS:
        assert found.program == "docker"


def test_commands_name_the_link_that_stays_after_an_upgrade(machine, monkeypatch):
    monkeypatch.setattr(sys, "prefix", str(machine / "0.3.0"))
    (machine / "0.3.0").mkdir()
    assert find_installation().program == f"{machine}/0.3.0/bin"
    find_installation.cache_clear()
    (machine / "current").symlink_to("0.3.0")
    assert find_installation().program == f"{machine}/current/bin"
