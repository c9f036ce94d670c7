import logging
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from allauth.account.adapter import get_adapter
from django.core.exceptions import ImproperlyConfigured
from django.test import RequestFactory

from diplomaccloud.project import environment, logs, variables

ROOT = Path(__file__).parents[2]
SOURCE = Path(environment.__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import settings_docs  # noqa: E402


def test_the_signing_key_is_made_once_for_its_owner_alone(tmp_path):
    key = environment.load_secret_key("", tmp_path)
    assert len(key) > 50
    assert environment.load_secret_key("", tmp_path) == key
    (path,) = tmp_path.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_signing_key_is_on_the_disk(tmp_path, disk):
    environment.load_secret_key("", tmp_path)
    assert disk.has_content(tmp_path / "secret-key")
    assert disk.has_name(tmp_path / "secret-key")


def test_two_containers_whose_processes_have_the_same_id_read_one_key(tmp_path, monkeypatch):
    keys, link = [], Path.hardlink_to

    def link_second(path, draft):
        monkeypatch.setattr(Path, "hardlink_to", link)
        keys.append(environment.load_secret_key("", tmp_path))
        link(path, draft)

    monkeypatch.setattr(Path, "hardlink_to", link_second)
    keys.append(environment.load_secret_key("", tmp_path))
    assert keys[0] == keys[1]
    assert [path.name for path in tmp_path.iterdir()] == ["secret-key"]


def test_a_given_key_is_used_and_nothing_written(tmp_path):
    assert environment.load_secret_key("given", tmp_path) == "given"
    assert list(tmp_path.iterdir()) == []


def test_words_and_flags(monkeypatch):
    monkeypatch.setenv("DIPLOMACCLOUD_ALLOWED_HOSTS", "a.example, b.example")
    monkeypatch.setenv("DIPLOMACCLOUD_HTTPS", "Yes")
    assert variables.ALLOWED_HOSTS.read() == ["a.example", "b.example"]
    assert variables.HTTPS.read()
    assert not variables.DEBUG.read()


@pytest.mark.parametrize(
    ("given", "proxies", "passed_on", "address"),
    [
        (None, 0, "9.9.9.9", "10.0.0.1"),
        ("", 0, "", "10.0.0.1"),
        ("1", 1, "6.6.6.6, 9.9.9.9", "9.9.9.9"),
        ("2", 2, "6.6.6.6, 9.9.9.9, 10.0.0.2", "9.9.9.9"),
        ("1", 1, "", "10.0.0.1"),
        ("2", 2, "9.9.9.9", "10.0.0.1"),
        ("1", 1, "9.9.9.9:5678", "9.9.9.9"),
        ("1", 1, "[2001:db8::1]:443", "2001:db8::/64"),
        ("1", 1, "unknown", "10.0.0.1"),
    ],
    ids=[
        "nobody is believed",
        "set to nothing",
        "one is",
        "two are",
        "asked past the proxy",
        "asked past one of two",
        "with a port",
        "a network",
        "no address",
    ],
)
def test_a_person_s_address_is_what_the_proxies_say(
    monkeypatch, settings, given, proxies, passed_on, address
):
    monkeypatch.delenv("DIPLOMACCLOUD_PROXIES", raising=False)
    if given is not None:
        monkeypatch.setenv("DIPLOMACCLOUD_PROXIES", given)
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = variables.PROXIES.read()
    assert variables.PROXIES.read() == proxies
    headers = {"X-Forwarded-For": passed_on} if passed_on else {}
    request = RequestFactory(headers=headers).get("/", REMOTE_ADDR="10.0.0.1")
    assert get_adapter().get_client_ip(request) == address


WRONG = {
    "ALLOWED_HOSTS": "https://games.example.org games.example.org:8000 *.example.org a/b",
    "BROKER_URL": "localhost:6379 redis:// amqp:///games",
    "CACHE_URL": "http://cache.example.org",
    "CODE_URL": "javascript:alert(1) code.example.org https:// https://[::1/x",
    "DATA": "/dev/null",
    "DATABASE_URL": "oracle://site:sesame@127.0.0.1/games",
    "OWNER_DATABASE_URL": "oracle://games:sesame@127.0.0.1/games",
    "EMAIL_FROM": "Games a@example.org,b@example.org",
    "EMAIL_URL": "smtp://site:sesame@mail.example.org",
    "HTTPS": "2",
    "LOG_CONSOLE": "xml",
    "LOG_FILES": "/var/log",
    "LOG_LEVEL": "LOUD",
    "LOG_MEGABYTES": "200MB 1000000000 1.5",
    "METRICS": "all nohost.invalid:9100 192.0.2.1:9100",
    "PROXIES": "-1",
    "REQUESTS_PER_ADDRESS": "\u00b2",
    "SENTRY_DSN": "sesame",
    "SLACK_TOKEN": "sesame",
    "STORAGE_URL": "data /dev/null",
    "TEXTS": "/dev/null/texts",
    "TRUSTED_ORIGINS": "games.example.org https://games.example.org/",
}
"""Values that stop the start; words count one by one where there are several."""
SUFFIXES = {"", ".env", ".md", ".py", ".service", ".toml", ".yaml"}
ANY_TEXT = {"SECRET_KEY", "SLACK_SIGNING_SECRET"}
"""The settings that take any text."""


def list_wrong():
    for name, values in WRONG.items():
        yield from ((name, value) for value in values.split())


@pytest.mark.parametrize(("name", "value"), list(list_wrong()))
def test_a_wrong_value_is_named_with_a_valid_example(monkeypatch, name, value):
    monkeypatch.setenv(f"DIPLOMACCLOUD_{name}", value)
    with pytest.raises(ImproperlyConfigured) as raised:
        variables.require_valid_settings()
    told = str(raised.value)
    assert "sesame" not in told
    assert "\n" not in told
    reason, variable, example = re.split(" For example: (.+?)=", told)
    assert name in reason
    monkeypatch.setenv(variable, example.strip('"'))
    variables.require_valid_settings()


def test_every_setting_is_tried_and_its_example_is_valid(monkeypatch):
    settings = variables.list_settings()
    alike = (environment.FLAG, environment.NUMBER)
    others = {setting.name for setting in settings if setting.kind not in alike}
    assert others <= WRONG.keys() | ANY_TEXT
    for setting in settings:
        setting.kind.parse(setting.default)
        monkeypatch.setenv(setting.variable, setting.example)
    variables.require_valid_settings()


def test_all_wrong_values_are_named_together(monkeypatch):
    for name, value in WRONG.items():
        monkeypatch.setenv(f"DIPLOMACCLOUD_{name}", value)
    with pytest.raises(ImproperlyConfigured) as raised:
        variables.require_valid_settings()
    assert len(str(raised.value).splitlines()) == len(WRONG)


def test_a_name_of_hosting_services_is_named_as_it_was_set(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "oracle://somewhere")
    with pytest.raises(ImproperlyConfigured, match="For example: DATABASE_URL=postgresql"):
        variables.DATABASE_URL.read()


@pytest.mark.parametrize(
    "host",
    ["*", ".example.org", "a-b.example.org", "127.0.0.1", "[::1]", "::1", "fe80::1", "my_pc"],
)
def test_a_host_name_or_an_address_is_a_host(monkeypatch, host):
    monkeypatch.setenv("DIPLOMACCLOUD_ALLOWED_HOSTS", host)
    assert variables.ALLOWED_HOSTS.read() == [host]


def test_a_site_that_sends_mail_answers_to_its_own_names_alone(monkeypatch):
    monkeypatch.setenv("DIPLOMACCLOUD_ALLOWED_HOSTS", "*")
    variables.require_valid_settings()
    monkeypatch.setenv("DIPLOMACCLOUD_EMAIL_URL", "smtp://localhost")
    with pytest.raises(ImproperlyConfigured, match="For example: DIPLOMACCLOUD_ALLOWED_HOSTS="):
        variables.require_valid_settings()


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("DIPLOMACCLOUD_ALOWED_HOST", "DIPLOMACCLOUD_ALLOWED_HOSTS"),
        ("DIPLOMACLOUD_HTTPS", "DIPLOMACCLOUD_HTTPS"),
        ("DIPLOMACCLOUD_SLACK_TOKENS", "DIPLOMACCLOUD_SLACK_TOKEN"),
        ("DIPLOMACCLOUD_QQQQ", ""),
    ],
)
def test_an_unknown_name_is_told_with_the_nearest(monkeypatch, name, nearest):
    monkeypatch.setenv(name, "sesame")
    (sentence,) = variables.describe_unknown_names()
    assert name in sentence.split()[4]
    assert nearest in sentence
    assert "sesame" not in sentence


