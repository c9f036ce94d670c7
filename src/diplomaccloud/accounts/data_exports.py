"""Exports of a person's data: requested on a page, made by a worker, kept for a week.

A person has one export at a time. The row decides what is to be done; a task only carries its key.
A task may run twice, or be killed: the file gets its name before it exists, replaces an older one
as a whole, and counts only once the row says so. The row is removed after the file, so no file is
forgotten. `shared.files` says where files are kept.
"""

import datetime as dt
import json
import os
import secrets
import tempfile
import zipfile
from collections.abc import Callable
from itertools import chain
from typing import IO, Final

import structlog
from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.middleware import HtmxDetails
from django_tasks import TaskContext, task

from diplomaccloud.accounts.deletion import AccountPart, ExportFile, list_parts
from diplomaccloud.accounts.models import DataExport, User
from diplomaccloud.accounts.relationships import describe_relationships
from diplomaccloud.accounts.sessions import describe_sessions
from diplomaccloud.accounts.two_factor import describe_factors
from diplomaccloud.shared.files import keep_file, open_kept_file, remove_kept_file
from diplomaccloud.shared.outages import Away
from diplomaccloud.shared.responses import see_other
from diplomaccloud.shared.round_threads import MAX_TASK_ATTEMPTS
from diplomaccloud.shared.site_clock import site_clock

Clock = Callable[[], dt.datetime]
State = DataExport.State

KEEP_FOR: Final = dt.timedelta(days=7)
"""How long a file is kept, and how long the page says that a request failed."""
PAUSE: Final = dt.timedelta(minutes=10)
"""How old an export must be before the person can replace it, so that nobody keeps workers busy."""
WAIT_AT_MOST: Final = dt.timedelta(days=1)
"""After this time, a request counts as failed even if all workers were stopped."""
MAX_TRY: Final = dt.timedelta(hours=1)
"""After this time, a try counts as killed."""
EXPORTS_AT_ONCE: Final = 100
"""How many exports one round removes, to keep each round of the worker short."""
_NAME_BYTES: Final = 16
_log = structlog.get_logger(__name__)


def find_export(user_id: int, *, now: dt.datetime) -> DataExport | None:
    """Return the person's export or the request for one, unless it was kept long enough."""
    export = DataExport.objects.filter(user=user_id).first()
    if export is not None and export.state != State.WAITING and export.keep_until <= now:
        return None
    return export


def find_next_request(export: DataExport | None, *, now: dt.datetime) -> dt.datetime | None:
    """Return when the person can request an export, or None while one is awaited."""
    if export is None:
        return now
    if export.state == State.WAITING:
        return None
    if export.state == State.READY and export.ready_at is not None:
        return max(export.ready_at + PAUSE, now)
    return now


@transaction.atomic
def request_export(*, user_id: int, now: dt.datetime) -> None:
    """Request an export, which replaces an older one, unless one is awaited or new."""
    # A person who clicks twice requests only one.
    user = User.objects.select_for_update().get(pk=user_id)
    export = find_export(user_id, now=now)
    if user.deleted_at is not None or find_next_request(export, now=now) != now:
        return
    _discard_exports(user_id, now)
    name = f"exports/{secrets.token_hex(_NAME_BYTES)}.zip"
    export = DataExport.objects.create(
        user=user, file_name=name, requested_at=now, keep_until=now + WAIT_AT_MOST
    )
    make_export.enqueue(export.pk)


@task(takes_context=True)
def make_export(context: TaskContext, export_id: int) -> None:
    """Make the export of this key if it is still awaited."""
    is_last = context.attempt >= MAX_TASK_ATTEMPTS
    try_export(export_id, is_last=is_last, now=site_clock.now)


@task()
def remove_export(export_id: int) -> None:
    """Remove the export of this key, which nobody can see any longer."""
    for export in DataExport.objects.filter(pk=export_id, user=None):
        _remove(export)


def try_export(export_id: int, *, is_last: bool, now: Clock) -> None:
    """Make an export if it is still awaited; after the last try, it counts as failed.

    Raises the error of a try that fails.
    """
    export = DataExport.objects.filter(pk=export_id, state=State.WAITING).first()
    if export is None:
        return
    if export.user_id is None:
        _remove(export)
        return
    awaited = DataExport.objects.filter(pk=export_id, state=State.WAITING, user=export.user_id)
    if is_last:
        awaited.update(keep_until=now() + MAX_TRY)
    try:
        with tempfile.TemporaryFile() as file:
            write_export(export.user_id, file)
            size = file.seek(0, os.SEEK_END)
            keep_file(export.file_name, file)
    except Exception as error:
        _log.error("export failed", export=export_id, reason=type(error).__name__, last=is_last)
        if is_last:
            _fail(export, type(error).__name__, now=now())
        raise
    ready_at = now()
    until = ready_at + KEEP_FOR
    if awaited.update(state=State.READY, size=size, ready_at=ready_at, keep_until=until):
        return
    # If the row still belongs to the person, another run has made this file, or given up.
    if not DataExport.objects.filter(pk=export_id, user=export.user_id).exists():
        _remove(export)


