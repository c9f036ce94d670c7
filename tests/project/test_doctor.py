"""The doctor finds what is wrong with a site, and says what to do."""

import datetime as dt
import json
import sqlite3
import threading
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import OperationalError, connection
from django.utils import timezone
from tests.worker.separate_site import connect

from diplomaccloud.accounts.models import OutgoingMail
from diplomaccloud.games.models import Game, Phase
from diplomaccloud.judge.cli import main
from diplomaccloud.notices.models import PushKey
from diplomaccloud.pages import wrong_settings
from diplomaccloud.project import doctor
from diplomaccloud.project.backup import BackupError
from diplomaccloud.project.doctor import Level
from diplomaccloud.project.installation import Installation, Way
from diplomaccloud.worker.health import Pulse
from diplomaccloud.worker.models import Upkeep

OTHER_QUEUES = {"bots", "notices", "maps", "default"}


def find(check, level=None):
    """Return the parts of the findings that are not good, and everything they say."""
    bad = [row for row in check if (row.level if level is None else row.level == level)]
    assert all(row.fix for row in bad)
    return {row.part for row in bad}, " ".join(f"{row.what} {row.fix}" for row in bad)


@pytest.fixture
def site(cast, tmp_path, monkeypatch):
    """A site with a worker and a new backup, whose data directory is empty."""
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path)
    Pulse("worker").beat(now=timezone.now())
    for kind in Upkeep.Kind:
        Upkeep.objects.create(kind=kind, done_at=timezone.now())


def test_a_site_in_order_has_nothing_wrong(site):
    # The tests are the owner of their tables.
    assert find(doctor.check_database())[0] <= {"rights"}
    assert find(doctor.check_files()) == (set(), "")
    assert find(doctor.check_services()) == (set(), "")


def test_work_that_waits_too_long_is_found(site, cast):
    long_ago = timezone.now() - dt.timedelta(hours=1)
    Phase.objects.update(opens_at=long_ago, due_at=long_ago, adjudicate_at=long_ago)
    OutgoingMail.objects.create(
        kind="reset link", recipient="a@b.example", origin="x", created_at=long_ago, due_at=long_ago
    )
    parts, told = find(doctor.check_database())
    assert parts - {"rights"} == {"phases", "mail"}
    assert "Waiting: 1, the oldest for 36" in told


def test_no_worker_a_suspended_game_and_a_damaged_key_are_found(cast):
    Game.objects.update(suspended_reason="broken")
    PushKey.objects.create(public="x", private="y", created_at=timezone.now())
    parts, told = find(doctor.check_database())
    assert parts - {"rights", "backup"} == {"workers", "games", "push"}
    assert "manage release" in told


def test_a_database_that_does_not_answer_ends_the_checks(site, monkeypatch):
    def fail():
        raise OperationalError("no route\nto host")

    with monkeypatch.context() as patch:
        patch.setattr(connection, "ensure_connection", fail)
        parts, told = find(doctor.check_database())
    assert (parts, "It does not answer: no route" in told) == ({"database"}, True)


def test_a_damaged_file_ends_the_checks(db, tmp_path, monkeypatch):
    path = tmp_path / "damaged.sqlite3"
    with closing(sqlite3.connect(path)) as file:
        file.execute("CREATE TABLE games (slug TEXT)")
        file.executemany("INSERT INTO games VALUES (?)", [("slug",)] * 2000)
        file.commit()
    content = path.read_bytes()
    path.write_bytes(content[:4096] + bytes(4096) + content[8192:])
    with closing(connect(f"sqlite:///{path}")) as damaged:
        monkeypatch.setattr(doctor, "connection", damaged)
        parts, told = find(doctor.check_database())
    assert parts == {"database"}
    assert "restore the newest backup" in told


def test_missing_and_newer_migrations_are_found(site):
    from django.db.migrations.recorder import MigrationRecorder

    recorder = MigrationRecorder(connection)
    recorder.record_applied("games", "9999_from_the_future")
    assert "newer release: games.9999_from_the_future" in find(doctor.check_database())[1]
    recorder.record_unapplied("games", "9999_from_the_future")
    newest = max(name for app, name in recorder.applied_migrations() if app == "slack")
    recorder.record_unapplied("slack", newest)
    assert f"Not yet applied: 1, starting with slack.{newest}" in find(doctor.check_database())[1]


def test_settings_that_are_dangerous_are_found(settings, monkeypatch):
    settings.DEBUG = True
    settings.ALLOWED_HOSTS = ["*"]
    settings.SECRET_KEY = "short"
    monkeypatch.setenv("DIPLOMACCLOUD_PRIVATE_WEBHOOKS", "1")
    _, told = find(doctor.check_settings())
    for name in ("DEBUG", "ALLOWED_HOSTS", "HTTPS=1", "SECRET_KEY", "PRIVATE_WEBHOOKS"):
        assert f"DIPLOMACCLOUD_{name}" in told
    monkeypatch.setenv("DIPLOMACCLOUD_HTTPS", "1")
    assert "DIPLOMACCLOUD_PROXIES" in find(doctor.check_settings())[1]


