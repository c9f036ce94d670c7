"""Error reports contain nothing that people wrote."""

import json

import pytest
from django.core.exceptions import ImproperlyConfigured
from tests.ports import hold_port

from diplomaccloud.project.reports import scrub_report, start_reports

SECRET = "A PAR - BUR"


def test_a_report_has_no_texts_cookies_or_variables():
    frame = {"filename": "a.py", "function": "f", "lineno": 3, "vars": {"x": SECRET}}
    frame |= {"context_line": SECRET, "pre_context": [SECRET]}
    report = {
        "event_id": "1",
        "release": "1.0",
        "exception": {
            "values": [
                {"type": "ValueError", "value": SECRET, "stacktrace": {"frames": [frame]}},
                {"type": "KeyError", "value": SECRET},
            ]
        },
        "request": {"url": f"https://x/{SECRET}", "cookies": {"sessionid": SECRET}, "data": SECRET},
        "breadcrumbs": {"values": [{"message": SECRET}]},
        "logentry": {"message": SECRET},
        "message": SECRET,
        "extra": {"sys.argv": [SECRET]},
        "contexts": {"trace": {"data": SECRET}},
        "user": {"ip_address": SECRET},
        "modules": {},
        "server_name": SECRET,
        "transaction": f"/games/{SECRET}",
        "tags": {"role": "web", "path": SECRET},
    }
    scrubbed = scrub_report(report)
    assert SECRET not in json.dumps(scrubbed)
    assert [error["type"] for error in scrubbed["exception"]["values"]] == [
        "ValueError",
        "KeyError",
    ]
    assert scrubbed["exception"]["values"][0]["stacktrace"]["frames"][0]["lineno"] == 3
    assert scrubbed["tags"] == {"role": "web"}


def test_nothing_is_reported_unless_asked(monkeypatch):
    import sentry_sdk

    monkeypatch.setattr(sentry_sdk, "init", lambda **_: pytest.fail("reports are sent"))
    start_reports("", role="web", release="1")


def test_an_address_that_is_none_is_refused_without_repeating_it():
    with pytest.raises(ImproperlyConfigured) as raised:
        start_reports("sesame", role="web", release="1")
    assert "sesame" not in str(raised.value)


def test_what_is_sent_is_scrubbed():
    import sentry_sdk

    sent = []
    start_reports(f"http://key@127.0.0.1:{hold_port()}/1", role="web", release="1")
    client = sentry_sdk.get_client()
    try:
        client.transport.capture_envelope = sent.append
        try:
            raise ValueError(SECRET)
        except ValueError:
            sentry_sdk.capture_exception()
        assert len(sent) == 1
        assert SECRET not in json.dumps(sent[0].get_event())
    finally:
        sentry_sdk.get_global_scope().set_client(None)
        client.close(timeout=0)
