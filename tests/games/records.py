"""Downloading the record of the one game, verifying it, and reading its lines."""

import io
import json

from diplomaccloud.atlas.board_loader import BoardLoader
from diplomaccloud.games.table.log_models import RecordLine
from diplomaccloud.games.table.models import Game
from diplomaccloud.record.signatures import read_keys
from diplomaccloud.record.verification import verify_record


def download(cast, who="nobody", name="record.jsonl"):
    answer = cast.client(who).get(cast.url(name))
    assert answer.status_code == 200
    return b"".join(answer.streaming_content)


def verify(cast, who="nobody"):
    """Return the report on an honest record, downloaded with the person's own receipts."""
    name = "record.jsonl" if who == "nobody" else "record-and-receipts.jsonl"
    heads = [Game.objects.get().record_head]
    keys = read_keys(cast.client("nobody").get("/keys/").content)
    record = io.BytesIO(download(cast, who, name))
    report = verify_record(record, BoardLoader(), heads=heads, keys=keys)
    assert [str(fault) for fault in report.faults] == []
    return report


def lines(*kinds):
    """Return the lines of these kinds as they were stored."""
    rows = RecordLine.objects.order_by("number")
    texts = (rows.filter(kind__in=kinds) if kinds else rows).values_list("text", flat=True)
    return [json.loads(text) for text in texts]
