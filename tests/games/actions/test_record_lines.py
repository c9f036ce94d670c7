"""The record of a game: every public fact is a line, and an honest record passes."""

import io

from tests.games.steps import due, save

from diplomaccloud.atlas.board_loader import BoardLoader
from diplomaccloud.games.models import RecordLine
from diplomaccloud.record.verification import verify_record


def download(cast, who="nobody", name="record.jsonl"):
    answer = cast.client(who).get(cast.url(name))
    assert answer.status_code == 200
    return b"".join(answer.streaming_content)


def verify(record):
    report = verify_record(io.BytesIO(record), BoardLoader(files=False))
    assert [str(fault) for fault in report.faults] == []
    return report


def kinds():
    return list(RecordLine.objects.order_by("number").values_list("kind", flat=True))


def test_a_game_of_two_turns(cast):
    save(cast, "alice", "A VIE - GAL", "F TRI H")
    due(cast)
    save(cast, "bob", "A CON - BUL")
    due(cast)
    expected = ["game", "draw", "open", *["lock", "resolve", "open"] * 2]
    assert [kind for kind in kinds() if kind != "log"] == expected
    report = verify(download(cast))
    assert report.phases == 2
    assert report.checked["digests of orders"] == 14
    assert report.checked["order sets of bots"] == 10
