"""What is logged of press: that someone sent something, but no text, subject or addressee."""

import json
import logging

import pytest
from structlog.stdlib import ProcessorFormatter
from tests.press.deals import MOVE, peace
from tests.press.matrix import SECRET, SUBJECT, Browser
from tests.press.people import new_key

BIDI = "\u202e"
TO_MOSCOW = {"clause": "order", "order": {**MOVE, "to": "MOS"}}


@pytest.fixture
def written():
    """The log as it is written to its file."""
    handler, lines = logging.Handler(logging.INFO), []
    formatters = [row.formatter for row in logging.getLogger().handlers]
    (handler.formatter,) = [row for row in formatters if isinstance(row, ProcessorFormatter)][-1:]
    handler.emit = lambda record: lines.append(handler.format(record))
    root = logging.getLogger()
    level = root.level
    root.setLevel(logging.INFO)
    root.addHandler(handler)
    yield lines
    root.removeHandler(handler)
    root.setLevel(level)


def clause(value):
    return {"clause": f"0 {json.dumps(value)}", "do": "send"}


def test_logs_have_no_text_no_subject_and_no_addressee(talking, written):
    talking.agree(master_reads=True)
    france, master = (Browser(talking.user_id(who)) for who in ("FRANCE", "Morgan"))
    game, text = f"/games/{talking.slug}/press/", {"body": SECRET, "subject": SUBJECT}
    too_long, hidden = {"body": SECRET * 600}, {"body": f"{SECRET}{BIDI}"}
    person = f"/messages/with/{talking.name_of('ENGLAND')}/"
    key = new_key()
    steps = [
        ("send/", {**text, "to": "ENGLAND", "key": key}, 303),
        ("send/", {"body": "Other.", "to": "ENGLAND", "key": key}, 409),
        *(("send/", {**bad, "to": "ENGLAND"}, 400) for bad in (too_long, hidden)),
        ("send/", {**text, "to": "FRANCE+NOWHERE"}, 404),
        ("ENGLAND/proposal/", {**clause(peace()), **text}, 303),
        ("ENGLAND/proposal/", {**clause(TO_MOSCOW), **text}, 400),
        ("ENGLAND/document/", {**text, "text": SECRET}, 303),
        ("ENGLAND/document/", {**text, "text": hidden["body"]}, 400),
        ("ENGLAND/mute/", {"muted": "1"}, 303),
        ("ENGLAND/mute-seat/", {"mute": "ENGLAND"}, 303),
        (f"{person}send/", text, 303),
        (f"{person}send/", hidden, 400),
        (f"{person}block/", {"blocked": "1"}, 303),
        (f"{person}1/report/", {"grounds": "other"}, 404),
        ("ENGLAND/1/report/", {"grounds": "abuse", "note": SECRET}, 404),
    ]
    for place, form, status in steps:
        url = place if place.startswith("/") else f"{game}{place}"
        response = france.post(url, {"key": new_key(), **form})
        assert response.status_code == status, (place, form)
    for reason in ("A complaint.", "England complains."):
        master.post(f"{game}look/", {"to": ["ENGLAND", "FRANCE"], "reason": reason})
    france.get(f"/messages/search/?q={SECRET}")
    logged = "\n".join(written)
    assert logged.count("path=") > len(steps)
    assert_silent(talking, logged)


def assert_silent(talking, logged):
    words = (SECRET, SUBJECT, "Burgundy", "Moscow", "MOS", "ENGLAND", "England", "complain")
    assert [word for word in (*words, talking.name_of("ENGLAND")) if word in logged] == []
