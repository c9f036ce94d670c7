"""The URL of Redis: what is accepted, and what is refused without showing the password."""

import importlib.util

import pytest
from django.core.exceptions import ImproperlyConfigured

from diplomaccloud.project.service_urls import build_caches, parse_cache_url

PASSWORD = "hunter2"


@pytest.mark.parametrize(
    ("url", "understood"),
    [
        ("", ""),
        ("redis://localhost", "redis://localhost"),
        ("valkey://:p%2Fw@[::1]:7000/3", "redis://:p%2Fw@[::1]:7000/3"),
        ("REDISS://u:p@h/?ssl_ca_certs=/ca.pem", "rediss://u:p@h/?ssl_ca_certs=/ca.pem"),
        ("valkeys://h", "rediss://h"),
    ],
)
def test_addresses_of_redis_and_valkey_are_understood(url, understood):
    assert parse_cache_url(url) == understood


@pytest.mark.parametrize(
    ("url", "why"),
    [
        (f"{PASSWORD}@host", "does not begin with redis://"),
        (f"http://:{PASSWORD}@host", "begins with 'http'"),
        (f"redis://:{PASSWORD}@:6379", "does not name a host"),
        (f"redis://:{PASSWORD}@host:port", "port is not a number"),
        (f"redis://:{PASSWORD}/x@host", "port is not a number"),
        (f"redis://:{PASSWORD}@host/games", "not the number of a database"),
        (f"redis://:{PASSWORD}@host?db=1", "no option 'db'"),
        (f"redis://:{PASSWORD}@host?ssl_ca_certs=/ca.pem", "no option 'ssl_ca_certs'"),
    ],
)
def test_the_error_names_the_part_at_fault_and_no_password(url, why):
    with pytest.raises(ImproperlyConfigured, match=why) as raised:
        parse_cache_url(url)
    assert PASSWORD not in str(raised.value)
    assert "DIPLOMACCLOUD_CACHE_URL" in str(raised.value)


def test_a_missing_library_is_named(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImproperlyConfigured, match="install the extra `scale`"):
        parse_cache_url("redis://host")


def test_the_cache_is_in_the_database_unless_told_otherwise():
    assert "database_cache" in build_caches("")["default"]["BACKEND"]
    assert build_caches("redis://h")["default"]["LOCATION"] == "redis://h"