def test_an_open_key_and_a_full_disk_are_found(site, tmp_path, monkeypatch):
    (tmp_path / "secret-key").write_text("x")
    (tmp_path / "secret-key").chmod(0o644)
    monkeypatch.setattr(doctor, "LAST_FREE_BYTES", 10**18)
    _, told = find(doctor.check_files(), Level.WRONG)
    assert "chmod 600" in told
    assert "Free up space now" in told


def test_a_mail_server_that_is_away_is_found_without_its_password(settings, monkeypatch):
    assert "DIPLOMACCLOUD_EMAIL_URL" in find(doctor.check_mail())[1]
    monkeypatch.setenv("DIPLOMACCLOUD_EMAIL_URL", "smtp+tls://a:sesame@127.0.0.1:1")
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    parts, told = find(doctor.check_mail(), Level.WRONG)
    assert (parts, "ConnectionRefusedError" in told, "sesame" in told) == ({"mail"}, True, False)


@pytest.mark.parametrize(
    ("workers", "parts"),
    [
        ({"a": {"clock", "bots"}, "b": OTHER_QUEUES}, {"queues"}),
        ({"a": {"clock", "bots"}, "b": {"clock"}, "c": OTHER_QUEUES}, set()),
    ],
)
def test_deadlines_that_wait_for_bots_are_found(monkeypatch, workers, parts):
    monkeypatch.setenv("DIPLOMACCLOUD_BROKER_URL", "redis://broker.example")
    monkeypatch.setattr(doctor, "_ask_broker", lambda: None)
    monkeypatch.setattr(doctor, "_list_queues", lambda: workers)
    assert find(doctor.check_services())[0] == parts


@pytest.mark.parametrize("queue", settings.QUEUES)
def test_a_queue_of_celery_without_a_worker_is_found(monkeypatch, queue):
    monkeypatch.setenv("DIPLOMACCLOUD_BROKER_URL", "redis://broker.example")
    monkeypatch.setattr(doctor, "_ask_broker", lambda: None)
    monkeypatch.setattr(
        doctor,
        "find_installation",
        lambda: Installation(Way.SYSTEMD, True, "/opt/diplomaccloud/bin"),
    )
    workers = {name: {name} for name in settings.QUEUES if name != queue}
    monkeypatch.setattr(doctor, "_list_queues", lambda: workers)
    parts, told = find(doctor.check_services(), Level.WRONG)
    assert parts == {"queues"}
    assert f"serves {queue}." in told
    unit = {"default": "notices"}.get(queue, queue)
    assert f"`systemctl start diplomaccloud-celery@{unit}`" in told
    monkeypatch.setattr(doctor, "_list_queues", dict)
    assert "No worker of Celery answers." in find(doctor.check_services(), Level.WRONG)[1]


def test_workers_of_celery_that_still_start_are_waited_for(monkeypatch):
    monkeypatch.setenv("DIPLOMACCLOUD_BROKER_URL", "redis://broker.example")
    monkeypatch.setattr(doctor, "_ask_broker", lambda: None)
    answers = [{}, {"a": {"clock"}}, {"a": {"clock"}, "b": {*settings.QUEUES} - {"clock"}}]
    monkeypatch.setattr(doctor, "_list_queues", lambda: answers.pop(0))
    assert find(doctor.check_services(), Level.WRONG)[0] == set()
    assert answers == []


@pytest.mark.parametrize(
    ("kind", "days", "level"),
    [
        ("backup", None, Level.WRONG),
        ("backup", 1, Level.GOOD),
        ("backup", 3, Level.ATTENTION),
        ("backup", 9, Level.WRONG),
        ("trial", None, Level.ATTENTION),
        ("trial", 50, Level.GOOD),
        ("trial", 70, Level.ATTENTION),
    ],
)
def test_an_old_backup_and_an_old_trial_are_found(site, kind, days, level):
    done = Upkeep.objects.filter(kind=kind)
    if days is None:
        done.delete()
    else:
        done.update(done_at=timezone.now() - dt.timedelta(days=days))
    (found,) = [row for row in doctor.check_database() if row.part == kind and row.level == level]
    assert bool(found.fix) == (level > Level.GOOD)


def fail_without_client():
    raise BackupError("missing")


@pytest.mark.parametrize(
    ("find_client", "level", "told"),
    [
        (lambda: "", Level.GOOD, "as new as the server"),
        (lambda: "too old", Level.WRONG, "client-17"),
        (fail_without_client, Level.ATTENTION, "`apt install postgresql-client`"),
    ],
)
def test_old_and_missing_programs_for_backups_are_found(monkeypatch, find_client, level, told):
    class Server:
        vendor, get_database_version = "postgresql", staticmethod(lambda: (17, 6))

    monkeypatch.setattr(doctor, "connection", Server)
    monkeypatch.setattr(doctor, "find_old_client", find_client)
    monkeypatch.setattr(doctor, "find_installation", lambda: Installation(Way.OTHER, False, "/bin"))
    (found,) = doctor._check_clients()
    assert found.level == level
    assert told in f"{found.what} {found.fix}"


