"""Streams of requests: each line is answered at once, and a bad line does not stop the stream."""

import io
import json
import subprocess
import sys

import pytest
from judge.tests.effort import PATIENCE
from judge.tests.protocol.asking import WAR, check, dump

from diplomaccloud.judge.protocol import answer, serve_lines
from diplomaccloud.judge.protocol.answers import MAX_LINE


def lines(*sent: bytes | dict[str, object]) -> list[dict[str, object]]:
    source = io.BytesIO(b"".join(one if isinstance(one, bytes) else dump(one) for one in sent))
    sink = io.BytesIO()
    serve_lines(source, sink)
    return [json.loads(line) for line in sink.getvalue().splitlines()]


BAD_LINES = {
    "no JSON": b"nonsense\n",
    "half an object": b'{"id": "x"\n',
    "an empty line": b"\n",
    "a line of blanks": b"   \n",
    "not UTF-8": b'{"id": "\xff"}\n',
    "no number": b'{"id": NaN}\n',
    "a key twice": b'{"id": 1, "id": 2}\n',
    "a number beyond bounds": b'{"id": ' + b"9" * 5000 + b"}\n",
    "brackets without end": b"[" * 100_000 + b"\n",
    "nested objects": b'{"a":' * 50_000 + b"\n",
    "a huge line": b'{"id": "' + b"x" * (MAX_LINE + 5) + b'"}\n',
    "zeroes": b"\0\0\0\n",
    "a byte order mark alone": b"\xef\xbb\xbf\n",
}


@pytest.mark.parametrize("bad", BAD_LINES.values(), ids=BAD_LINES)
def test_a_bad_line_is_answered_and_the_next_too(bad: bytes) -> None:
    first, second, third = lines(dump(WAR), bad, {**WAR, "id": "after"})
    assert first["id"] == "x1"
    check("refused", second)
    assert third["id"] == "after"
    assert third["results"] == first["results"]


def test_lines_may_end_as_on_other_systems_or_not_at_all() -> None:
    reply = lines(b"\xef\xbb\xbf" + dump(WAR).rstrip() + b"\r\n", dump(WAR).rstrip())
    assert [one["results"] for one in reply] == [answer(WAR)["results"]] * 2


def test_an_error_in_the_map_finder_does_not_stop_the_stream() -> None:
    def broken(name: object) -> object:
        raise ZeroDivisionError

    reply: list[Exception] = []
    sink = io.BytesIO()
    serve_lines(io.BytesIO(dump(WAR) * 2), sink, broken, report=reply.append)
    answers = [json.loads(line) for line in sink.getvalue().splitlines()]
    assert [one["error"] for one in answers] == ["internal error: ZeroDivisionError"] * 2
    assert [type(one) for one in reply] == [ZeroDivisionError] * 2


def test_the_command_answers_each_line_at_once() -> None:
    command = [sys.executable, "-m", "diplomaccloud", "judge", "--explain"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as judge:
        assert judge.stdin is not None
        assert judge.stdout is not None
        for sent in (dump(WAR), b"?\n", dump({**WAR, "id": 3})):
            judge.stdin.write(sent)
            judge.stdin.flush()
            reply = json.loads(judge.stdout.readline())
            check("answer", reply)
            assert ("trees" in reply) is ("error" not in reply)
        judge.stdin.close()
        assert judge.wait(PATIENCE) == 0
