"""Export a person's press data, or erase it when the account is deleted."""

import datetime as dt
import json
from collections.abc import Iterator

from diplomaccloud.accounts.deletion import AccountPart, ExportFile
from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.press.actions.erasure import erase_press
from diplomaccloud.press.actions.reports.locks import release_cases
from diplomaccloud.press.viewpoint import export
from diplomaccloud.press.viewpoint.choices import read_choices
from diplomaccloud.press.viewpoint.maps import export_maps


def _export(user_id: int) -> Iterator[ExportFile]:
    yield ExportFile("messages.jsonl", export(Viewer(user_id)))
    yield ExportFile("maps.jsonl", export_maps(Viewer(user_id)))
    choices = json.dumps(read_choices(user_id), ensure_ascii=False, indent=2)
    yield ExportFile("press.json", iter([choices]))


def _leave(user_id: int, _now: dt.datetime) -> None:
    release_cases(user_id)


PART = AccountPart(erase=erase_press, leave=_leave, export=_export)
"""Listed in `settings.ACCOUNT_PARTS`."""
