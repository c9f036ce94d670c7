"""HTTPS by Caddy in front of a site: what is refused, and a real Caddy with its own authority."""

import http.client
import re
import shutil
import socket
import ssl
import subprocess
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlencode

import pytest
from judge.tests.effort import PATIENCE
from tests.ports import hold_port
from tests.worker.separate_site import answers, make_games, serve_site, use_own_database, wait_until

from diplomaccloud.project import caddy
from diplomaccloud.project.caddy import (
    CERTIFICATE,
    Front,
    ProxyError,
    build_command,
    find_free_port,
    parse_domain,
    prepare_front,
)
from diplomaccloud.project.play import build_environment

EXAMPLE = Path(__file__).parents[2] / "deploy" / "proxy" / "Caddyfile"
needs_caddy = pytest.mark.skipif(shutil.which("caddy") is None, reason="needs Caddy")


@pytest.fixture
def pretend(monkeypatch):
    """Pretend that there is a Caddy, and that names lead to the given addresses."""

    def lead(*addresses):
        monkeypatch.setattr(caddy, "_resolve", lambda domain: list(addresses))

    monkeypatch.setattr(caddy, "_find_caddy", lambda: "/usr/bin/caddy")
    lead("127.0.0.1")
    return lead


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("Games.Example.org.", "games.example.org"),
        ("localhost", "localhost"),
        ("[fd00::2]", "fd00::2"),
        ("192.168.1.5", "192.168.1.5"),
        ("spiele.bücher.example", "spiele.xn--bcher-kva.example"),
    ],
)
def test_a_domain_is_a_name_or_an_address(text, domain):
    assert parse_domain(text) == domain


@pytest.mark.parametrize(
    "text",
    [
        *(
            "https://games.example.org",
            "games.example.org:8443",
            "games.example.org/",
            "a b.example",
        ),
        *("1.2.3", "games..example", "-games.example", "{env.HOME}", "a\n.example", "*.x.org"),
        "a" * 300,
    ],
)
def test_anything_else_is_refused(text):
    with pytest.raises(ValueError, match="--domain must be a name like"):
        parse_domain(text)


@pytest.mark.parametrize(
    ("domain", "port", "is_own"),
    [
        ("games.example.org", 443, False),
        ("games.example.org", 8443, True),
        ("localhost", 443, True),
        ("den.local", 443, True),
        ("192.168.1.5", 443, True),
        ("fd00::2", 443, True),
    ],
)
def test_names_without_a_public_authority_get_an_own_one(tmp_path, domain, port, is_own):
    front = Front(domain, port, tmp_path)
    config = front.build_config("127.0.0.1:8000")
    assert front.has_own_authority == is_own
    assert ("tls internal" in config) == is_own
    assert (CERTIFICATE in config) == is_own
    assert any("root.crt" in sentence for sentence in front.list_advice()) == is_own


def test_the_site_gets_the_settings_that_fit(tmp_path, monkeypatch):
    monkeypatch.setenv("DIPLOMACCLOUD_ALLOWED_HOSTS", "other.example")
    monkeypatch.setenv("DIPLOMACCLOUD_TRUSTED_ORIGINS", "https://other.example")
    monkeypatch.setenv("DIPLOMACCLOUD_PROXIES", "0")
    assert Front("fd00::2", 8443, tmp_path).build_environment() == {
        "DIPLOMACCLOUD_ALLOWED_HOSTS": "[fd00::2] other.example",
        "DIPLOMACCLOUD_TRUSTED_ORIGINS": "https://[fd00::2]:8443 https://other.example",
        "DIPLOMACCLOUD_HTTPS": "1",
        "DIPLOMACCLOUD_PROXIES": "1",
    }


def test_a_taken_port_is_named_with_the_fix(pretend, tmp_path):
    with socket.socket() as taken:
        taken.bind(("", 0))
        taken.listen()
        with pytest.raises(ProxyError, match=r"in use .*systemctl disable --now caddy"):
            prepare_front("localhost", taken.getsockname()[1], tmp_path)


def test_a_port_that_needs_rights_is_named_with_the_fix(pretend, tmp_path, monkeypatch):
    class Refusing(socket.socket):
        def bind(self, address):
            raise PermissionError

    monkeypatch.setattr(socket, "socket", Refusing)
    monkeypatch.setattr(caddy, "_may_use_low_ports", lambda program: False)
    with pytest.raises(ProxyError, match=r"setcap cap_net_bind_service=\+ep /usr/bin/caddy"):
        prepare_front("localhost", 443, tmp_path)
    monkeypatch.setattr(caddy, "_may_use_low_ports", lambda program: True)
    assert prepare_front("localhost", 443, tmp_path).port == 443