def prune_exports(*, now: dt.datetime) -> int:
    """Remove some exports that were kept long enough; return how many are dealt with.

    A request that has waited too long, or whose last try was killed, counts as failed.
    """
    due = DataExport.objects.filter(keep_until__lte=now).order_by("keep_until")
    count = 0
    for export in due[:EXPORTS_AT_ONCE]:
        if export.state == State.WAITING and export.user_id is not None:
            _log.error("export failed", export=export.pk, reason="overdue", last=True)
            count += _fail(export, "overdue", now=now)
            continue
        try:
            _remove(export)
        except (Away, OSError) as error:
            _log.error("export not removed", export=export.pk, reason=type(error).__name__)
        else:
            count += 1
    return count


def _discard_exports(user_id: int, now: dt.datetime) -> None:
    """Take the person's export away, and let a worker remove it.

    A try may be running and write its file later. If it is killed, `prune_exports` removes both.
    """
    for export in DataExport.objects.select_for_update().filter(user=user_id):
        is_running = export.state == State.WAITING
        export.user, export.keep_until = None, now + MAX_TRY if is_running else now
        export.save(update_fields=["user", "keep_until"])
        if not is_running:
            remove_export.enqueue(export.pk)


def _fail(export: DataExport, reason: str, *, now: dt.datetime) -> int:
    rows = DataExport.objects.filter(pk=export.pk, state=State.WAITING, user=export.user_id)
    return rows.update(state=State.FAILED, failure=reason[:100], keep_until=now + KEEP_FOR)


def _remove(export: DataExport) -> None:
    """Delete the file, then the row, so that a file whose store is down is not forgotten."""
    remove_kept_file(export.file_name)
    export.delete()


PART: Final = AccountPart(erase=_discard_exports)
"""Listed in `settings.ACCOUNT_PARTS`."""


def write_export(user_id: int, file: IO[bytes]) -> None:
    """Write an archive with the account and each app's data about the person to a file."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as target:
        account = ExportFile("account.json", iter([_describe_account(user_id)]))
        exports = (part.export(user_id) for part in list_parts() if part.export is not None)
        for file_part in chain([account], chain.from_iterable(exports)):
            with target.open(file_part.name, "w", force_zip64=True) as entry:
                for line in file_part.lines:
                    entry.write(f"{line}\n".encode())


def _describe_account(user_id: int) -> str:
    user = User.objects.get(pk=user_id)
    content = {
        "screen_name": user.screen_name,
        "email": user.email,
        "status": user.status,
        "color_scheme": user.color_scheme,
        "joined": user.date_joined.isoformat(),
        "sessions": describe_sessions(user_id),
        "relationships": describe_relationships(user_id),
        "two_factor": describe_factors(user_id),
        "last_login": user.last_login.isoformat() if user.last_login else None,
    }
    return json.dumps(content, ensure_ascii=False, indent=2)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(enabled=lambda request: request.method == "POST")  # type: ignore[untyped-decorator]
def show_export(request: HttpRequest) -> HttpResponse:
    """Show the person's export, and request one once the password was entered again.

    A script that waits for it gets 204 until the page changes.
    """
    user_id, now = request.user.pk or 0, timezone.now()
    if request.method == "POST":
        request_export(user_id=user_id, now=now)
        return see_other(reverse("account_export"))
    export = find_export(user_id, now=now)
    is_part = bool(HtmxDetails(request))
    if is_part and export is not None and export.state == State.WAITING:
        return HttpResponse(status=204)
    next_at = find_next_request(export, now=now)
    content = {
        "export": export,
        "can_request": next_at == now,
        "next_at": next_at,
        "days": KEEP_FOR.days,
    }
    template = "accounts/_export.html" if is_part else "accounts/export.html"
    return render(request, template, content)


@never_cache
@login_required
@require_safe
@reauthentication_required  # type: ignore[untyped-decorator]
def send_export(request: HttpRequest) -> HttpResponseBase:
    """Send the file of the person's export; raise `Http404` if there is none.

    A person who has not entered the password recently is asked for it first.
    """
    now = timezone.now()
    export = find_export(request.user.pk or 0, now=now)
    if export is None or export.state != State.READY:
        raise Http404
    try:
        file = open_kept_file(export.file_name)
    except Away:
        messages.error(request, "The file cannot be read right now. Try again in a minute.")
        return redirect("account_export")
    if file is None:
        _log.error("export lost", export=export.pk)
        rows = DataExport.objects.filter(pk=export.pk, state=State.READY)
        rows.update(state=State.LOST, keep_until=now + KEEP_FOR)
        return redirect("account_export")
    name = f"diplomaccloud-{export.ready_at:%Y-%m-%d}.zip"
    return FileResponse(file, as_attachment=True, filename=name)
