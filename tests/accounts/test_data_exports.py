"""Exports of a person's data: requested on a page, made by a worker, downloaded, removed."""

import datetime as dt
import io
import json
import zipfile
from pathlib import Path

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from django_tasks_db.management.commands import db_worker
from django_tasks_db.models import DBTaskResult
from structlog.testing import capture_logs

from diplomaccloud.accounts import data_exports
from diplomaccloud.accounts.backends import BACKEND
from diplomaccloud.accounts.data_exports import (
    KEEP_FOR,
    MAX_TRY,
    PAUSE,
    WAIT_AT_MOST,
    prune_exports,
    request_export,
    try_export,
)
from diplomaccloud.accounts.deletion import delete_account
from diplomaccloud.accounts.guests import create_guest
from diplomaccloud.accounts.models import DataExport, User
from diplomaccloud.project.service_urls import parse_storage_url
from diplomaccloud.shared import files
from diplomaccloud.shared.round_threads import MAX_TASK_ATTEMPTS
from diplomaccloud.worker.task_rows import LEASE, RETRY_AFTER, revive_tasks, run_waiting_tasks
from diplomaccloud.worker.threads import BackgroundThread

PAGE, FILE = "/account/export/", "/account/export/file/"
PART = {"HX-Request": "true"}
PASSWORD = "a long enough word"
SECOND = dt.timedelta(seconds=1)


@pytest.fixture(autouse=True)
def folder(settings, tmp_path, monkeypatch):
    """The folder with the files of exports; the task worker keeps the test's connection open."""
    monkeypatch.setattr(db_worker, "close_old_connections", lambda: None)
    settings.STORAGES = {**settings.STORAGES, "default": parse_storage_url(str(tmp_path))}
    return tmp_path / "exports"


def enter(name, *, confirmed=True):
    """Return the browser of a person, who has entered the password again if `confirmed`."""
    client = Client()
    client.force_login(User.objects.get(username=name), backend=BACKEND)
    if confirmed:
        cache.clear()
        client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


@pytest.fixture
def alice(people):
    return enter("Alice")


@pytest.fixture
def bob(people):
    return enter("Bob")


def read(client, url=PAGE, **headers):
    return client.get(url, headers=headers).content.decode()


def list_files(folder):
    return sorted(path.name for path in Path(folder).glob("*"))


def change(**values):
    DataExport.objects.exclude(user=None).update(**values)


def collect(client):
    assert client.post(PAGE).status_code == 303
    run_waiting_tasks("default")


def break_store(monkeypatch, error=OSError):
    """Let every try write half of a file and then fail; return a function that repairs it."""

    def keep_half(_name, content):
        content.seek(0)
        raise error("at /a/secret/place")

    monkeypatch.setattr(data_exports, "keep_file", keep_half)
    return lambda: monkeypatch.setattr(data_exports, "keep_file", files.keep_file)


def try_all(monkeypatch):
    """Run the task as often as the site tries it."""
    for _ in range(MAX_TASK_ATTEMPTS + 1):
        run_waiting_tasks("default")
        revive_tasks(now=timezone.now() + RETRY_AFTER + SECOND)


def test_a_person_requests_waits_and_downloads(alice, bob, folder):
    page = read(alice)
    assert "Collect my data" in page
    assert "hx-trigger" not in page
    answer = alice.post(PAGE)
    assert (answer.status_code, answer.url) == (303, PAGE)
    # The page polls as long as there is nothing new.
    assert "hx-trigger" in read(alice)
    assert "Look again" in read(alice)
    answer = alice.get(PAGE, headers=PART)
    assert (answer.status_code, answer.content) == (204, b"")
    assert alice.get(FILE).status_code == 404
    assert list_files(folder) == []

    BackgroundThread(pause=0).run_once()
    part = read(alice, **PART)
    assert "hx-trigger" not in part
    assert "<html" not in part
    assert FILE in part
    export = DataExport.objects.get()
    assert export.keep_until == export.ready_at + KEEP_FOR
    answer = alice.get(FILE)
    body = b"".join(answer.streaming_content)
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert "no-store" in answer.headers["Cache-Control"]
    assert (len(body), list_files(folder)) == (export.size, [Path(export.file_name).name])
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        assert json.loads(archive.read("account.json"))["screen_name"] == "Alice"
    # Nobody else gets it.
    assert bob.get(FILE).status_code == 404
    assert FILE not in read(bob)
    for url in (PAGE, FILE):
        assert Client().get(url).url.startswith("/accounts/login/")


def test_reading_a_page_starts_nothing(alice):
    for url in (PAGE, FILE, "/messages/export/"):
        alice.get(url, follow=True)
        alice.get(url, headers=PART)
        alice.head(url)
    assert not DataExport.objects.exists()
    assert not DBTaskResult.objects.exists()


def test_the_old_address_of_the_messages_leads_to_the_page(alice):
    assert alice.get("/messages/export/").url == PAGE