def test_a_system_without_ipv6_can_serve_a_domain(pretend, tmp_path, monkeypatch):
    class OldSocket(socket.socket):
        def __init__(self, family=socket.AF_INET, *args, **options):
            if family == socket.AF_INET6:
                raise OSError(97, "Address family not supported by protocol")
            super().__init__(family, *args, **options)

    port = hold_port()
    monkeypatch.setattr(socket, "socket", OldSocket)
    assert prepare_front("localhost", port, tmp_path).port == port


def test_a_missing_caddy_is_named_with_the_fix(monkeypatch, tmp_path):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(ProxyError, match="sudo apt install caddy"):
        prepare_front("localhost", hold_port(), tmp_path)


def test_a_name_without_an_address_is_named_with_the_fix(pretend, tmp_path, monkeypatch):
    pretend()
    monkeypatch.setattr(caddy, "_require_port", lambda port, program: None)
    with pytest.raises(ProxyError, match=r"games.example.org leads nowhere: let its A or AAAA"):
        prepare_front("games.example.org", 443, tmp_path)
    with pytest.raises(ProxyError, match=r"den.local leads nowhere: use the name"):
        prepare_front("den.local", 443, tmp_path)
    monkeypatch.setattr(caddy, "find_name", lambda: "den.local")
    assert list(prepare_front("den.local", 443, tmp_path).list_advice())


def test_a_name_that_leads_elsewhere_is_named_with_the_fix(pretend, tmp_path):
    front = Front("games.example.org", 443, tmp_path)
    assert list(front.list_advice()) == []
    pretend("203.0.113.7")
    (sentence,) = front.list_advice()
    assert "leads to 203.0.113.7" in sentence
    assert "let it forward the ports 443 and 80" in sentence


def test_a_folder_that_caddy_would_read_as_code_is_refused(tmp_path):
    for name in ("a`b", "{env.HOME}"):
        with pytest.raises(ProxyError, match="choose another"):
            Front("localhost", 8443, tmp_path / name).build_config("127.0.0.1:1")


def test_the_web_server_gets_another_port_if_the_usual_one_is_taken():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert find_free_port(taken.getsockname()[1]) != taken.getsockname()[1]


def test_the_rules_are_those_of_the_example(tmp_path):
    """The example also compresses, and `play` leaves that to the site."""
    ours, example = (
        {line.strip() for line in text.splitlines() if "#" not in line}
        for text in (
            Front("games.example.org", 443, tmp_path).build_config("127.0.0.1:8000"),
            EXAMPLE.read_text("utf-8").replace("games.", "https://games."),
        )
    )
    assert example - ours == {"encode zstd gzip"}


@needs_caddy
@pytest.mark.parametrize(
    ("domain", "port"), [("games.example.org", 443), ("fd00::2", 443), ("localhost", 8443)]
)
def test_caddy_understands_its_configuration(tmp_path, domain, port):
    command = build_command(Front(domain, port, tmp_path / "with a space"), "127.0.0.1:8000")
    command[command.index("run")] = "validate"
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


class Browser:
    """Asks a site over HTTPS, trusts only its own authority, and keeps cookies."""

    def __init__(self, front):
        self._front, self.cookies = front, {}
        self._context = ssl.create_default_context(cafile=front.authority / "root.crt")

    def ask(self, path, form=None, read=True, **headers):
        """Return the response and its body; without `read`, the body can still be read."""
        connection = http.client.HTTPSConnection(
            self._front.domain, self._front.port, timeout=PATIENCE, context=self._context
        )
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if form is None:
            connection.request("GET", path, headers=sent)
        else:
            sent |= {
                "Origin": self._front.origin,
                "Content-Type": "application/x-www-form-urlencoded",
            }
            connection.request("POST", path, urlencode(form), sent)
        answer = connection.getresponse()
        for cookie in answer.headers.get_all("Set-Cookie", []):
            assert "; secure" in cookie.lower()
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return (answer, answer.read().decode("utf-8", "replace")) if read else (answer, connection)


@contextmanager
def serving(front, tmp_path, **variables):
    """Serve a site with a game and a person behind Caddy; yield its game and its address."""
    from django.contrib.auth.hashers import Argon2PasswordHasher
    from django.utils import timezone

    from diplomaccloud.accounts.models import User
    from diplomaccloud.games.table.models import Game

    upstream = find_free_port(hold_port())
    with use_own_database(tmp_path) as url:
        game = "abcdefghij"
        make_games(1, now=timezone.now())
        Game.objects.update(slug=game)  # one that pages can link to
        # The site does not know the cheap hashes of the tests.
        word = Argon2PasswordHasher().encode("a long pass phrase", "some salt")
        User.objects.filter(username="person0").update(password=word)
        environment = build_environment("127.0.0.1", tmp_path) | front.build_environment()
        environment |= {"DIPLOMACCLOUD_DATABASE_URL": url, "DIPLOMACCLOUD_NEXT_GAMES": "off"}
        environment["DJANGO_SETTINGS_MODULE"] = "diplomaccloud.project.settings"
        site = serve_site(upstream, tmp_path, environment | variables)
        try:
            with proxying(front, f"127.0.0.1:{upstream}"):
                wait_until(lambda: answers(upstream) or site.poll() is not None)
                assert site.poll() is None
                yield game, f"127.0.0.1:{upstream}"
        finally:
            site.terminate()
            site.wait(PATIENCE)


