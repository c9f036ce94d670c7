"""The download of everything that a person can read: an archive with several files."""

import json
import zipfile
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import Final

from diplomaccloud.accounts.deletion import ExportFile, list_parts
from diplomaccloud.accounts.login_sessions import describe_sessions
from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.two_factor import describe_factors

_MAX_IN_MEMORY: Final = 2 * 1024 * 1024
"""In bytes; a larger archive is written to a temporary file."""


def build_export(user_id: int) -> "SpooledTemporaryFile[bytes]":
    """Return an archive with the account and each app's data about the person."""
    # Closed by the response that sends it.
    archive: SpooledTemporaryFile[bytes] = SpooledTemporaryFile(max_size=_MAX_IN_MEMORY)  # noqa: SIM115
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for file in _list_files(user_id):
            with target.open(file.name, "w", force_zip64=True) as entry:
                for line in file.lines:
                    entry.write(f"{line}\n".encode())
    archive.seek(0)
    return archive


def _list_files(user_id: int) -> Iterator[ExportFile]:
    yield ExportFile("account.json", iter([_describe_account(user_id)]))
    for part in list_parts():
        if part.export is not None:
            yield from part.export(user_id)


def _describe_account(user_id: int) -> str:
    user = User.objects.get(pk=user_id)
    content = {
        "screen_name": user.screen_name,
        "email": user.email,
        "status": user.status,
        "joined": user.date_joined.isoformat(),
        "sessions": describe_sessions(user_id),
        "two_factor": describe_factors(user_id),
        "last_login": user.last_login.isoformat() if user.last_login else None,
    }
    return json.dumps(content, ensure_ascii=False, indent=2)
