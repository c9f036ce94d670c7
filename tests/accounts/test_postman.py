"""Letters go out beside the pages, again if they failed, and are never lost without a word."""

import threading
import time

import pytest
from structlog.testing import capture_logs

from diplomaccloud.accounts import postman
from diplomaccloud.accounts.postman import SOON, WAITS, Postman


class Waiting(Postman):
    """One without a thread, who goes when told."""

    def start(self):
        return None


def fail():
    raise OSError


def test_a_letter_goes_out_in_a_thread_of_its_own():
    man, sent = Postman(), threading.Event()
    man.post("kind", fail)
    man.post("kind", sent.set)
    assert sent.wait(30)
    man.close()


def test_one_that_fails_is_tried_again_later_and_later_and_then_given_up():
    man, now = Waiting(), time.monotonic() + SOON
    with capture_logs() as lines:
        man.post("kind", fail)
        for wait in (SOON, *WAITS):
            man.deliver(now + wait - 1)
            now += wait + 1
            man.deliver(now)
        man.deliver(now + 1_000_000)
    told = [(line["event"], line["tries"], line.get("again_in")) for line in lines]
    later = [("mail was not sent", tries + 1, wait) for tries, wait in enumerate(WAITS)]
    assert told == [*later, ("mail was given up", len(WAITS) + 1, None)]


def test_one_that_failed_slowly_waits_as_long_from_then_on(monkeypatch):
    clock, tries = [100.0], []
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])

    def fail_slowly():
        tries.append(clock[0])
        clock[0] += 30
        raise OSError

    man = Waiting()
    man.post("kind", fail_slowly)
    clock[0] += SOON
    for _ in range(2):
        man.deliver(clock[0])
    assert len(tries) == 1
    clock[0] += WAITS[0]
    man.deliver(clock[0])
    assert len(tries) == 2


def test_a_server_that_stops_tells_what_it_has_not_sent():
    man = Waiting()
    man.post("kind", fail)
    man.deliver(time.monotonic() + SOON)
    man.post("another", fail)
    with capture_logs() as lines:
        man.close()
        man.close()
        man.post("too late", fail)
    assert sorted(line["mail"] for line in lines) == ["another", "kind", "too late"]
    assert {line["reason"] for line in lines} == {"the server stops"}


@pytest.mark.parametrize("finishes", [True, False])
def test_one_in_hand_may_be_finished_when_the_server_stops(monkeypatch, finishes):
    monkeypatch.setattr(postman, "_LAST", 30 if finishes else 0.1)
    man, begun, go_on = Postman(), threading.Event(), threading.Event()
    man.post("kind", lambda: (begun.set(), go_on.wait(30)))
    assert begun.wait(30)
    if finishes:
        threading.Timer(0.2, go_on.set).start()
    with capture_logs() as lines:
        man.close()
    go_on.set()
    assert [line["mail"] for line in lines] == ([] if finishes else ["kind"])


def test_no_more_wait_than_there_is_room_for(monkeypatch):
    monkeypatch.setattr(postman, "MOST", 1)
    man = Waiting()
    man.post("first", fail)
    with capture_logs() as lines:
        man.post("second", fail)
    assert [(line["mail"], line["reason"]) for line in lines] == [("second", "too many wait")]