@pytest.mark.parametrize("name", ["DIPLOMACCLOUD_CHECKS_NEED", "DIPLOMACCLOUD_KERNEL", "DIPLOMACY"])
def test_a_name_of_another_program_is_no_mistake(monkeypatch, name):
    monkeypatch.setenv(name, "x")
    assert list(variables.describe_unknown_names()) == []


def test_a_value_that_seems_wrong_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("DIPLOMACCLOUD_SECRET_KEY", "sesame")
    monkeypatch.setenv("DIPLOMACCLOUD_TEXTS", str(tmp_path / "no-texts"))
    key, texts = variables.describe_doubts()
    assert "DIPLOMACCLOUD_SECRET_KEY" in key
    assert "sesame" not in key
    assert "DIPLOMACCLOUD_TEXTS" in texts
    monkeypatch.setenv("DIPLOMACCLOUD_SECRET_KEY", "sesame" * 6)
    monkeypatch.setenv("DIPLOMACCLOUD_TEXTS", str(tmp_path))
    assert list(variables.describe_doubts()) == []


def test_every_variable_in_the_code_is_declared():
    folders = ("src", "judge", "extras", "scripts", "tests", "benchmarks", "docs", "deploy", ".ci")
    paths = [
        *(path for name in folders for path in (ROOT / name).rglob("*") if path.suffix in SUFFIXES),
        *(ROOT / name for name in ("pyproject.toml", "play", "check", "CONTRIBUTING.md")),
    ]
    files = [path for path in paths if path.is_file() and path != Path(__file__)]
    texts = [path.read_text("utf-8") for path in files]
    named = {name for text in texts for name in re.findall(r"DIPLOMACCLOUD_([A-Z_]*[A-Z])", text)}
    declared = {setting.name for setting in variables.list_settings()}
    checks = {name for name in named if name.startswith("CHECKS_")}
    assert named - declared - checks == variables.NOT_SETTINGS & named
    assert named > declared


