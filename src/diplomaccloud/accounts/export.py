"""The content of a data export: an archive with everything that a person can read."""

import json
import zipfile
from collections.abc import Iterator
from typing import IO

from diplomaccloud.accounts.deletion import ExportFile, list_parts
from diplomaccloud.accounts.login_sessions import describe_sessions
from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.relationships import describe_relationships
from diplomaccloud.accounts.two_factor import describe_factors


def write_export(user_id: int, file: IO[bytes]) -> None:
    """Write an archive with the account and each app's data about the person to a file."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as target:
        for part in _list_files(user_id):
            with target.open(part.name, "w", force_zip64=True) as entry:
                for line in part.lines:
                    entry.write(f"{line}\n".encode())


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
        "relationships": describe_relationships(user_id),
        "two_factor": describe_factors(user_id),
        "last_login": user.last_login.isoformat() if user.last_login else None,
    }
    return json.dumps(content, ensure_ascii=False, indent=2)
