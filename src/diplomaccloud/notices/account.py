"""Export a person's notice data, or erase it when the account is deleted."""

import datetime as dt
import json
from collections.abc import Iterator

from diplomaccloud.accounts.deletion import AccountPart, ExportFile
from diplomaccloud.notices.destinations import list_destinations
from diplomaccloud.notices.models import Delivery, Destination, Notice, NoticeSettings
from diplomaccloud.notices.preferences import read_preferences


def _erase(user_id: int, _now: dt.datetime) -> None:
    Delivery.objects.filter(notice__user=user_id).delete()
    Delivery.objects.filter(destination__user=user_id).delete()
    Notice.objects.filter(user=user_id).delete()
    Destination.objects.filter(user=user_id).delete()
    NoticeSettings.objects.filter(user=user_id).delete()


def _export(user_id: int) -> Iterator[ExportFile]:
    preferences = read_preferences([user_id])[user_id]
    quiet = preferences.quiet
    content = {
        "choices": preferences.choices,
        "quiet_hours": [str(quiet.start), str(quiet.end)] if quiet else None,
        "zone": preferences.zone,
        "destinations": [
            {"channel": row.channel, "address": row.address, "label": row.label}
            for row in list_destinations(user_id)
        ],
    }
    text = json.dumps(content, ensure_ascii=False, indent=2)
    yield ExportFile("notices.json", iter([text]))


PART = AccountPart(erase=_erase, export=_export)
"""Listed in `settings.ACCOUNT_PARTS`."""