@pytest.mark.parametrize(
    ("kilobytes", "limit", "used", "level"),
    [
        (900_000, "max", 0, Level.GOOD),
        (100_000, "max", 0, Level.ATTENTION),
        (20_000, "max", 0, Level.WRONG),
        (900_000, "500000000", 300_000_000, Level.GOOD),
        (900_000, "500000000", 480_000_000, Level.WRONG),
        (900_000, None, 0, Level.GOOD),
    ],
)
def test_little_memory_is_found_on_a_machine_and_in_a_container(
    tmp_path, monkeypatch, kilobytes, limit, used, level
):
    group = tmp_path / "sys/fs/cgroup"
    group.mkdir(parents=True)
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/meminfo").write_text(f"MemTotal: 1 kB\nMemAvailable:  {kilobytes} kB\n")
    if limit:
        (group / "memory.max").write_text(f"{limit}\n")
        (group / "memory.current").write_text(f"{used}\n")
        (group / "memory.stat").write_text("anon 7\ninactive_file 1000000\n")
    monkeypatch.setattr(doctor, "_SYSTEM", tmp_path)
    (found,) = [row for row in doctor.check_limits() if row.part == "memory"]
    assert found.level == level


def test_a_system_that_does_not_say_how_much_memory_is_free_is_no_fault(tmp_path, monkeypatch):
    monkeypatch.setattr(doctor, "_SYSTEM", tmp_path)
    assert "memory" not in {row.part for row in doctor.check_limits()}


@pytest.mark.parametrize(
    ("redirects", "headers"),
    [(False, {"X-Forwarded-Proto": "https"}), (True, {"Sec-Fetch-Mode": "navigate"})],
    ids=["the proxy has HTTPS, the site does not know", "the site expects it, no header says so"],
)
def test_what_requests_showed_of_the_proxy_is_found(
    site, client, settings, monkeypatch, redirects, headers
):
    monkeypatch.setattr(wrong_settings, "_noted_at", {})
    settings.SECURE_SSL_REDIRECT = redirects
    client.get("/accounts/login/", headers=headers)
    (found,) = [row for row in doctor.check_settings() if row.part == "proxy"]
    assert found.level == Level.WRONG
    assert "HTTPS" in found.fix


def test_a_judge_that_is_not_compiled_is_found(monkeypatch):
    monkeypatch.setattr(doctor, "SLOW_KERNEL", "slow")
    fix = find(doctor.check_limits())[1]
    assert "scripts/kernel" in fix


def test_a_broker_and_a_cache_that_are_away_are_found_without_their_passwords(monkeypatch):
    def fail(*_):
        raise OSError("redis://:sesame@cache.example is away")

    monkeypatch.setenv("DIPLOMACCLOUD_BROKER_URL", "redis://:sesame@127.0.0.1:1/0")
    monkeypatch.setenv("DIPLOMACCLOUD_CACHE_URL", "redis://:sesame@127.0.0.1:1/1")
    monkeypatch.setattr(cache, "set", fail)
    monkeypatch.setattr(doctor, "_ask_broker", fail)
    parts, told = find(doctor.check_services())
    assert (parts, "sesame" in told) == ({"broker", "cache"}, False)


def test_stored_files_are_written_and_read(monkeypatch, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    monkeypatch.setenv("DIPLOMACCLOUD_STORAGE_URL", "file:///x")
    assert find(doctor.check_services()) == (set(), "")
    assert list(tmp_path.iterdir()) == []


class Page(BaseHTTPRequestHandler):
    headers_to_send: tuple[tuple[str, str], ...] = ()

    def do_GET(self):
        self.send_response(301 if self.headers_to_send else 200)
        for name, value in self.headers_to_send:
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        """Write nothing."""


@pytest.mark.parametrize(
    ("headers", "expected"),
    [((), "without encryption"), ((("Location", "https://games.example/"),), "")],
)
def test_a_site_without_encryption_is_found_by_a_visit(headers, expected):
    class Answer(Page):
        headers_to_send = headers

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        parts, told = find(doctor.check_visit(f"http://127.0.0.1:{server.server_port}/"))
    assert (bool(parts), expected in told) == (bool(expected), True)


def test_a_site_that_is_away_and_an_address_that_is_none():
    assert "does not answer" in find(doctor.check_visit("https://127.0.0.1:1"))[1]
    with pytest.raises(ValueError, match="--url must be like"):
        list(doctor.check_visit("games.example"))


def test_the_command_prints_json_and_ends_with_the_worst_status(site, capsys, monkeypatch):
    monkeypatch.setattr("diplomaccloud.cli.site.open_site", lambda *_, **__: None)
    Game.objects.update(suspended_reason="broken")
    status = main(["doctor", "--json"])
    rows = json.loads(capsys.readouterr().out)
    worst = max(Level[row["level"].upper()] for row in rows)
    assert status == worst
    assert worst >= Level.ATTENTION
    assert {"part", "level", "what", "fix"} == set(rows[0])
    assert main(["doctor"]) == status
    assert "ATTENTION games: 1 are suspended after an error.\n" in capsys.readouterr().out
