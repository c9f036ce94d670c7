"""Prometheus metrics: what is counted, what is queried, and that dashboards use both."""

import json
import re
import shutil
import subprocess
import urllib.request
from pathlib import Path

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from prometheus_client import REGISTRY, CollectorRegistry, generate_latest
from tests.ports import hold_port

from diplomaccloud import metrics
from diplomaccloud.games.table.phase_models import Phase
from diplomaccloud.games.turn.claims import advance
from diplomaccloud.project.service_urls import parse_address
from diplomaccloud.worker import figures
from diplomaccloud.worker.health import Pulse

DEPLOY = Path(__file__).parents[2] / "deploy"
RULES = DEPLOY / "prometheus" / "alerts.yml"
FILES = (RULES, DEPLOY / "grafana" / "diplomaccloud.json")
OF_LIBRARIES = {"process_resident_memory_bytes", "process_cpu_seconds_total", "process_open_fds"}


def read(name, **labels):
    return REGISTRY.get_sample_value(f"diplomaccloud_{name}", labels) or 0


def read_site():
    """Return the text of the metrics that are queried from the database."""
    registry = CollectorRegistry()
    registry.register(figures.SiteFigures())
    return generate_latest(registry).decode()


def test_facts_of_the_database_are_asked(cast, monkeypatch, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(figures.connections, "close_all", lambda: None)
    past = timezone.now() - timezone.timedelta(seconds=90)
    Phase.objects.update(opens_at=past, due_at=past, adjudicate_at=past)
    Pulse("worker").beat(now=timezone.now())
    text = read_site()
    assert 'diplomaccloud_queue_depth{queue="phases"} 1.0' in text
    assert re.search(r'diplomaccloud_queue_age_seconds{queue="phases"} 9\d\.', text)
    assert "diplomaccloud_games_suspended 0.0" in text
    assert 'diplomaccloud_map_stock{players="7"} 0.0' in text


def test_many_scrapes_ask_once(cast, monkeypatch, django_assert_num_queries, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(figures.connections, "close_all", lambda: None)
    site = figures.SiteFigures()
    list(site.collect())
    with django_assert_num_queries(0):
        assert list(site.collect())


def test_a_database_that_is_away_is_a_figure_too(db, monkeypatch, settings, tmp_path):
    def fail(**_):
        raise OperationalError("away")

    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(figures.connections, "close_all", lambda: None)
    monkeypatch.setattr(figures, "read_queues", fail)
    assert "diplomaccloud_database_up 0.0" in read_site()


def test_a_phase_counts_its_time_and_its_lateness(cast):
    before = [read(f"{name}_seconds_count") for name in ("judge", "phase", "phase_lag")]
    late = timezone.now() - timezone.timedelta(seconds=90)
    Phase.objects.update(opens_at=late, due_at=late, adjudicate_at=late)
    lag = read("phase_lag_seconds_sum")
    assert advance(game_id=cast.game_id, owner="test", now=timezone.now()) == 1
    after = [read(f"{name}_seconds_count") for name in ("judge", "phase", "phase_lag")]
    assert after == [count + 1 for count in before]
    assert read("phase_lag_seconds_sum") - lag >= 90


def test_a_lost_lease_and_a_refused_log_in_are_counted(cast):
    leases, logins = read("leases_lost_total"), read("logins_refused_total")
    late = timezone.now() - timezone.timedelta(seconds=1)
    Phase.objects.update(opens_at=late, due_at=late, adjudicate_at=late, attempts=1)
    advance(game_id=cast.game_id, owner="another", now=timezone.now())
    assert read("leases_lost_total") == leases + 1
    Client().post("/accounts/login/", {"login": "Alice", "password": "wrong word"})
    assert read("logins_refused_total") > logins


def test_each_process_takes_the_next_hold_port():
    address = ("127.0.0.1", hold_port())
    first, second = (metrics.publish_metrics(address, role="test", release="1") for _ in range(2))
    assert (first, second is not None and second > first) == (address[1], True)
    for port in (first, second):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
            assert b'diplomaccloud_process{release="1",role="test"} 1.0' in answer.read()
    assert metrics.publish_metrics(None, role="test", release="1") is None


def test_metrics_are_never_on_the_port_of_the_pages(client):
    assert client.get("/metrics").status_code == 404


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("9100", ("127.0.0.1", 9100)),
        ("127.0.0.2:9100", ("127.0.0.2", 9100)),
        ("[::1]:9100", ("::1", 9100)),
    ],
)
def test_an_address_is_read(text, address):
    assert parse_address(text) == address


@pytest.mark.parametrize("text", ["x", "0", "70000", "host:", "9100x"])
def test_an_address_that_is_none_is_refused(text):
    with pytest.raises(ValueError, match="must be a port"):
        parse_address(text)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_metric_that_a_file_names_exists(path, db, monkeypatch, settings, tmp_path):
    from django_prometheus.middleware import Metrics

    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(figures.connections, "close_all", lambda: None)
    Metrics.get_instance()
    families = [*REGISTRY.collect(), *figures.SiteFigures().collect()]
    known = {"total": "counter", "bucket": "histogram", "count": "histogram"}
    names = {family.name for family in families if family.type == "gauge"} | {
        f"{family.name}_{suffix}"
        for family in families
        for suffix, kind in known.items()
        if family.type == kind
    }
    text = path.read_text()
    if path.suffix == ".json":
        rows = [row["expr"] for panel in json.loads(text)["panels"] for row in panel["targets"]]
        text = "\n".join(rows)
    named = set(re.findall(r"\b(?:diplomaccloud|django|process)_\w+", text)) - OF_LIBRARIES
    assert named <= names
    assert len(named) > 8


def test_there_are_eleven_alarms_and_each_is_in_the_handbook():
    alarms = re.findall(r"- alert: (\w+)", RULES.read_text())
    assert len(alarms) == 11
    handbook = (DEPLOY.parent / "docs" / "operations.md").read_text()
    assert [name for name in alarms if f"`{name}`" not in handbook] == []


def test_promtool_accepts_the_rules():
    if shutil.which("promtool") is None:
        pytest.skip("no promtool here (on Debian: apt install prometheus)")
    for kind, name in (("rules", "alerts.yml"), ("config", "prometheus.yml")):
        done = subprocess.run(
            ["promtool", "check", kind, str(DEPLOY / "prometheus" / name)],
            capture_output=True,
            text=True,
        )
        assert (done.returncode, done.stderr) == (0, "")