def has_certificate(front):
    """Return whether Caddy has begun to serve with a certificate."""
    with suppress(OSError, ssl.SSLError):
        Browser(front).ask(CERTIFICATE)
        return True
    return False


@contextmanager
def proxying(front, upstream, rule=""):
    """Run Caddy, with one more rule about headers."""
    command = build_command(front, upstream)
    if rule:
        config = front.folder / "Caddyfile"
        config.write_text(config.read_text().replace("flush_interval -1", rule))
    proxy = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: has_certificate(front))
        yield
    finally:
        proxy.terminate()
        proxy.wait(PATIENCE)


@needs_caddy
@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_friends_log_in_and_play_over_https(tmp_path):
    front = Front("localhost", hold_port(), tmp_path / "caddy")
    with serving(front, tmp_path) as (game, upstream):
        browser = Browser(front)
        page, text = browser.ask("/accounts/login/")
        assert page.status == 200
        # Devices without the certificate could not come back.
        assert page.getheader("Strict-Transport-Security") is None
        token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', text)[0]
        form = {"login": "person0", "password": "a long pass phrase", "csrfmiddlewaretoken": token}
        page, _ = browser.ask("/accounts/login/", form)
        assert (page.status, page.getheader("Location")) == (302, "/")
        assert "sessionid" in browser.cookies
        # The site compresses its pages, and nothing else does.
        page, _ = browser.ask("/", Accept_Encoding="br, gzip, zstd")
        assert page.status == 200
        assert page.headers.get_all("Content-Encoding") == ["br"]
        stream, connection = browser.ask(f"/live/games/{game}", read=False)
        with closing(connection):
            assert stream.getheader("Content-Encoding") is None
            wait_until(lambda: b"event: changed" in stream.readline())
        statuses = {
            path: browser.ask(path)[0].status for path in ("/health", "/health/ready", "/metrics")
        }
        assert set(statuses.values()) == {404}
        page, text = browser.ask(CERTIFICATE)
        assert text == (front.authority / "root.crt").read_text()
        assert page.getheader("Content-Type") == "application/x-x509-ca-cert"
        # All settings fit.
        assert not (tmp_path / "wrong-settings").exists()
        for rule, status, part in WRONG_PROXIES:
            other = Front("localhost", hold_port(), tmp_path / "other")
            with proxying(other, upstream, rule):
                browser = Browser(other)
                page, text = browser.ask("/accounts/login/", form, Sec_Fetch_Site="same-origin")
                assert page.status == status
                assert part in text
        # A page works in spite of the last one.
        notes = {path.stem for path in (tmp_path / "wrong-settings").iterdir()}
        assert notes == {"redirects", "port", "host-header", "proxies"}


WRONG_PROXIES = (
    ("header_up X-Forwarded-Proto http", 503, "DIPLOMACCLOUD_HTTPS is on"),
    ("header_up Host localhost", 403, "DIPLOMACCLOUD_TRUSTED_ORIGINS"),
    ("header_up Host 127.0.0.1", 403, "DIPLOMACCLOUD_ALLOWED_HOSTS to localhost"),
    ("header_up -X-Forwarded-For", 403, "Go back"),
)
"""Rules of a proxy that do not fit the settings, and how the site answers to a form then."""


@needs_caddy
@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_https_that_is_forgotten_behind_a_real_proxy_is_named(tmp_path):
    front = Front("localhost", hold_port(), tmp_path / "caddy")
    wrong = {"DIPLOMACCLOUD_HTTPS": "", "DIPLOMACCLOUD_TRUSTED_ORIGINS": ""}
    with serving(front, tmp_path, **wrong):
        page, text = Browser(front).ask("/accounts/login/", {})
        assert page.status == 403
        assert "DIPLOMACCLOUD_HTTPS=1" in text
        (note,) = (tmp_path / "wrong-settings").iterdir()
        assert note.name == "https.json"


@needs_caddy
def test_the_watch_ends_when_there_is_a_certificate_and_names_the_ports_when_not(tmp_path, capsys):
    front = Front("localhost", hold_port(), tmp_path / "caddy")
    with proxying(front, "127.0.0.1:1"):
        caddy.watch("localhost", front.port, PATIENCE)
        assert "localhost has a certificate" in capsys.readouterr().out
        # No certificate for this name.
        caddy.watch("other.example", front.port, 0.3)
        assert "Open the ports 80 and" in capsys.readouterr().out
