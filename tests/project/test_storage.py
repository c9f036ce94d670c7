"""The address of the file storage: what is understood, and what is refused."""

import importlib.util

import pytest
from django.core.exceptions import ImproperlyConfigured

from diplomaccloud.project.service_urls import parse_storage_url

SECRET = "hunter2"
PRIVATE = {
    "file_overwrite": True,
    "default_acl": None,
    "querystring_auth": True,
    "max_memory_size": 2 * 1024 * 1024,
}
"""What keeps the files of every bucket private, whole and out of memory."""


@pytest.mark.parametrize("url", ["/srv/games", "file:///srv/games"])
def test_a_folder_is_an_absolute_path(url):
    assert parse_storage_url(url)["OPTIONS"] == {"location": "/srv/games"}


def test_nothing_is_no_store():
    assert parse_storage_url("") is None


def test_a_bucket_is_named_with_what_opens_it():
    url = "s3://me:a%2Fb@games/site/1?endpoint=https://s3.example&region=eu"
    assert read_names(url) == {
        "bucket_name": "games",
        "location": "site/1",
        "access_key": "me",
        "secret_key": "a/b",
        "endpoint_url": "https://s3.example",
        "region_name": "eu",
    }
    assert read_names("S3://games") == {"bucket_name": "games", "location": ""}


def read_names(url):
    """Return the options that the URL names; the others are the same for every store."""
    options = parse_storage_url(url)["OPTIONS"]
    assert options.pop("client_config").connect_timeout == 2
    for name, value in PRIVATE.items():
        assert options.pop(name) == value
    return options


@pytest.mark.parametrize(
    ("url", "why"),
    [
        (f"{SECRET}@games", "does not begin with s3://"),
        (f"ftp://me:{SECRET}@games", "begins with 'ftp'"),
        (f"s3://me:{SECRET}@", "not the name of a bucket"),
        (f"s3://me:{SECRET}@games:9000/x", "not the name of a bucket"),
        (f"s3://:{SECRET}@games", "a secret without a name"),
        (f"s3://me:{SECRET}@games?acl=public", "no option 'acl'"),
        (f"s3://me:{SECRET}@games?endpoint=s3.example", "endpoint does not begin"),
        (f"s3://me:{SECRET}[@games", "not written as"),
        ("file://games", "file:///absolute/path"),
        ("games", "does not begin with s3:// or a slash"),
    ],
)
def test_the_error_names_the_part_at_fault_and_no_secret(url, why):
    with pytest.raises(ImproperlyConfigured, match=why) as raised:
        parse_storage_url(url)
    assert SECRET not in str(raised.value)


def test_a_missing_library_is_named(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImproperlyConfigured, match="`scale`"):
        parse_storage_url("s3://games")