def test_every_setting_is_read():
    paths = [path for path in SOURCE.rglob("*.py") if path.name != "variables.py"]
    code = "".join(path.read_text("utf-8") for path in paths)
    unread = {each.name for each in variables.SETTINGS if f"{each.name}.read()" not in code}
    assert unread == set()


def test_the_settings_read_every_variable_through_declarations():
    settings = SOURCE / "diplomaccloud" / "project" / "settings.py"
    assert re.findall(r"\bos\b|\w*getenv", settings.read_text("utf-8")) == []


@pytest.mark.parametrize("path", list(settings_docs.write_files()), ids=lambda path: path.name)
def test_a_file_has_the_settings_as_they_are_declared(path):
    assert path.read_text("utf-8") == settings_docs.write_files()[path], (
        "run .venv/bin/python scripts/settings_docs.py"
    )


def test_reading_the_settings_writes_nothing(tmp_path):
    given = {k: v for k, v in os.environ.items() if not k.startswith("DIPLOMACCLOUD_")}
    command = [sys.executable, "-c", "import diplomaccloud.project.settings"]
    subprocess.run(command, check=True, cwd=tmp_path, env=given | {"PYTHONPATH": str(SOURCE)})
    assert list(tmp_path.iterdir()) == []


def test_a_fresh_place_gets_a_signing_key_once_it_is_needed(tmp_path):
    given = {k: v for k, v in os.environ.items() if k != "DIPLOMACCLOUD_SECRET_KEY"}
    script = """
import django
django.setup()
from django.core import signing
assert signing.loads(signing.dumps(7)) == 7
"""
    changes = {
        "DIPLOMACCLOUD_DATA": str(tmp_path / "new"),
        "DJANGO_SETTINGS_MODULE": "diplomaccloud.project.settings",
        "PYTHONPATH": str(SOURCE),
    }
    subprocess.run([sys.executable, "-c", script], check=True, env=given | changes)
    assert {path.name for path in (tmp_path / "new").iterdir()} == {"secret-key"}


def test_a_log_that_cannot_be_kept_is_left_out(tmp_path):
    (tmp_path / "logs").write_text("a file where the directory should be")
    handler = logs.make_file_handler(tmp_path / "logs" / "web.log")
    assert isinstance(handler, logging.NullHandler)
