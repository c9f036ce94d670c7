"""Printed sheets and large pictures: made once by the print worker, then read from disk.

A file is named by a hash of all that it shows, so it never changes. The oldest files are deleted,
so that nobody can fill the disk with posters, and people may ask for a few new ones at a time.
"""

import hashlib
import threading
import time
from base64 import b64decode
from collections.abc import Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as WaitError
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.text import slugify

from diplomaccloud.atlas.printing.pdf import print_version
from diplomaccloud.atlas.printing.sheets import Content
from diplomaccloud.judge.drawing.styles import PARCHMENT, STYLES
from diplomaccloud.maps.library import QuotaError, count_made
from diplomaccloud.maps.line_worker import LineWorker, WorkerBusy, WorkerSlow
from diplomaccloud.maps.print_worker import PICTURE, write_request
from diplomaccloud.shared.files import write_atomically
from diplomaccloud.shared.responses import render_page

MAX_SECONDS: Final = 180.0
"""How long a file may take: a PNG takes twenty seconds of an idle CPU, and others share it."""
WAIT: Final = 4.0
"""How many seconds a request waits for a file before its page says to wait."""
MAX_WAITING: Final = 3
"""How many files may wait to be made by this process."""
MAX_PRINTS: Final = 20
MAX_ALL_VISITORS_PRINTS: Final = 100
"""How many new files a person, and all visitors together, may ask for in a period."""
MAX_STORED: Final = 300_000_000
"""How many bytes of files are kept on the disk of one web server."""
_CLAIM: Final = ".making"
"""The ending of an empty file beside one that a process is making."""
_REFRESH: Final = "3"
_CACHE: Final = "private, max-age=300"


class BusyError(RuntimeError):
    """The print worker has enough to do, or could not make the file; the message is for people."""


@dataclass(frozen=True, slots=True)
class Print:
    """A file to make: a sheet, or `PICTURE`, and what it shows."""

    kind: str
    content: Content
    colors: Mapping[str, str] = field(default_factory=dict)

    @property
    def ending(self) -> str:
        """The ending of the file's name."""
        return "png" if self.kind == PICTURE else "pdf"


class PrintWorker(LineWorker):
    """The web server's handle for the print worker; each file has a thread that waits for it."""

    def __init__(self) -> None:
        """Prepare a worker; its process starts with the first request."""
        super().__init__("diplomaccloud.maps.print_worker", MAX_SECONDS)
        self._waiting: dict[str, Future[bytes]] = {}
        self._guard = threading.Lock()

    def start(self, path: Path, line: str) -> "Future[bytes]":
        """Return the future content of the file at `path`; raise `BusyError` if too many wait."""
        with self._guard:
            known = self._waiting.get(path.name)
            if known is not None:
                return known
            if len(self._waiting) >= MAX_WAITING:
                raise BusyError("Other sheets are being made right now. Try again in a minute.")
            future = self._waiting[path.name] = Future()
        # A server that stops does not wait for it.
        threading.Thread(target=self._make, args=(future, path, line), daemon=True).start()
        return future

    def _make(self, future: "Future[bytes]", path: Path, line: str) -> None:
        content, fault = b"", None
        try:
            content = b64decode(self.ask(line))
            write_atomically(path, content)
            _delete_oldest(path.parent)
        except Exception as error:
            fault = error
        finally:
            _name_claim(path).unlink(missing_ok=True)
            with self._guard:
                del self._waiting[path.name]
        if fault is None:
            future.set_result(content)
        else:
            future.set_exception(fault)


PRINT_WORKER = PrintWorker()


def load_print(wanted: Print, *, user_id: int | None, address: str) -> bytes | None:
    """Return the file, or None while it is being made.

    Raises `QuotaError` if this person has asked for too many new files, and `BusyError`.
    """
    line = write_request(wanted.kind, wanted.content, wanted.colors)
    digest = hashlib.sha256(f"{print_version()}\0{line}".encode()).hexdigest()
    path = Path(settings.DATA_DIR, "prints", f"{digest}.{wanted.ending}")
    try:
        return path.read_bytes()
    except FileNotFoundError:
        pass
    # Another process of the server may be making it.
    if not _claim(path):
        return None
    try:
        _count_print(user_id=user_id, address=address)
        future = PRINT_WORKER.start(path, line)
    except (QuotaError, BusyError):
        _name_claim(path).unlink(missing_ok=True)
        raise
    try:
        return future.result(WAIT)
    except WaitError:
        return None
    except WorkerSlow as error:
        raise BusyError("The sheet was not finished in time. Try again later.") from error
    except (OSError, WorkerBusy) as error:
        raise BusyError("The sheet could not be made. Try again.") from error


def answer_print(request: HttpRequest, wanted: Print, name: str) -> HttpResponse:
    """Return the file, called `name`, as a download, or a page that asks for it again."""
    user_id, address = request.user.pk, get_adapter().get_client_ip(request)
    template = "maps/print_wait.html"
    try:
        content = load_print(wanted, user_id=user_id, address=address)
    except QuotaError as error:
        return render_page(request, template, {"problem": str(error)}, status=429, refused="prints")
    except BusyError as error:
        return render_page(request, template, {"problem": str(error)}, status=503, refused="prints")
    if content is None:
        response = render_page(request, template, {}, status=202)
        # Works without scripts.
        response.headers["Refresh"] = _REFRESH
        return response
    file = f"{slugify(name) or 'map'}.{wanted.ending}"
    kind = "image/png" if wanted.ending == "png" else "application/pdf"
    headers = {"Content-Disposition": f'attachment; filename="{file}"', "Cache-Control": _CACHE}
    return HttpResponse(content, content_type=kind, headers=headers)


def read_style(request: HttpRequest) -> str:
    """Return the style that the address asks for, or parchment; raise `Http404` for another."""
    style = request.GET.get("style", PARCHMENT)
    if style not in STYLES:
        raise Http404(f"There is no style {style[:20]!a}: choose {', '.join(STYLES)}.")
    return style


def _count_print(*, user_id: int | None, address: str) -> None:
    """Count a new file; raise `QuotaError` if a limit is reached."""
    if user_id is None:
        limits = {f"visitor {address}": MAX_PRINTS, "visitors": MAX_ALL_VISITORS_PRINTS}
    else:
        limits = {f"person {user_id}": MAX_PRINTS}
    count_made("sheets", limits, "Try again later.")


def _claim(path: Path) -> bool:
    """Return whether this process is to make the file, because no other one is making it."""
    claim = _name_claim(path)
    claim.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileNotFoundError):
        # A process that was killed leaves its claim behind.
        if time.time() - claim.stat().st_mtime > MAX_SECONDS * MAX_WAITING:
            claim.unlink(missing_ok=True)
    try:
        claim.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def _name_claim(path: Path) -> Path:
    return path.with_suffix(f"{path.suffix}{_CLAIM}")


def _delete_oldest(folder: Path) -> None:
    """Delete the oldest files beyond `MAX_STORED` bytes."""
    files = [(file, file.stat()) for file in folder.iterdir() if file.suffix != _CLAIM]
    total = 0
    for file, facts in sorted(files, key=lambda item: item[1].st_mtime, reverse=True):
        total += facts.st_size
        if total > MAX_STORED:
            file.unlink(missing_ok=True)