def test_only_an_old_export_can_be_replaced(alice, folder):
    alice.post(PAGE)
    first = DataExport.objects.get()
    alice.post(PAGE)
    assert DataExport.objects.get().pk == first.pk
    assert DBTaskResult.objects.count() == 1
    run_waiting_tasks("default")
    alice.post(PAGE)
    assert "<button" not in read(alice, **PART)
    assert DataExport.objects.get().pk == first.pk
    change(ready_at=timezone.now() - PAUSE)
    assert "Collect my data again" in read(alice)
    collect(alice)
    second = DataExport.objects.get()
    assert second.pk != first.pk
    assert list_files(folder) == [Path(second.file_name).name]


def test_a_try_that_fails_is_repeated(alice, folder, monkeypatch):
    repair = break_store(monkeypatch)
    with capture_logs() as lines:
        collect(alice)
    assert [line["event"] for line in lines].count("export failed") == 1
    assert "secret" not in str(lines)
    assert alice.get(PAGE, headers=PART).status_code == 204
    assert list_files(folder) == []
    repair()
    assert revive_tasks(now=timezone.now() + RETRY_AFTER + SECOND) == 1
    run_waiting_tasks("default")
    assert DataExport.objects.get().state == "ready"


def test_after_the_last_try_the_person_is_told_and_can_try_again(alice, monkeypatch):
    repair = break_store(monkeypatch)
    alice.post(PAGE)
    try_all(monkeypatch)
    export = DataExport.objects.get()
    assert (export.state, export.failure) == ("failed", "OSError")
    assert "could not be collected" in read(alice)
    assert alice.get(FILE).status_code == 404
    repair()
    collect(alice)
    assert DataExport.objects.get().state == "ready"


def test_a_killed_task_is_repeated_and_its_half_written_file_removed(alice, folder, monkeypatch):
    def die(path, chunks):
        path.write_bytes(next(iter(chunks))[:10])
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr("diplomaccloud.shared.files.write_chunks_durably", die)
        collect(alice)
    assert len(list_files(folder)) == 1
    assert DataExport.objects.get().state == "waiting"
    assert alice.get(FILE).status_code == 404
    old = timezone.now() - LEASE - SECOND
    DBTaskResult.objects.update(status="RUNNING", started_at=old)
    assert revive_tasks(now=timezone.now()) == 1
    run_waiting_tasks("default")
    assert alice.get(FILE).status_code == 200
    prune_exports(now=timezone.now() + KEEP_FOR)
    assert list_files(folder) == []


def test_a_request_whose_last_try_was_killed_counts_as_failed_in_the_end(alice, monkeypatch):
    alice.post(PAGE)
    monkeypatch.setattr(data_exports, "_fail", lambda *_args, **_named: 0)
    break_store(monkeypatch)
    with pytest.raises(OSError, match="secret"):
        try_export(DataExport.objects.get().pk, is_last=True, now=timezone.now)
    monkeypatch.undo()
    assert prune_exports(now=timezone.now()) == 0
    assert prune_exports(now=timezone.now() + MAX_TRY) == 1
    assert "could not be collected" in read(alice)


def test_a_request_that_no_worker_has_seen_counts_as_failed_after_a_day(alice):
    alice.post(PAGE)
    prune_exports(now=timezone.now() + WAIT_AT_MOST - SECOND)
    assert DataExport.objects.get().state == "waiting"
    prune_exports(now=timezone.now() + WAIT_AT_MOST)
    assert DataExport.objects.get().state == "failed"


def test_a_second_run_changes_nothing(alice, folder, monkeypatch):
    alice.post(PAGE)
    key = DataExport.objects.get().pk
    write = data_exports.write_export

    def run_twice(user_id, file):
        monkeypatch.setattr(data_exports, "write_export", write)
        try_export(key, is_last=False, now=timezone.now)
        write(user_id, file)

    monkeypatch.setattr(data_exports, "write_export", run_twice)
    try_export(key, is_last=False, now=timezone.now)
    (before,) = DataExport.objects.values()
    assert before["state"] == "ready"
    try_export(key, is_last=False, now=timezone.now)
    (after,) = DataExport.objects.values()
    assert before == after
    assert alice.get(FILE).status_code == 200


@pytest.mark.parametrize("moment", ["ready", "waiting", "running", "failed"])
def test_nothing_is_left_of_a_deleted_account(people, alice, folder, monkeypatch, moment):
    write = data_exports.write_export

    def delete_meanwhile(user_id, file):
        write(user_id, file)
        delete_account(user_id=people["alice"], now=timezone.now())

    if moment == "running":
        monkeypatch.setattr(data_exports, "write_export", delete_meanwhile)
    if moment == "failed":
        break_store(monkeypatch)
    alice.post(PAGE)
    if moment == "failed":
        try_all(monkeypatch)
    elif moment != "waiting":
        run_waiting_tasks("default")
    delete_account(user_id=people["alice"], now=timezone.now())
    assert alice.get(FILE).url.startswith("/accounts/login/")
    run_waiting_tasks("default")
    assert not DataExport.objects.exists()
    assert list_files(folder) == []
    # A person who has clicked before the deletion changes nothing.
    request_export(user_id=people["alice"], now=timezone.now())
    assert not DataExport.objects.exists()


