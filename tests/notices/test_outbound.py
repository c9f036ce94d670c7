"""Calls to other servers reach public addresses only, whatever a person enters.

The resolver and `connect` are stubs: nothing leaves this machine.
"""

import socket
import threading
import time
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from judge.tests.effort import PATIENCE

from diplomaccloud.notices import outbound
from diplomaccloud.notices.failures import FAILED, CallFailed, DestinationGone
from diplomaccloud.notices.outbound import leads_inside, post, read_retry_after, require_accepted

PUBLIC = "93.184.216.34"
INSIDE = [
    *("127.0.0.1", "10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.169.254"),
    *("0.0.0.1", "100.64.0.1", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fc00::1"),
    *("::ffff:127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "2002:7f00:1::"),
    *("fd00:ec2::254", "fd20:ce::254"),
]


@pytest.fixture
def network(monkeypatch):
    """What names resolve to, and the addresses that were called."""
    names, called = {}, []

    def resolve(host, port, family=0, kind=0, *_rest):
        answers = names.get(host, [host])
        answers = answers.pop(0) if isinstance(answers[0], list) else answers
        return [
            (
                socket.AF_INET6 if ":" in address else socket.AF_INET,
                socket.SOCK_STREAM,
                6,
                "",
                (address, port),
            )
            for address in answers
        ]

    class StubSocket(socket.socket):
        def connect(self, address):
            called.append(address[0])
            raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(socket, "socket", StubSocket)
    return names, called


def call(url):
    post(url, body=b"{}", headers={})


@pytest.mark.parametrize("address", INSIDE)
def test_a_name_that_leads_inside_is_not_called(network, address):
    names, called = network
    names["hook.example"] = [address]
    with pytest.raises(CallFailed, match=FAILED):
        call("https://hook.example/x")
    assert called == []


@pytest.mark.parametrize(
    "url",
    [
        "https://localhost/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://169.254.169.254/latest/meta-data/",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://0177.0.0.1/",
        "https://127.1/",
        "http://93.184.216.34/",
        "https://user:word@93.184.216.34/",
        "file:///etc/passwd",
        "gopher://93.184.216.34/",
        "https:///nothing",
        "https://93.184.216.34:99999/",
        "not an address",
    ],
)
def test_an_address_inside_or_of_another_kind_is_not_called(network, url):
    names, called = network
    for name in ("localhost", "2130706433", "0x7f000001", "0177.0.0.1", "127.1"):
        names[name] = ["127.0.0.1"]
    with pytest.raises(CallFailed, match=FAILED):
        call(url)
    assert called == []


@pytest.mark.parametrize("address", INSIDE)
def test_a_name_that_leads_inside_is_noticed_before_it_is_called(network, address):
    names, _ = network
    names["hook.example"] = [address]
    assert leads_inside("hook.example")
    assert leads_inside(address)
    names["hook.example"] = [address, PUBLIC]
    assert not leads_inside("hook.example")


def test_a_name_that_cannot_be_looked_up_may_lead_outside(monkeypatch):
    def fail(*_):
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    assert not leads_inside("hook.example")


def test_a_public_address_is_called(network):
    names, called = network
    names["hook.example"] = [PUBLIC]
    with pytest.raises(CallFailed):
        call("https://hook.example/x")
    assert called == [PUBLIC]


def test_a_name_that_changes_its_address_is_resolved_once(network):
    """DNS rebinding: public when it is checked, inside when it is called."""
    names, called = network
    names["hook.example"] = [[PUBLIC], ["127.0.0.1"], ["127.0.0.1"]]
    with pytest.raises(CallFailed):
        call("https://hook.example/x")
    assert called == [PUBLIC]


def test_of_several_addresses_only_the_public_ones_are_called(network):
    names, called = network
    names["hook.example"] = ["127.0.0.1", PUBLIC, "10.0.0.1"]
    with pytest.raises(CallFailed):
        call("https://hook.example/x")
    assert called == [PUBLIC]


class Answers(BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.calls.append((self.path, dict(self.headers)))
        self.body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.answer(self)

    def log_message(self, *_args):
        pass


@contextmanager
def answering(monkeypatch, answer):
    """A server on this machine that counts as public and may be called without TLS."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        server.daemon_threads, server.calls, server.answer = True, [], answer
        server.block_on_close = False
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setattr(outbound, "is_secure_http_url", lambda url: True)
        monkeypatch.setattr(outbound, "is_public_ip_address", lambda address: True)
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", server.calls
        finally:
            server.shutdown()


def status(number, **headers):
    def answer(handler):
        handler.send_response(number)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


def test_a_redirect_is_not_followed(monkeypatch):
    redirect = status(307, Location="/inside")
    with answering(monkeypatch, redirect) as (url, calls), pytest.raises(CallFailed, match=FAILED):
        call(f"{url}/hook")
    assert [path for path, _ in calls] == ["/hook"]


def test_success_is_silent_and_gone_says_so(monkeypatch):
    with answering(monkeypatch, status(204)) as (url, calls):
        call(f"{url}/hook")
        assert len(calls) == 1
    for number in (404, 410):
        with answering(monkeypatch, status(number)) as (url, _), pytest.raises(DestinationGone):
            call(url)


def test_an_answer_without_end_is_cut(monkeypatch):
    def answer(handler):
        handler.send_response(200)
        handler.end_headers()
        with suppress(OSError):
            for _ in range(100_000):
                handler.wfile.write(b"x" * 4096)

    with answering(monkeypatch, answer) as (url, _), pytest.raises(CallFailed):
        call(url)


@pytest.mark.parametrize("part", ["headers", "body"])
def test_an_answer_that_drips_is_cut_after_the_limit(monkeypatch, part):
    monkeypatch.setattr(outbound, "MAX_SECONDS", 0.5)
    cut = threading.Event()

    def answer(handler):
        handler.wfile.write(b"HTTP/1.0 200 OK\r\n" + (b"\r\n" if part == "body" else b"X: "))
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                handler.wfile.write(b"1")
            except OSError:
                cut.set()
                return
            time.sleep(0.1)

    with answering(monkeypatch, answer) as (url, _):
        with pytest.raises(CallFailed):
            call(url)
        assert cut.wait(PATIENCE)


def test_retry_after_is_a_number_or_a_date():
    import datetime as dt

    now = dt.datetime(2030, 3, 1, 12, tzinfo=dt.UTC)
    assert read_retry_after("120", now) == dt.timedelta(minutes=2)
    assert read_retry_after("Fri, 01 Mar 2030 12:05:00 GMT", now) == dt.timedelta(minutes=5)
    for text in ("", "-1", "soon", "Fri, 01 Mar 2030 11:00:00 GMT", "9" * 30):
        assert read_retry_after(text, now) is None
    with pytest.raises(CallFailed) as caught:
        require_accepted(503, "120")
    assert caught.value.retry_after == dt.timedelta(minutes=2)


HOME = ["127.0.0.1", "10.0.0.1", "192.168.1.1", "172.16.0.1", "::1", "fc00::1"]


@pytest.mark.parametrize("address", INSIDE)
def test_an_operator_can_open_the_home_network_but_nothing_else(network, settings, address):
    settings.PRIVATE_WEBHOOKS = True
    names, called = network
    names["hook.example"] = [address]
    with pytest.raises(CallFailed, match=FAILED):
        call("http://hook.example/x")
    assert called == ([address] if address in HOME else [])


def test_a_program_beside_the_site_is_called_without_https(settings):
    settings.PRIVATE_WEBHOOKS = True
    bodies = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(302 if self.path == "/away" else 204)
            self.send_header("Location", "/")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/"
    try:
        call(address)
        with pytest.raises(CallFailed):
            call(f"{address}away")
    finally:
        server.shutdown()
        server.server_close()
    assert bodies == [b"{}", b"{}"]
    settings.PRIVATE_WEBHOOKS = False
    with pytest.raises(CallFailed):
        call(address)