def test_a_file_written_after_a_deletion_whose_task_was_killed_is_removed(people, alice, folder):
    alice.post(PAGE)
    delete_account(user_id=people["alice"], now=timezone.now())
    files.keep_file(DataExport.objects.get().file_name, io.BytesIO(b"late"))
    DBTaskResult.objects.all().delete()
    assert prune_exports(now=timezone.now() + MAX_TRY) == 1
    assert list_files(folder) == []
    assert not DataExport.objects.exists()


def test_old_exports_are_removed_a_few_at_a_time(alice, bob, folder, monkeypatch):
    monkeypatch.setattr(data_exports, "EXPORTS_AT_ONCE", 1)
    for client in (alice, bob):
        collect(client)
    later = timezone.now() + KEEP_FOR
    assert prune_exports(now=timezone.now()) == 0
    for left in (1, 0):
        assert prune_exports(now=later) == 1
        assert (DataExport.objects.count(), len(list_files(folder))) == (left, left)
    assert prune_exports(now=later) == 0


def test_the_worker_removes_old_exports(alice, folder):
    collect(alice)
    change(keep_until=timezone.now() - SECOND)
    # The page no longer offers it, even before it is removed.
    assert alice.get(FILE).status_code == 404
    assert "No file yet" in read(alice)
    BackgroundThread(pause=0).run_once()
    assert list_files(folder) == []


def test_an_export_whose_file_cannot_be_removed_is_kept_for_later(alice, bob, folder, monkeypatch):
    for client in (alice, bob):
        collect(client)
    first, later = DataExport.objects.earliest("pk"), timezone.now() + KEEP_FOR
    remove = files.remove_kept_file

    def remove_others(name):
        if name == first.file_name:
            raise PermissionError
        remove(name)

    with monkeypatch.context() as patch:
        patch.setattr(data_exports, "remove_kept_file", remove_others)
        assert prune_exports(now=later) == 1
    assert DataExport.objects.get() == first
    assert prune_exports(now=later) == 1
    assert list_files(folder) == []


def test_a_lost_file_can_be_collected_again_at_once(alice, folder):
    collect(alice)
    for path in folder.iterdir():
        path.unlink()
    assert alice.get(FILE).url == PAGE
    assert "The file is missing" in read(alice)
    collect(alice)
    assert alice.get(FILE).status_code == 200


def test_nothing_is_lost_while_the_store_is_away(alice, settings, tmp_path):
    settings.HAS_FILE_STORE = True
    files.outage.__init__("file store")
    good = settings.STORAGES
    bad = {**good, "default": parse_storage_url(str(tmp_path / "file" / "folder"))}
    (tmp_path / "file").touch()
    settings.STORAGES = bad
    collect(alice)
    assert DataExport.objects.get().state == "waiting"
    settings.STORAGES = good
    files.outage.__init__("file store")
    revive_tasks(now=timezone.now() + RETRY_AFTER + SECOND)
    run_waiting_tasks("default")
    assert alice.get(FILE).status_code == 200
    # The store is away again, during the download and during the removal.
    settings.STORAGES = bad
    answer = alice.get(FILE, follow=True)
    assert "cannot be read right now" in answer.content.decode()
    prune_exports(now=timezone.now() + KEEP_FOR)
    settings.STORAGES = good
    files.outage.__init__("file store")
    assert alice.get(FILE).status_code == 200


def test_the_password_is_asked_for_before_a_file_is_made_and_before_it_is_sent(alice):
    collect(alice)
    DataExport.objects.update(ready_at=timezone.now() - PAUSE)
    finder = enter("Alice", confirmed=False)
    assert "Collect my data again" in read(finder)
    made = DataExport.objects.get().pk
    for answer in (finder.post(PAGE), finder.get(FILE), finder.head(FILE)):
        assert answer.url.startswith("/accounts/reauthenticate/")
    assert finder.post(answer.url, {"password": "wrong"}).status_code == 200
    assert finder.get(FILE).status_code == 302
    assert DataExport.objects.exclude(user=None).get().pk == made
    ask = finder.post(PAGE).url
    assert finder.post(ask, {"password": PASSWORD, "next": PAGE}).status_code == 303
    assert DataExport.objects.exclude(user=None).get().pk != made
    run_waiting_tasks("default")
    assert finder.get(FILE).status_code == 200


def test_a_banned_person_can_download(people):
    User.objects.filter(pk=people["alice"]).update(banned_at=timezone.now())
    alice = enter("Alice")
    collect(alice)
    assert alice.get(PAGE).status_code == 200
    assert alice.get(FILE).status_code == 200


def test_a_guest_signs_up_first(db):
    guest = Client()
    guest.force_login(create_guest("of the test", now=timezone.now()), backend=BACKEND)
    for answer in (guest.get(PAGE), guest.post(PAGE), guest.get(FILE)):
        assert answer.url.startswith("/accounts/signup/")
    assert not DataExport.objects.exists()


def test_the_page_asks_no_more_with_an_export(alice, django_assert_max_num_queries):
    read(alice)
    with django_assert_max_num_queries(6):
        read(alice)
    collect(alice)
    with django_assert_max_num_queries(6):
        read(alice)
